import {expect} from 'vitest';
import type {Ask} from '../../source/client/question.ts';
import {mostEntries} from '../../source/demo/faults/data.ts';
import type {FaultName} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import {spreadOf} from '../../source/market/depth.ts';
import type {Resource} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {market} from './world.ts';

type Pair = {
	/** The last good data before the fault. */
	readonly before: MarketState;
	/** What is shown while the fault lasts. */
	readonly during: MarketState;
};

/** What a fault of one operation comes to on the screen. */
type Outcome =
	/** The last good data stays, and the panel says this. */
	| {readonly says: RegExp}
	/** Data goes on, as honest as it can be: throws when it is not. */
	| {readonly shows: (pair: Pair) => void};

export function ready<T>(resource: Resource<T>): Extract<Resource<T>, {status: 'ready'}> {
	if (resource.status !== 'ready') throw new Error(`is ${resource.status}`);
	return resource;
}

const goesOn: Outcome = {shows: () => {}};
const says = (pattern: RegExp): Outcome => ({says: pattern});
const unreadable = says(/^unreadable answer$/);
const tooLarge = says(/^answer too large$/);
const timedOut = says(/^timed out$/);

/** Which resources an operation fills; legacy has no market list but its ticker. */
export const resourcesOf: Readonly<Record<OperationName, readonly [Ask, ...Ask[]]>> = {
	'v2.info': ['info'],
	'v2.markets': ['markets'],
	'v2.summary': ['tickers'],
	'v2.ticker': ['tickers'],
	'v2.depth': ['depth'],
	'v2.trades': ['trades'],
	'v2.candles': ['candles'],
	'legacy.ticker': ['tickers', 'markets'],
	'legacy.depth': ['depth'],
	'legacy.trades': ['trades'],
};

/** The summary, which has the same entries, answers where the ticker has a server error. */
const serverError = (operation: OperationName, status: number): Outcome =>
	operation === 'v2.ticker' ? goesOn : says(new RegExp(`^server error ${status}$`));

/** `check` for each operation that it says something about; the others go on as if nothing was. */
const where = (operation: OperationName, checks: Partial<Record<Ask, (pair: Pair) => void>>): Outcome => ({
	shows(pair) {
		for (const name of resourcesOf[operation]) checks[name]?.(pair);
	},
});

const dropsSome = (...names: readonly Ask[]): Partial<Record<Ask, (pair: Pair) => void>> =>
	Object.fromEntries(
		names.map(name => [
			name,
			({during}: Pair) => {
				const {dropped, data} = ready<unknown>(during[name]);
				expect(dropped, 'dropped').toBeGreaterThan(0);
				expect(sizeOf(data), 'kept').toBeGreaterThan(0);
			},
		]),
	);

const sizeOf = (data: unknown): number => {
	if (data instanceof Map) return data.size;
	return Array.isArray(data) ? data.length : Object.keys(Object(data)).length;
};

const same = (...names: readonly Ask[]): Partial<Record<Ask, (pair: Pair) => void>> =>
	Object.fromEntries(
		names.map(name => [
			name,
			({before, during}: Pair) => expect(ready<unknown>(during[name]).data).toEqual(ready<unknown>(before[name]).data),
		]),
	);

const symbolsOf = ({tickers}: MarketState) => [...ready(tickers).data.keys()].toSorted();
const marketsOf = ({markets}: MarketState) => ready(markets).data.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));

/** Nothing is lost, added or changed. */
const whole = {
	...same('info'),
	markets: ({before, during}: Pair) => expect(marketsOf(during)).toEqual(marketsOf(before)),
	tickers: ({before, during}: Pair) => expect(symbolsOf(during)).toEqual(symbolsOf(before)),
	depth: ({during}: Pair) => expect(ready(during.depth).dropped).toBe(0),
	trades: ({during}: Pair) =>
		expect({...ready(during.trades), data: [...ready(during.trades).data.gaps]}).toMatchObject({data: [], dropped: 0}),
	candles({before, during}: Pair) {
		// An hour may have begun.
		const began = ready(during.candles).data.candles.length - ready(before.candles).data.candles.length;
		expect([0, 1]).toContain(began);
	},
};

