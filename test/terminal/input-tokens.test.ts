import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {f1Character} from '../../source/format/control.ts';
import {escKey, InputTokenizer, type Token} from '../../source/terminal/input-tokens.ts';
import {decodeMouse} from '../../source/terminal/mouse.ts';

const waitMs = 50;
const keys = (text: string): Token => ({kind: 'keys', text});
const paste = (text: string): Token => ({kind: 'paste', text});
const cursor = (column: number): Token => ({kind: 'cursor', column});
const mouse = (sequence: string): readonly Token[] => {
	const report = decodeMouse(sequence);
	return report ? [{kind: 'mouse', report}] : [];
};
const marked = (text: string): string => `\u001B[200~${text}\u001B[201~`;

/** A piece of input, and how long after the last one it comes. */
type Piece = {readonly text: string; readonly afterMs?: number};

/** All tokens, as if they had come in one piece, when nothing more comes. */
function tokensOf(pieces: readonly Piece[]): readonly Token[] {
	const tokenizer = new InputTokenizer();
	const tokens: Token[] = [];
	const expire = (until: number): void => {
		while (tokenizer.pendingUntil !== undefined && tokenizer.pendingUntil <= until) tokens.push(...tokenizer.expire());
	};
	let now = 0;
	for (const {text, afterMs = 0} of pieces) {
		now += afterMs;
		expire(now);
		for (const token of tokenizer.take(text, now, waitMs)) tokens.push(token);
	}

	expire(Number.POSITIVE_INFINITY);
	return joined(tokens);
}

const rank = ({kind}: Token): number => (kind === 'cursor' ? 0 : 1);

/** The cursor's positions first, whose place among keys does not matter; keys in a row joined; of drags in a row the last. */
function joined(tokens: readonly Token[]): readonly Token[] {
	const all: Token[] = [];
	for (const token of tokens.toSorted((a, b) => rank(a) - rank(b))) {
		const last = all.at(-1);
		const isDrag = last?.kind === 'mouse' && last.report.kind === 'drag';
		if (last?.kind === 'keys' && token.kind === 'keys') all[all.length - 1] = keys(last.text + token.text);
		else if (isDrag && token.kind === 'mouse' && token.report.kind === 'drag') all[all.length - 1] = token;
		else all.push(token);
	}

	return all;
}

const at0 = (...texts: readonly string[]): readonly Piece[] => texts.map(text => ({text}));

