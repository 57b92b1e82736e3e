import {expect, test} from 'vitest';
import {decodeMouse, type MouseReport} from '../../source/terminal/mouse.ts';

const at = (column: number, row: number) => ({column, row, shift: false, ctrl: false});

test.each<[string, MouseReport | undefined]>([
	['\u001B[<0;1;1M', {kind: 'press', button: 'left', ...at(0, 0)}],
	['\u001B[<2;120;40m', {kind: 'release', button: 'right', ...at(119, 39)}],
	['\u001B[<32;5;6M', {kind: 'drag', button: 'left', ...at(4, 5)}],
	['\u001B[<5;5;6M', {kind: 'press', button: 'middle', ...at(4, 5), shift: true}],
	['\u001B[<88;5;6M', {kind: 'wheel-up', button: undefined, ...at(4, 5), ctrl: true}],
	['\u001B[<65;5;6M', {kind: 'wheel-down', button: undefined, ...at(4, 5)}],
	// Nothing held, a tilted wheel, an extra button, no place, too few numbers.
	['\u001B[<35;5;6M', undefined],
	['\u001B[<66;5;6M', undefined],
	['\u001B[<128;5;6M', undefined],
	['\u001B[<0;0;6M', undefined],
	['\u001B[<0;6M', undefined],
])('%j means %j', (sequence, report) => {
	expect(decodeMouse(sequence)).toEqual(report);
});
