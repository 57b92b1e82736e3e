import {type Clock, steadyNow} from '../market/clock.ts';
import {setLast} from '../market/memo.ts';
import {idIn} from '../market/symbol.ts';
import type {DepthBook, Interface, ReadFailure, Ticker} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {AbortedError, ExchangeError, UnavailableError} from './errors.ts';
import type {Answer, CallOptions, Exchange, Read} from './exchange.ts';
import {createFailover, mostRefusedMarkets} from './failover.ts';
import {remedies} from './messages.ts';
import {exchangeOf, type Handlers, operationOf, readBy} from './middleware.ts';
import {createListedNames, type NameFault} from './names.ts';
import {type Answers, type Ask, marketOf, type Question, type QuestionOf} from './question.ts';

/** One interface of the exchange, which sends the names of markets as they are. */
export type Source = {
	readonly baseUrl: string;
	/** Of the questions that it offers to answer. */
	readonly answers: Partial<Handlers>;
};

type Parts = Pick<Exchange, 'budget' | 'close'> & {
	readonly v2?: Source | undefined;
	readonly legacy?: Source | undefined;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of probes. */
	readonly random: () => number;
	/** Ends the pauses of the request budget after 429. */
	readonly endPauses: () => void;
};

/** Time after a v2 book without bids until v2 is tried again. */
const retryV2Ms = 5 * minuteMs;

/** Legacy's ticker has no opening price and a volume of unknown unit: it replaces v2's only if that fails for longer. */
const keepTickersMs = 10_000;

/** The names of the questions in messages. */
const nouns = {
	...{info: 'exchange info', markets: 'market list', tickers: 'ticker', depth: 'order book', trades: 'trades'},
	candles: 'candles',
} as const satisfies Record<Ask, string>;

type OfMarket = QuestionOf<'depth' | 'trades' | 'candles'>;

