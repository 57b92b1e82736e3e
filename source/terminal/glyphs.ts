/** A character of a text, and the cells that it takes; absent where terminals disagree about that. */
export type Glyph = {readonly text: string; readonly width: 1 | 2 | undefined};

// Characters that every terminal draws in one cell: letters, digits, signs, lines and blocks. No emoji.
const narrowSet =
	' -~\u00A1-\u00AC\u00AE-\u02FF\u0370-\u0373\u0386-\u0482\u048A-\u052F\u1E00-\u1EFF\u2010-\u2027\u2030-\u205E' +
	'\u2070-\u209C\u20A0-\u20BF\u2100-\u2319\u2400-\u25FC\u2605-\u2613\u2800-\u28FF\uFF61-\uFF9F';
// In two cells: kana, ideographs of the basic plane, Hangul syllables, full-width forms.
const wideSet = '\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FA5\uAC00-\uD7A3\uFF01-\uFF60';
// Accents, which all put on top of the character before them.
const markSet = '\u0300-\u034E\u0350-\u036F';

const allNarrow = new RegExp(`^[${narrowSet}]*$`);
const narrow = new RegExp(`^[${narrowSet}][${markSet}]*$`);
const wide = new RegExp(`^[${wideSet}][${markSet}]*$`);

const segmenter = new Intl.Segmenter();

/** Whether each UTF-16 unit of the text is a character that every terminal draws in one cell. */
export const isNarrow = (text: string): boolean => allNarrow.test(text);

/** Cuts a text without control characters into what a terminal draws as a unit. */
export function glyphs(text: string): readonly Glyph[] {
	if (isNarrow(text)) return Array.from(text, character => ({text: character, width: 1}));
	return Array.from(segmenter.segment(text), ({segment}) => ({text: segment, width: widthOf(segment)}));
}

function widthOf(cluster: string): 1 | 2 | undefined {
	if (narrow.test(cluster)) return 1;
	return wide.test(cluster) ? 2 : undefined;
}
