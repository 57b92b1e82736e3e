import {type Clock, steadyNow} from '../market/clock.ts';
import {idIn} from '../market/symbol.ts';
import type {Candle, DepthBook, Interface, ReadFailure, Ticker, Trade} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {setLast} from './bounded-map.ts';
import {AbortedError, ExchangeError, UnavailableError} from './errors.ts';
import type {Answer, CallOptions, Exchange} from './exchange.ts';
import {createFailover, mostRefusedMarkets} from './failover.ts';
import {remedies} from './messages.ts';
import {exchangeOf, operationOf, readBy} from './middleware.ts';
import {createListedNames, type NameFault} from './names.ts';
import type {Ask, MarketId, QuestionOf} from './question.ts';

/** One interface of the exchange, which sends the names of markets as they are. */
type Source = Pick<Exchange, 'markets' | 'tickers' | 'depth' | 'trades'> &
	Partial<Pick<Exchange, 'info' | 'candles'>> & {readonly baseUrl: string};

type Parts = Pick<Exchange, 'budget' | 'close'> & {
	readonly v2?: Source | undefined;
	readonly legacy?: Source | undefined;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of probes. */
	readonly random: () => number;
	/** Ends the pauses of the request budget after 429. */
	readonly endPauses: () => void;
};

/** After a v2 book without bids, v2 is tried again when this has passed. */
const retryV2Ms = 5 * minuteMs;

/** Legacy's ticker has no opening price and a volume of unknown unit: it replaces v2's only if that fails for longer. */
const keepTickersMs = 10_000;

/** What the user reads. */
const nouns = {
	...{info: 'exchange info', markets: 'market list', tickers: 'ticker', depth: 'order book', trades: 'trades'},
	candles: 'candles',
} as const satisfies Record<Ask, string>;

/** `call` is undefined for an interface that does not offer the read. */
type Request<T> = {
	readonly ask: Ask;
	readonly symbol?: string | undefined;
	readonly options: CallOptions;
	/** Whether the second interface's answer lacks something. */
	readonly isLacking?: boolean | undefined;
	/** For how long a failing interface's last answer is kept, before the second one answers instead. Default 0. */
	readonly keepMs?: number | undefined;
	call(source: Source, options: CallOptions): Promise<Answer<T>> | undefined;
};

type BookRequest = Omit<Request<DepthBook>, 'symbol' | 'call'> & {
	readonly symbol: string;
	call(source: Source, options: CallOptions): Promise<Answer<DepthBook>>;
};

/**
 * Combines up to two interfaces into one exchange. `auto` reads v2, and takes the book from legacy where v2's has no bids.
 * While the preferred interface fails, the other one answers; when both fail, the preferred one's error is thrown. Both
 * sides of a book always come from one snapshot.
 * @internal
 */