/** One question with each interface's name for its market. */
type Request<Wanted extends Question> = Readonly<Record<Interface, Wanted>> & {
	readonly call: CallOptions;
	/** Why no request can be sent to legacy for this market. Absent: one can. */
	readonly fault?: NameFault | undefined;
	/** Whether the second interface's answer lacks something. */
	readonly isLacking?: boolean | undefined;
	/** For how long a failing interface's last answer is kept, before the second one answers instead. Default 0. */
	readonly keepMs?: number | undefined;
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
	/** How the legacy book failed last, by legacy's name of the market. */
	const legacyFailures = new Map<string, ReadFailure>();
	/** How it failed last for any symbol: while it is down, a market's book comes from v2 without asking legacy. */
	let legacyFailure: ReadFailure | undefined;
	const names = createListedNames();
	let listing: Promise<unknown> | undefined;

	const readFrom = (name: Interface): Read =>
		readBy(sources[name]?.answers ?? {}, async ({ask}) => {
			throw unavailable(ask, [name]);
		});
	/** Keeps why the last books failed. */
	const readLegacy: Read = (question, call) =>
		readFrom('legacy')(question, call).catch(error => {
			if (question.ask === 'depth' && error instanceof ExchangeError && error.kind !== 'aborted') {
				setLast(legacyFailures, question.market, error, mostRefusedMarkets);
				legacyFailure = error;
			}

			throw error;
		});
	const from: Readonly<Record<Interface, Read>> = {v2: readFrom('v2'), legacy: readLegacy};

	const asIs = <Wanted extends Question>(question: Wanted, call: CallOptions): Request<Wanted> => ({
		v2: question,
		legacy: question,
		call,
	});

	async function answer<Wanted extends Question>(
		request: Request<Wanted>,
		order = orderOf(request.call),
	): Promise<Answer<Answers[Wanted['ask']]>> {
		const {call, isLacking, keepMs} = request;
		const {ask} = request.v2;
		const [first, second] = order.filter(name => sources[name]?.answers[ask]);
		if (!first) throw unavailable(ask, order);
		if (!second) return from[first](request[first], call);
		const {answer, failure} = await failover.answer({
			operation: operationOf(ask),
			symbol: marketOf(request.v2),
			order: [first, second],
			isLacking,
			keepMs,
			request: (name, probing) => from[name](request[name], probing ? {...call, priority: 2} : call),
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

	const nameless = (operation: OfMarket['ask'], fault: NameFault, source: Interface): UnavailableError =>
		new UnavailableError({operation, interface: source, url: sources[source]?.baseUrl ?? '', ...fault});

	/** The question with each interface's name for its market. If legacy has no name that means this market alone, only v2 is requested. */
	function named<Wanted extends OfMarket>(question: Wanted, call: CallOptions): Request<Wanted> {
		const {ask, market} = question;
		if (typeof market !== 'string') {
			if (!v2) throw unavailable(ask, ['legacy'], 'trades by market id');
			return asIs(question, {...call, use: 'v2'});
		}

		const {fault, ...marketNames} = names.of(market);
		const v2Name = ask === 'trades' ? marketNames.v2Trades : marketNames.v2;
		const order = orderOf(call);
		if (fault && !(v2 && v2Name !== undefined && order.includes('v2')))
			throw nameless(ask, fault, v2 && order[0] === 'v2' ? 'v2' : 'legacy');
		return {
			v2: {...question, market: v2Name ?? market},
			legacy: {...question, market: marketNames.legacy ?? market},
			call: fault ? {...call, use: 'v2'} : call,
			fault,
		};
	}

	async function ofMarket<Wanted extends OfMarket>(question: Wanted, call: CallOptions) {
		if (hasId(question)) await v2Listed(call);
		return answer(named(question, call));
	}

	async function depth(question: QuestionOf<'depth'>, call: CallOptions): Promise<Answer<DepthBook>> {
		if (hasId(question)) await v2Listed(call);
		const request = named(question, call);
		if (!v2 || !legacy || orderOf(call).length < 2) return answer(request);
		if (!request.fault) return autoDepth(request);
		const book = await answer(request);
		if (book.data.bids) return book;
		return {...book, data: {...book.data, bidsFailure: nameless('depth', request.fault, 'legacy')}};
	}

	/** v2's book if it has bids, else legacy's whole book, else v2's asks and why legacy failed. */
	async function autoDepth(request: Request<QuestionOf<'depth'>>): Promise<Answer<DepthBook>> {
		const {market} = request.legacy;
		const withReason = (book: Answer<DepthBook>): Answer<DepthBook> => {
			const bidsFailure = legacyFailures.get(market) ?? legacyFailure;
			if (!book.data.bids) return bidsFailure === undefined ? book : {...book, data: {...book.data, bidsFailure}};
			legacyFailures.delete(market);
			return book;
		};
		if (now() < retryV2At) return withReason(await answer({...request, isLacking: true}, ['legacy', 'v2']));
		const book = await answer(request);
		// Legacy's book always has both sides.
		if (book.data.bids) return withReason(book);
		retryV2At = now() + retryV2Ms;
		try {
			return withReason(await from.legacy(request.legacy, request.call));
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			return withReason(book);
		}
	}

	/** Settles when v2's list is known, or cannot be read. */
	async function v2Listed({signal}: CallOptions): Promise<void> {
		if (!v2 || names.hasV2List()) return;
		listing ??= from
			.v2({ask: 'markets'}, {signal})
			.then(names.listed, () => undefined)
			.finally(() => {
				listing = undefined;
			});
		await listing;
	}

	/** What has a symbol twice is told apart by the market list. */
	async function tickers(question: QuestionOf<'tickers'>, call: CallOptions): Promise<Answer<readonly Ticker[]>> {
		const all = await answer({...asIs(question, call), keepMs: keepTickersMs});
		const hasRepeats = new Set(all.data.map(({symbol}) => symbol)).size < all.data.length;
		// Without a list, the first of each symbol is kept.
		if (hasRepeats) await v2Listed(call);
		return names.tickers(all, hasRepeats);
	}

	const read = readBy(
		{
			markets: async (question, call) => names.listed(await answer(asIs(question, call))),
			tickers,
			depth,
			trades: ofMarket,
			candles: ofMarket,
		},
		async (question, call = {}) => answer(asIs(question, call)),
	);
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

/** Whether a market has its id in its symbol: only the list tells its name. */
const hasId = ({market}: OfMarket): boolean => typeof market === 'string' && idIn(market) !== undefined;

const orderOf = ({use = 'auto'}: CallOptions): readonly Interface[] => (use === 'auto' ? ['v2', 'legacy'] : [use]);
