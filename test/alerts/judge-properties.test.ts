import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	type Condition,
	type Expression,
	printCondition,
	printExpression,
	type Quantity,
	quantitiesIn,
} from '../../source/alerts/condition.ts';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import type {Ticker, Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import {comparing} from '../helpers/comparing.ts';
import {marketState, received} from '../helpers/market-state.ts';
import {anyCondition} from './any-condition.ts';
import {judgeOf} from './judge-of.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();
const markets = ['BTCUSDT', 'ETHUSDT'] as const;
type Market = (typeof markets)[number];
type Event = {readonly market: Market; readonly trade: Trade};

const day = {open: 100, high: 106, low: 95, volume: 12} satisfies Partial<Ticker>;

/** What is known of a market whose tape this is, at `now`. */
function knownMarket(symbol: string, tape: Tape, now: number) {
	const tickers = new Map([[symbol, {symbol, state: 'active', ...day}]]);
	const state = {...blank, symbol, tickers: received(tickers, now), trades: received(tape, now)};
	return {state, candlesOf: () => waiting, facts: new Map()};
}

/** A moment in the whole history: after the first `count` events, at `time`; `trade`: the last of them, if it is judged. */
type Moment = {readonly count: number; readonly time: number; readonly trade?: Event | undefined};

/** Judges by looking at everything that ever happened. */
class NaiveJudge {
	readonly #history: readonly Event[];
	readonly #sides = new Map<Condition, number>();

	constructor(history: readonly Event[]) {
		this.#history = history;
	}

	/** All parts are judged, as crossings remember their sides. */
	holds(condition: Condition, moment: Moment): boolean {
		const {left, right, type} = condition;
		if (type === 'and' || type === 'or') {
			const [first, second] = [this.holds(left, moment), this.holds(right, moment)];
			return type === 'and' ? first && second : first || second;
		}

		const [a, b] = [this.value(left, moment), this.value(right, moment)];
		if (a === undefined || b === undefined) return false;
		if (type === 'comparison') {
			return {'>': a > b, '>=': a >= b, '<': a < b, '<=': a <= b, '=': a === b, '!=': a !== b}[condition.operator];
		}

		const [before, after] = [this.#sides.get(condition), Math.sign(a - b)];
		if (after !== 0) this.#sides.set(condition, after);
		const isCrossed = before !== undefined && after === -before;
		return isCrossed && condition.direction !== (after > 0 ? 'below' : 'above');
	}

	value(part: Expression, moment: Moment): number | undefined {
		if (part.type === 'number') return part.value;
		if (part.type === 'quantity') return this.#quantity(part, moment);
		const {operator, right} = part;
		const a = this.value(part.left, moment);
		const share = operator === '+' || operator === '-' ? a : 1;
		const b = right.type === 'percent' ? share && (share * right.value) / 100 : this.value(right, moment);
		if (a === undefined || b === undefined) return undefined;
		const value = {'+': a + b, '-': a - b, '*': a * b, '/': a / b}[operator];
		return Number.isFinite(value) ? exact(value) : undefined;
	}

	#quantity({name, market = 'BTCUSDT', windowMs}: Quantity, {count, time, trade}: Moment): number | undefined {
		const all = this.#history.slice(0, count).filter(event => event.market === market);
		const trades = all.map(event => event.trade);
		const last = trades.at(-1);
		const judged = trade?.market === market ? trade.trade : undefined;
		if (name === 'tradeSize') return judged?.quantity;
		if (name === 'tradeValue') return judged && exact(judged.price * judged.quantity);
		if (name === 'last') return last?.price;
		const isChange = name === 'change' || name === 'changePercent';
		if (windowMs === undefined && !isChange) return day[name as keyof typeof day];
		if (!last) return undefined;
		const from = windowMs === undefined ? undefined : time - windowMs;
		const open = from === undefined ? day.open : trades.findLast(each => each.time <= from)?.price;
		if (open === undefined) return undefined;
		const change = last.price - open;
		if (isChange) return name === 'change' ? change : exact((change / open) * 100);
		const inside = trades.filter(each => each.time > (from ?? 0));
		const sum = (of: readonly Trade[]) => of.reduce((total, {quantity}) => total + quantity, 0);
		const prices = inside.filter(each => each !== last).map(({price}) => price);
		const extreme = (of: (...values: number[]) => number) => (prices.length === 0 ? undefined : of(...prices));
		if (name === 'high') return extreme(Math.max);
		if (name === 'low') return extreme(Math.min);
		if (name === 'trades') return inside.length;
		if (name === 'volume') return sum(inside);
		return sum(inside.filter(({side}) => side === (name === 'buyVolume' ? 'buy' : 'sell')));
	}
}

/** Without the rounding errors of one step. */
const exact = (value: number): number => Number(value.toPrecision(15));

const anyRule = anyCondition({
	names: [
		...(['last', 'open', 'high', 'low', 'change', 'changePercent', 'volume', 'trades', 'buyVolume'] as const),
		...(['sellVolume', 'tradeSize', 'tradeValue'] as const),
	],
	markets: ['ETHUSDT'],
	windowMs: fc.constantFrom(1000, 2000, 3000, 5000, 10_000),
	number: fc.oneof(fc.integer({min: 95, max: 105}), fc.integer({min: -3, max: 6})),
});

/** Trades of both markets, oldest first, several of which may share a time. */
const anyHistory: fc.Arbitrary<readonly Event[]> = fc
	.array(
		fc.record({
			market: fc.constantFrom(...markets, 'BTCUSDT' as const),
			laterMs: fc.constantFrom(0, 300, 1000, 1500),
			price: fc.integer({min: 96, max: 104}),
			quantity: fc.integer({min: 1, max: 6}),
			side: fc.constantFrom('buy' as const, 'sell' as const),
		}),
		{minLength: 3, maxLength: 40},
	)
	.map(parts => {
		let time = start;
		return parts.map(({market, laterMs, ...rest}, index) => {
			// Two markets that trade at one instant have no order.
			time += parts[index - 1]?.market === market ? laterMs : laterMs + 1;
			return {market, trade: {id: String(index), time, ...rest}};
		});
	});

/** How many trades each poll brings, and how long after the newest of them it comes. */
const anyPolls = fc.array(fc.record({count: fc.nat({max: 8}), waitMs: fc.constantFrom(0, 200, 3000)}), {maxLength: 12});

type Poll = {readonly from: number; readonly to: number; readonly now: number};

function pollsOf(history: readonly Event[], parts: ReadonlyArray<{readonly count: number; readonly waitMs: number}>) {
	const polls: Poll[] = [];
	for (const {count, waitMs} of [{count: 1, waitMs: 0}, ...parts, {count: history.length, waitMs: 0}]) {
		const {to: from, now: last} = polls.at(-1) ?? {to: 0, now: start};
		const to = Math.min(from + count, history.length);
		const next = history[to]?.trade.time ?? Infinity;
		const newest = history[to - 1]?.trade.time ?? start;
		// Nothing happens between the newest trade of an answer and the answer.
		polls.push({from, to, now: Math.max(last, Math.min(newest + waitMs, next - 1), newest)});
	}

	return polls;
}

/** Those of a market among the first `count` events. */
const tradesOf = (history: readonly Event[], market: Market, count: number): readonly Trade[] =>
	history
		.slice(0, count)
		.filter(event => event.market === market)
		.map(({trade}) => trade);

test('a condition holds when it does in the whole history, at the same trade', context => {
	const compare = comparing(context);
	const seen = {trade: 0, now: 0, never: 0};
	fc.assert(
		fc.property(anyRule, anyHistory, anyPolls, fc.nat({max: 3}), (condition, history, parts, overlap) => {
			const judge = judgeOf(condition);
			const naive = new NaiveJudge(history);
			const tapes = new Map<Market, Tape>(markets.map(market => [market, emptyTape]));
			const onTrades = printCondition(condition).match(/crosses|trade(?:Size|Value)|(?:high|low)\(/) !== null;
			for (const [index, {from, to, now}] of pollsOf(history, parts).entries()) {
				for (const market of markets) {
					const trades = tradesOf(history, market, to);
					const added = trades.length - tradesOf(history, market, from).length;
					const page = trades.slice(-(added + 1 + overlap));
					tapes.set(market, mergeTape(tapes.get(market) ?? emptyTape, page));
				}

				const known = new Map([...tapes].map(([market, tape]) => [market, knownMarket(market, tape, now)] as const));
				const {held, holdsNow} = judge(known, now);
				let expected: string | undefined;
				const named = new Set(quantitiesIn(condition).map(({market = 'BTCUSDT'}) => market));
				for (let count = from + 1; onTrades && index > 0 && count <= to; count++) {
					const event = history[count - 1];
					if (!event || !named.has(event.market)) continue;
					const holds = naive.holds(condition, {count, time: event.trade.time, trade: event});
					if (holds) expected ??= event.trade.id;
				}

				const holds = naive.holds(condition, {count: to, time: now});
				if (holds) expected ??= 'now';
				compare([held && (held.trade?.id ?? 'now'), holdsNow], [expected, holds]);
				seen[expected === undefined ? 'never' : expected === 'now' ? 'now' : 'trade']++;
			}
		}),
		{numRuns: 40},
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('where trades are missing no value is wrong, and nothing holds that does not in the whole history', context => {
	const compare = comparing(context);
	const rule = anyRule.filter(condition => !printCondition(condition).includes('crosses'));
	const anyMissing = fc.array(fc.nat({max: 39}), {maxLength: 12});
	const anyCapacity = fc.constantFrom(2, 5, 100);
	const seen = {known: 0, unknown: 0};
	fc.assert(
		fc.property(rule, anyHistory, anyPolls, anyMissing, anyCapacity, (condition, history, parts, missing, capacity) => {
			const judge = judgeOf(condition);
			const naive = new NaiveJudge(history);
			const tapes = new Map<Market, Tape>(markets.map(market => [market, emptyTape]));
			for (const {from, to, now} of pollsOf(history, parts)) {
				for (const market of markets) {
					const trades = tradesOf(history, market, to);
					const added = trades.length - tradesOf(history, market, from).length;
					// A page ends with the newest trade, but trades before it may never have been read.
					const page = trades.slice(-Math.max(missing.includes(from) ? Math.ceil(added / 2) : added + 1, 1));
					tapes.set(market, mergeTape(tapes.get(market) ?? emptyTape, page, capacity));
				}

				const known = new Map([...tapes].map(([market, tape]) => [market, knownMarket(market, tape, now)] as const));
				const {held, holdsNow, unknown} = judge(known, now);
				seen[unknown.length > 0 ? 'unknown' : 'known']++;
				const event = held?.trade && history.find(({trade}) => trade.id === held.trade?.id);
				const count = event ? history.indexOf(event) + 1 : to;
				const moment = {count, time: event?.trade.time ?? now, trade: event};
				if (held) compare(naive.holds(condition, moment), true);
				if (holdsNow) compare(naive.holds(condition, {count: to, time: now}), true);
				const values = quantitiesIn(condition).map(each => [printExpression(each), naive.value(each, moment)]);
				const whole = Object.fromEntries(values);
				for (const [name, value] of Object.entries(held?.values ?? {})) {
					if (value !== null) compare(value, whole[name], name);
				}
			}
		}),
		{numRuns: 40},
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