/** What is shown of a resource once a fault is over: as before it, and nothing from the future. */
const recovered: Partial<Record<Ask, (pair: Pair) => void>> = {
	...whole,
	depth: ({during}) => expect(spreadOf(ready(during.depth).data)?.spread).toBeGreaterThan(0),
	trades({during}) {
		const {data, receivedAt} = ready(during.trades);
		expect(data.trades[0]?.time, 'the newest trade').toBeLessThanOrEqual(receivedAt);
	},
	candles({before, during}) {
		whole.candles({before, during});
		const {data, receivedAt} = ready(during.candles);
		expect(data.candles.at(-1)?.time, 'the newest candle').toBeLessThanOrEqual(receivedAt);
	},
};

/** Throws when what is shown after the fault is not well. */
export function checkRecovered(operation: OperationName, pair: Pair): void {
	for (const name of resourcesOf[operation]) recovered[name]?.(pair);
}

export function outcomeOf(fault: FaultName, operation: OperationName): Outcome {
	const outcome = outcomes[fault](operation);
	// The summary is asked for when the ticker has failed; the panel may say what either of them did.
	if (operation !== 'v2.summary' || !('says' in outcome)) return outcome;
	return says(new RegExp(`^server error 503$|${outcome.says.source}`));
}

/** The exchange's clock is off, as the answers say; ages are by ours. */
const off = (hours: number, operation: OperationName): Outcome => ({
	shows({during}) {
		for (const name of resourcesOf[operation]) {
			const {receivedAt, serverTime = Number.NaN} = ready<unknown>(during[name]);
			expect(Math.abs(serverTime - receivedAt - hours * 3_600_000)).toBeLessThan(3000);
		}
	},
});

const longId = /^90071992547409\d+$/;