test.each<[string, readonly string[], readonly Token[]]>([
	[
		'keys as they are',
		['j日😀\r\u001B[A\u001B[5~\u001BOQ\u001B[1;5C\u001B[2$'],
		[keys('j日😀\r\u001B[A\u001B[5~\u001BOQ\u001B[1;5C\u001B[2$')],
	],
	['F1 in four forms', ['\u001BOP\u001B[11~\u001B[[A\u001B[P'], [keys(f1Character.repeat(4))]],
	['F3 with a modifier, and Insert', ['\u001B[1;2R\u001B[2~\u001B[2;5~'], [keys('\u001B[1;2R\u001B[2~\u001B[2;5~')]],
	['the cursor position between keys', ['j\u001B[2;1Rk\u001B[2;32R'], [cursor(1), cursor(32), keys('jk')]],
	['the background', ['\u001B]11;rgb:0/0/0\u001B\\j'], [{kind: 'background', color: 'rgb:0/0/0'}, keys('j')]],
	['a mouse report', ['\u001B[<0;1;2Mj'], [...mouse('\u001B[<0;1;2M'), keys('j')]],
	['a reply of the clipboard as nothing', ['a\u001B]52;c;cQq=\u0007b'], [keys('ab')]],
	['a DCS answer as nothing', ['a\u001BP1$r0 q\u001B\\b'], [keys('ab')]],
	['APC, PM and SOS as nothing', ['\u001B_Gi=1;OK\u001B\\\u001B^q\u001B\\\u001BXq\u009Cj'], [keys('j')]],
	['a click in column 81 of an old protocol as nothing', ['a\u001B[M q!b'], [keys('ab')]],
	['two of its clicks beyond ASCII as nothing', ['\u001B[M é\uFFFDb\u001B[Méé\u07FF'], [keys('b')]],
	[
		'attributes, modes, sizes and focus as nothing',
		['\u001B[?62;4c\u001B[>41;1;0c\u001B[0n\u001B[?2026;2$y\u001B[8;24;80t\u001B[I\u001B[O\u001B[12;40R\u001B[?1uj'],
		[keys('j')],
	],
	['malformed mouse reports as nothing', ['\u001B[<0;q\u001B[<;;q\u001B[<99999999999999999999999;1;1qj'], [keys('j')]],
	['Ctrl-C in a string, which it ends', ['\u001BP1q\u0003j'], [keys('\u0003j')]],
	['a key in a string, which it ends', ['\u001BP1q\u001B[Aj'], [keys('\u001B[Aj')]],
	['a sequence that breaks off as nothing', ['\u001B[2;\u001B[A\u001B[M \u001B[B'], [keys('\u001B[A\u001B[B')]],
	['Esc and a character as two keys', ['\u001Bj\u001B\r'], [keys(`${escKey}j${escKey}\r`)]],
	['Esc before a key that is a sequence', ['\u001B\u001B[A'], [keys(`${escKey}\u001B[A`)]],
	['Alt-Backspace as Backspace', ['\u001B\u007F'], [keys('\u007F')]],
	['a paste between keys', [`a${marked('BTC')}b`], [keys('a'), paste('BTC'), keys('b')]],
	['marks that arrive in pieces', ['a\u001B[2', '00~BTC\u001B', '[20', '1~b'], [keys('a'), paste('BTC'), keys('b')]],
	['Esc before a paste', ['\u001B', marked('q')], [keys(escKey), paste('q')]],
	['a blank for control characters in a paste', [marked('a\r\nb\u001B[31mc\u0003')], [paste('a b [31mc ')]],
	[
		'a key around an answer',
		['\u001B', '\u001B[2;1R', '[', '\u001B[2;2R', 'A'],
		[cursor(1), cursor(2), keys('\u001B[A')],
	],
	['answers within a paste', ['\u001B[200~a\u001B', '[2;1Rb\u001B[<0;1', ';1Mc\u001B[201~'], [cursor(1), paste('abc')]],
	['nothing for an empty paste', [marked('')], []],
	['501 characters of a long paste', [marked('x'.repeat(100_000))], [paste('x'.repeat(501))]],
	['no key for an end mark without a paste', ['a\u001B[201~b'], [keys('ab')]],
	['the newer of two pastes, if the first has no end', [`\u001B[200~BTC${marked('ETH')}q`], [paste('ETH'), keys('q')]],
	['nothing for a paste that never ends', ['\u001B[200~q', '\u0003', 'q\u0003'], []],
])('gives %s', (_, pieces, tokens) => {
	expect(tokensOf(at0(...pieces))).toEqual(tokens);
});

describe('what an Esc begins', () => {
	test.each<[string, readonly Piece[], readonly Token[]]>([
		['is an arrow if the rest comes in time', [{text: '\u001B'}, {text: '[A', afterMs: 49}], [keys('\u001B[A')]],
		[
			'is Esc alone otherwise, and the arrow follows whole',
			[{text: '\u001B'}, {text: '[A', afterMs: 60}],
			[keys(`${escKey}\u001B[A`)],
		],
		[
			'is never a late mouse report',
			[{text: '\u001B'}, {text: '[', afterMs: 60}, {text: '<0;1;', afterMs: 9}, {text: '1Mq', afterMs: 9}],
			[keys(escKey), ...mouse('\u001B[<0;1;1M'), keys('q')],
		],
		[
			'is never a late answer',
			[{text: '\u001B]'}, {text: '11;rgb:0/0/0\u0007q', afterMs: 900}],
			[keys(`${escKey}]`), {kind: 'background', color: 'rgb:0/0/0'}, keys('q')],
		],
		['is forgotten after a second', [{text: '\u001B'}, {text: '[A', afterMs: 1050}], [keys(`${escKey}[A`)]],
		[
			'is no paste if its mark comes late',
			[...[...'\u001B[200~q\u001B[201~'].map(text => ({text, afterMs: 60})), {text: 'j'}],
			[keys(`${escKey}[200`), paste('q'), keys('j')],
		],
		[
			'and one of P X ] ^ _ are keys if nothing more comes',
			at0('\u001BP', '\u001BX', '\u001B]', '\u001B^', '\u001B_'),
			[keys(['P', 'X', ']', '^', '_'].map(key => escKey + key).join(''))],
		],
		[
			'and P and more are keys unless an answer begins so',
			[{text: '\u001BPjj'}, {text: 'k', afterMs: 60}, {text: '\u001BP1$', afterMs: 60}, {text: 'q', afterMs: 900}],
			[keys(`${escKey}Pjjk`)],
		],
	])('%s', (_, pieces, tokens) => {
		expect(tokensOf(pieces)).toEqual(tokens);
	});

	test('without its end takes no key after a second of silence', () => {
		expect(tokensOf([{text: '\u001B]52;c;q'}, {text: 'q', afterMs: 999}, {text: 'j', afterMs: 1000}])).toEqual([
			keys('j'),
		]);
	});
});

