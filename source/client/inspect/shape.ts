import {stripControl} from '../../format/control.ts';
import {isPlausible} from '../../market/clock.ts';
import {longNumber} from '../body.ts';
import {mostAheadMs} from '../wire/dating.ts';
import {isRecord, parseWireTime} from '../wire/fields.ts';
import type {Deviation} from './inspection.ts';

/** How the specification writes a time: epoch milliseconds, epoch seconds, or ISO 8601 with UTC offset. */
export type TimeUnit = 'ms' | 's' | 'ISO 8601';

/** The unit in which every time is read, whatever the specification says. */
export const understoodUnit: TimeUnit = 'ms';

/**
 * What is wrong with a time. `unit`: it is plausible in another unit. `implausible`: in none.
 * `future`: dated after the answer. `offset`: ISO 8601 without UTC offset.
 */
type TimeFault = {
	readonly problem: 'unit' | 'implausible' | 'future' | 'offset';
	/** The unit in which it is plausible. */
	readonly found?: string | undefined;
};

const unitMs: Readonly<Record<string, number>> = {s: 1000, ms: 1, µs: 1e-3, ns: 1e-6};
const withOffset = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** `asOf`: the time of the answer, epoch ms; absent: `value` is the time of the answer itself. */
function timeFault(value: number | string, unit: TimeUnit, asOf = Infinity): TimeFault | undefined {
	const digits = typeof value === 'number' || /^\s*\d+\s*$/.test(value) ? Number(value) : undefined;
	if (digits !== undefined && !(unit !== 'ISO 8601' && isPlausible(digits * (unitMs[unit] ?? 1)))) {
		const [found] = Object.entries(unitMs).find(([, ms]) => isPlausible(digits * ms)) ?? [];
		return found === undefined ? {problem: 'implausible'} : {problem: 'unit', found};
	}

	const time = digits === undefined ? parseWireTime(value) : digits * (unitMs[unit] ?? 1);
	if (time === undefined || !isPlausible(time)) return {problem: 'implausible'};
	if (time > asOf + mostAheadMs) return {problem: 'future'};
	return unit === 'ISO 8601' && typeof value === 'string' && !withOffset.test(value.trim())
		? {problem: 'offset'}
		: undefined;
}

/** The time of the answer: the exchange's, if it is plausible and later than ours. Epoch ms. */
export const answerTime = (receivedAt: number, serverTime: number | undefined): number =>
	serverTime !== undefined && isPlausible(serverTime) ? Math.max(serverTime, receivedAt) : receivedAt;

const types = {
	text: json => typeof json === 'string',
	number: json => typeof json === 'number',
	integer: json => Number.isInteger(json),
	'true or false': json => typeof json === 'boolean',
	'true, false or null': json => typeof json === 'boolean' || json === null,
	null: json => json === null,
} satisfies Record<string, (json: unknown) => boolean>;

type ValueType = keyof typeof types;

const signs = {'above 0': (number: number) => number > 0, 'at least 0': (number: number) => number >= 0};

/** A value as the specification describes it. */
export type Shape =
	| {
			readonly kind: 'value';
			readonly type: ValueType;
			readonly sign?: keyof typeof signs | undefined;
			/** The only values that the specification shows. */
			readonly documented?: readonly unknown[] | undefined;
	  }
	/** `ofAnswer`: of the answer itself, not of an entry. */
	| {readonly kind: 'time'; readonly type: 'integer' | 'text'; readonly unit: TimeUnit; readonly ofAnswer: boolean}
	/** `optional`: not in the specification, but an exchange may have it. */
	| {readonly kind: 'record'; readonly fields: Fields; readonly optional: Fields}
	| ({readonly kind: 'list'; readonly of: Shape} & ListRules)
	| {readonly kind: 'tuple'; readonly name: string; readonly of: readonly Shape[]}
	| {readonly kind: 'map'; readonly of: Shape};

type Fields = Readonly<Record<string, Shape>>;

type ListRules = {
	/** By which field (or place) of the entries the specification orders them; absent: it does not. */
	readonly order?: {readonly by: string | number; readonly direction: 'ascending' | 'descending'} | undefined;
	/** Whether entries may be equal. */
	readonly repeatable?: boolean | undefined;
};

