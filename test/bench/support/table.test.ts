import {expect, test} from 'vitest';
import {tableLines} from './table.ts';

test('prints a common prefix once, and missed targets at the end', () => {
	const rows = [
		{name: 'screen: 80×24, bytes', measured: '4.20 kB/s'},
		{name: 'screen: 80×24, against the least', measured: '1.085 ×', target: '≤ 1.1', met: true},
		{name: 'start: an empty node', measured: '22 ms'},
		{name: 'start: first frame', measured: '6.40 × node', target: '≤ 6', met: false},
		{name: 'decode a book', measured: '1.2 × JSON.parse'},
	];
	expect(tableLines(rows)).toEqual([
		'screen: 80×24',
		'  bytes              4.20 kB/s',
		'  against the least  1.085 ×           ≤ 1.1  met',
		'',
		'start',
		'  an empty node      22 ms',
		'  first frame        6.40 × node       ≤ 6    MISSED',
		'',
		'decode a book        1.2 × JSON.parse',
		'',
		'1 of 2 targets met',
		'missed: start: first frame: 6.40 × node, target ≤ 6',
	]);
});
