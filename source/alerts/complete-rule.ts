import {formatPlain} from '../format/number.ts';
import {formOf, operators, type Parameter, quantityNames} from './condition.ts';
import {quantityNamed} from './parse-condition.ts';

/** What a rule can name besides the words of its language. */
export type RuleWords = {
	/** The markets that a text may mean, the likeliest first. */
	readonly marketsFor: (text: string) => readonly string[];
	readonly lists: readonly string[];
	/** A price that the last one may be compared with; absent: none is known. */
	readonly price?: number | undefined;
	/** The numbers of the lines in the market on screen. Absent: there are none. */
	readonly lines?: readonly number[] | undefined;
};

const token =
	/--list(?!\S)|crosses(?:\s+(?:above|below))?(?![\p{L}\p{N}])|&&|\|\||[<>!=]=?|[-+*/−%(),]|[^\s()<>=!,+*&|%]+/giu;
const lastWord = /[^\s()<>=!,+*&|%]*$/;
const comparing = /^(?:[<>!=]|crosses)/i;
const joining = /^(?:and|or|&&|\|\|)$/i;
const arithmetic = /^[-+*/−]$/;
const option = /^(?:every|until|note)$/i;

const examples: Readonly<Record<Parameter, readonly string[]>> = {
	window: ['1m', '5m', '15m', '1h', '4h', '1d'],
	count: ['20', '50', '14', '200'],
	period: ['1m', '5m', '15m', '1h', '4h', '1d'],
	distance: ['0.1%', '0.5%', '1%'],
};
const durations = ['1m', '5m', '10m', '1h'];

/** The texts of rules that `text`, the beginning of one, can go on to, up to the end of a word, the likeliest first. */
export function completeRule(text: string, words: RuleWords): readonly string[] {
	if (/^\s*\*$/.test(text)) return [`${text} `];
	const word = lastWord.exec(text)?.[0] ?? '';
	const before = text.slice(0, text.length - word.length);
	return wordsAfter(before.match(token) ?? [], word, words).map(each => before + each);
}

function wordsAfter(tokens: readonly string[], word: string, words: RuleWords): readonly string[] {
	const beginning = (all: readonly string[]) =>
		all.filter(each => each.toLowerCase().startsWith(word.toLowerCase()) && each !== word);
	const last = tokens.at(-1) ?? '';
	if (tokens.some(each => /^note$/i.test(each)) || /^until$/i.test(last)) return [];
	const taken = argumentOf(tokens);
	if (taken) return beginning(taken);
	if (/^--list$/i.test(last)) return beginning(words.lists.map(name => `${name} `));
	if (/^every$/i.test(last)) return beginning(durations.map(each => `${each} `));
	if (quantityNamed(last.split('.').at(-1) ?? '') === 'line') return beginning(lineNumbers(words));
	if (tokens.length === 0 && word.startsWith('-')) return beginning(['--list ']);
	if (tokens.length === 0)
		return [...proposal(word, words), ...markets(word, words), ...beginning(quantitiesFor(word))];
	if (comparing.test(last)) {
		const direction = /^crosses$/i.test(last) ? ['above ', 'below '] : [];
		const lines = lineNumbers(words).map(number => `line ${number}`);
		return [...beginning([...direction, ...prices(words), ...lines]), ...operands(word, words, beginning)];
	}

	const isScope = tokens.length === 1 && !isOperand(last) && last !== '(';
	const namesList = tokens.length === 2 && /^--list$/i.test(tokens[0] ?? '');
	if (isScope || namesList || last === '(' || joining.test(last) || arithmetic.test(last)) {
		return operands(word, words, beginning);
	}

	return beginning(wordsAfterOperand(tokens));
}

const lineNumbers = ({lines = []}: RuleWords): readonly string[] => lines.map(number => `${number} `);

const isOperand = (text: string): boolean => quantityNamed(text) !== undefined || /^[\d.]|\.\D/.test(text);

/** A rule for the price in sight, to begin with. */
const proposal = (word: string, {price}: RuleWords): readonly string[] =>
	word === '' && price !== undefined ? [`last crosses ${formatPlain(price)}`] : [];

const prices = ({price}: RuleWords): readonly string[] => (price === undefined ? [] : [formatPlain(price)]);

const markets = (word: string, {marketsFor}: RuleWords): readonly string[] =>
	marketsFor(word).map(market => `${market} `);

/** All quantities, with an opening parenthesis where they take arguments. */
const quantityWords: readonly string[] = quantityNames.flatMap(name => {
	const {bare, takes} = formOf(name);
	return [...(bare ? [`${name} `] : []), ...(takes ? [`${name}(`] : [])];
});

/** The market of a word such as `ETHUSDT.la`, with the dot; empty: it names none. */
const marketPrefix = (word: string): string => (/^[\d.,]+$/.test(word) ? '' : word.slice(0, word.lastIndexOf('.') + 1));

const quantitiesFor = (word: string): readonly string[] => quantityWords.map(each => marketPrefix(word) + each);

/** Quantities, those of another market after its name and a dot. */
function operands(
	word: string,
	words: RuleWords,
	beginning: (all: readonly string[]) => readonly string[],
): readonly string[] {
	const others = word === '' || marketPrefix(word) !== '' ? [] : words.marketsFor(word).map(each => `${each}.`);
	return [...beginning(quantitiesFor(word)), ...others];
}

/** Examples of the next argument of the quantity whose parenthesis is open; undefined: none is open. */
function argumentOf(tokens: readonly string[]): readonly string[] | undefined {
	const open = tokens.lastIndexOf('(');
	const name = tokens[open - 1]?.split('.').at(-1);
	const quantity = name === undefined ? undefined : quantityNamed(name);
	if (open < 0 || quantity === undefined || tokens.includes(')', open)) return undefined;
	const {takes = []} = formOf(quantity);
	const place = tokens.slice(open).filter(each => each === ',').length;
	const kind = takes[place];
	if (!kind || !/^[(,]$/.test(tokens.at(-1) ?? '')) return [];
	return examples[kind].map(each => (place + 1 < takes.length ? `${each}, ` : `${each}) `));
}

/** Operators while nothing is compared yet, else what can follow a condition. */
function wordsAfterOperand(tokens: readonly string[]): readonly string[] {
	const options = ['every ', 'until ', 'note '].filter(each => !tokens.some(one => one.toLowerCase() === each.trim()));
	if (tokens.some(each => option.test(each))) return options;
	const compared = tokens
		.slice(tokens.findLastIndex(each => joining.test(each)) + 1)
		.some(each => comparing.test(each));
	if (compared) return ['and ', 'or ', ...options];
	return ['crosses ', 'crosses above ', 'crosses below ', ...operators.map(each => `${each} `)];
}
