import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {isNarrow, padEnd, padStart, textWidth, truncate} from '../../source/format/cells.ts';
import {createScreen} from '../helpers/screen.ts';

const text = fc.oneof(
	fc.string({unit: 'grapheme'}),
	fc.string({unit: fc.constantFrom(...'aZ9 −–…·×₀₄₉─█▟▲▼▶●★◂┈½Žﾊﾞ中é👍'), maxLength: 12}),
);
const width = fc.nat({max: 20});

test('counts the cells of a text', () => {
	expect(['', 'BTC', '0.0₄1371', '中文', 'é', 'e\u0301', '👍', '▲ −0.02'].map(textWidth)).toEqual([
		0, 3, 8, 4, 1, 1, 2, 7,
	]);
});

test.each([
	['Thai', ['กำ', 'น้ำ', 'กี่', 'ระงับทำการ'], [2, 2, 1, 9]],
	['Lao', ['ກຳ', 'ເງິນ', 'ຫຼຽນ'], [2, 3, 3]],
	['Myanmar', ['ကျပ်', 'မြန်မာ', 'ကို'], [4, 6, 1]],
	['Khmer', ['ក្រុម', 'ស្រី', 'ប្រាក់', 'កុំ'], [3, 2, 4, 1]],
	['Devanagari', ['हिन्दी', 'क्षत्रिय', 'क्‍ष', 'कुँ'], [5, 6, 2, 1]],
	['Bengali', ['বাংলা', 'টাকা', 'কু'], [5, 4, 1]],
	['Tamil', ['தமிழ்', 'நிறுத்து'], [4, 7]],
	['Telugu', ['తెలుగు', 'క్షే'], [5, 2]],
	['Kannada', ['ಕನ್ನಡ', 'ಕ್ಷೇ'], [4, 3]],
	['Malayalam', ['മലയാളം', 'ക്ഷ'], [6, 2]],
	['Sinhala', ['සිංහල', 'ශ්‍රී'], [4, 2]],
	['Tibetan', ['བོད', 'ཧཱུྃ'], [2, 1]],
	['Arabic', ['العربية', 'لا', 'ﷺ', 'بّ'], [7, 2, 1, 1]],
	['Hebrew', ['עִבְרִית', 'לָ֫'], [5, 1]],
	['Jamo', ['\u1112\u1161\u11AB', '\u1100\u1161', '한'], [4, 3, 2]],
	['Emoji', ['👍🏽', '👩🏿‍🚀', '👨‍👩‍👧‍👦', '🇪🇺', '☎️', '☎', '☎\uFE0E'], [2, 2, 2, 2, 2, 1, 2]],
])('counts the letters of %s that a terminal may draw in cells of their own', (_, texts, cells) => {
	expect(texts.map(textWidth)).toEqual(cells);
});

/** The cells that xterm.js takes for each text after a letter. */
async function cellsInXterm(texts: readonly string[]): Promise<readonly number[]> {
	const screen = createScreen(120, 2);
	const columns: number[] = [];
	screen.onAnswer(answer => columns.push(Number(/(\d+)R/.exec(answer)?.[1])));
	await screen.write(texts.map(each => `\u001B[H\u001B[2Kx${each}\u001B[6n`).join(''));
	return columns.map(column => column - 2);
}

const characters = Array.from({length: 0x20000}, (_, code) => String.fromCodePoint(code));
const marks = characters.filter(character => /\p{M}/u.test(character));
/** Of the scripts before the ideographs. */
const letters = characters
	.slice(0xa0, 0x3400)
	.filter(character => /[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}]/v.test(character));

test('counts no text narrower than xterm.js draws it', async () => {
	const part = fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...marks), fc.constantFrom('\u200C', '\u200D'));
	const words = fc.sample(fc.string({unit: part, maxLength: 12}), {numRuns: 1000, seed: 1});
	const texts = [...marks, ...letters, ...words];
	const drawn = await cellsInXterm(texts);
	expect(drawn).toHaveLength(texts.length);
	expect(texts.filter((each, index) => textWidth(`x${each}`) - 1 < (drawn[index] ?? 0))).toEqual([]);
});

test('treats only one-cell characters as narrow', () => {
	const units = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code));
	expect(units.filter(unit => isNarrow(unit) && (stringWidth(unit) !== 1 || /\p{Cn}/u.test(unit)))).toEqual([]);
	expect(['BTC 0.0₄1371 ┈◂', '中', 'e\u0301', '👍', 'a\u200D'].map(isNarrow)).toEqual([
		true,
		false,
		false,
		false,
		false,
	]);
});

test('pads on either side by cells', () => {
	expect([padStart('中', 4), padEnd('中', 4), padStart('BTCUSDT', 3), padEnd('', 2)]).toEqual([
		'  中',
		'中  ',
		'BTCUSDT',
		'  ',
	]);
});

test('pads to the width or leaves a wider text as it is', () => {
	fc.assert(
		fc.property(text, width, (each, cells) => {
			const wanted = Math.max(cells, textWidth(each));
			expect([padStart(each, cells), padEnd(each, cells)].map(textWidth)).toEqual([wanted, wanted]);
		}),
	);
});

test('cuts at a cell boundary and marks the cut', () => {
	expect([truncate('Bitcoin', 7), truncate('Bitcoin', 4), truncate('中文字', 4), truncate('中文字', 1)]).toEqual([
		'Bitcoin',
		'Bit…',
		'中…',
		'…',
	]);
	expect([truncate('Bitcoin', 4, true), truncate('Bitcoin', 0), truncate('', 0)]).toEqual(['Bit~', '', '']);
});

test('never takes more than the width, nor changes what fits', () => {
	fc.assert(
		fc.property(text, width, (each, cells) => {
			const cut = truncate(each, cells);
			expect(textWidth(cut)).toBeLessThanOrEqual(cells);
			if (textWidth(each) <= cells) expect(cut).toBe(each);
			else expect(each.startsWith(cut.replace(/…$/, ''))).toBe(true);
		}),
	);
});
