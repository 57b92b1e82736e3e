import {resolve} from 'node:path';
import {InvalidArgumentError} from 'commander';
import {type CallCommand, callCommandOf} from '../../alerts/rule-call.ts';
import type {MarketId} from '../../client/question.ts';
import {type FaultRule, FaultRuleError, parseFaultRule} from '../../demo/faults/rule.ts';
import {parseMoment} from '../../format/moment.ts';
import {parseDuration, parsePeriod} from '../../format/time.ts';
import {type Zone, zoneNamed} from '../../format/zone.ts';
import {nearestWord} from '../../market/symbol.ts';
import {typedNumber} from '../../market/typed-number.ts';
import type {Period} from '../../market/types.ts';
import {dayMs, minuteMs, secondMs} from '../../market/units.ts';
import {fastest, parseSpeed, type Speed, slowest} from '../../recording/replay-controls.ts';
import {basicNames} from '../../view/theme/names.ts';

/**
 * What an option takes: the text of a flag or a variable, or a value of the config file. Throws an `InvalidArgumentError` with what
 * the value must be, or what is wrong with it.
 */
export type Type<Value> = {
	(value: unknown): Value;
	/** The words that it takes, for completion. */
	readonly words?: readonly string[];
	/** Several words with commas between them. */
	readonly isList?: boolean;
};

/** The path of a field of the config file, outermost table first. */
export type Field = readonly string[];

/** A field inside a table is wrong. */
export class FieldError extends InvalidArgumentError {
	readonly field: Field;

	constructor(field: Field, message: string) {
		super(message);
		this.field = field;
	}
}

/** Throws an `InvalidArgumentError`. */
export function refuse(message: string): never {
	throw new InvalidArgumentError(message);
}

export const text =
	(what: string): Type<string> =>
	value =>
		(typeof value === 'string' && value.trim()) || refuse(`must be ${what}`);

export const orWords = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** `what`: it must be. */
export function oneOf<const Word extends string>(words: readonly Word[], what = orWords(words)): Type<Word> {
	const type = (value: unknown) => words.find(word => word === value) ?? refuse(`must be ${what}`);
	return Object.assign(type, {words});
}

/** How a command prints what it reads. */
export const format = <const Word extends string>(words: readonly Word[]): Type<Word> =>
	oneOf(words, `one of ${words.join(', ')}`);

/** One of these fields, with `-` before it to sort in descending order. */
export function sortField(fields: readonly string[]): Type<string> {
	const type = (value: unknown) =>
		fields.includes(String(value).replace(/^-/, ''))
			? String(value)
			: refuse(`must be one of ${fields.join(', ')}, with - before it to sort in descending order`);
	return Object.assign(type, {words: fields});
}

/** Flags and variables are text, while the config file has numbers and booleans. */
const within =
	(what: string, from: number, to: number, isWhole = false): Type<number> =>
	value => {
		const typed = typeof value === 'string' ? typedNumber(value) : {value};
		if ('fault' in typed) return refuse(`must be ${what}: ${typed.fault}`);
		const {value: number} = typed;
		const isRight = typeof number === 'number' && number >= from && number <= to;
		return isRight && (!isWhole || Number.isInteger(number)) ? number : refuse(`must be ${what}`);
	};

export const wholeNumber = (from: number, to: number): Type<number> =>
	within(`a whole number from ${from} to ${to}`, from, to, true);

export const number = (unit: string, from: number, to: number): Type<number> =>
	within(`a number of ${unit} from ${from} to ${to}`, from, to);

/** As ms: of a number of seconds up to a day. `what`: default its unit. */
export const secondsFrom =
	(least: number, what = 'seconds'): Type<number> =>
	value =>
		within(`${what} from ${least} to 86400`, least, 86_400)(value) * secondMs;

const switchWords: Readonly<Record<string, boolean>> = {
	...{'1': true, true: true, yes: true},
	...{'0': false, false: false, no: false},
};

export const onOrOff: Type<boolean> = value => {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const isOn = Object.hasOwn(switchWords, word) ? switchWords[word] : value;
	return typeof isOn === 'boolean' ? isOn : refuse('must be true or false');
};

