import {InvalidArgumentError} from 'commander';
import type {MarketId} from '../../client/question.ts';
import {type FaultRule, FaultRuleError, parseFaultRule} from '../../demo/faults/rule.ts';
import {parseMoment} from '../../format/moment.ts';
import {parseDuration} from '../../format/time.ts';
import {editDistance} from '../../market/symbol.ts';
import {typedNumber} from '../../market/typed-number.ts';
import {dayMs, secondMs} from '../../market/units.ts';
import {fastest, parseSpeed, type Speed, slowest} from '../../recording/replay-controls.ts';
import {UsageError} from '../exit.ts';

/**
 * Parsers of command-line values. Each throws an `InvalidArgumentError` with what the value must be or what is wrong with it,
 * from which `usageLine` makes one line.
 */

export const wholeNumber = (from: number, to: number) => (text: string) => {
	const expected = `a whole number from ${from} to ${to}`;
	const value = numberIn(text, expected);
	if (Number.isInteger(value) && value >= from && value <= to) return value;
	throw new InvalidArgumentError(`must be ${expected}`);
};

/** Throws an `InvalidArgumentError` with what was expected and what is wrong with the text. */
function numberIn(text: string, expected: string): number {
	const number = typedNumber(text);
	if ('value' in number) return number.value;
	throw new InvalidArgumentError(`must be ${expected}: ${number.fault}`);
}

export function marketId(id: string): MarketId {
	if (/^\d{1,64}$/.test(id)) return {id};
	throw new InvalidArgumentError('must be the id of a market, a whole number');
}

/** Ms of a number of seconds. */
const secondsFrom = (least: number) => (text: string) => {
	const expected = `seconds from ${least} to 86400`;
	const value = numberIn(text, expected);
	if (value >= least && value <= 86_400) return value * 1000;
	throw new InvalidArgumentError(`must be ${expected}`);
};

export const seconds = secondsFrom(0.2);

/** At least a second, because the screen's clock ticks once a second. */
export const rotation = secondsFrom(1);

/** Ms of `90s`, `10m`, `1.5h`, `1h30m` or `2d`, from 0.1 s to 365 days; a bare number is seconds. */
export function duration(text: string): number {
	const expected = 'seconds, or a duration such as 90s, 10m, 1h30m, 1d, up to 365d';
	const parsed = parseDuration(text);
	const ms = 'value' in parsed ? parsed.value : numberIn(text, expected) * secondMs;
	if (ms >= 100 && ms <= 365 * dayMs) return ms;
	throw new InvalidArgumentError(`must be ${expected}`);
}

/** What `duration` takes, or `off`, which is `Infinity`. */
export const limitedDuration = (text: string): number => (text === 'off' ? Infinity : duration(text));

export function speed(text: string): Speed {
	const value = parseSpeed(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError(`must be ${slowest} to ${fastest}, or max`);
}

const timeText = 'must be a UTC time such as 2026-11-20T10:00, now, -2h or 14:03, or epoch seconds or milliseconds';

/** Epoch ms of a time that may be relative to `now` (epoch ms). */
export const timeAt = (now: number) => (text: string) => {
	const value = parseMoment(text, now);
	if (value !== undefined) return value;
	throw new InvalidArgumentError(timeText);
};

/** Where to listen. */
export type Address = {readonly host: string; readonly port: number};

/** `127.0.0.1:2222`, `[::1]:2222` or `localhost:2222`; port 0: a free one. */
export function address(text: string): Address {
	const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[^:\s[\]]+):(\d{1,5})$/i.exec(text.trim()) ?? [];
	if (host !== '' && Number(port) <= 65_535) return {host: host.replace(/[[\]]/g, ''), port: Number(port)};
	throw new InvalidArgumentError('must be an address with a port, such as 127.0.0.1:2222 or [::1]:2222');
}

/** Appends to the texts of an option that can be repeated. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Appends the markets of a word: `BTCUSDT`, or several as in `BTCUSDT,ETHUSDT`. */
export function markets(text: string, before: readonly string[] = []): readonly string[] {
	const words = text.split(',').flatMap(word => word.trim() || []);
	return [...before, ...(words.length > 0 ? words : [text])];
}

/** Appends to the rules of an option that can be repeated. */
export function faultRules(text: string, before: readonly FaultRule[] = []): readonly FaultRule[] {
	try {
		return [...before, parseFaultRule(text)];
	} catch (error) {
		if (error instanceof FaultRuleError) throw new InvalidArgumentError(error.message);
		throw error;
	}
}

/** Of a range of a recording: more would take too much memory. */
export const mostRangeTrades = 500_000;

const ofScreens = ['--color', '--no-color', '--theme', '--palette', '--no-mouse', '--no-title', '--fps'];
const ofTexts = ['--timezone', '--ascii'];

/** Whether `flag` is about how something is shown. All commands accept it, so that a shell's alias can have it. */
export const isOfDisplay = (flag: string): boolean => ofScreens.includes(flag) || ofTexts.includes(flag);

