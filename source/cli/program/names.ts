import {editDistance} from '../../market/symbol.ts';
import {UsageError} from '../exit.ts';
import type {OptionEntry} from '../options/option-table.ts';
import {longOf} from '../options/option-table.ts';

type Named = {
	/** Names that other programs give to it. */
	readonly others: readonly string[];
	/** Whether it is of one market. */
	readonly ofMarket?: boolean;
	/** Why it does not take some options of all commands. */
	readonly why?: string;
};

const noRequest = 'which sends no request';
const forPeople = 'which prints for people';

const names: Readonly<Record<string, Named>> = {
	monitor: {
		...{others: ['tui', 'ui', 'start'], ofMarket: true},
		why: 'which draws a screen; tapewatch watch --json prints events',
	},
	watch: {others: ['follow', 'tail', 'stream'], ofMarket: true},
	record: {others: ['capture', 'dump', 'save'], ofMarket: true},
	alerts: {others: ['rules', 'alarms', 'notify'], why: noRequest},
	info: {others: ['exchange', 'about', 'metadata']},
	markets: {others: ['symbols', 'pairs', 'list', 'instruments']},
	ticker: {others: ['summary', 'price', 'prices', 'quote', 'stats'], ofMarket: true},
	depth: {others: ['orderbook', 'order-book', 'book', 'ladder', 'bids', 'asks'], ofMarket: true},
	trades: {others: ['tape', 'history'], ofMarket: true},
	candles: {others: ['kline', 'klines', 'ohlc', 'ohlcv', 'chart'], ofMarket: true},
	recording: {others: ['recordings', 'contents'], why: noRequest},
	replay: {others: ['play', 'playback'], why: noRequest},
	setup: {others: ['configure', 'init'], why: 'which only tries addresses'},
	config: {others: ['settings', 'preferences'], why: forPeople},
	version: {others: [], why: forPeople},
	doctor: {others: ['check', 'health', 'diagnose'], ofMarket: true},
	demo: {others: ['mock'], why: 'which serves an exchange'},
	serve: {others: ['server', 'ssh', 'share']},
	completion: {others: ['completions'], why: 'which only prints a script'},
};

const namesOf = (command: string): readonly string[] => [command, ...(names[command]?.others ?? [])];

/** Whether it is the name of a command. */
export const isCommand = (word: string): boolean => Object.hasOwn(names, word);

/** `depth is a command: tapewatch depth MARKET`, if `word` in any case is a command or another name for one. */
export function commandNamed(word: string): string | undefined {
	const name = word.toLowerCase();
	const command = Object.keys(names).find(each => namesOf(each).includes(name));
	if (command === undefined) return undefined;
	const usage = `tapewatch ${command}${names[command]?.ofMarket ? ' MARKET' : ''}`;
	return `${word} is ${command === name ? 'a command' : 'another name for a command'}: ${usage}`;
}

/** The command that `word` is another name for or one typing error away from; undefined: none. */
export const commandMeant = (word: string, commands: readonly string[]): string | undefined =>
	commands.find(name => names[name]?.others.includes(word) || editDistance(word, name) === 1);

/** The command one of whose names begins with `word`, at least three letters; undefined: none. */
export const commandBegunBy = (word: string, commands: readonly string[]): string | undefined =>
	commands.find(name => word.length >= 3 && namesOf(name).some(each => each.startsWith(word)));

/** The command line that prints a command's help. */
export const helpOf = (command: string): string =>
	command === 'monitor' || command === 'tapewatch' ? 'tapewatch --help' : `tapewatch ${command} --help`;

/** Whether an option of all commands changes something about this one. */
export const isEffective = (command: string, {not, shows}: OptionEntry): boolean =>
	shows ? shows.includes(command) : !not?.includes(command);

/** Throws a `UsageError` about the first of the options that `command` does not take. */
export function refuseUnused(command: string, options: readonly OptionEntry[]): void {
	const refused = options.find(({not}) => not?.includes(command));
	if (!refused) return;
	const {why} = names[command] ?? {};
	throw new UsageError(`${longOf(refused)} does not apply to ${command}, ${why} (see ${helpOf(command)})`);
}
