import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {faultPosition, lineOfValue} from '../../../source/cli/state/json-lines.ts';

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

describe('what makes it no JSON', () => {
	test.each([
		['{"version": 1, oops', {line: 1, column: 16}],
		['{\n "a": 1,\n}', {line: 3, column: 1}],
		['{\n "a": 1,', {line: 2, column: 9}],
		['', {line: 1, column: 1}],
		['[1,2,,]', {line: 1, column: 6}],
		['{"a": tru}', {line: 1, column: 7}],
		['{\n"a": "x\\q"}', {line: 2, column: 6}],
		['[1 2]', {line: 1, column: 4}],
		['{"a" 1}', {line: 1, column: 6}],
		['{"a": 1]', {line: 1, column: 8}],
		['{} {}', {line: 1, column: 4}],
		['01', {line: 1, column: 2}],
	])('in %j stands at %j', (json, position) => {
		expect(isJson(json)).toBe(false);
		expect(faultPosition(json)).toEqual(position);
	});

	test('stands where JSON.parse says, as far as it does', () => {
		const text = fc.json().map(json => JSON.stringify(JSON.parse(json), undefined, '\n'));
		const spoilt = fc
			.tuple(text, fc.nat(), fc.constantFrom('}', ']', ',', ':', '1', '{'))
			.map(([json, at, wrong]) => json.slice(0, at % json.length) + wrong + json.slice((at % json.length) + 1));
		fc.assert(
			fc.property(spoilt, json => {
				const said = positionSaid(json);
				fc.pre(said !== undefined);
				const {line, column} = faultPosition(json);
				expect(
					json
						.split('\n')
						.slice(0, line - 1)
						.join('\n').length +
						(line > 1 ? 1 : 0) +
						column -
						1,
				).toBe(said);
			}),
		);
	});
});

/** Where V8 says that structure goes wrong; faults inside a string or a number it puts at another end of them. */
function positionSaid(json: string): number | undefined {
	try {
		JSON.parse(json);
		return undefined;
	} catch (error) {
		const [, position] =
			/^(?:Expected|Unexpected non-whitespace).* at position (\d+)/.exec(String(error).slice(13)) ?? [];
		return position === undefined ? undefined : Number(position);
	}
}

test('the line of a value is that on which it begins', () => {
	const json = '{"a": [1,\n{"b,]": "}"},\n[]],\n"c": {"a": 0},\n"d":\n\n"x\\"y"}';
	const paths = [[], ['a'], ['a', 0], ['a', 1, 'b,]'], ['a', 2], ['c'], ['c', 'a'], ['d']];
	expect(paths.map(path => lineOfValue(json, path))).toEqual([1, 1, 1, 2, 3, 4, 4, 7]);
});

test('the line of a value that is missing is that of what it would stand in', () => {
	expect([['b'], ['a', 'b'], ['a', 'c', 'd']].map(path => lineOfValue('{"x": 1,\n"a":\n{"c": 2}}', path))).toEqual([
		1, 3, 3,
	]);
});

test('every value of every JSON is found on the line where it was put', () => {
	const leaf = fc.constant('here');
	const value = fc.letrec(tie => ({
		any: fc.oneof(
			{depthSize: 'small'},
			leaf,
			fc.array(tie('any'), {maxLength: 3}),
			fc.dictionary(fc.string(), tie('any')),
		),
	})).any;
	fc.assert(
		fc.property(value, whole => {
			const paths: PropertyKey[][] = [];
			const marked = mark(whole, [], paths);
			const json = JSON.stringify(marked, undefined, '\t');
			for (const [index, path] of paths.entries()) {
				expect(json.split('\n')[lineOfValue(json, path) - 1]).toContain(`"leaf ${index}"`);
			}
		}),
	);
});

/** `value` with its leaves numbered, and their paths in that order. */
function mark(value: unknown, path: readonly PropertyKey[], paths: PropertyKey[][]): unknown {
	if (Array.isArray(value)) return value.map((item, index) => mark(item, [...path, index], paths));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([key, item]) => [key, mark(item, [...path, key], paths)]);
		return Object.fromEntries(entries);
	}

	paths.push([...path]);
	return `leaf ${paths.length - 1}`;
}