/** Options of all commands that some of them do not take, and why not. */
const restricted: ReadonlyArray<{
	readonly flags: readonly string[];
	readonly takes: (command: string) => boolean;
	readonly why: string;
}> = [
	{
		flags: [
			...['--base-url', '--legacy-base-url', '--exchange', '--interface'],
			...['--timeout', '--rate', '--max-rate', '--max-body', '--log-file'],
		],
		takes: command => command !== 'demo',
		why: 'which serves an exchange',
	},
	{
		flags: ['--interface', '--timeout', '--rate', '--max-rate', '--max-body'],
		takes: command => !['alerts', 'recording', 'replay'].includes(command),
		why: 'which sends no request',
	},
	{
		flags: ['--base-url', '--legacy-base-url', '--exchange', '--log-file'],
		takes: command => command !== 'recording' && command !== 'replay',
		why: 'which sends no request',
	},
	{
		flags: ['--exchange', '--interface', '--max-rate', '--max-body', '--json', '--log-file'],
		takes: command => command !== 'setup',
		why: 'which only tries addresses',
	},
	{
		flags: [
			...['--base-url', '--legacy-base-url', '--exchange', '--interface', '--timeout', '--rate', '--max-rate'],
			...['--max-body', '--json', '--log-file'],
		],
		takes: command => command !== 'completion',
		why: 'which only prints a script',
	},
	{
		flags: ['--json'],
		takes: command => command !== 'config' && command !== 'version',
		why: 'which prints for people',
	},
	{
		flags: ['--json'],
		takes: command => command !== 'monitor',
		why: 'which draws a screen; tapewatch watch --json prints events',
	},
];

const refusal = (command: string, flag: string) =>
	restricted.find(({flags, takes}) => flags.includes(flag) && !takes(command));

/** Whether `command` accepts `flag`, an option of all commands. */
export const isTaken = (command: string, flag: string): boolean => refusal(command, flag) === undefined;

const screens = ['monitor', 'watch', 'replay', 'serve'];

/** Whether `flag`, an option of display, changes nothing about `command`. */
const isIdle = (command: string, flag: string): boolean =>
	(ofScreens.includes(flag) && !screens.includes(command)) ||
	(ofTexts.includes(flag) && ['setup', 'demo', 'completion'].includes(command)) ||
	(flag === '--ascii' && command === 'record');

/** Whether `flag`, an option of all commands, changes something about `command`. */
export const isEffective = (command: string, flag: string): boolean => isTaken(command, flag) && !isIdle(command, flag);

/** Throws a `UsageError` about the first of `flags` that `command` does not accept. */
export function refuseUnused(command: string, flags: readonly string[]): void {
	const flag = flags.find(flag => !isTaken(command, flag));
	if (flag === undefined) return;
	const why = refusal(command, flag)?.why;
	throw new UsageError(`${flag} does not apply to ${command}, ${why} (see ${helpOf(command)})`);
}

/** The command line that prints a command's help. */
export const helpOf = (command: string): string =>
	command === 'monitor' || command === 'tapewatch' ? 'tapewatch --help' : `tapewatch ${command} --help`;

/** Names that other programs give to these commands. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	monitor: ['tui', 'ui', 'start'],
	watch: ['follow', 'tail', 'stream'],
	record: ['capture', 'dump', 'save'],
	alerts: ['rules', 'alarms', 'notify'],
	info: ['exchange', 'about', 'metadata'],
	markets: ['symbols', 'pairs', 'list', 'instruments'],
	ticker: ['summary', 'price', 'prices', 'quote', 'stats'],
	depth: ['orderbook', 'order-book', 'book', 'ladder', 'bids', 'asks'],
	trades: ['tape', 'history'],
	candles: ['kline', 'klines', 'ohlc', 'ohlcv', 'chart'],
	recording: ['recordings', 'contents'],
	replay: ['play', 'playback'],
	setup: ['configure', 'init'],
	config: ['settings', 'preferences'],
	version: [],
	doctor: ['check', 'health', 'diagnose'],
	demo: ['mock'],
	serve: ['server', 'ssh', 'share'],
	completion: ['completions'],
};

const withoutMarket: readonly string[] = [
	'alerts',
	'info',
	'markets',
	'recording',
	'replay',
	'setup',
	'config',
	'version',
	'serve',
	'demo',
	'completion',
];

/** Whether it is the name of a command. */
export const isCommand = (word: string): boolean => Object.hasOwn(otherNames, word);

/** `depth is a command: tapewatch depth MARKET`, if `word` in any case is a command or another name for one. */
export function commandNamed(word: string): string | undefined {
	const name = word.toLowerCase();
	const command = Object.keys(otherNames).find(each => each === name || otherNames[each]?.includes(name));
	if (command === undefined) return undefined;
	const usage = `tapewatch ${command}${withoutMarket.includes(command) ? '' : ' MARKET'}`;
	return command === name ? `${word} is a command: ${usage}` : `${word} is another name for a command: ${usage}`;
}

/** The command that `word` is another name for or one typing error away from; undefined: none. */
export const commandMeant = (word: string, commands: readonly string[]): string | undefined =>
	commands.find(name => otherNames[name]?.includes(word) || editDistance(word, name) === 1);

/** The command one of whose names begins with `word`, at least three letters; undefined: none. */
export const commandBegunBy = (word: string, commands: readonly string[]): string | undefined =>
	commands.find(name => word.length >= 3 && [name, ...(otherNames[name] ?? [])].some(each => each.startsWith(word)));