export function combine({v2, legacy, clock, random, budget, endPauses, close}: Parts): Exchange {
	const sources = {v2, legacy};
	const oneHost = v2 !== undefined && legacy !== undefined && new URL(v2.baseUrl).host === new URL(legacy.baseUrl).host;
	const failover = createFailover({clock, random, oneHost});
	const now = steadyNow(clock);
	let retryV2At = Number.NEGATIVE_INFINITY;
	/** How the legacy book failed last, by symbol. */
	const legacyFailures = new Map<string, ReadFailure>();
	/** How it failed last for any symbol: while it is down, a market's book comes from v2 without asking legacy. */
	let legacyFailure: ReadFailure | undefined;
	const names = createListedNames();
	let listing: Promise<unknown> | undefined;

	async function answer<T>(request: Request<T>, order = orderOf(request.options)): Promise<Answer<T>> {
		const {ask, symbol, options, isLacking, keepMs, call} = request;
		const from = (name: Interface, probing = false): Promise<Answer<T>> => {
			const source = sources[name];
			const called = source && call(source, probing ? {...options, priority: 2} : options);
			return called ?? Promise.reject(unavailable(ask, [name]));
		};
		const [first, second] = order.filter(name => sources[name]?.[ask]);
		if (!first) throw unavailable(ask, order);
		if (!second) return from(first);
		const {answer, failure} = await failover.answer({
			operation: operationOf(ask),
			symbol,
			order: [first, second],
			isLacking,
			keepMs,
			request: from,
		});
		// What is lacking has a reason of its own.
		return failure && !isLacking ? {...answer, preferredFailure: failure} : answer;
	}

	function unavailable(ask: Ask, order: readonly Interface[], noun: string = nouns[ask]): UnavailableError {
		const name = order.find(candidate => sources[candidate]) ?? order[0] ?? 'v2';
		const source = sources[name];
		const problem = source ? `has no ${noun}` : 'is not configured';
		const address = source || name === 'v2' ? 'v2' : 'legacy';
		return new UnavailableError({
			operation: operationOf(ask),
			interface: name,
			url: source?.baseUrl ?? '',
			brief: `the ${name} interface ${problem}`,
			remedy: v2 && legacy ? remedies.allowBoth : remedies[address],
		});
	}

	/** v2's book if it has bids, else legacy's whole book, else v2's asks and why legacy failed. */
	async function autoDepth({symbol, options, call}: BookRequest, legacy: Source): Promise<Answer<DepthBook>> {
		const legacyDepth = async (callOptions: CallOptions): Promise<Answer<DepthBook>> => {
			try {
				return await call(legacy, callOptions);
			} catch (error) {
				if (error instanceof ExchangeError && error.kind !== 'aborted') {
					setLast(legacyFailures, symbol, error, mostRefusedMarkets);
					legacyFailure = error;
				}

				throw error;
			}
		};
		const withReason = (book: Answer<DepthBook>): Answer<DepthBook> => {
			const bidsFailure = legacyFailures.get(symbol) ?? legacyFailure;
			if (!book.data.bids) return bidsFailure === undefined ? book : {...book, data: {...book.data, bidsFailure}};
			legacyFailures.delete(symbol);
			legacyFailure = undefined;
			return book;
		};
		const request: Request<DepthBook> = {
			...{ask: 'depth', symbol, options},
			call: (source, callOptions) => (source === legacy ? legacyDepth(callOptions) : call(source, callOptions)),
		};
		if (now() < retryV2At) return withReason(await answer({...request, isLacking: true}, ['legacy', 'v2']));
		const book = await answer(request);
		// Legacy's book always has both sides.
		if (book.data.bids) return withReason(book);
		retryV2At = now() + retryV2Ms;
		try {
			return withReason(await legacyDepth(options));
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			return withReason(book);
		}
	}

	/** How to read where a market has the `fault` that legacy has no name of its own for it: from v2 alone, which has `v2Name`. */
	function narrowed(
		ask: 'depth' | 'trades' | 'candles',
		{v2Name, fault}: {readonly v2Name: string | MarketId | undefined; readonly fault: NameFault | undefined},
		options: CallOptions,
	): CallOptions {
		if (!fault) return options;
		if (v2 && v2Name !== undefined && orderOf(options).includes('v2')) return {...options, use: 'v2'};
		throw nameless(ask, fault, v2 && orderOf(options)[0] === 'v2' ? 'v2' : 'legacy');
	}

	const nameless = (operation: 'depth' | 'trades' | 'candles', fault: NameFault, source: Interface): UnavailableError =>
		new UnavailableError({operation, interface: source, url: sources[source]?.baseUrl ?? '', ...fault});

	async function depth(symbol: string, options: CallOptions): Promise<Answer<DepthBook>> {
		if (idIn(symbol) !== undefined) await v2Listed(options);
		const {v2: v2Name, legacy: legacyName, fault} = names.of(symbol);
		const request: BookRequest = {
			ask: 'depth',
			symbol: v2Name ?? symbol,
			options: narrowed('depth', {v2Name, fault}, options),
			call: (source, call) => source.depth((source === legacy ? legacyName : v2Name) ?? symbol, call),
		};
		if (!v2 || !legacy || orderOf(options).length < 2) return answer(request);
		if (!fault) return autoDepth(request, legacy);
		const book = await answer(request);
		return book.data.bids ? book : {...book, data: {...book.data, bidsFailure: nameless('depth', fault, 'legacy')}};
	}

	/** Settles when v2's list is known, or cannot be read. What has an id in its symbol is named by the list alone. */
	async function v2Listed({signal}: CallOptions): Promise<void> {
		if (!v2 || names.hasV2List()) return;
		listing ??= v2
			.markets({signal})
			.then(names.listed, () => undefined)
			.finally(() => {
				listing = undefined;
			});
		await listing;
	}

	/** What has a symbol twice is told apart by the market list. */
	async function tickers(options: CallOptions): Promise<Answer<readonly Ticker[]>> {
		const all = await answer({
			...{ask: 'tickers', options, keepMs: keepTickersMs},
			call: (source, call) => source.tickers(call),
		});
		const hasRepeats = new Set(all.data.map(({symbol}) => symbol)).size < all.data.length;
		// Without a list, the first of each symbol is kept.
		if (hasRepeats) await v2Listed(options);
		return names.tickers(all, hasRepeats);
	}

	async function trades({market, limit}: QuestionOf<'trades'>, options: CallOptions) {
		if (typeof market !== 'string') {
			if (!v2) throw unavailable('trades', ['legacy'], 'trades by market id');
			return answer<readonly Trade[]>({
				...{ask: 'trades', options: {...options, use: 'v2'}},
				call: (source, call) => source.trades(market, {...call, limit}),
			});
		}

		if (idIn(market) !== undefined) await v2Listed(options);
		const {v2Trades: v2Name, legacy: legacyName, fault} = names.of(market);
		return answer<readonly Trade[]>({
			...{ask: 'trades', symbol: typeof v2Name === 'string' ? v2Name : market},
			options: narrowed('trades', {v2Name, fault}, options),
			call: (source, call) => source.trades((source === legacy ? legacyName : v2Name) ?? market, {...call, limit}),
		});
	}

	async function candles({ask, market, ...page}: QuestionOf<'candles'>, options: CallOptions) {
		if (idIn(market) !== undefined) await v2Listed(options);
		const {v2: v2Name, fault} = names.of(market);
		return answer<readonly Candle[]>({
			...{ask, symbol: v2Name ?? market, options: narrowed('candles', {v2Name, fault}, options)},
			call: (source, call) => source.candles?.(v2Name ?? market, {...page, ...call}),
		});
	}

	const read = readBy({
		info: (_, options) => answer({ask: 'info', options, call: (source, call) => source.info?.(call)}),
		markets: async (_, options) =>
			names.listed(await answer({ask: 'markets', options, call: (source, call) => source.markets(call)})),
		tickers: (_, options) => tickers(options),
		depth: ({market}, options) => depth(market, options),
		trades,
		candles,
	});
	return exchangeOf(read, {
		interfaces: (['v2', 'legacy'] as const).filter(name => sources[name]),
		budget,
		retryNow() {
			failover.probeNow();
			endPauses();
		},
		close,
	});
}

const orderOf = ({use = 'auto'}: CallOptions): readonly Interface[] => (use === 'auto' ? ['v2', 'legacy'] : [use]);
