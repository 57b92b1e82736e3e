import {nearestWord} from '../market/symbol.ts';
import type {Typed} from '../market/typed-number.ts';
import type {Scanner} from './parse-condition.ts';

/** What stands for a part of the alert in the arguments of a program. */
const placeholders = ['market', 'message', 'rule', 'time', 'note'] as const;
export type Placeholder = (typeof placeholders)[number];
export const placeholderPattern = /\{(\w+)\}/g;

/** What is run for an alert, never by a shell. */
export type CallCommand = {
	/** A path, or a name to look up in PATH. */
	readonly program: string;
	/** With placeholders such as `{market}`. */
	readonly args: readonly string[];
};

const mostArguments = 100;
const longestArgument = 4000;

/** The program and its arguments, or what is wrong with them. */
export function callCommandOf(words: readonly string[]): Typed<CallCommand> {
	const [program = '', ...args] = words;
	if (program === '') return {fault: 'names no program'};
	if (args.length >= mostArguments) return {fault: `has more than ${mostArguments} arguments`};
	if (words.some(word => word.includes('\0'))) return {fault: 'must not contain a NUL character'};
	if (words.some(word => word.length > longestArgument))
		return {fault: `has an argument of more than ${longestArgument} characters`};
	const fault = placeholderFault(program, args);
	return fault === undefined ? {value: {program, args}} : {fault};
}

/** What is wrong with a program or with the placeholders in its arguments; undefined: nothing. */
function placeholderFault(program: string, args: readonly string[]): string | undefined {
	if (/\{\w+\}/.test(program)) return `cannot begin with ${program}: the program is a name or a path`;
	const names = args.flatMap(each => [...each.matchAll(placeholderPattern)].map(([, name = '']) => name));
	const wrong = names.find(name => !placeholders.some(each => each === name));
	if (wrong === undefined) return undefined;
	const nearest = nearestWord(wrong, placeholders);
	const all = placeholders.map(name => `{${name}}`).join(', ');
	return `has no {${wrong}}; ${nearest === undefined ? `choose from ${all}` : `did you mean {${nearest}}?`}`;
}

/** The ways on the terminal that a rule can name. */
const terminalWays = ['bell', 'terminal', 'title'] as const;
type TerminalWay = (typeof terminalWays)[number];

/** How a rule calls the user, in place of the ways of all rules. */
export type RuleCall = {
	readonly ways: readonly TerminalWay[];
	/** Absent: no program is run. */
	readonly command?: CallCommand | undefined;
};

const wayWord = /[\p{L}\p{N}]+/uy;
const quoted = /"[^"]*"/y;
const separator = /,/y;
const expected = `${terminalWays.join(', ')}, or a program in quotes`;

/** Reads `bell,title` or `bell,"notify-send 'a b' {message}"`. */
export function callAt(scanner: Scanner): RuleCall {
	const ways: TerminalWay[] = [];
	let command: CallCommand | undefined;
	do {
		const program = scanner.accept(quoted);
		if (program && command) scanner.fail('a rule runs one program', program.at);
		if (program) {
			const read = commandIn(program.text.slice(1, -1));
			command = 'value' in read ? read.value : scanner.fail(`the program ${read.fault}`, program.at);
			continue;
		}

		const {text, at} = scanner.accept(wayWord) ?? scanner.failExpecting(expected);
		const way = terminalWays.find(each => each === text.toLowerCase());
		if (way !== undefined) ways.push(way);
		else {
			const nearest = nearestWord(text, terminalWays);
			scanner.fail(
				`unknown way ${text}; ${nearest === undefined ? `choose from ${expected}` : `did you mean ${nearest}?`}`,
				at,
			);
		}
	} while (scanner.accept(separator));

	return {ways: terminalWays.filter(way => ways.includes(way)), ...(command && {command})};
}

/** Blanks separate the words; single quotes keep blanks in one. */
function commandIn(text: string): Typed<CallCommand> {
	const words = text.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
	if ((text.match(/'/g) ?? []).length % 2 === 1) return {fault: 'has a quote that is not closed'};
	return callCommandOf(words.map(word => word.replaceAll("'", '')));
}

/** The call in the syntax of `callAt`. */
export const printCall = ({ways, command}: RuleCall): string =>
	[...ways, ...(command ? [`"${[command.program, ...command.args].map(quoteWord).join(' ')}"`] : [])].join(',');

const quoteWord = (word: string): string => (word === '' || /\s/.test(word) ? `'${word}'` : word);