export const url: Type<string> = value => {
	const example = 'must be an address such as https://api.example.com';
	const parsed = typeof value === 'string' ? URL.parse(value.trim()) : undefined;
	if (!parsed) return refuse(example);
	if (parsed.username || parsed.password)
		return refuse('must not contain a user name or password: the interface is public');
	if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return refuse('must begin with http:// or https://');
	if (parsed.search || parsed.hash) return refuse('must not contain a query or a fragment');
	return parsed.href;
};

export const period: Type<Period> = value => {
	const expected = 'must be minutes, or a period such as 15m, 1h, 1d, 1M';
	if (typeof value !== 'number' && typeof value !== 'string') return refuse(expected);
	const read = parsePeriod(String(value));
	return 'value' in read ? read.value : refuse(`${expected}: ${read.fault}`);
};

/** Ms of `90s`, `10m`, `1.5h`, `1h30m` or `2d`, from 0.1 s to 365 days; a bare number is seconds. */
export const duration: Type<number> = value => {
	const expected = 'seconds, or a duration such as 90s, 10m, 1h30m, 1d, up to 365d';
	const parsed = parseDuration(String(value));
	const ms = 'value' in parsed ? parsed.value : within(expected, -Infinity, Infinity)(value) * secondMs;
	return ms >= 100 && ms <= 365 * dayMs ? ms : refuse(`must be ${expected}`);
};

/** What `duration` takes, or `off`, which is `Infinity`. */
export const limitedDuration: Type<number> = value => (value === 'off' ? Infinity : duration(value));

/** Ms; 0: off. */
export const rewind: Type<number> = value => {
	if (typeof value === 'string' && value.trim() === 'off') return 0;
	const time = typeof value === 'string' ? parseDuration(value) : {fault: ''};
	const isRight = 'value' in time && time.value >= minuteMs && time.value <= dayMs;
	return isRight ? time.value : refuse('must be a time from 1m to 24h, such as 2h, or off');
};

export const timezone: Type<Zone> = value => {
	if (typeof value !== 'string') return refuse('must be local, UTC or a zone such as Europe/Berlin');
	const zone = zoneNamed(value);
	return 'value' in zone ? zone.value : refuse(`is wrong: ${zone.fault}`);
};

export const marketId: Type<MarketId> = value =>
	/^\d{1,64}$/.test(String(value)) ? {id: String(value)} : refuse('must be the id of a market, a whole number');

export const speed: Type<Speed> = value =>
	parseSpeed(String(value)) ?? refuse(`must be ${slowest} to ${fastest}, or max`);

/** Epoch ms of a time that may be relative to `now` (epoch ms). */
export const timeAt =
	(now: number): Type<number> =>
	value =>
		parseMoment(String(value), now) ??
		refuse('must be a UTC time such as 2026-11-20T10:00, now, -2h or 14:03, or epoch seconds or milliseconds');

/** Where to listen. */
export type Address = {readonly host: string; readonly port: number};

/** `127.0.0.1:2222`, `[::1]:2222` or `localhost:2222`; port 0: a free one. */
export const address: Type<Address> = value => {
	const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[^:\s[\]]+):(\d{1,5})$/i.exec(String(value).trim()) ?? [];
	if (host !== '' && Number(port) <= 65_535) return {host: host.replace(/[[\]]/g, ''), port: Number(port)};
	return refuse('must be an address with a port, such as 127.0.0.1:2222 or [::1]:2222');
};

export const texts: Type<readonly string[]> = value => [String(value)];

/** Appends the markets of a word: `BTCUSDT`, or several as in `BTCUSDT,ETHUSDT`. */
export function markets(word: string, before: readonly string[] = []): readonly string[] {
	const words = word.split(',').flatMap(each => each.trim() || []);
	return [...before, ...(words.length > 0 ? words : [word])];
}

export const faultRules: Type<readonly FaultRule[]> = value => {
	try {
		return [parseFaultRule(String(value))];
	} catch (error) {
		if (error instanceof FaultRuleError) refuse(error.message);
		throw error;
	}
};

/** The ways to call the user, and `blind`: not only when a rule fires, but also when it cannot be judged. */
const notifyWords = ['bell', 'terminal', 'title', 'command', 'blind'] as const;
export type NotifyWord = (typeof notifyWords)[number];

