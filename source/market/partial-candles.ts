import {type CandleSeries, candleEnd} from './candles.ts';
import {type Tape, tradeKey} from './tape.ts';

/**
 * The series with the candles named that trades may be missing from: a gap of the tape lies in them, or the tape begins
 * inside them. What the exchange itself said until `after` (epoch ms) is whole. The same object when none is.
 */
export function withPartial(series: CandleSeries, tape: Tape, after: number): CandleSeries {
	const stretches = unseen(tape, after);
	if (stretches.length === 0) return series;
	const partial = series.candles.flatMap(candle => {
		const end = candleEnd(candle, series.period);
		return stretches.some(({from, to}) => candle.time <= to && end > from) ? candle.time : [];
	});
	return partial.length > 0 ? {...series, partial: new Set(partial)} : series;
}

/** From which time to which, in epoch ms, there may have been trades later than `after` that the tape does not show. */
function unseen({trades, gaps}: Tape, after: number): readonly {from: number; to: number}[] {
	const stretches: {from: number; to: number}[] = [];
	for (const [index, trade] of trades.entries()) {
		if (trade.time <= after) return stretches;
		const next = trades[index + 1];
		if (gaps.has(tradeKey(trade)) || !next)
			stretches.push({from: Math.max(next?.time ?? after, after), to: trade.time});
	}

	return stretches;
}