export const value = (type: ValueType, sign?: keyof typeof signs): Shape => ({kind: 'value', type, sign});
export const word = (type: ValueType, ...documented: readonly unknown[]): Shape => ({kind: 'value', type, documented});
export const timeIn = (unit: TimeUnit, ofAnswer = false): Shape => ({
	...{kind: 'time', type: unit === 'ISO 8601' ? 'text' : 'integer', unit, ofAnswer},
});
export const list = (of: Shape, rules: ListRules = {}): Shape => ({kind: 'list', of, ...rules});
export const map = (of: Shape): Shape => ({kind: 'map', of});
export const record = (fields: Fields, optional: Fields = {}): Shape => ({kind: 'record', fields, optional});
export const level: Shape = {
	...{kind: 'tuple', name: '[price, quantity]'},
	of: [value('number', 'above 0'), value('number', 'at least 0')],
};

/** Longer texts are cut. */
const quotedLength = 40;
/** So that an exchange that invents names cannot fill the memory. */
const mostKinds = 200;

/** They leave an entry readable. */
const harmless: ReadonlySet<Deviation['problem']> = new Set([
	...(['unknown', 'undocumented', 'long', 'rounded', 'control', 'offset'] as const),
]);

/** Collects how answers differ from a shape. */
export function createComparison(): {
	/** `asOf`: the time of the answer, epoch ms. */
	add(json: unknown, shape: Shape, asOf?: number): void;
	deviations(): readonly Deviation[];
} {
	const found = new Map<string, Omit<Deviation, 'of'>>();
	const places = new Map<string, number>();
	let answeredAt = Infinity;
	/** Deviations so far that may make an entry unreadable. */
	let faults = 0;

	function report({count = 1, ...deviation}: Omit<Deviation, 'of' | 'count'> & {count?: number}): void {
		const {path, problem, expected, found: type} = deviation;
		if (!harmless.has(problem)) faults += count;
		const key = JSON.stringify([path, problem, expected, type]);
		const earlier = found.get(key);
		if (!earlier && found.size >= mostKinds) return;
		found.set(key, earlier ? {...earlier, count: earlier.count + count} : {...deviation, count});
	}

	function compare(sent: unknown, shape: Shape, path: string): void {
		places.set(path, (places.get(path) ?? 0) + 1);
		const long = longNumber(sent);
		const isId = shape.kind === 'value' && shape.type === 'integer';
		if (long !== undefined) report({path, problem: isId ? 'long' : 'rounded', example: cut(long)});
		if (long !== undefined && isId) return;
		const json = long === undefined ? sent : Number(long);
		if (shape.kind === 'time' && compareTime(json, shape, path)) return;
		if (!hasShape(json, shape)) {
			report({path, problem: 'mistyped', expected: nameOf(shape), found: typeOf(json), example: quoted(json)});
		} else if (shape.kind === 'value') {
			compareValue(json, shape, path);
		} else {
			compareParts(json, shape, path);
		}
	}

	function compareValue(json: unknown, {type, sign, documented}: Extract<Shape, {kind: 'value'}>, path: string): void {
		if (typeof json === 'string') compareText(json, path);
		if (type === 'integer' && !Number.isSafeInteger(json)) report({path, problem: 'long'});
		if (sign && typeof json === 'number' && !signs[sign](json)) {
			report({path, problem: 'sign', expected: sign, example: quoted(json)});
		}

		const plain = typeof json === 'string' ? stripControl(json) : json;
		if (documented && !documented.includes(plain)) {
			report({path, problem: 'undocumented', found: String(plain).slice(0, quotedLength)});
		}
	}

	function compareText(text: string, path: string): void {
		const oneLine = text.replace(/\s+/g, ' ');
		if (stripControl(oneLine) !== oneLine) report({path, problem: 'control', example: quoted(text)});
	}

	/** Whether a deviation was found: a number is no text, but its unit says more. */
	function compareTime(json: unknown, {unit, ofAnswer}: Extract<Shape, {kind: 'time'}>, path: string): boolean {
		if (typeof json !== 'string' && !Number.isInteger(json)) return false;
		const text = String(json);
		if (stripControl(text) !== text) {
			compareText(text, path);
			return true;
		}

		const fault = timeFault(typeof json === 'string' ? json : Number(json), unit, ofAnswer ? undefined : answeredAt);
		if (fault) report({path, ...fault, expected: unit, example: quoted(json)});
		return fault !== undefined;
	}

	function compareParts(json: unknown, shape: Exclude<Shape, {kind: 'value'}>, path: string): void {
		if (Array.isArray(json) && shape.kind === 'list') compareList(json, shape, path);
		if (Array.isArray(json) && shape.kind === 'tuple') {
			for (const [index, of] of shape.of.entries()) compare(json[index], of, `${path}[${index}]`);
		}

		if (isRecord(json) && shape.kind === 'record') compareFields(json, shape, path);
		if (isRecord(json) && shape.kind === 'map') {
			for (const [key, entry] of Object.entries(json)) {
				compareText(key, `${path}[]`);
				compare(entry, shape.of, `${path}[]`);
			}
		}
	}

	/** Order and repetitions are those of the entries without faults. */
	function compareList(entries: readonly unknown[], shape: Extract<Shape, {kind: 'list'}>, path: string): void {
		const sound = entries.filter(entry => {
			const faultsBefore = faults;
			compare(entry, shape.of, `${path}[]`);
			return faults === faultsBefore;
		});
		const {order, repeatable = false} = shape;
		if (order && !isOrdered(sound, order)) {
			// Levels are ordered by their first place, the price.
			report({path, problem: 'unsorted', expected: `${order.direction} ${order.by === 0 ? 'price' : order.by}`});
		}

		const distinct = new Set(sound.map(entry => JSON.stringify(entry))).size;
		const count = sound.length - distinct;
		// Equal entries are possible; all of them twice is a fault.
		if (count > 0 && (!repeatable || distinct <= sound.length / 2)) {
			report({path: `${path}[]`, problem: 'repeated', count});
		}
	}

	function compareFields(
		json: Readonly<Record<string, unknown>>,
		{fields, optional}: Extract<Shape, {kind: 'record'}>,
		path: string,
	): void {
		const within = (name: string) => (path ? `${path}.${name}` : name);
		for (const specified of [fields, optional]) {
			for (const [name, shape] of Object.entries(specified)) {
				if (Object.hasOwn(json, name)) compare(json[name], shape, within(name));
				else if (specified === fields) report({path: within(name), problem: 'missing', expected: nameOf(shape)});
			}
		}

		for (const name of Object.keys(json)) {
			if (Object.hasOwn(fields, name) || Object.hasOwn(optional, name)) continue;
			report({path: within(name.slice(0, quotedLength)), problem: 'unknown', found: typeOf(json[name])});
		}
	}

	/** The record that a missing or unknown field belongs to. */
	const holder = (path: string) => path.slice(0, Math.max(path.lastIndexOf('.'), 0));

	return {
		add(json, shape, asOf = Infinity) {
			answeredAt = asOf;
			compare(json, shape, '');
		},
		deviations: () =>
			[...found.values()].map(deviation => {
				const {path, problem, count} = deviation;
				const place = problem === 'missing' || problem === 'unknown' ? holder(path) : path;
				return {...deviation, of: places.get(place) ?? count};
			}),
	};
}

