import type {Key} from 'ink';
import {expect, test} from 'vitest';
import {actionFor, keymap, keyNames} from '../../source/view/keymap.ts';
import {panelNames} from '../../source/view/layout.ts';
import {keyHelp} from '../../source/view/panels/help/rows.ts';

const noKey: Key = {
	upArrow: false,
	downArrow: false,
	leftArrow: false,
	rightArrow: false,
	pageDown: false,
	pageUp: false,
	home: false,
	end: false,
	return: false,
	escape: false,
	ctrl: false,
	shift: false,
	tab: false,
	backspace: false,
	delete: false,
	meta: false,
	super: false,
	hyper: false,
	capsLock: false,
	numLock: false,
};

test('no key has two meanings', () => {
	const claims = keymap.flatMap(({keys, panels}) =>
		keys.flatMap(key => (panels ?? panelNames).map(panel => `${key} in ${panel}`)),
	);
	expect(claims).toEqual([...new Set(claims)]);
});

test('no two bindings have the same name', () => {
	const names = keymap.map(({name}) => name);
	expect(names).toEqual([...new Set(names)]);
});

test('no two hints have the same rank, so that they leave a narrow status line one by one', () => {
	const ranks = keymap.flatMap(({hint}) => hint?.rank ?? []);
	expect(ranks).toEqual([...new Set(ranks)]);
});

test('the help names every key', () => {
	const named = keyHelp(keymap)
		.map(({keys}) => keys.toLowerCase())
		.join(' ');
	const aliases: Record<string, string> = {
		up: '↑',
		down: '↓',
		left: '←',
		right: '→',
		home: 'g',
		end: 'g',
		'=': '+',
		_: '-',
		'shift+tab': 'shift-tab',
		'ctrl+z': 'ctrl-z',
		'ctrl+c': 'ctrl-c',
	};
	const range = ['1', '2', '3', '4', '5'];
	const missing = keymap
		.flatMap(({keys}) => keys)
		.filter(key => !range.includes(key) && !named.split(' ').includes((aliases[key] ?? key).toLowerCase()));
	expect(missing).toEqual([]);
	expect(named).toContain('1 – 5');
});

test.each([
	['several letters in one piece of input', 'nnq', {}, ['n', 'n', 'q']],
	['a blank', ' ', {}, ['space']],
	['letters and Enter in one piece', 'sol\r', {}, ['s', 'o', 'l', 'enter']],
	['Ctrl-C amid letters', 'n\u0003', {}, ['n', 'ctrl+c']],
	['Ctrl-U amid letters', '5\u00152', {}, ['5', 'ctrl+u', '2']],
	['Tabs in one piece', '\t\t', {}, ['tab', 'tab']],
	['Backspace and Esc after a letter', 'a\u007F\b\u001B', {}, ['a', 'backspace', 'backspace', 'esc']],
	['Ctrl-Z', 'z', {ctrl: true}, ['ctrl+z']],
	['Tab', '\t', {tab: true}, ['tab']],
	['Shift-Tab', '\t', {tab: true, shift: true}, ['shift+tab']],
	['an arrow', '', {upArrow: true}, ['up']],
	['what a terminal sends for Backspace', '', {delete: true}, ['backspace']],
	['Esc and a letter in one piece, as a slow link brings them', 'n', {meta: true}, ['esc', 'n']],
	['a letter beyond the basic plane', '😀', {}, ['😀']],
])('%s', (_, input, key, names) => {
	expect(keyNames(input, {...noKey, ...key})).toEqual(names);
});

test('Enter selects in the picker only', () => {
	expect(panelNames.filter(panel => actionFor('enter', panel))).toEqual(['markets']);
});

test('a key that is bound to nothing does nothing', () => {
	expect(actionFor('y', 'chart')).toBeUndefined();
});
