import {isRecord} from '../wire/decode.ts';

/** A value as the specification describes it. */
export type Shape =
	| {readonly kind: 'value'; readonly type: ValueType}
	/** `documented`: the only values that the specification shows. */
	| {readonly kind: 'word'; readonly type: ValueType; readonly documented: readonly unknown[]}
	| {readonly kind: 'record'; readonly fields: Readonly<Record<string, Field>>}
	| {readonly kind: 'list' | 'map'; readonly of: Shape}
	/** `[price, quantity]`. */
	| {readonly kind: 'level'};

type ValueType = 'text' | 'number' | 'integer' | 'true or false' | 'true, false or null' | 'null';

/** `optional`: not in the specification, but an exchange may have it. */
type Field = {readonly shape: Shape; readonly optional: boolean};

export const value = (type: ValueType): Shape => ({kind: 'value', type});
export const word = (type: ValueType, ...documented: readonly unknown[]): Shape => ({kind: 'word', type, documented});
export const list = (of: Shape): Shape => ({kind: 'list', of});
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
	/** `undocumented`: a value that the specification does not show. `long`: an integer beyond 2^53. */
	readonly problem: 'missing' | 'unknown' | 'mistyped' | 'undocumented' | 'long';
	/** The type in the specification; only for `missing` and `mistyped`. */
	readonly expected?: string | undefined;
	/** The type in the answer; for `undocumented`, the value. */
	readonly found?: string | undefined;
	/** How often it was found. */
	readonly count: number;
	/** In how many places it was looked for. */
	readonly of: number;
};

/** Longer texts are cut. */
const quotedLength = 40;
/** So that an exchange that invents names cannot fill the memory. */
const mostKinds = 200;

/** Collects how answers differ from a shape. */
export function createComparison(): {add(json: unknown, shape: Shape): void; deviations(): readonly Deviation[]} {
	const found = new Map<string, Omit<Deviation, 'of'>>();
	const places = new Map<string, number>();

	function report(deviation: Omit<Deviation, 'of' | 'count'>): void {
		const key = JSON.stringify(deviation);
		const count = found.get(key)?.count ?? 0;
		if (count > 0 || found.size < mostKinds) found.set(key, {...deviation, count: count + 1});
	}

	function mistyped(path: string, expected: string, json: unknown): void {
		report({path, problem: 'mistyped', expected, found: typeOf(json)});
	}

	function compare(json: unknown, shape: Shape, path: string): void {
		places.set(path, (places.get(path) ?? 0) + 1);
		switch (shape.kind) {
			case 'value':
			case 'word':
				return compareValue(json, shape, path);
			case 'level':
				if (!isLevel(json)) mistyped(path, '[price, quantity]', json);
				return;
			case 'list':
				if (!Array.isArray(json)) return mistyped(path, 'list', json);
				for (const entry of json) compare(entry, shape.of, `${path}[]`);
				return;
			case 'map':
				if (!isRecord(json)) return mistyped(path, 'object', json);
				for (const entry of Object.values(json)) compare(entry, shape.of, `${path}[]`);
				return;
			case 'record':
				return isRecord(json) ? compareFields(json, shape.fields, path) : mistyped(path, 'object', json);
		}
	}

	function compareValue(json: unknown, shape: Extract<Shape, {kind: 'value' | 'word'}>, path: string): void {
		if (!hasType(json, shape.type)) return mistyped(path, shape.type, json);
		if (shape.type === 'integer' && !Number.isSafeInteger(json)) report({path, problem: 'long'});
		if (shape.kind === 'word' && !shape.documented.includes(json)) {
			report({path, problem: 'undocumented', found: String(json).slice(0, quotedLength)});
		}
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
		add: (json, shape) => compare(json, shape, ''),
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
	if (shape.kind === 'level') return '[price, quantity]';
	return shape.kind === 'list' ? 'list' : 'object';
}

const isLevel = (json: unknown): boolean =>
	Array.isArray(json) && json.length === 2 && json.every(part => typeof part === 'number');
