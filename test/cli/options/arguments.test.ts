import {expect, test} from 'vitest';
import {duration} from '../../../source/cli/options/arguments.ts';

test.each([
	['90s', 90_000],
	['10m', 600_000],
	['2h', 7_200_000],
	['1d', 86_400_000],
	['365d', 31_536_000_000],
	['30', 30_000],
	['0.1', 100],
	['1.5H', 5_400_000],
	[' 5 m ', 300_000],
])('duration %j is %i ms', (text, ms) => {
	expect(duration(text)).toBe(ms);
});

test.each(['', '0', '0.05s', '-5s', '5w', '5min', '1h30m', 'm', '366d', '1e3', 'Infinity'])(
	'duration refuses %j',
	text => {
		expect(() => duration(text)).toThrow('Expected seconds, or a duration');
	},
);