const isListOfTexts = (value: unknown): value is readonly string[] =>
	Array.isArray(value) && value.every(each => typeof each === 'string');

function notifyType(value: unknown): readonly NotifyWord[] {
	const expected = `must be a list of ${notifyWords.slice(0, -1).join(', ')} and ${notifyWords.at(-1)}`;
	const words = typeof value === 'string' ? value.split(',').map(word => word.trim()) : value;
	if (!isListOfTexts(words)) return refuse(expected);
	return words.flatMap(word => {
		const known = notifyWords.find(each => each === word) ?? [];
		if (known !== word && word !== '') {
			const nearest = nearestWord(word, notifyWords);
			refuse(nearest === undefined ? expected : `does not know ${word}, did you mean ${nearest}?`);
		}

		return known;
	});
}

export const notify: Type<readonly NotifyWord[]> = Object.assign(notifyType, {words: notifyWords, isList: true});

/** What is run for the alerts of all rules. */
export type AlertCommand = CallCommand & {
	/** The program was given as the path of a file, and not in a list, where it may be a name to look up in PATH. */
	readonly isPath: boolean;
};

export const alertCommand: Type<AlertCommand> = value => {
	const expected = 'must be a list such as ["notify-send", "{market}", "{message}"], or the path of a program';
	if (typeof value === 'string') {
		const path = value.trim();
		if (path === '') refuse('must be the path of a program');
		return {program: resolve(path), args: [], isPath: true};
	}

	if (!isListOfTexts(value) || value[0] === undefined || value[0] === '') return refuse(expected);
	const command = callCommandOf(value);
	return 'value' in command ? {...command.value, isPath: false} : refuse(command.fault);
};

export const color: Type<string> = value =>
	typeof value === 'string' && new RegExp(`^(#[0-9a-fA-F]{6}|${basicNames.join('|')})$`).test(value)
		? value
		: refuse('must be a colour such as #26c281 or bright-green');

export const keys: Type<readonly string[]> = value => {
	const list = typeof value === 'string' ? [value] : value;
	return isListOfTexts(list) ? list : refuse('must be a key or a list of keys');
};

/** Tables of the config file. `what`: what it must be. */

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value));

/** Names the field of a fault by its place. */
function inside<Value>(name: string, type: Type<Value>, value: unknown): Value {
	try {
		return type(value);
	} catch (error) {
		if (!(error instanceof InvalidArgumentError)) throw error;
		throw new FieldError([name, ...(error instanceof FieldError ? error.field : [])], error.message);
	}
}

type ValuesOf<Types> = {readonly [Name in keyof Types]?: Types[Name] extends Type<infer Value> ? Value : never};

/** A table with some of these fields. */
export const fields =
	<Types extends Readonly<Record<string, Type<unknown>>>>(what: string, types: Types): Type<ValuesOf<Types>> =>
	value => {
		if (!isTable(value)) return refuse(`must be ${what}`);
		const given = Object.entries(types).filter(([name]) => value[name] !== undefined);
		const read = given.map(([name, type]) => [name, inside(name, type, value[name])]);
		const names = Object.keys(types);
		const unknown = Object.keys(value).find(name => !names.includes(name));
		if (unknown === undefined) return Object.fromEntries(read);
		const nearest = nearestWord(unknown, names);
		const advice = nearest === undefined ? `choose from ${names.join(', ')}` : `did you mean ${nearest}?`;
		throw new FieldError([unknown], `does not exist; ${advice}`);
	};

/** A table with any names. */
export const named =
	<Value>(what: string, type: Type<Value>): Type<Readonly<Record<string, Value>>> =>
	value =>
		isTable(value)
			? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(name, type, each)]))
			: refuse(`must be ${what}`);

export const listOf =
	<Value>(what: string, type: Type<Value>, most: number): Type<readonly Value[]> =>
	value => {
		if (!Array.isArray(value)) return refuse(`must be ${what}`);
		if (value.length > most) return refuse(`must be at most ${most}`);
		return value.map((each, index) => inside(String(index), type, each));
	};