describe('Ctrl-C in a paste', () => {
	test('is a key if it comes alone after a second of silence, however often it was pressed before', () => {
		const pieces = [{text: '\u001B[200~q'}, {text: '\u0003', afterMs: 500}, {text: '\u0003', afterMs: 499}];
		expect(tokensOf(pieces)).toEqual([]);
		expect(tokensOf([...pieces, {text: '\u0003', afterMs: 1}, {text: 'q', afterMs: 1}])).toEqual([keys('\u0003q')]);
	});

	test('is a key after a second in which only answers came', () => {
		const answer = {text: '\u001B[2;1R', afterMs: 400};
		expect(tokensOf([{text: '\u001B[200~q'}, answer, answer, {text: '\u0003', afterMs: 200}])).toEqual([
			cursor(1),
			cursor(1),
			keys('\u0003'),
		]);
	});

	test('is text if it comes with other text', () => {
		expect(tokensOf([{text: '\u001B[200~q'}, {text: '\u0003q', afterMs: 5000}, {text: '\u001B[201~'}])).toEqual([
			paste('q q'),
		]);
	});
});

test('of drags in one piece the last is kept, and neither a report nor a string that never ends is', () => {
	const drags = Array.from({length: 500}, (_, index) => `\u001B[<32;${index + 1};1M`).join('');
	const tokenizer = new InputTokenizer();
	expect(tokenizer.take(drags, 0, waitMs)).toEqual(mouse('\u001B[<32;500;1M'));
	for (const [begin, end] of [
		['\u001B[<', ';1;1M'],
		['\u001B]11;', '\u001B\\'],
	] as const) {
		tokenizer.take(begin, 0, waitMs);
		for (let index = 0; index < 100; index++) expect(tokenizer.take('1'.repeat(1000), 0, waitMs)).toEqual([]);
		expect(tokenizer.take(`${end.slice(0, 1)}`, 0, waitMs)).toEqual([]);
		expect(tokenizer.take(`${end.slice(1)}q`, 0, waitMs)).toEqual([keys('q')]);
	}
});

test('takes 200,000 characters of text, keys, answers or a paste, in one piece or many, in linear time', () => {
	const text = 'x'.repeat(200_000);
	const inputs = [
		text,
		'\u001B[B'.repeat(66_000),
		'\u001B]'.repeat(100_000),
		'\u001B[2;1R'.repeat(33_000),
		marked(text),
		`\u001B]52;c;${text}\u0007`,
	];
	for (const input of inputs) {
		const pieces = input.match(/.{1,256}/gs) ?? [];
		expect(tokensOf(at0(...pieces))).toEqual(tokensOf(at0(input)));
	}
});

type Part = {readonly text: string; readonly tokens: readonly Token[]};

const key = fc
	.constantFrom(...['q', 'Z', '日', '😀', '→', '\r', '\u0003', '[', ']', '<', ';', 'M', '1', '\\', '~', '\u007F'])
	.map((text): Part => ({text, tokens: [keys(text)]}));
const sequence = fc
	.constantFrom(
		...['\u001B[A', '\u001B[5~', '\u001BOQ', '\u001B[[B', '\u001B[1;2R', '\u001B[2~', '\u001B[2$', '\u001B[97;5u'],
	)
	.map((text): Part => ({text, tokens: [keys(text)]}));
const escaped = fc
	.constantFrom(...['j', '\r', '日', '😀', '1'])
	.map((text): Part => ({text: `\u001B${text}`, tokens: [keys(escKey + text)]}));
const position = fc
	.integer({min: 1, max: 32})
	.map((column): Part => ({text: `\u001B[2;${column}R`, tokens: [cursor(column)]}));
const report = fc
	.tuple(fc.constantFrom(0, 2, 4, 32, 64, 65), fc.integer({min: 1, max: 500}), fc.integer({min: 1, max: 500}))
	.map(([code, column, row]) => `\u001B[<${code};${column};${row}M`)
	.map((text): Part => ({text, tokens: mouse(text)}));
const pasted = fc
	.string({
		unit: fc.constantFrom('a', 'é', '😀', ' ', '\n', '\u001B', '[', '2', '0', ';', '~', '\u0007'),
		maxLength: 30,
	})
	.map((text): Part => ({text: marked(text), tokens: text === '' ? [] : [paste(text.replace(/\p{Cc}+/gu, ' '))]}));
