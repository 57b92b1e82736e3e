import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stripControl} from '../../source/format/control.ts';

test.each([
	['a colour', 'a\x1b[31mred\x1b[0m', 'ared'],
	['a colour by an 8-bit introducer', 'a\x9b1;31mred', 'ared'],
	['a cursor move with a private mark', '\x1b[?1049hBTC\x1b[2J\x1b[1;1H', 'BTC'],
	['a window title', '\x1b]0;owned\x07BTC', 'BTC'],
	['a link', '\x1b]8;;http://x.example\x1b\\BTC\x1b]8;;\x1b\\', 'BTC'],
	['an 8-bit title', '\x9d0;owned\x9cBTC', 'BTC'],
	['a device string', '\x1bP1$tx\x1b\\BTC', 'BTC'],
	['a title without an end', 'BTC\x1b]52;c;cGF5bG9hZA==', 'BTC'],
	['a sequence without an end', 'BTC\x1b[31', 'BTC'],
	['a reset', '\x1bcBTC\x1b(B', 'BTC'],
	['a sequence inside a sequence', '\x1b[3\x1b[31m1mBTC', '1mBTC'],
	['a sequence with controls in it', '\x1b[3\x001mBTC', 'BTC'],
	['a sequence with an invisible character in it', '\x1b[\u200b31mBTC', 'BTC'],
	['a lone escape', 'BTC\x1b', 'BTC'],
	['bell, backspace, delete and other controls', 'B\x07T\x08C\x7f\x00\x80', 'BTC'],
	['tabs and line breaks', 'one\r\n\ttwo\u2028three \n four\x85five', 'one two three four five'],
	['direction overrides, isolates and marks', '\u202eBTC\u202c\u2066U\u2069S\u200eD\u200fT\u061c', 'BTCUSDT'],
	['invisible characters', 'B\u200bT\u2060C\ufeff\u00ad\u034f\ufe0f\u3164', 'BTC'],
	['tag characters', 'BTC\u{e0001}\u{e0041}\u{e007f}', 'BTC'],
	['halves of surrogate pairs', 'B\ud83dT\udc4dC', 'BTC'],
	['halves that would join once a control is gone', '\udb40\x00\udc41\udb40\x1b[m\udc42', ''],
	['joiners where they join nothing', 'B\u200cT\u200dC\u200d', 'BTC'],
])('removes %s', (_, text, clean) => {
	expect(stripControl(text)).toBe(clean);
});

test.each(['', 'BTC / USDT  two blanks', 'ایران می\u200cخواهم', '中文 é ñ 👍 ₿ −0.02', 'क्\u200dष'])(
	'leaves %j as it is',
	text => {
		expect(stripControl(text)).toBe(text);
	},
);

const hostile = fc.string({
	unit: fc.oneof(
		fc.constantFrom(...'\x1b\x1b\x1b[]P\\;m31\x07\x9b\x9d\x9c\x00\n\t ~'),
		fc.constantFrom('\ud83d', '\udc4d', '\udb40', '\udc41', '\u202e', '\u200d', '\u200c', '\ufeff', 'م', 'a', '\u0301'),
		fc.integer({min: 0, max: 0xffff}).map(unit => String.fromCharCode(unit)),
	),
	maxLength: 40,
});

test('leaves nothing that acts on a terminal, in any text', () => {
	fc.assert(
		fc.property(hostile, text => {
			const clean = stripControl(text);
			expect(clean).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
			expect(clean.isWellFormed()).toBe(true);
			expect(stripControl(clean)).toBe(clean);
		}),
		{numRuns: 500},
	);
});

test('loses no letter of a text without escapes', () => {
	const letters = fc.string({unit: fc.constantFrom('a', 'Z', '9', '中', 'م', '\x00', '\u202e', '\u200b')});
	fc.assert(
		fc.property(letters, text => {
			expect(stripControl(text)).toBe(text.replace(/[\0\u202e\u200b]/g, ''));
		}),
	);
});

test('scans a huge hostile text only once', () => {
	const size = 200_000;
	const units = ['\x1b', '\x1b[', '\x1b]', '\x1b[1', ' ', '\t ', '\u200d', '\ud83d', '\x9d', 'م\u200c'];
	expect(units.map(unit => stripControl(unit.repeat(size)).length)).toEqual([
		0,
		0,
		0,
		0,
		size,
		1,
		0,
		0,
		0,
		2 * size - 1,
	]);
});
