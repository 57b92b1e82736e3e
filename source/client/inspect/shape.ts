import {stripControl} from '../../format/control.ts';
import {longNumber} from '../body.ts';
import {isRecord} from '../wire/decode.ts';
import {type TimeUnit, timeFault} from './times.ts';

/** A value as the specification describes it. */
export type Shape =
	| {readonly kind: 'value'; readonly type: ValueType; readonly sign?: Sign | undefined}
	/** `documented`: the only values that the specification shows. */
	| {readonly kind: 'word'; readonly type: ValueType; readonly documented: readonly unknown[]}
	/** `ofAnswer`: of the answer itself, not of an entry. */
	| {readonly kind: 'time'; readonly unit: TimeUnit; readonly ofAnswer: boolean}
	| {readonly kind: 'record'; readonly fields: Readonly<Record<string, Field>>}
	| ({readonly kind: 'list'; readonly of: Shape} & ListRules)
	| {readonly kind: 'map'; readonly of: Shape}
	/** `[price, quantity]`. */
	| {readonly kind: 'level'};

type ValueType = 'text' | 'number' | 'integer' | 'true or false' | 'true, false or null' | 'null';

type Sign = 'above 0' | 'at least 0';

type ListRules = {
	/** By which field (or place) of the entries the specification orders them; absent: it does not. */
	readonly order?: {readonly by: string | number; readonly direction: 'ascending' | 'descending'} | undefined;
	/** Whether entries may be equal. */
	readonly repeatable?: boolean | undefined;
};

/** `optional`: not in the specification, but an exchange may have it. */
type Field = {readonly shape: Shape; readonly optional: boolean};

export const value = (type: ValueType, sign?: Sign): Shape => ({kind: 'value', type, sign});
export const word = (type: ValueType, ...documented: readonly unknown[]): Shape => ({kind: 'word', type, documented});
export const timeIn = (unit: TimeUnit): Shape => ({kind: 'time', unit, ofAnswer: false});
export const timeOfAnswer = (unit: TimeUnit): Shape => ({kind: 'time', unit, ofAnswer: true});
export const list = (of: Shape, rules: ListRules = {}): Shape => ({kind: 'list', of, ...rules});
/** An object whose keys are symbols. */
export const map = (of: Shape): Shape => ({kind: 'map', of});
export const level: Shape = {kind: 'level'};

export function record(fields: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
	const required = Object.entries(fields).map(([name, shape]) => [name, {shape, optional: false}] as const);
	const others = Object.entries(optional).map(([name, shape]) => [name, {shape, optional: true}] as const);
	return {kind: 'record', fields: Object.fromEntries([...required, ...others])};
}

/** One way in which answers differ from the specification. `path` is the field's, with `[]` for the entries of a list or map. */
export type Deviation = {
	readonly path: string;
	/**
	 * `undocumented`: a value that the specification does not show. `long`: an integer beyond 2^53. `rounded`: a number of
	 * more digits than a double holds. `control`: control characters in a text. `repeated`: entries equal to an earlier one. `unsorted`: a list in another order. The others are
	 * those of `TimeFault`.
	 */
	readonly problem:
		| (
				| 'missing'
				| 'unknown'
				| 'mistyped'
				| 'undocumented'
				| 'long'
				| 'rounded'
				| 'sign'
				| 'control'
				| 'repeated'
				| 'unsorted'
		  )
		| ('unit' | 'implausible' | 'future' | 'offset');
	/** The type, sign, unit or order in the specification. */
	readonly expected?: string | undefined;
	/** The type or unit in the answer; for `undocumented`, the value. */
	readonly found?: string | undefined;
	/** The first such value as sent. */
	readonly example?: string | undefined;
	/** How often it was found. */
	readonly count: number;
	/** In how many places it was looked for. */
	readonly of: number;
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

	function mistyped(path: string, expected: string, json: unknown): void {
		report({path, problem: 'mistyped', expected, found: typeOf(json), example: quoted(json)});
	}

	function compare(sent: unknown, shape: Shape, path: string): void {
		places.set(path, (places.get(path) ?? 0) + 1);
		const long = longNumber(sent);
		const json = rounded(sent);
		if (long !== undefined) {
			const isInteger = shape.kind === 'value' && shape.type === 'integer';
			report({path, problem: isInteger ? 'long' : 'rounded', example: cut(long)});
			if (isInteger) return;
		}

		switch (shape.kind) {
			case 'value':
			case 'word':
				return compareValue(json, shape, path);
			case 'time':
				return compareTime(json, shape, path);
			case 'level':
				return compareLevel(json, path);
			case 'list':
				return Array.isArray(json) ? compareList(json, shape, path) : mistyped(path, 'list', json);
			case 'map':
				if (!isRecord(json)) return mistyped(path, 'object', json);
				for (const [key, entry] of Object.entries(json)) {
					compareText(key, `${path}[]`);
					compare(entry, shape.of, `${path}[]`);
				}

				return;
			case 'record':
				return isRecord(json) ? compareFields(json, shape.fields, path) : mistyped(path, 'object', json);
		}
	}

	function compareValue(json: unknown, shape: Extract<Shape, {kind: 'value' | 'word'}>, path: string): void {
		if (!hasType(json, shape.type)) return mistyped(path, shape.type, json);
		if (typeof json === 'string') compareText(json, path);
		if (shape.type === 'integer' && !Number.isSafeInteger(json)) report({path, problem: 'long'});
		if (shape.kind === 'value') return shape.sign && compareSign(json, shape.sign, path);
		const plain = typeof json === 'string' ? stripControl(json) : json;
		if (!shape.documented.includes(plain)) {
			report({path, problem: 'undocumented', found: String(plain).slice(0, quotedLength)});
		}
	}

	function compareSign(json: unknown, sign: Sign, path: string): void {
		if (!hasSign(json, sign)) report({path, problem: 'sign', expected: sign, example: quoted(json)});
	}

	function compareText(text: string, path: string): void {
		const oneLine = text.replace(/\s+/g, ' ');
		if (stripControl(oneLine) !== oneLine) report({path, problem: 'control', example: quoted(text)});
	}

	function compareTime(json: unknown, {unit, ofAnswer}: Extract<Shape, {kind: 'time'}>, path: string): void {
		const type = unit === 'ISO 8601' ? 'text' : 'integer';
		if (!hasType(json, type) || (typeof json !== 'string' && typeof json !== 'number'))
			return mistyped(path, type, json);
		if (typeof json === 'string' && stripControl(json) !== json) return compareText(json, path);
		const fault = timeFault(json, unit, ofAnswer ? undefined : answeredAt);
		if (fault) report({path, ...fault, expected: unit, example: quoted(json)});
	}

	function compareLevel(sent: unknown, path: string): void {
		const json = Array.isArray(sent) ? sent.map(rounded) : sent;
		const long = Array.isArray(sent) ? sent.map(longNumber).find(text => text !== undefined) : undefined;
		if (long !== undefined) report({path, problem: 'rounded', example: cut(long)});
		if (!isLevel(json)) return mistyped(path, '[price, quantity]', json);
		const [price, quantity] = json;
		if (!hasSign(price, 'above 0')) return report({path, problem: 'sign', expected: 'above 0', example: quoted(json)});
		if (!hasSign(quantity, 'at least 0'))
			report({path, problem: 'sign', expected: 'at least 0', example: quoted(json)});
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
			report({path, problem: 'unsorted', expected: `${order.direction} ${orderName(order)}`});
		}

		const distinct = new Set(sound.map(entry => JSON.stringify(entry))).size;
		const count = sound.length - distinct;
		// Equal entries are possible; all of them twice is a fault.
		if (count > 0 && (!repeatable || distinct <= sound.length / 2))
			report({path: `${path}[]`, problem: 'repeated', count});
	}

	function compareFields(
		json: Readonly<Record<string, unknown>>,
		fields: Readonly<Record<string, Field>>,
		path: string,
	): void {
		const within = (name: string) => (path ? `${path}.${name}` : name);
		for (const [name, {shape, optional}] of Object.entries(fields)) {
			if (Object.hasOwn(json, name)) compare(json[name], shape, within(name));
			else if (!optional) report({path: within(name), problem: 'missing', expected: nameOf(shape)});
		}

		for (const name of Object.keys(json)) {
			if (!Object.hasOwn(fields, name))
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
				const {path, problem} = deviation;
				const place = problem === 'missing' || problem === 'unknown' ? holder(path) : path;
				return {...deviation, of: places.get(place) ?? deviation.count};
			}),
	};
}

