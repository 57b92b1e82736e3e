import {ExchangeError} from '../../source/client/errors.ts';
import type {Answer, Budget, CandlesOptions, Exchange} from '../../source/client/exchange.ts';
import {exchangeOf, readBy} from '../../source/client/middleware.ts';
import type {Pace} from '../../source/client/pace.ts';
import type {Clock} from '../../source/market/clock.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Ticker, Trade} from '../../source/market/types.ts';

type Answers = {
	info: ExchangeInfo;
	markets: readonly Market[];
	tickers: readonly Ticker[];
	depth: DepthBook;
	trades: readonly Trade[];
	candles: readonly Candle[];
};
type Name = keyof Answers;

/** One call of the store. It stays open until the test settles it, also when it is aborted: the worst exchange there is. */
export type FakeCall<Data> = {
	readonly symbol: string | undefined;
	readonly options: Partial<CandlesOptions>;
	/** When it began, epoch ms. */
	readonly at: number;
	readonly settled: boolean;
	/** From v2, sent when it began unless a cache had kept it, received now, nothing dropped, unless said otherwise. */
	answer(data: Data, more?: Partial<Answer<Data>>): void;
	fail(error: ExchangeError): void;
};

type Calls = {readonly [Each in Name]: FakeCall<Answers[Each]>[]};
/** Settles calls as they come; `undefined` leaves them open. */
type Script = {[Each in Name]?: (call: FakeCall<Answers[Each]>) => Answers[Each] | ExchangeError | undefined};

export type FakeExchange = Exchange & {
	/** Every call so far, oldest first. */
	readonly calls: Calls;
	readonly script: Script;
	/** What `budget()` says; may be changed. */
	currentBudget: Budget;
	/** The latest call; throws when there is none. */
	last<Each extends Name>(name: Each): FakeCall<Answers[Each]>;
};

/** The budget that calls wait for. */
type Gate = Pick<Pace, 'start' | 'endPause'>;

/**
 * An exchange that answers what a test tells it, when it tells it. With a `gate` calls begin when that lets them; those
 * that are aborted before never do.
 */
export function createFakeExchange(clock: Clock, script: Script = {}, gate?: Gate): FakeExchange {
	const calls: Calls = {info: [], markets: [], tickers: [], depth: [], trades: [], candles: []};

	function ask<Each extends Name>(
		name: Each,
		symbol: string | undefined,
		options: Partial<CandlesOptions> = {},
	): Promise<Answer<Answers[Each]>> {
		return new Promise((resolve, reject) => {
			let settled = false;
			let begunAt = Number.NaN;
			const call: FakeCall<Answers[Each]> = {
				symbol,
				options,
				get at() {
					return begunAt;
				},
				get settled() {
					return settled;
				},
				answer(data, more) {
					settled = true;
					const sent = more?.cache?.isHit ? {} : {sentAt: begunAt};
					resolve({data, interface: 'v2', ...sent, receivedAt: clock.now(), dropped: 0, ...more});
				},
				fail(error) {
					settled = true;
					reject(error);
				},
			};
			const begin = () => {
				begunAt = clock.now();
				calls[name].push(call);
				options.onSent?.();
				const result = script[name]?.(call);
				if (result instanceof ExchangeError) call.fail(result);
				else if (result !== undefined) call.answer(result);
			};
			const {priority = 1, signal} = options;
			if (gate) void gate.start({operation: 'depth', priority, signal}).then(begin, () => {});
			else begin();
		});
	}

	const read = readBy({
		info: (_, call) => ask('info', undefined, call),
		markets: (_, call) => ask('markets', undefined, call),
		tickers: (_, call) => ask('tickers', undefined, call),
		depth: ({market}, call) => ask('depth', market, call),
		trades: ({market, limit}, call) =>
			ask('trades', typeof market === 'string' ? market : market.id, limit === undefined ? call : {...call, limit}),
		candles: ({ask: _, market, ...page}, call) => ask('candles', market, {...page, ...call}),
	});
	const fake: FakeExchange = {
		calls,
		script,
		currentBudget: {used: 0, allowed: 5},
		last(name) {
			const call = calls[name].at(-1);
			if (!call) throw new Error(`${name} was never asked for`);
			return call;
		},
		...exchangeOf(read, {
			interfaces: ['v2', 'legacy'],
			budget: () => fake.currentBudget,
			retryNow: () => gate?.endPause(),
			close: async () => {},
		}),
	};
	return fake;
}
