import {expect, test} from 'vitest';
import {createMarketEvents} from '../../../source/cli/commands/watch-events.ts';
import {type ExchangeError, HeldError, TimeoutError} from '../../../source/client/errors.ts';
import type {DepthBook} from '../../../source/market/types.ts';
import type {MarketState} from '../../../source/store/state.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {timeout, tooMany} from '../../store/samples.ts';

const nothing = marketState();
const book = (bidsFailure?: ExchangeError, receivedAt = 1000) =>
	received<DepthBook>({asks: [[2, 1]], ...(bidsFailure ? {bidsFailure} : {bids: [[1, 1]]})}, receivedAt);
/** The events of each depth in turn, 1 s apart, without those of type `depth`. */
const eventsOf = (...depths: ReadonlyArray<MarketState['depth']>) => {
	const events = createMarketEvents();
	return depths.map((depth, index) => events({...nothing, depth}, index * 1000).filter(({type}) => type !== 'depth'));
};
const event = {symbol: 'BTCUSDT', operation: 'depth', serverTime: null, gap: false};
const cause = (error: ExchangeError) => ({
	...{interface: 'v2', kind: error.kind, message: error.message},
	...{status: error.status ?? null, retryAfter: error.retryAfterMs ?? null, receivedAt: null},
});

test('failures are events with interface, status and Retry-After, and their end is one with the interface that answers', () => {
	const [first, second] = [tooMany(3000), timeout()];
	const failing = (error: ExchangeError) => ({...book(), failure: {error, since: 500, retryAt: 7000}});
	const states = [book(), failing(first), failing(first), failing(second), book(undefined, 4000), book()];
	expect(cause(first)).toMatchObject({status: 429, retryAfter: 3000});
	expect(eventsOf(...states)).toEqual([
		[],
		[
			{type: 'error', time: 1000, ...event, ...cause(first), retryAt: 7000},
			{
				...{type: 'stale', time: 1000, ...event, interface: 'v2', since: 500, receivedAt: 1000},
				...{cause: 'http', waiting: null},
			},
		],
		[],
		[{type: 'error', time: 3000, ...event, ...cause(second), retryAt: 7000}],
		[{type: 'recovered', time: 4000, ...event, interface: 'v2', since: 500, receivedAt: 4000}],
		[],
	]);
});

test('failures begin with a late answer, which makes data stale once, and end with the next answer', () => {
	const error = timeout();
	const events = createMarketEvents();
	const kept = book();
	const states: ReadonlyArray<readonly [time: number, Partial<MarketState>]> = [
		[1000, {depth: kept}],
		[4000, {depth: kept, pending: {depth: 2000}}],
		[5000, {depth: kept, pending: {depth: 2000}}],
		// Sent again after a sleep of the computer.
		[6000, {depth: kept}],
		[7000, {depth: {...kept, failure: {error, since: 7000, retryAt: 8000}}, pending: {depth: 2000}}],
		[9000, {depth: book(undefined, 9000)}],
		[12_000, {depth: book(undefined, 9000), pending: {depth: 10_000}}],
		[12_500, {depth: book(undefined, 12_500)}],
	];
	const late = {...event, interface: 'v2', since: 2000, receivedAt: 1000};
	expect(
		states.map(([time, known]) => events({...nothing, ...known}, time).filter(({type}) => type !== 'depth')),
	).toEqual([
		[],
		[{type: 'stale', time: 4000, ...late, cause: 'waiting', waiting: 2000}],
		[],
		[],
		[{type: 'error', time: 7000, ...event, ...cause(error), retryAt: 8000}],
		[{type: 'recovered', time: 9000, ...event, interface: 'v2', since: 2000, receivedAt: 9000}],
		[{type: 'stale', time: 12_000, ...late, since: 10_000, receivedAt: 9000, cause: 'waiting', waiting: 2000}],
		[{type: 'recovered', time: 12_500, ...late, since: 10_000, receivedAt: 12_500}],
	]);
});

test('failures of a first answer that is late have no data and no interface', () => {
	expect(createMarketEvents()({...nothing, pending: {trades: 1000}}, 3000)).toEqual([
		{
			...{...event, type: 'stale', time: 3000, operation: 'trades', interface: null},
			...{since: 1000, receivedAt: null, cause: 'waiting', waiting: 2000},
		},
	]);
});

test('failures without data are not stale', () => {
	const error = timeout();
	expect(eventsOf({status: 'failed', failure: {error, since: 0}}, book())).toEqual([
		[{type: 'error', time: 0, ...event, ...cause(error), retryAt: null}],
		[{type: 'recovered', time: 1000, ...event, interface: 'v2', since: 0, receivedAt: 1000}],
	]);
});

