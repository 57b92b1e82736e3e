/** What is shown of order books, against the same computed in whole numbers from their levels. */
import {describe, test} from 'vitest';
import {quantityValue} from '../../source/alerts/quantity-values.ts';
import {sideChanges} from '../../source/market/book-changes.ts';
import {
	type BookSide,
	cumulative,
	cumulativeGroups,
	groupCount,
	type PriceStep,
	spreadOf,
	stepSize,
	totalsOf,
	tradedVolume,
} from '../../source/market/depth.ts';
import {costToFill} from '../../source/market/fill.ts';
import {emptyHistory, remember} from '../../source/market/liquidity.ts';
import type {DepthBook} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import {heatColumn} from '../../source/view/panels/book/heatmap-model.ts';
import {comparing, comparingNumbers} from '../helpers/comparing.ts';
import {marketState, received} from '../helpers/market-state.ts';
import {
	decimal,
	levelsOf,
	markets,
	quotient,
	type RawBook,
	type RawLevel,
	rawBook,
	rawTrades,
	total,
	tradesOf,
} from '../helpers/raw-market.ts';

const books = [1, 2, 3, 4].map(seed => rawBook(seed, seed * 60));
const sides = ['ask', 'bid'] as const;
const sideOf = (book: RawBook, side: BookSide): readonly RawLevel[] => (side === 'ask' ? book.asks : book.bids);

const lotsOf = (levels: readonly RawLevel[]): bigint => total(levels.map(([, lots]) => lots));
const costOf = (levels: readonly RawLevel[]): bigint => total(levels.map(([ticks, lots]) => ticks * lots));

/** The price of the group that a level is in, in units: bids are rounded down, asks up. */
function groupOf(ticks: bigint, side: BookSide, size: bigint): bigint {
	const below = (ticks / size) * size;
	return side === 'bid' || below === ticks ? below : below + size;
}