/** What each fault comes to. */
const outcomes: Readonly<Record<FaultName, (operation: OperationName) => Outcome>> = {
	hang: () => timedOut,
	reset: () => says(/^connection reset$/),
	refuse: () => says(/^connection refused$/),
	drip: () => timedOut,
	delay: operation => where(operation, whole),
	'status-400': () => says(/^bad request 400$/),
	'status-422': () => says(/^bad request 422$/),
	'status-429': () => says(/^rate-limited \(429\)$/),
	'status-429-wait': () => says(/^rate-limited \(429\)$/),
	'status-500': operation => serverError(operation, 500),
	'status-503': operation => serverError(operation, 503),
	'cut-off': () => unreadable,
	garbage: () => unreadable,
	'wrong-types': () => unreadable,
	'null-data': () => unreadable,
	'empty-list': operation =>
		where(operation, {
			...same('info'),
			markets: ({during}) => expect(ready(during.markets).data).toEqual([]),
			tickers: ({during}) => expect(ready(during.tickers).data).toEqual(new Map()),
			depth: ({during}) => expect(ready(during.depth).data).toEqual({asks: [], bids: []}),
			trades: ({before, during}) => expect(ready(during.trades).data).toEqual(ready(before.trades).data),
			// The one that the trades since then begin.
			candles: ({during}) => expect(ready(during.candles).data.candles.length).toBeLessThanOrEqual(1),
		}),
	'missing-field': operation =>
		where(operation, {
			...dropsSome('markets', 'tickers', 'depth', 'trades', 'candles'),
			info: ({before, during}) =>
				expect(ready(during.info).data).toEqual({...ready(before.info).data, name: undefined}),
		}),
	'unknown-enums': operation =>
		where(operation, {
			...whole,
			markets: ({during}) =>
				expect(new Set(ready(during.markets).data.map(({state}) => state))).toEqual(new Set([strangeState(operation)])),
			tickers: ({during}) =>
				expect(new Set([...ready(during.tickers).data.values()].map(({state}) => state))).toEqual(
					new Set([strangeState(operation)]),
				),
			trades: ({during}) =>
				expect(ready(during.trades).data.trades[0]).toMatchObject(operation === 'v2.trades' ? {sideText: 'short'} : {}),
		}),
	'success-false': () => says(/^refused by the exchange$/),
	'endless-body': () => tooLarge,
	'gzip-bomb': () => tooLarge,
	'redirect-host': () => says(/^redirected to https:\/\/elsewhere\.invalid$/),
	'redirect-loop': () => says(/^redirected to \/\S+$/),
	'clock-ahead': operation => off(2, operation),
	'clock-behind': operation => off(-2, operation),
	'long-ids': operation =>
		where(operation, {
			...whole,
			markets: ({during}) =>
				operation === 'legacy.ticker' ||
				expect(ready(during.markets).data.every(({id = ''}) => longId.test(id))).toBe(true),
			trades: ({during}) => expect(ready(during.trades).data.trades[0]?.id).toMatch(longId),
		}),
	duplicates: operation => where(operation, whole),
	'more-than-asked': operation =>
		where(operation, {
			...whole,
			depth({during}) {
				const {asks, bids} = ready(during.depth).data;
				expect([asks.length, bids?.length ?? asks.length]).toEqual([5000, 5000]);
				expect(ready(during.depth).cut).toBe((mostEntries - 5000) * (bids ? 2 : 1));
			},
			trades({before, during}) {
				whole.trades({before, during});
				expect(ready(during.trades).cut).toBe(mostEntries - 1000);
			},
			candles({before, during}) {
				whole.candles({before, during});
				expect(ready(during.candles).cut).toBe(operation === 'v2.candles' ? mostEntries - 1000 : undefined);
			},
		}),
	unsorted: operation => where(operation, whole),
	'crossed-book': operation =>
		where(operation, {
			...whole,
			depth: ({during}) => expect(spreadOf(ready(during.depth).data)?.spread).toBeLessThan(0),
			tickers({during}) {
				const {bid = 0, ask = 0} = ready(during.tickers).data.get(market) ?? {};
				expect(bid).toBeGreaterThan(ask);
			},
		}),
	'negative-prices': operation => where(operation, dropsSome('depth', 'trades', 'candles', 'tickers')),
	'zero-prices': operation =>
		where(operation, {
			...dropsSome('depth', 'trades', 'candles'),
			// Of a ticker a price of 0 means none.
			tickers: ({during}) =>
				expect(ready(during.tickers).data.get(market)).toMatchObject({last: undefined, bid: undefined}),
		}),
	'nan-text': operation =>
		where(operation, {...same('info'), ...dropsSome('markets', 'tickers', 'depth', 'trades', 'candles')}),
	'control-characters': stained,
	'bidi-overrides': stained,
	vanished: operation =>
		['v2.depth', 'v2.trades', 'v2.candles', 'legacy.depth', 'legacy.trades'].includes(operation)
			? says(/^bad request 422$/)
			: where(operation, {
					...whole,
					markets: ({during}) =>
						expect(
							ready(during.markets)
								.data.map(({symbol}) => symbol)
								.includes(market),
						).toBe(false),
					tickers: ({during}) =>
						expect([ready(during.tickers).data.has(market), ready(during.tickers).data.size]).toEqual([false, 24]),
				}),
};

/** What is put into texts is taken out; into the times of legacy trades, it leaves nothing to read. */
function stained(operation: OperationName): Outcome {
	return operation === 'legacy.trades' ? unreadable : where(operation, whole);
}

const strangeState = (operation: OperationName): string => (operation === 'legacy.ticker' ? 'frozen 7' : 'hibernating');
