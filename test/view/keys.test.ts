import {expect, test} from 'vitest';
import {keyLabel, keyNames} from '../../source/view/keys.ts';
import {noKey} from './commands/headless.ts';

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
	['F1 amid letters, as the terminal passes it on', 'n\uF704q', {}, ['n', 'f1', 'q']],
	['a letter beyond the basic plane', '😀', {}, ['😀']],
])('%s', (_, input, key, names) => {
	expect(keyNames(input, {...noKey, ...key})).toEqual(names);
});

test.each([
	['n', 'n', 'n'],
	['space', 'Space', 'Space'],
	['pgup', 'PgUp', 'PgUp'],
	['ctrl+z', 'Ctrl-Z', 'Ctrl-Z'],
	['shift+tab', 'Shift-Tab', 'Shift-Tab'],
	['f1', 'F1', 'F1'],
	['left', '←', 'Left'],
])('the key %s is shown as %s, in ASCII as %s', (key, label, ascii) => {
	expect([keyLabel(key), keyLabel(key, true)]).toEqual([label, ascii]);
});