describe.each(markets)('of a market of $price and $quantity decimals', digits => {
	const price = (ticks: bigint) => decimal(ticks, digits.price);
	const quantity = (lots: bigint) => decimal(lots, digits.quantity);
	const cost = (units: bigint) => decimal(units, digits.price + digits.quantity);
	const shown = (book: RawBook): DepthBook => ({
		...{asks: levelsOf(book.asks, digits), bids: levelsOf(book.bids, digits)},
	});
	/** In units of the last decimal of a price. */
	const stepsOf: ReadonlyArray<readonly [bigint, PriceStep]> = [0, 1, 2].flatMap(power =>
		([1, 2, 5] as const).map(
			mantissa => [BigInt(mantissa) * 10n ** BigInt(power), {mantissa, exponent: power - digits.price}] as const,
		),
	);

	test('spread and mid', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const {asks, bids} of books) {
			for (const [ask, bid] of asks.slice(0, 30).map((level, index) => [level[0], bids[index]?.[0] ?? 1n] as const)) {
				// Open, crossed and locked.
				for (const [best, other] of [
					[ask, bid],
					[bid, ask],
					[ask, ask],
				] as const) {
					const found = spreadOf({asks: [[price(best), 1]], bids: [[price(other), 1]]});
					compare(found?.spread, price(best - other), 'the spread');
					compareNumbers(found?.mid, quotient(best + other, 2n * 10n ** BigInt(digits.price)), 'the mid');
					const points = quotient((best - other) * 20_000n, best + other);
					compareNumbers(found?.basisPoints, points, 'the basis points', 10_000);
					compare(found?.state, best > other ? 'open' : best < other ? 'crossed' : 'locked');
				}
			}
		}
	});

	test('sums of levels and totals', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const book of books) {
			for (const side of sides) {
				const levels = sideOf(book, side);
				for (const [index, level] of cumulative(levelsOf(levels, digits)).entries()) {
					const counted = levels.slice(0, index + 1);
					const {cumulative: size, value} = level;
					compare(size, quantity(lotsOf(counted)));
					compare(value, cost(costOf(counted)));
				}
			}

			const [asks, bids] = [lotsOf(book.asks), lotsOf(book.bids)];
			const totals = totalsOf(shown(book));
			compare([totals?.asks, totals?.bids], [quantity(asks), quantity(bids)]);
			compareNumbers(totals?.bidShare, quotient(bids, asks + bids), 'the share of bids');
		}
	});

	test('groups of levels', context => {
		const compare = comparing(context);
		for (const book of books) {
			for (const side of sides) {
				const levels = sideOf(book, side);
				for (const [size, step] of stepsOf) {
					const expected = [...Map.groupBy(levels, ([ticks]) => groupOf(ticks, side, size))].map(([ticks, alike]) => {
						const upTo = levels.slice(0, levels.indexOf(alike.at(-1) ?? [0n, 0n]) + 1);
						return {
							...{price: price(ticks), quantity: quantity(lotsOf(alike))},
							...{cumulative: quantity(lotsOf(upTo)), value: cost(costOf(upTo))},
						};
					});
					const groups = cumulativeGroups(levelsOf(levels, digits), side, step);
					compare(groupCount(levelsOf(levels, digits), side, step), expected.length);
					for (const [index, group] of expected.entries()) compare(groups[index], group);
				}
			}
		}
	});

	test('orders that take a side: cost, average price and slippage', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		const perPrice = 10n ** BigInt(digits.price);
		for (const book of books) {
			for (const side of sides) {
				const levels = sideOf(book, side);
				const [best = 0n] = levels[0] ?? [];
				const all = {lots: lotsOf(levels), units: costOf(levels)};
				for (const share of [1n, 7n, 50n, 333n, 990n, 1000n, 1500n]) {
					// In base asset: whole levels, and of the last one what is missing.
					const wanted = (all.lots * share) / 1000n || 1n;
					let [lots, units] = [0n, 0n];
					for (const [ticks, size] of levels) {
						const taken = size < wanted - lots ? size : wanted - lots;
						lots += taken;
						units += taken * ticks;
					}

					const fill = costToFill(levelsOf(levels, digits), {size: quantity(wanted), unit: 'base'});
					compare(fill.complete, wanted <= all.lots);
					compareNumbers(fill.base, quantity(lots), 'filled');
					compareNumbers(fill.quote, cost(units), 'paid');
					compareNumbers(fill.averagePrice, quotient(units, lots * perPrice), 'average');
					const away = units - best * lots;
					const slippage = quotient((away < 0n ? -away : away) * 10_000n, best * lots);
					compareNumbers(fill.slippage, slippage, 'slippage', 10_000);

					// In quote asset: in parts of a lot, of which the last level has some.
					const spent = (all.units * share) / 1000n || 1n;
					const parts = 10n ** 20n;
					let [left, filled] = [spent, 0n];
					for (const [ticks, size] of levels) {
						const paid = ticks * size < left ? ticks * size : left;
						left -= paid;
						filled += (paid * parts) / ticks;
					}

					const spend = costToFill(levelsOf(levels, digits), {size: cost(spent), unit: 'quote'});
					compare(spend.complete, spent <= all.units);
					compareNumbers(spend.quote, cost(spent - left), 'spent');
					compareNumbers(spend.base, quotient(filled, parts * 10n ** BigInt(digits.quantity)), 'received');
				}
			}
		}
	});

	test('quantities of rules: mid, spread, imbalance and depth near the mid', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const book of books) {
			const state = marketState({depth: received(shown(book), 1000)});
			const quantityOf = (name: Parameters<typeof quantityValue>[0]['name'], distance?: number) =>
				quantityValue(
					{type: 'quantity', name, ...(distance !== undefined && {distance})},
					{state, candlesOf: () => waiting, facts: new Map()},
					{now: 1000, newest: 0, isTrade: false},
				);
			const [[ask = 0n] = [], [bid = 0n] = []] = [book.asks[0], book.bids[0]];
			compare(quantityOf('ask'), price(ask));
			compare(quantityOf('bid'), price(bid));
			compare(quantityOf('spread'), price(ask - bid));
			compareNumbers(quantityOf('mid'), quotient(ask + bid, 2n * 10n ** BigInt(digits.price)), 'the mid');
			compareNumbers(quantityOf('spreadPercent'), quotient((ask - bid) * 200n, ask + bid), 'the spread in percent');
			const [asks, bids] = [lotsOf(book.asks), lotsOf(book.bids)];
			compareNumbers(quantityOf('imbalance'), quotient(bids - asks, bids + asks), 'the imbalance', 1);
			for (const tenths of [1n, 3n, 10n, 25n, 60n]) {
				// Twice the mid and a thousandth: whole numbers.
				const isNear = ([ticks]: RawLevel) => {
					const away = 2n * ticks - (ask + bid);
					return (away < 0n ? -away : away) * 1000n <= (ask + bid) * tenths;
				};
				const distance = Number(tenths) / 10;
				compare(
					quantityOf('askDepth', distance),
					quantity(lotsOf(book.asks.filter(isNear))),
					`asks near ${distance} %`,
				);
				compare(
					quantityOf('bidDepth', distance),
					quantity(lotsOf(book.bids.filter(isNear))),
					`bids near ${distance} %`,
				);
			}
		}
	});

	test('traded volume beside the levels', context => {
		const compare = comparing(context);
		const raw = rawTrades({seed: 5, count: 1500, start: 0, meanMs: 1000});
		const trades = tradesOf(raw, digits);
		for (const [size, step] of stepsOf) {
			for (const side of sides) {
				const groups = Map.groupBy(raw, ({ticks}) => groupOf(ticks, side, size));
				const [least, most] = [49_000n, 51_000n].map(ticks => groupOf(ticks, side, size));
				const volumes = tradedVolume(trades, side, step, {from: price(least ?? 0n), to: price(most ?? 0n)});
				for (const [ticks, alike] of groups) {
					if (ticks < (least ?? 0n) || ticks > (most ?? 0n)) continue;
					compare(volumes(price(ticks)), quantity(total(alike.map(({lots}) => lots))), `${ticks} by ${size}`);
				}
			}
		}
	});

	test('what changed from one book to the next', context => {
		const compare = comparing(context);
		for (const side of sides) {
			const before = sideOf(rawBook(9, 80), side);
			// Every third level is gone, every fourth has another size, and some are new.
			const after = before
				.filter((_, index) => index % 3 !== 1)
				.map(
					([ticks, lots], index): RawLevel => [ticks, index % 4 === 0 ? lots + 5n : index % 4 === 1 ? lots / 2n : lots],
				)
				.flatMap((level, index): readonly RawLevel[] => {
					const between: RawLevel = [level[0] + (side === 'ask' ? 1n : -1n), 77n];
					return index % 5 === 0 ? [level, between] : [level];
				})
				.filter(([ticks], index, levels) => levels.findIndex(level => level[0] === ticks) === index);
			const sign = side === 'ask' ? 1n : -1n;
			const isReached = ([ticks]: RawLevel) =>
				[before.at(-1), after.at(-1)].every(end => sign * ticks <= sign * (end?.[0] ?? 0n));
			const [old, now] = [new Map(before.filter(isReached)), new Map(after.filter(isReached))];
			const {changes, net} = sideChanges(levelsOf(before, digits), levelsOf(after, digits), side);
			for (const ticks of new Set([...old.keys(), ...now.keys()])) {
				const [had, has] = [old.get(ticks), now.get(ticks)];
				const change = had === undefined ? 'added' : has === undefined ? 'pulled' : has > had ? 'grown' : 'shrunk';
				compare(changes.get(price(ticks)), had === has ? undefined : change, `${side} at ${ticks}`);
			}

			compare(net, quantity(total(now.values()) - total(old.values())));
		}
	});

	test('sizes of the heatmap', context => {
		const compare = comparing(context);
		// Of a crossed book, both sides have sizes in one row.
		const crossed = books.slice(0, 2).map(({asks}): RawBook => {
			return {
				asks,
				bids: asks
					.map(([ticks, lots], index): RawLevel => [ticks, index % 2 === 0 ? lots * 2n : lots / 2n + 1n])
					.reverse(),
			};
		});
		for (const book of [...books, ...crossed]) {
			const [snapshot] = remember(emptyHistory, shown(book), 1000).snapshots;
			if (!snapshot) continue;
			for (const [size, step] of stepsOf) {
				const rows = {step: stepSize(step), top: Number((book.asks.at(-1)?.[0] ?? 0n) / size) + 1, count: 400};
				const cells = heatColumn(snapshot, rows);
				for (const [row, cell] of cells.entries()) {
					const ticks = BigInt(rows.top - row) * size;
					// A snapshot keeps the best 200 levels.
					const sums = sides.map(side => {
						const kept = sideOf(book, side).slice(0, 200);
						return lotsOf(kept.filter(([level]) => groupOf(level, side, size) === ticks));
					});
					const [asks = 0n, bids = 0n] = sums;
					const largest = asks >= bids ? asks : bids;
					const expected =
						largest === 0n ? undefined : {side: asks >= bids ? 'ask' : 'bid', quantity: quantity(largest)};
					const found = typeof cell === 'object' ? {side: cell.side, quantity: cell.quantity} : undefined;
					// Most rows of most books are empty.
					if (found ?? expected) compare(found, expected, `${ticks} by ${size}`);
				}
			}
		}
	});
});