test('failures that follow a wait for the rate limit make data stale once, since the wait began', () => {
	const held = new HeldError({operation: 'depth', interface: 'v2', url: ''});
	const [refused, kept] = [tooMany(), book()];
	const [first, next] = [held, new HeldError({operation: 'depth', interface: 'v2', url: ''})];
	const states = [
		...[first, next].map(error => ({...kept, failure: {error, since: 500, retryAt: 3000}})),
		{...kept, failure: {error: refused, since: 2500, retryAt: 4000}},
		book(undefined, 4000),
	];
	const known = {time: expect.any(Number), ...event, interface: 'v2', since: 500};
	expect(eventsOf(...states)).toEqual([
		[
			{type: 'error', time: 0, ...event, ...cause(held), retryAt: 3000},
			{type: 'stale', ...known, receivedAt: 1000, cause: 'held', waiting: null},
		],
		[{type: 'error', time: 1000, ...event, ...cause(next), retryAt: 3000}],
		[{type: 'error', time: 2000, ...event, ...cause(refused), retryAt: 4000}],
		[{type: 'recovered', ...known, receivedAt: 4000}],
	]);
});

test('failures before any answer are events at once: a refused list of markets, and what waits for the rate limit since', () => {
	const refused = tooMany(30_000);
	const held = new HeldError({operation: 'depth', interface: 'v2', url: ''});
	const events = createMarketEvents();
	const markets = {status: 'failed', failure: {error: refused, since: 0, retryAt: 30_000}} as const;
	const states: ReadonlyArray<Partial<MarketState>> = [
		{markets},
		{markets, depth: {status: 'waiting', held: {error: held, since: 1000, retryAt: 30_000}}},
		{markets: received([], 30_600), depth: book(undefined, 30_500)},
	];
	const recovered = {...event, type: 'recovered', interface: 'v2', time: 2000};
	expect(
		states.map((state, index) => events({...nothing, ...state}, index * 1000).filter(({type}) => type !== 'depth')),
	).toEqual([
		[{type: 'error', time: 0, ...event, ...cause(refused), operation: refused.operation, retryAt: 30_000}],
		[{type: 'error', time: 1000, ...event, ...cause(held), retryAt: 30_000}],
		[
			{...recovered, operation: 'depth', since: 1000, receivedAt: 30_500},
			{...recovered, operation: 'markets', since: 0, receivedAt: 30_600},
		],
	]);
});

test('failures of both interfaces are an event each, and what their end leaves lasts since they began', () => {
	const [error, other] = [
		new TimeoutError({operation: 'depth', interface: 'legacy', url: '', timeoutMs: 5000}),
		timeout(),
	];
	error.other = other;
	const states = [
		book(),
		{...book(), failure: {error, since: 1000, retryAt: 1500}},
		book(error, 2000),
		book(error, 2500),
		book(undefined, 4000),
	];
	const recovered = {type: 'recovered', ...event, interface: 'v2', since: 1000};
	expect(eventsOf(...states)).toEqual([
		[],
		[
			{type: 'error', time: 1000, ...event, ...cause(error), interface: 'legacy', retryAt: 1500},
			{type: 'error', time: 1000, ...event, ...cause(other), retryAt: 1500},
			{
				...{type: 'stale', time: 1000, ...event, interface: 'legacy', since: 1000, receivedAt: 1000},
				...{cause: 'timeout', waiting: null},
			},
		],
		[{...recovered, time: 2000, receivedAt: 2000}],
		[],
		[{...recovered, time: 4000, receivedAt: 4000}],
	]);
});

test('failures of the preferred interface are events while the other one answers', () => {
	const error = tooMany();
	const states = [{...book(), interface: 'legacy', preferredFailure: error} as const, book(undefined, 2000)];
	expect(eventsOf(...states)).toEqual([
		[{type: 'error', time: 0, ...event, ...cause(error), retryAt: null}],
		[{type: 'recovered', time: 1000, ...event, interface: 'v2', since: 0, receivedAt: 2000}],
	]);
});

test('failures of the interface that has bids are events while the other shows none', () => {
	const error = tooMany();
	expect(eventsOf(book(error), book(error, 2000), book(undefined, 3000))).toEqual([
		[{type: 'error', time: 0, ...event, ...cause(error), retryAt: null}],
		[],
		[{type: 'recovered', time: 2000, ...event, interface: 'v2', since: 0, receivedAt: 3000}],
	]);
});
