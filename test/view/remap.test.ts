import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {actionFor, keymap} from '../../source/view/keymap.ts';
import {panelNames} from '../../source/view/layout.ts';
import {lineText} from '../../source/view/line.ts';
import {keyHelp} from '../../source/view/panels/help/rows.ts';
import {statusLines} from '../../source/view/panels/status/rows.ts';
import {type Remapping, remapFault, remapped} from '../../source/view/remap.ts';
import {marketState} from '../helpers/market-state.ts';

test('a key that is given to something does that, and what it had before is free', () => {
	const bindings = remapped({'next-market': ['N', 'ctrl+n']});
	expect(actionFor('N', 'book', bindings)).toEqual({type: 'market-by', by: 1});
	expect(actionFor('ctrl+n', 'book', bindings)).toEqual({type: 'market-by', by: 1});
	expect(actionFor('n', 'book', bindings)).toBeUndefined();
	expect(actionFor('p', 'book', bindings)).toEqual({type: 'market-by', by: -1});
});

test('without changes the keymap is the delivered one', () => {
	expect(remapped({})).toEqual(keymap);
});

test('help and hints name the keys that are', () => {
	const bindings = remapped({'next-market': ['N', 'ctrl+n'], 'previous-market': ['ctrl+p'], pause: []});
	const help = keyHelp(bindings);
	expect(help.find(each => each.help.startsWith('next and previous market'))?.keys).toBe('N Ctrl-N Ctrl-P');
	expect(help.find(each => each.help === 'pause and go on')).toBeUndefined();
	const columns = 200;
	const input = {state: marketState(), exchangeName: 'x', demo: false, now: 0, columns, rows: 2, ascii: false} as const;
	const [, hints = []] = statusLines({...input, bindings, focus: 'tape'});
	expect(lineText(hints)).toContain(' N/Ctrl-P market ');
	expect(lineText(hints)).not.toContain('pause');
});

describe('what is wrong is said with what to do', () => {
	test.each<readonly [string, Remapping, string, string]>([
		['an unknown name', {'next-markt': ['N']}, 'next-markt', 'is not known; did you mean next-market?'],
		[
			'a key of another binding',
			{sort: ['n']},
			'sort',
			'takes n, which is the key of next-market everywhere: give that another',
		],
		[
			'one key for two changed bindings',
			{sort: ['ctrl+x'], filter: ['ctrl+x']},
			'sort',
			'takes Ctrl-X, which is the key of filter everywhere: give that another',
		],
		[
			'a key of a panel for something of everywhere',
			{refresh: ['m']},
			'refresh',
			'takes m, which is the key of centre in the panel book: give that another',
		],
		[
			'the key that always quits',
			{sort: ['ctrl+c']},
			'sort',
			'takes Ctrl-C, which is the key of interrupt everywhere: give that another',
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

	test('an unknown name far from all others lists those', () => {
		expect(remapFault({zzzzzzzz: ['x']})?.message).toMatch(/^is not known; known are up, down, page-up, /);
	});
});

test('a key can be passed on, and panels can share one', () => {
	expect(remapFault({sort: ['n'], 'next-market': ['s']})).toBeUndefined();
	expect(remapFault({centre: ['X'], 'merge-fills': ['X']})).toBeUndefined();
	expect(remapFault({'reverse-sort': []})).toBeUndefined();
});

test('keys without a fault mean one thing in every panel', () => {
	const names = keymap.map(({name}) => name);
	const anyKeys = fc.uniqueArray(fc.constantFrom('n', 'X', 'ctrl+n', 'm', 'tab', 'enter'), {maxLength: 3});
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), anyKeys, {maxKeys: 4}), changes => {
			const claims = remapped(changes).flatMap(({keys, panels}) =>
				keys.flatMap(key => (panels ?? panelNames).map(panel => `${key} in ${panel}`)),
			);
			if (!remapFault(changes)) expect(claims).toEqual([...new Set(claims)]);
		}),
	);
});
