import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Command} from '../../../source/view/commands/command.ts';
import {
	commandFor,
	commands,
	commandsOver,
	type Remapping,
	remapFault,
	remapped,
} from '../../../source/view/commands/table.ts';
import {keyLabel} from '../../../source/view/keys.ts';
import {panelNames} from '../../../source/view/layout.ts';
import {keyHelp} from '../../../source/view/panels/help/rows.ts';

const isUnique = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** Without an overlay, and over the one that has keys of its own. */
const overlays = [undefined, 'alerts'] as const;

/** Every key with each panel in whose focus it acts, also over an overlay; those of a view come before others there. */
const claims = (from: readonly Command[]): readonly string[] =>
	overlays.flatMap(overlay =>
		commandsOver(overlay, from).flatMap(({keys, panel, focused, actsIn}) =>
			keys.flatMap(key =>
				(panel && focused ? [panel] : panelNames).map(name => `${key} in ${name} ${overlay} ${actsIn ? 'view' : ''}`),
			),
		),
	);

test('names, keys in each panel and ranks of hints are unique', () => {
	expect(isUnique(commands.map(({name}) => name))).toBe(true);
	expect(isUnique(claims(commands))).toBe(true);
	// Equal ranks would leave a narrow status line together.
	for (const overlay of overlays) {
		expect(isUnique(commandsOver(overlay).flatMap(({hint}) => hint?.rank ?? []))).toBe(true);
	}
});

test('every command can be run by a key, or by its name with an argument', () => {
	for (const {name, run, keys, argument} of commands) {
		expect({name, ran: run !== undefined || argument !== undefined}).toEqual({name, ran: true});
		if (keys.length > 0) expect({name, run}).toEqual({name, run: expect.any(Function)});
	}
});

test('the help names every key', () => {
	const named = new Set(keyHelp(commands).flatMap(({keys}) => keys.split(/(?<=\S),? /)));
	expect(commands.flatMap(({keys}) => keys.map(key => keyLabel(key))).filter(label => !named.has(label))).toEqual([]);
});

test('Enter selects in the picker and draws levels in the chart, a key of no command does nothing', () => {
	expect(panelNames.filter(panel => commandFor('enter', panel))).toEqual(['markets', 'chart']);
	expect(commandFor('Z', 'chart')).toBeUndefined();
});

test('a remapped key acts, and the default key is free', () => {
	const changed = remapped({'next-market': ['N', 'ctrl+n']});
	const names = ['N', 'ctrl+n', 'n', 'p'].map(key => commandFor(key, 'book', commandsOver(undefined, changed))?.name);
	expect(names).toEqual(['next-market', 'next-market', undefined, 'previous-market']);
	expect(remapped({})).toEqual(commands);
});

test('a default key gives way to the config file if its command has another one there', () => {
	const changed = remapped({sort: ['ctrl+b'], favourite: ['j'], 'alert-off': ['_'], 'heatmap-cursor': ['k']});
	const keysOf = (name: string) => changed.find(command => command.name === name)?.keys;
	expect(['page-up', 'down', 'scale-down', 'up'].map(keysOf)).toEqual([['pgup'], ['down'], ['-', '_'], ['up', 'k']]);
	expect(remapFault({sort: ['ctrl+b'], favourite: ['j']})).toBeUndefined();
	expect(remapFault({sort: ['ctrl+d']})?.message).toContain('it is already the key of half-page-down');
});

describe('a fault of the config file says what to do', () => {
	test.each<readonly [string, Remapping, string, string]>([
		['an unknown name', {'next-markt': ['N']}, 'next-markt', 'does not exist; did you mean next-market?'],
		[
			'a key of another binding',
			{sort: ['n']},
			'sort',
			'cannot take n: it is already the key of next-market; choose another key',
		],
		[
			'one key for two changed bindings',
			{sort: ['ctrl+x'], filter: ['ctrl+x']},
			'sort',
			'cannot take Ctrl-X: it is already the key of filter; choose another key',
		],
		[
			'a key of a panel for something of everywhere',
			{refresh: ['m']},
			'refresh',
			'cannot take m: it is already the key of measure in the chart panel; choose another key',
		],
		[
			'the key that always quits',
			{sort: ['ctrl+c']},
			'sort',
			'cannot take Ctrl-C: it is already the key of interrupt; choose another key',
		],
		[
			'a name that a command had before',
			{'type-period': ['T']},
			'type-period',
			'does not exist; it is now called period',
		],
		[
			'a command that needs an argument',
			{grouping: ['X']},
			'grouping',
			'takes no keys: it needs an argument, which only the command line has',
		],
		['a change of what always quits', {interrupt: ['Q']}, 'interrupt', 'cannot be changed: Ctrl-C always quits'],
		[
			'what is no key',
			{sort: ['strg+s']},
			'sort',
			'must be keys such as n, G, ctrl+n, space, tab or pgdn, not "strg+s"',
		],
		[
			'a key that terminals do not tell from another',
			{sort: ['ctrl+i']},
			'sort',
			'cannot take ctrl+i: a terminal sends the same for another key',
		],
	])('%s', (_, changes, name, message) => {
		expect(remapFault(changes)).toEqual({name, message});
	});

	test('an unknown name lists all names when none is near', () => {
		expect(remapFault({zzzzzzzz: ['x']})?.message).toMatch(/^does not exist; choose from up, down, page-up, /);
	});
});

test('a key can move to another command, and panels can share one', () => {
	expect(remapFault({sort: ['n'], 'next-market': ['s']})).toBeUndefined();
	expect(remapFault({centre: ['X'], 'merge-fills': ['X']})).toBeUndefined();
	expect(remapFault({'reverse-sort': []})).toBeUndefined();
	expect(remapFault({'alert-off': ['X'], 'reverse-sort': ['X']})).toBeUndefined();
	expect(remapFault({'alert-off': ['n']})?.message).toBe(
		'cannot take n: it is already the key of next-market; choose another key',
	);
});

test('keys without a fault do one thing in every panel', () => {
	const names = commands.flatMap(({name, run}) => (run ? [name] : []));
	const anyKeys = fc.uniqueArray(fc.constantFrom('n', 'X', 'ctrl+n', 'm', 'tab', 'enter'), {maxLength: 3});
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), anyKeys, {maxKeys: 4}), changes => {
			if (!remapFault(changes)) expect(isUnique(claims(remapped(changes)))).toBe(true);
		}),
	);
});
