import type {Argument, Command, Option} from 'commander';
import {TableOption} from '../program/root.ts';
import {scripts} from './scripts.ts';

/** What can stand at the cursor. */
export type Candidate = {readonly value: string; readonly description?: string | undefined};

/** `files`: names of files, after this beginning of the word. */
export type Completion = {readonly candidates: readonly Candidate[]} | {readonly files: string};

/** The exchange's options on the line, by commander's names: `--base-url` is `baseUrl`. */
export type GivenOptions = Readonly<Record<string, string>>;

/** What the help does not list. */
export type Values = {
	/** `typed`: the beginning of one, in any spelling. */
	markets(given: GivenOptions, typed: string): Promise<readonly Candidate[]>;
	exchanges(): Promise<readonly Candidate[]>;
	quoteCurrencies(given: GivenOptions): Promise<readonly Candidate[]>;
	timezones(): readonly Candidate[];
	/** `typed`: the beginning of a rule such as `v2.depth=hang`. */
	faults(typed: string): readonly Candidate[];
};

/**
 * Completes the word at index `at` of the words after the program's name, from the commands and options that the help lists.
 * An option that was given and cannot be repeated is left out. Candidates are whole words and begin as the word does, in any case.
 */
export async function complete(
	program: Command,
	words: readonly string[],
	at: number,
	values: Values,
): Promise<Completion> {
	const current = words[at] ?? '';
	const line = readWords(program, words.slice(0, at));
	const after = line.pending ? words.slice(at + 1) : words.slice(at);
	const given = {...readWords(program, current.startsWith('-') ? after.slice(1) : after, line).given, ...line.given};
	const found = await candidatesAt(program, {...line, given}, current, values);
	if ('files' in found) return found;
	const typed = current.toLowerCase();
	return {candidates: found.candidates.filter(({value}) => value.toLowerCase().startsWith(typed))};
}

/** What `complete` finds, as the scripts of the shells read it: a candidate a line, with its description after a tab. */
export async function completed(...asked: Parameters<typeof complete>): Promise<string> {
	const found = await complete(...asked);
	if ('files' in found) return `:files\t${found.files}\n`;
	const lines = found.candidates.map(({value, description}) => (description ? `${value}\t${description}` : value));
	return lines.map(line => `${line}\n`).join('');
}

type Line = {
	/** Undefined: no command yet, which means the monitor. */
	readonly command: Command | undefined;
	readonly operands: readonly string[];
	readonly given: GivenOptions;
	/** The option whose value comes next. */
	readonly pending: Option | undefined;
	/** After `--`, words are no options. */
	readonly ended: boolean;
};

const commandsOf = (program: Command): readonly Command[] => program.createHelp().visibleCommands(program);

/** The options that the help of a command lists, of all commands and its own. */
const optionsOf = (command: Command): readonly Option[] => [
	...command.createHelp().visibleOptions(command),
	...command.createHelp().visibleGlobalOptions(command),
];

function ownOrMonitor(program: Command, command: Command | undefined): readonly Command[] {
	const monitor = program.commands.find(each => each.name() === 'monitor') ?? program;
	return command ? [command] : [monitor, program];
}

const lineOptions = (program: Command, command: Command | undefined): readonly Option[] => [
	...new Map(
		ownOrMonitor(program, command).flatMap(each => optionsOf(each).map(option => [option.flags, option])),
	).values(),
];

function readWords(program: Command, words: readonly string[], before?: Line): Line {
	let command = before?.command;
	let pending: Option | undefined;
	let ended = before?.ended ?? false;
	const operands: string[] = [];
	const given: Record<string, string> = {};
	for (const word of words) {
		if (pending) {
			given[pending.attributeName()] = word;
			pending = undefined;
		} else if (!ended && word === '--') {
			ended = true;
		} else if (!ended && word.startsWith('-') && word !== '-') {
			const {option, value} = optionIn(word, lineOptions(program, command));
			if (!option) continue;
			given[option.attributeName()] = value ?? '';
			if (option.required && value === undefined) pending = option;
		} else {
			const named = before || operands.length > 0 ? undefined : commandsOf(program).find(each => each.name() === word);
			if (named && !command && !ended) command = named;
			else operands.push(word);
		}
	}

	return {command, operands, given, pending, ended};
}

/** The option that a word names, and the value in the same word: `--output=csv`, `-ocsv`. */
function optionIn(word: string, options: readonly Option[]): {readonly option?: Option | undefined; value?: string} {
	if (!word.startsWith('--')) {
		const option = options.find(({short}) => short === word.slice(0, 2));
		return word.length > 2 ? {option, value: word.slice(2)} : {option};
	}

	const [flag = '', ...rest] = word.split('=');
	const option = options.find(({long}) => long === flag);
	return rest.length > 0 ? {option, value: rest.join('=')} : {option};
}