const content = fc.string({unit: fc.constantFrom('q', 'R', 'r', '\r', ';', '[', '日', '😀', '1'), maxLength: 200});
const nothing = (text: string): Part => ({text, tokens: []});
const string = fc
	.tuple(fc.constantFrom(...'PX]^_'), content, fc.constantFrom('\u0007', '\u001B\\', '\u009C'))
	.filter(([introducer, text]) => !(introducer + text).startsWith(']11;'))
	.map(([introducer, text, end]) => nothing(`\u001B${introducer}${text}${end}`));
const x10 = fc.string({unit: fc.constantFrom(' ', 'q', '!', '\uFFFD', 'é'), minLength: 3, maxLength: 3});
/** Answers that nobody asked for. */
const answer = fc.oneof(
	string,
	x10.map(text => nothing(`\u001B[M${text}`)),
	fc
		.tuple(fc.stringMatching(/^[0-9;:<=>?]{0,60}$/), fc.constantFrom('M', 'm', 'q', '@', 'c', 'y', 'n'))
		.map(([digits, final]) => nothing(`\u001B[?${digits}${final}`)),
	fc
		.constantFrom('\u001B[0n', '\u001B[I', '\u001B[8;24;80t', '\u001B[12;40R', '\u001B[<0;0M', '\u001B[<128;1;1M')
		.map(nothing),
);
const part = fc.oneof(key, sequence, escaped, position, report, pasted, answer);

/** The text in pieces that end at `ends`, with `gapMs` between. */
function cut(text: string, ends: readonly number[], gapsMs: readonly number[]): readonly Piece[] {
	const places = [...new Set(ends.map(end => end % (text.length + 1))), text.length].sort((a, b) => a - b);
	return places.map((end, index) => ({
		text: text.slice(places[index - 1] ?? 0, end),
		afterMs: gapsMs[index % Math.max(gapsMs.length, 1)] ?? 0,
	}));
}

test('keys, answers, mouse reports and pastes are the same tokens however they are split', () => {
	const gaps = fc.array(fc.integer({min: 0, max: waitMs - 1}), {maxLength: 5});
	fc.assert(
		fc.property(
			fc.array(part, {maxLength: 12}),
			fc.array(fc.nat(2000), {maxLength: 40}),
			gaps,
			(parts, ends, gapsMs) => {
				const text = parts.map(each => each.text).join('');
				const tokens = joined(parts.flatMap(each => each.tokens));
				expect(tokensOf(at0(text))).toEqual(tokens);
				expect(tokensOf(cut(text, ends, gapsMs))).toEqual(tokens);
				expect(
					tokensOf(
						cut(
							text,
							[...text].map((_, index) => index),
							gapsMs,
						),
					),
				).toEqual(tokens);
			},
		),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 200)},
	);
});

test('no answer becomes a key, however slowly it comes after its first three characters', () => {
	const slow = fc.oneof(
		fc.constantFrom(
			'\u001B]52;c;cQq=\u0007',
			'\u001BP1$r0 q\u001B\\',
			'\u001BP>|q(1)\u001B\\',
			'\u001B_Gi=1;q\u001B\\',
			'\u001B[?62;4c',
			'\u001B[>0;1;2c',
			'\u001B[2;7R',
			'\u001B[<0;9;9M',
			'\u001B[M q!',
		),
	);
	const gaps = fc.array(fc.integer({min: 0, max: 999}), {minLength: 1, maxLength: 5});
	fc.assert(
		fc.property(slow, fc.array(fc.integer({min: 3, max: 16})), gaps, (text, ends, gapsMs) => {
			const late = cut(
				text,
				ends.map(end => Math.min(end, text.length)),
				gapsMs,
			);
			const [head = {text: ''}, ...rest] = late;
			expect(tokensOf([{text: head.text}, ...rest]).filter(({kind}) => kind === 'keys')).toEqual([]);
		}),
	);
});

test('what is typed one by one are keys, each once, whatever sequence they look like', () => {
	const typed = fc.array(fc.constantFrom(...'\u001B[]OPX^_2;<?>AMGRq\\~j日'), {maxLength: 30});
	fc.assert(
		fc.property(typed, fc.integer({min: waitMs, max: 1100}), (characters, afterMs) => {
			const expected = characters.join('').replaceAll('\u001B', escKey);
			expect(tokensOf(characters.map(text => ({text, afterMs})))).toEqual(expected === '' ? [] : [keys(expected)]);
		}),
	);
});
