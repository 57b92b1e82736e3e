import type {Candle, Level, Side, Trade} from '../../source/market/types.ts';
import {seeded} from './candles.ts';

/** Decimals of prices and of quantities. */
export type Digits = {readonly price: number; readonly quantity: number};

export const markets: readonly Digits[] = [
	{price: 2, quantity: 4},
	{price: 8, quantity: 0},
	{price: 0, quantity: 8},
];

/** The number nearest to so many units of the last of `decimals`. */
export const decimal = (units: bigint | number, decimals: number): number => Number(`${units}e-${decimals}`);

/** The quotient of two whole numbers, to 30 digits before it becomes a number. */
export function quotient(dividend: bigint, divisor: bigint): number {
	const text = String((dividend * 10n ** 40n) / divisor);
	return Number(`${text}e-40`);
}

export const total = (values: Iterable<bigint>): bigint => {
	let sum = 0n;
	for (const value of values) sum += value;
	return sum;
};

/** A trade in whole units of the last decimal. */
export type RawTrade = {
	readonly time: number;
	readonly ticks: bigint;
	readonly lots: bigint;
	readonly side: Side | undefined;
	/** The number of the trade. */
	readonly id: number;
};

type Past = {readonly seed: number; readonly count: number; readonly start: number; readonly meanMs: number};

/** Trades at random, oldest first, but always the same: several in a millisecond, none in some hours, few without a side. */
export function rawTrades({seed, count, start, meanMs}: Past): readonly RawTrade[] {
	const random = seeded(seed);
	let [time, ticks] = [start, 50_000];
	return Array.from({length: count}, (_, id) => {
		const isQuiet = random() < 0.002;
		if (random() < 0.8) time += Math.ceil(-Math.log(random() || 1) * meanMs * (isQuiet ? 300 : 1));
		if (random() < 0.6) ticks = Math.max(ticks + Math.round((random() - 0.5) * 200), 1);
		const side = random() < 0.05 ? undefined : random() < 0.5 ? 'buy' : 'sell';
		return {time, ticks: BigInt(ticks), lots: BigInt(Math.ceil(random() ** 3 * 90_000)), side, id};
	});
}

/** What an exchange sends of them, newest first. */
export const tradesOf = (raw: readonly RawTrade[], digits: Digits): readonly Trade[] =>
	raw
		.map(
			({time, ticks, lots, side, id}): Trade => ({
				...{id: String(id), time, side},
				...{price: decimal(ticks, digits.price), quantity: decimal(lots, digits.quantity)},
			}),
		)
		.reverse();

/** One candle in whole units. */
export type RawCandle = {readonly time: number} & Readonly<
	Record<'open' | 'high' | 'low' | 'close' | 'volume', bigint>
>;

/** The candle of the trades, oldest first, that begins at `time`. */
export function rawCandle(time: number, trades: readonly RawTrade[]): RawCandle {
	const ticks = trades.map(trade => trade.ticks);
	return {
		time,
		open: ticks[0] ?? 0n,
		high: ticks.reduce((a, b) => (a > b ? a : b)),
		low: ticks.reduce((a, b) => (a < b ? a : b)),
		close: ticks.at(-1) ?? 0n,
		volume: total(trades.map(({lots}) => lots)),
	};
}

/** The candles of the trades, oldest first, of which each begins where `startOf` says. */
export const rawCandles = (trades: readonly RawTrade[], startOf: (time: number) => number): readonly RawCandle[] =>
	[...Map.groupBy(trades, ({time}) => startOf(time))].map(([time, alike]) => rawCandle(time, alike));

export const candleOf = ({time, ...raw}: RawCandle, digits: Digits): Candle => ({
	...{time, open: decimal(raw.open, digits.price), high: decimal(raw.high, digits.price)},
	...{low: decimal(raw.low, digits.price), close: decimal(raw.close, digits.price)},
	volume: decimal(raw.volume, digits.quantity),
});

/** A level in whole units. */
export type RawLevel = readonly [ticks: bigint, lots: bigint];
export type RawBook = {readonly asks: readonly RawLevel[]; readonly bids: readonly RawLevel[]};

/** A book of two sides, best first. */
export function rawBook(seed: number, count: number): RawBook {
	const random = seeded(seed);
	const mid = 30_000 + Math.floor(random() * 40_000);
	const sideOf = (sign: 1 | -1): readonly RawLevel[] => {
		let ticks = mid;
		return Array.from({length: count}, () => {
			ticks += sign * Math.ceil(random() ** 2 * 30);
			return [BigInt(ticks), BigInt(Math.ceil(random() ** 4 * 900_000))] as const;
		});
	};
	return {asks: sideOf(1), bids: sideOf(-1)};
}

export const levelsOf = (levels: readonly RawLevel[], digits: Digits): readonly Level[] =>
	levels.map(([ticks, lots]) => [decimal(ticks, digits.price), decimal(lots, digits.quantity)]);
