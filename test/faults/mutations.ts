import type {Random} from '../../source/demo/random.ts';

/** The words of a JSON text, in their order: concatenated they are the text without its blanks. */
type Words = readonly string[];

type Mutation = (words: Words, random: Random) => string;

const word = /"(?:[^"\\]|\\.)*"|[-+\w.]+|[^\s"]/g;
const deepest = 20_000;

const below = (count: number, random: Random): number => Math.floor(random.uniform() * count);

const oneOf = <T>(choices: readonly [T, ...T[]], random: Random): T =>
	choices[below(choices.length, random)] ?? choices[0];

/** The place of a word that `fits`, found from a random one on; absent where there is none. */
function placeOf(words: Words, fits: (word: string, next: string) => boolean, random: Random): number | undefined {
	const start = below(words.length, random);
	for (let step = 0; step < words.length; step++) {
		const place = (start + step) % words.length;
		if (fits(words[place] ?? '', words[place + 1] ?? '')) return place;
	}

	return undefined;
}

const isKey = (text: string, next: string) => text.startsWith('"') && next === ':';
const isText = (text: string, next: string) => text.startsWith('"') && next !== ':';
const isNumber = (text: string) => /^-?\d/.test(text);
const isValue = (text: string, next: string) => isText(text, next) || /^[-\w[{]/.test(text);
const opens = (text: string) => text === '{';

const replaced = (words: Words, place: number | undefined, text: string): string =>
	place === undefined ? words.join('') : words.with(place, text).join('');

/** A replacement of what `fits` by one of `choices`. */
const replacing =
	(fits: (word: string, next: string) => boolean, ...choices: readonly [string, ...string[]]): Mutation =>
	(words, random) =>
		replaced(words, placeOf(words, fits, random), oneOf(choices, random));

/** Ways to spoil a body. All take about as long as the body is, and never fail. */
const mutations: Readonly<Record<string, Mutation>> = {
	byteFlip(words, random) {
		const bytes = Buffer.from(words.join(''));
		const place = below(bytes.length, random);
		bytes[place] = (bytes[place] ?? 0) ^ (1 << below(8, random));
		return bytes.toString();
	},
	truncation(words, random) {
		const text = words.join('');
		return text.slice(0, below(text.length, random));
	},
	wordSwap(words, random) {
		const [one, other] = [below(words.length, random), below(words.length, random)];
		return words
			.with(one, words[other] ?? '')
			.with(other, words[one] ?? '')
			.join('');
	},
	wordLoss: (words, random) => words.toSpliced(below(words.length, random), 1 + below(5, random)).join(''),
	deepNesting(words, random) {
		const depth = 1 + Math.floor(deepest * random.uniform() ** 8);
		const [open, close] = oneOf(
			[
				['[', ']'],
				['{"id":', '}'],
				['{"data":[', ']}'],
			],
			random,
		);
		return replaced(words, placeOf(words, isValue, random), `${open.repeat(depth)}1${close.repeat(depth)}`);
	},
	hugeNumber: replacing(
		isNumber,
		...(['1e999', '-1e999', '1e308', '5e-324', '1e-999', '-0', '9007199254740993', '-9007199254740993'] as const),
		...[
			'9'.repeat(400),
			`0.${'0'.repeat(400)}1`,
			'8640000000000001',
			'1.7976931348623157e308',
			'0x10',
			'NaN',
			'-Infinity',
		],
	),
	duplicateKey(words, random) {
		const key = words[placeOf(words, isKey, random) ?? 0] ?? '';
		const value = words[placeOf(words, isValue, random) ?? 0] ?? '';
		return replaced(words, placeOf(words, opens, random), `{${key}:${/^[[{]/.test(value) ? '[]' : value},`);
	},
	protoKey: replacing(
		opens,
		...(['{"__proto__":{"price":1,"id":1},', '{"constructor":{"prototype":1},', '{"toString":1,"valueOf":1,'] as const),
		...['{"hasOwnProperty":1,"length":99,', '{"toJSON":1,"then":1,', '{"__proto__":null,', '{"":0,'],
	),
	protoName: replacing(isKey, '"__proto__"', '"constructor"', '"then"', '"length"', '""', '"data"', '"bids"'),
	typeSwap: replacing(
		isValue,
		'null',
		'true',
		'false',
		'0',
		'-1',
		'""',
		'"7"',
		'"NaN"',
		'[]',
		'{}',
		'[[]]',
		'[null]',
		'{"a":[]}',
	),
	hostileText: replacing(
		isText,
		...(['"\\u001b[2J\\u202e\\u0000"', '"\\ud800"', '"\u009B31m\u2066"', '"2026-99-99T99:99:99Z"'] as const),
		...[
			`"${'A'.repeat(100_000)}"`,
			`"${'\\u001b['.repeat(10_000)}"`,
			'"0000-00-00T00:00:00.00000+00:00"',
			'"__proto__"',
		],
	),
};

const mutationList = Object.values(mutations);

/** `text` spoiled in one to three ways. */
export function mutate(text: string, random: Random): string {
	let spoiled = text;
	for (let left = 1 + below(3, random); left > 0; left--) {
		const words = spoiled.match(word) ?? [];
		const mutation = mutationList[below(mutationList.length, random)];
		if (mutation && words.length > 0) spoiled = mutation(words, random);
	}

	return spoiled;
}