function hasType(json: unknown, type: ValueType): boolean {
	switch (type) {
		case 'text':
			return typeof json === 'string';
		case 'number':
			return typeof json === 'number';
		case 'integer':
			return Number.isInteger(json);
		case 'true or false':
			return typeof json === 'boolean';
		case 'true, false or null':
			return typeof json === 'boolean' || json === null;
		case 'null':
			return json === null;
	}
}

function typeOf(json: unknown): string {
	if (json === null) return 'null';
	if (Array.isArray(json)) return 'list';
	if (typeof json === 'boolean') return 'true or false';
	return typeof json === 'string' ? 'text' : typeof json;
}

function nameOf(shape: Shape): string {
	if (shape.kind === 'value' || shape.kind === 'word') return shape.type;
	if (shape.kind === 'time') return shape.unit === 'ISO 8601' ? 'text' : 'integer';
	if (shape.kind === 'level') return '[price, quantity]';
	return shape.kind === 'list' ? 'list' : 'object';
}

const isLevel = (json: unknown): json is readonly [number, number] =>
	Array.isArray(json) && json.length === 2 && json.every(part => typeof part === 'number');

const hasSign = (json: unknown, sign: Sign): boolean =>
	typeof json !== 'number' || (sign === 'above 0' ? json > 0 : json >= 0);

/** A number of too many digits as the nearest double; anything else as it is. */
function rounded(json: unknown): unknown {
	const long = longNumber(json);
	return long === undefined ? json : Number(long);
}

/** A single value or level as sent, cut short; undefined for lists and objects. */
function quoted(json: unknown): string | undefined {
	const isLarge = typeof json === 'object' && json !== null && !(Array.isArray(json) && json.length <= 2);
	if (isLarge) return undefined;
	return cut(JSON.stringify(typeof json === 'string' ? json.slice(0, quotedLength) : json));
}

const cut = (text: string): string => (text.length > quotedLength ? `${text.slice(0, quotedLength - 1)}…` : text);

type Order = NonNullable<ListRules['order']>;

/** Levels are ordered by their first place, the price. */
const orderName = ({by}: Order): string => (by === 0 ? 'price' : String(by));

/** Ignores entries without a number in that place. */
function isOrdered(entries: readonly unknown[], {by, direction}: Order): boolean {
	const keys = entries.flatMap(entry => {
		const key: unknown = typeof entry === 'object' && entry !== null ? Object(entry)[by] : undefined;
		return typeof key === 'number' ? [key] : [];
	});
	return keys.every((key, index) => {
		const previous = keys[index - 1] ?? key;
		return direction === 'ascending' ? previous <= key : previous >= key;
	});
}
