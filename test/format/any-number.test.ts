import fc from 'fast-check';
import {expect, test} from 'vitest';
import * as numbers from '../../source/format/number.ts';
import * as times from '../../source/format/time.ts';
import {notFinite} from '../helpers/any-values.ts';

test('a text of any number, and of what is none, never reads NaN, Infinity or undefined', () => {
	const anyDouble = fc.oneof(
		fc.double(),
		fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, Number.MIN_VALUE, 1e-101, Number.MAX_VALUE),
	);
	fc.assert(
		fc.property(anyDouble, fc.integer({min: 0, max: 24}), fc.boolean(), (value, decimals, ascii) => {
			const texts = [
				...[numbers.formatFixed, numbers.formatAtLeast, numbers.formatUpTo, numbers.formatSigned].map(format =>
					format(value, decimals, {ascii}),
				),
				...[numbers.formatExact, numbers.formatPercent, numbers.formatBasisPoints].map(format =>
					format(value, {ascii}),
				),
				...[numbers.formatAmount, numbers.formatCompact].map(format => format(value, {ascii})),
				...[numbers.formatPrice(value, {decimals, width: 9, ascii}), numbers.formatCount(value, 'trade')],
				...[numbers.fixedDigits(value, decimals), numbers.formatPlain(value), numbers.amountColumn(value)(value)],
				...[times.formatAge, times.formatElapsed, times.formatWaiting, times.formatOffset, times.formatSpan].map(
					format => format(value),
				),
				...[times.formatAgo, times.formatPeriod, times.formatDuration].map(format => format(value)),
				...[times.formatClock, times.formatClockMs, times.formatDateTime, times.formatFullTime].map(format =>
					format(value),
				),
			];
			expect(texts.filter(text => notFinite.test(text))).toEqual([]);
		}),
		{numRuns: 500},
	);
});
