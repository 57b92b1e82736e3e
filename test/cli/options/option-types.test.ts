import {expect, test} from 'vitest';
import {duration, limitedDuration, secondsFrom, wholeNumber} from '../../../source/cli/options/option-types.ts';
import {readCondition} from '../../../source/cli/options/rule-options.ts';
import {readSettings} from '../../../source/cli/options/settings.ts';
import {parsePeriod} from '../../../source/format/time.ts';
import {parseAmount} from '../../../source/market/fill.ts';
import type {Typed} from '../../../source/market/typed-number.ts';

const rotation = secondsFrom(1);

test.each([
	['90s', 90_000],
	['10m', 600_000],
	['2h', 7_200_000],
	['1d', 86_400_000],
	['1h30m', 5_400_000],
	['5w', 3_024_000_000],
	['365d', 31_536_000_000],
	['30', 30_000],
	['0.1', 100],
	['1.5H', 5_400_000],
	[' 5 m ', 300_000],
])('duration %j is %i ms', (text, ms) => {
	expect(duration(text)).toBe(ms);
});

test.each(['', '0', '0.05s', '-5s', '5y', '5min', '30m1h30', 'm', '366d', '1e9', 'Infinity', '2,5m'])(
	'duration refuses %j',
	text => {
		expect(() => duration(text)).toThrow('must be seconds, or a duration');
	},
);

test('a comma is a separator of thousands, or the reason to refuse', () => {
	expect([wholeNumber(1, 9999)('1,000'), rotation('1,000'), duration('1,000')]).toEqual([1000, 1_000_000, 1_000_000]);
	const why = 'a dot separates decimals (2.5), a comma thousands (1,000)';
	expect(() => wholeNumber(1, 1000)('2,5')).toThrow(`must be a whole number from 1 to 1000: ${why}`);
	expect(() => rotation('2,5')).toThrow(`must be seconds from 1 to 86400: ${why}`);
});

test.each<[string, (text: string) => unknown]>([
	['a whole number', wholeNumber(1, 9999)],
	['seconds', rotation],
	['a duration', duration],
	['a condition', text => readCondition(`last > ${text}`, ['BTCUSDT'], {once: false})],
	['a variable', text => readSettings({timeout: text}, () => 'TAPEWATCH_TIMEOUT')],
	['a config period', text => readSettings({period: text}, () => 'period')],
	['a typed period', text => thrown(parsePeriod(text))],
	['an amount', text => thrown(parseAmount(text, {}))],
])('%s with an exponent is refused with the reason', (_, read) => {
	for (const text of ['1e3', '1E+3', '1.5e-3']) {
		expect(() => read(text)).toThrow(`${text} has an exponent: write the number in full`);
	}
});

function thrown(typed: Typed<unknown>): never {
	throw new Error('fault' in typed ? typed.fault : 'read');
}

test.each(['2.5', '0', '1001', '', 'x', '0x10'])('a whole number is not %j', text => {
	expect(() => wholeNumber(1, 1000)(text)).toThrow('must be a whole number from 1 to 1000');
});

test('a duration that may be off is never over', () => {
	expect(['off', '2h'].map(limitedDuration)).toEqual([Infinity, 7_200_000]);
	expect(() => limitedDuration('0')).toThrow('must be seconds, or a duration');
});
