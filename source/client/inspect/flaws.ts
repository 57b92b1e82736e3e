import {formatAge} from '../../format/time.ts';
import {isOffPeriod} from '../../market/candles.ts';
import {
	activeState,
	type Candle,
	type DepthBook,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';
import type {Flaw} from './inspection.ts';

/** Finds the flaws of an answer about `symbol`. */
export type Examine<T> = (data: T, symbol: string) => readonly Flaw[];

export const examineMarkets: Examine<readonly Market[]> = (markets, symbol) =>
	nonEmpty('markets', markets, () => inspectedEntry('markets', markets, symbol));

export const examineTickers: Examine<readonly Ticker[]> = (tickers, symbol) =>
	nonEmpty('tickers', tickers, () => [
		...inspectedEntry('tickers', tickers, symbol),
		...flawed('crossed', 'tickers', tickers, {
			isFlawed: ({bid, ask}) => bid !== undefined && ask !== undefined && bid > ask,
			describe: ticker => `${ticker.symbol} bid ${ticker.bid}, ask ${ticker.ask}`,
		}),
		...flawed('unpriced', 'tickers', tickers, {
			isFlawed: ({last, volume, quoteVolume}) => last === undefined && ((volume ?? 0) > 0 || (quoteVolume ?? 0) > 0),
			describe: ticker => ticker.symbol,
		}),
	]);

export const examineBook: Examine<DepthBook> = book => {
	const {asks, bids} = book;
	return [
		...nonEmpty('asks', asks),
		...(bids ? nonEmpty('bids', bids) : []),
		...flawed('crossed', 'book', [book], {
			isFlawed: () => (bids?.[0]?.[0] ?? -Infinity) >= (asks[0]?.[0] ?? Infinity),
			describe: () => `bid ${bids?.[0]?.[0]}, ask ${asks[0]?.[0]}`,
		}),
	];
};

/** `sided`: whether the interface has the sides of trades. */
export const examineTrades =
	(sided: boolean): Examine<readonly Trade[]> =>
	trades =>
		nonEmpty('trades', trades, () =>
			flawed('sideless', 'trades', trades, {isFlawed: ({side}) => sided && side === undefined}),
		);

/** `period` in minutes. */
export const examineCandles =
	(period: Period): Examine<readonly Candle[]> =>
	candles =>
		nonEmpty('candles', candles, () => {
			const gapsMs = candles.slice(1).map(({time}, index) => time - (candles[index]?.time ?? time));
			return flawed('spacing', 'candles', gapsMs, {
				isFlawed: ms => isOffPeriod(ms, period),
				describe: formatAge,
			});
		});

/** The flaws of the `part` whose entries these are, if it has any. */
const nonEmpty = (
	part: string,
	entries: readonly unknown[],
	flaws: () => readonly Flaw[] = () => [],
): readonly Flaw[] => (entries.length === 0 ? [{kind: 'empty', part, example: undefined, count: 1, of: 1}] : flaws());

type Suspicion<T> = {readonly isFlawed: (entry: T) => boolean; readonly describe?: (entry: T) => string};

function flawed<T>(
	kind: Flaw['kind'],
	part: string,
	entries: readonly T[],
	{isFlawed, describe}: Suspicion<T>,
): readonly Flaw[] {
	const found = entries.filter(isFlawed);
	const [first] = found;
	if (first === undefined) return [];
	return [{kind, part, example: describe?.(first), count: found.length, of: entries.length}];
}

function inspectedEntry(
	part: string,
	entries: ReadonlyArray<Pick<Market, 'symbol' | 'state' | 'unreadable'>>,
	symbol: string,
): readonly Flaw[] {
	const entry = entries.find(each => each.symbol === symbol);
	if (!entry) return [{kind: 'absent', part, example: symbol, count: 1, of: entries.length}];
	if (entry.unreadable) return [{kind: 'unreadable', part, example: symbol, count: 1, of: entries.length}];
	const isActive = entry.state.toLowerCase() === activeState;
	return isActive ? [] : [{kind: 'inactive', part, example: entry.state, count: 1, of: 1}];
}