async function candidatesAt(program: Command, line: Line, current: string, values: Values): Promise<Completion> {
	const {command, operands, given, pending, ended} = line;
	if (pending) return valuesOf(pending, {given, typed: current, values, program});
	if (!ended && current.startsWith('-')) {
		const attached = /^(--[\w-]+=)(.*)$/s.exec(current);
		if (!attached) return {candidates: flags(lineOptions(program, command), given)};
		const [, prefix = '', typed = ''] = attached;
		const {option} = optionIn(current, lineOptions(program, command));
		if (!option?.required) return {candidates: []};
		const found = await valuesOf(option, {given, typed, values, program});
		if ('files' in found) return {files: prefix};
		return {candidates: found.candidates.map(each => ({...each, value: `${prefix}${each.value}`}))};
	}

	const [target] = ownOrMonitor(program, command);
	const args = target?.registeredArguments ?? [];
	const last = args.at(-1);
	const argument = args[operands.length] ?? (last?.variadic ? last : undefined);
	const names = command || operands.length > 0 || ended ? [] : commandNames(program);
	if (!argument || (names.length > 0 && current === '')) return {candidates: names};
	const found = await valuesOf(argument, {given, typed: current, values, program});
	if ('files' in found) return found;
	return {candidates: [...names, ...found.candidates.filter(({value}) => !operands.includes(value))]};
}

const commandNames = (program: Command): readonly Candidate[] =>
	commandsOf(program).map(each => ({value: each.name(), description: each.description()}));

/** An option that was given is offered again only if it can be repeated. */
const flags = (options: readonly Option[], given: GivenOptions): readonly Candidate[] =>
	options
		.filter(option => !(option.attributeName() in given) || (option instanceof TableOption && option.entry.repeats))
		.map(({long, short, description}) => ({value: long ?? short ?? '', description}))
		.toSorted((one, other) => one.value.localeCompare(other.value));

type Request = {
	readonly given: GivenOptions;
	readonly typed: string;
	readonly values: Values;
	readonly program: Command;
};

const placeholderIn = (flags: string): string => /<([\w-]+)/.exec(flags)?.[1] ?? '';

const periods = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '12h', '1d', '1w', '1M'];

const plain = (words: readonly string[]): readonly Candidate[] => words.map(value => ({value}));

async function valuesOf(of: Option | Argument, {given, typed, values, program}: Request): Promise<Completion> {
	const isOption = 'flags' in of;
	const name = isOption ? placeholderIn(of.flags) : of.name();
	const flag = isOption ? of.long : undefined;
	if (name === 'FILE' || name === 'PROGRAM') return {files: ''};
	if (flag === '--exchange') return {candidates: await values.exchanges()};
	if (flag === '--timezone') return {candidates: values.timezones()};
	if (flag === '--fault') return {candidates: values.faults(typed)};
	if (name === 'ASSET') return {candidates: await values.quoteCurrencies(given)};
	if (name === 'MARKET' || name === 'MARKETS') {
		// Several can be in one word.
		const before = name === 'MARKETS' || (!isOption && of.variadic) ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
		const found = await values.markets(given, typed.slice(before.length));
		return {candidates: found.map(each => ({...each, value: `${before}${each.value}`}))};
	}

	if (name === 'PERIOD') return {candidates: plain(periods)};
	if (name === 'SHELL') return {candidates: plain(Object.keys(scripts))};
	if (!isOption && name === 'command') return {candidates: commandNames(program)};
	if (of instanceof TableOption) {
		const {words = [], isList} = of.entry.type ?? {};
		// Descending: --sort -last.
		const sign = flag === '--sort' && typed.startsWith('-') ? '-' : '';
		return {candidates: isList ? listed(words, typed) : plain(words.map(word => `${sign}${word}`))};
	}

	// A name in small letters is to be typed as it is: alerts test.
	const isLiteral = !isOption && /^[a-z]+$/.test(name);
	return {candidates: isLiteral ? [{value: name, description: of.description}] : []};
}

/** The words that can follow in a list with commas. */
function listed(words: readonly string[], typed: string): readonly Candidate[] {
	const before = typed.slice(0, typed.lastIndexOf(',') + 1);
	const used = before.split(',');
	return plain(words.filter(word => !used.includes(word)).map(word => `${before}${word}`));
}