function hasShape(json: unknown, shape: Shape): boolean {
	if (shape.kind === 'value' || shape.kind === 'time') return types[shape.type](json);
	if (shape.kind === 'list') return Array.isArray(json);
	if (shape.kind === 'tuple') return Array.isArray(json) && json.length === shape.of.length;
	return isRecord(json);
}

function nameOf(shape: Shape): string {
	if (shape.kind === 'value' || shape.kind === 'time') return shape.type;
	if (shape.kind === 'tuple') return shape.name;
	return shape.kind === 'list' ? 'list' : 'object';
}

function typeOf(json: unknown): string {
	if (json === null || Array.isArray(json)) return json === null ? 'null' : 'list';
	if (typeof json === 'boolean') return 'true or false';
	return typeof json === 'string' ? 'text' : typeof json;
}

/** A single value or level as sent, cut short; undefined for lists and objects. */
function quoted(json: unknown): string | undefined {
	const isLarge = typeof json === 'object' && json !== null && !(Array.isArray(json) && json.length <= 2);
	if (isLarge) return undefined;
	return cut(JSON.stringify(typeof json === 'string' ? json.slice(0, quotedLength) : json));
}

const cut = (text: string): string => (text.length > quotedLength ? `${text.slice(0, quotedLength - 1)}…` : text);

/** Ignores entries without a number in that place. */
function isOrdered(entries: readonly unknown[], {by, direction}: NonNullable<ListRules['order']>): boolean {
	const keys = entries
		.map((entry): unknown => (typeof entry === 'object' && entry !== null ? Object(entry)[by] : undefined))
		.filter(key => typeof key === 'number');
	return keys.every((key, index) => {
		const previous = keys[index - 1] ?? key;
		return direction === 'ascending' ? previous <= key : previous >= key;
	});
}
