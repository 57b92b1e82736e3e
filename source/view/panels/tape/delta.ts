import {memo} from '../../../market/memo.ts';
import {DecimalSum} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {type TapeTrend, tapeTrend} from '../../plot/tape-trend.ts';

/**
 * The cumulative delta of a tape, bought minus sold since its oldest trade, in at most `columns` columns of equal time. Trades
 * without a side do not count.
 */
export const deltaTrend = memo((tape: Tape, columns: number): TapeTrend => {
	const sum = new DecimalSum();
	return tapeTrend(tape, columns, ({side, quantity}) => {
		if (side) sum.add(side === 'buy' ? quantity : -quantity);
		return sum.total;
	});
});
