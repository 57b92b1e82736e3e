import {isNarrow} from '../format/cells.ts';

/** A character of a text, and the cells that it takes; absent where terminals disagree about that. */
export type Glyph = {readonly text: string; readonly width: 1 | 2 | undefined};

// In two cells: kana, ideographs of the basic plane, Hangul syllables, full-width forms.
const wideSet = '\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FA5\uAC00-\uD7A3\uFF01-\uFF60';
// Accents, which all put on top of the character before them.
const markSet = '\u0300-\u034E\u0350-\u036F';

const marks = new RegExp(`^[${markSet}]*$`);
const wide = new RegExp(`^[${wideSet}]$`);

const segmenter = new Intl.Segmenter();

/** Cuts a text without control characters into what a terminal draws as a unit. */
export function glyphs(text: string): readonly Glyph[] {
	if (isNarrow(text)) return Array.from(text, character => ({text: character, width: 1}));
	return Array.from(segmenter.segment(text), ({segment}) => ({text: segment, width: widthOf(segment)}));
}

function widthOf(cluster: string): 1 | 2 | undefined {
	const character = cluster.charAt(0);
	if (!marks.test(cluster.slice(1))) return undefined;
	if (isNarrow(character)) return 1;
	return wide.test(character) ? 2 : undefined;
}
