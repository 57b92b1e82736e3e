import {
	activeState,
	type Candle,
	type DepthBook,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';

/**
 * What is doubtful in an answer that can be read. `empty`: the `part` has no entry. `absent`: no readable entry for the
 * inspected market. `unreadable`: its entry is, except for its name. `inactive`: its state is `example`. `crossed`: the best bid is above the best ask, or equal to it in a book.
 * `unpriced`: no last price, although there is volume. `sideless`: the side of a trade is unknown. `spacing`: candles apart
 * from the one before by no multiple of the period; `example` is the time between them.
 */
export type Flaw = {
	readonly kind: 'empty' | 'absent' | 'unreadable' | 'inactive' | 'crossed' | 'unpriced' | 'sideless' | 'spacing';
	/** The list, as the user knows it: `asks`, `trades`. */
	readonly part: string;
	/** The first such entry, in words. */
	readonly example?: string | undefined;
	readonly count: number;
	readonly of: number;
};

/** Finds the flaws of an answer about `symbol`. */
export type Examine<T> = (data: T, symbol: string) => readonly Flaw[];

const none: readonly Flaw[] = [];
const empty = (part: string): readonly Flaw[] => [{kind: 'empty', part, count: 1, of: 1}];

export const examineMarkets: Examine<readonly Market[]> = (markets, symbol) => {
	const unreadable = markets.some(market => market.symbol === symbol && market.unreadable);
	const flaw: Flaw = {kind: 'unreadable', part: 'markets', example: symbol, count: 1, of: markets.length};
	return markets.length === 0 ? empty('markets') : unreadable ? [flaw] : inspectedEntry('markets', markets, symbol);
};

export const examineTickers: Examine<readonly Ticker[]> = (tickers, symbol) => {
	if (tickers.length === 0) return empty('tickers');
	return [
		...inspectedEntry('tickers', tickers, symbol),
		...counted(tickers, {
			kind: 'crossed',
			isFlawed: ({bid, ask}) => bid !== undefined && ask !== undefined && bid > ask,
			describe: ticker => `${ticker.symbol} bid ${ticker.bid}, ask ${ticker.ask}`,
		}),
		...counted(tickers, {
			kind: 'unpriced',
			isFlawed: ({last, volume, quoteVolume}) => last === undefined && ((volume ?? 0) > 0 || (quoteVolume ?? 0) > 0),
			describe: ticker => ticker.symbol,
		}),
	];
};

export const examineBook: Examine<DepthBook> = ({asks, bids}) => {
	const [ask] = asks;
	const [bid] = bids ?? [];
	const isCrossed = ask !== undefined && bid !== undefined && bid[0] >= ask[0];
	const crossed: Flaw = {kind: 'crossed', part: 'book', example: `bid ${bid?.[0]}, ask ${ask?.[0]}`, count: 1, of: 1};
	return [
		...(ask ? none : empty('asks')),
		...(bid || bids === undefined ? none : empty('bids')),
		...(isCrossed ? [crossed] : none),
	];
};

/** `sided`: whether the interface has the sides of trades. */
export const examineTrades =
	(sided: boolean): Examine<readonly Trade[]> =>
	trades => {
		if (trades.length === 0) return empty('trades');
		const count = trades.filter(({side}) => side === undefined).length;
		return sided && count > 0 ? [{kind: 'sideless', part: 'trades', count, of: trades.length}] : none;
	};

/** `period` in minutes. */
export const examineCandles =
	(period: Period): Examine<readonly Candle[]> =>
	candles => {
		if (candles.length === 0) return empty('candles');
		const gapsMs = candles.slice(1).map(({time}, index) => time - (candles[index]?.time ?? time));
		const wrong = gapsMs.filter(ms => ms % (period * minuteMs) !== 0);
		const [first] = wrong;
		if (first === undefined) return none;
		const example = `${first / minuteMs} min`;
		return [{kind: 'spacing', part: 'candles', example, count: wrong.length, of: gapsMs.length}];
	};

function inspectedEntry(
	part: string,
	entries: ReadonlyArray<{readonly symbol: string; readonly state: string}>,
	symbol: string,
): readonly Flaw[] {
	const entry = entries.find(each => each.symbol === symbol);
	if (!entry) return [{kind: 'absent', part, example: symbol, count: 1, of: entries.length}];
	const isActive = entry.state.toLowerCase() === activeState;
	return isActive ? none : [{kind: 'inactive', part, example: entry.state, count: 1, of: 1}];
}

type Suspicion = {
	readonly kind: Flaw['kind'];
	readonly isFlawed: (ticker: Ticker) => boolean;
	readonly describe: (ticker: Ticker) => string;
};

function counted(tickers: readonly Ticker[], {kind, isFlawed, describe}: Suspicion): readonly Flaw[] {
	const flawed = tickers.filter(isFlawed);
	const [first] = flawed;
	return first ? [{kind, part: 'tickers', example: describe(first), count: flawed.length, of: tickers.length}] : none;
}
