import {ExchangeError} from '../client/errors.ts';
import type {Exchange} from '../client/exchange.ts';
import {retryWaitMs} from '../client/retry.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {latest, setLast} from '../market/memo.ts';
import {
	compacted,
	endedTo,
	isOfNewest,
	type MarketPast,
	noPast,
	type Past,
	type PastCandles,
	type PastEvidence,
	type PastPeriod,
	pastPeriods,
} from '../market/past-figures.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import {createChanges, createPublisher, createStore, type Store} from './create-store.ts';
import type {SpareTurns} from './spare-turns.ts';
import type {MarketState, MarketStore, WantedPast} from './state.ts';

/** Reads candles of many markets for all who want them. Listeners are called at most once a second. */
export type PastCandlesReader = Store<Past> & {
	/** What one viewer wants from now on; undefined: nothing. */
	want(viewer: object, wanted: WantedPast | undefined): void;
	/** Reads all again, as another moment is shown. */
	forget(): void;
};

type PastCandlesOptions = {
	readonly exchange: Pick<Exchange, 'candles'>;
	readonly clock: Clock;
	readonly turns: Pick<SpareTurns, 'take' | 'join'>;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
};

/** They reach back four hours, and seven days, also when rewound by an hour. */
const limits: Readonly<Record<PastPeriod, number>> = {1: 302, 60: 172};
/** Minutes have the price of an hour ago until an hour after they were read; they are read again before. */
const minutesServeMs = 50 * minuteMs;
/** A cache may have nothing newer sooner. */
const leastRereadMs = minuteMs;
/** How often is checked which candles are outdated. */
const checkMs = 5 * secondMs;
const publishMs = secondMs;
/** How often changed wants are looked at: each of a hundred lists changes with each poll of the tickers. */
const noteMs = secondMs;
const marketRetries = {firstMs: 30 * secondMs, longestMs: 30 * minuteMs};
/** While the exchange answers nothing, no other market is tried sooner. */
const outageRetries = {firstMs: secondMs, longestMs: 30 * secondMs};
/** Of more markets the least urgent are not read: an exchange may list others each time. */
const mostMarkets = 2000;

/** The candles of one market. */
type Due = {readonly symbol: string; readonly period: PastPeriod};

/**
 * Reads the candles that are wanted, one answer at a time, each in a spare turn: of markets on a screen first, then of favourites, then of
 * all others. Nothing is read while nobody wants any.
 */
export function createPastCandles({exchange, clock, turns, random}: PastCandlesOptions): PastCandlesReader {
	const now = steadyNow(clock);
	const store = createStore<Past>(noPast);
	const markets = new Map<string, MarketPast>();
	let evidence: PastEvidence = noPast;
	/** Failures in a row, and when it may be read again, by `now`. */
	const tries = new Map<string, {readonly failures: number; readonly nextAt: number}>();
	const wants = new Map<object, WantedPast>();
	/** `orderOf` the wants; absent: they have changed since. */
	let order: ReadonlyMap<string, readonly PastPeriod[]> | undefined;
	let outages = 0;
	let resumeAt = Number.NEGATIVE_INFINITY;
	let reading: AbortController | undefined;
	let leaveTurns: (() => void) | undefined;
	let cancelTimer = () => {};
	const publisher = createPublisher(clock, publishMs, () => store.set({...evidence, markets: new Map(markets)}));

	// By a timer, so that what is read for all viewers does not run in the call of one of them.
	const arming = createPublisher(clock, noteMs, arm);

	const keyOf = ({symbol, period}: Due) => `${symbol} ${period}`;

	function isOutdated(candles: PastCandles): boolean {
		const ageMs = clock.now() - candles.page.receivedAt;
		if (candles.period === 1) return ageMs < 0 || ageMs >= minutesServeMs;
		return ageMs < 0 || endedTo(candles, evidence, ageMs) > endedTo(candles, evidence);
	}

	function isDue(due: Due): boolean {
		if (now() < (tries.get(keyOf(due))?.nextAt ?? Number.NEGATIVE_INFINITY)) return false;
		const candles = markets.get(due.symbol)?.[due.period];
		return !candles || isOutdated(candles);
	}

	/** What is read next; undefined: nothing is due. */
	function nextDue(): Due | undefined {
		order ??= orderOf([...wants.values()]);
		for (const [symbol, periods] of order) {
			const period = periods.find(each => isDue({symbol, period: each}));
			if (period !== undefined) return {symbol, period};
		}

		return undefined;
	}

	function arm(): void {
		cancelTimer();
		if (reading || wants.size === 0) return;
		const waitMs = resumeAt - now();
		if (waitMs <= 0 && nextDue()) void readNext();
		else cancelTimer = clock.after(waitMs > 0 ? waitMs : checkMs, arm);
	}

	async function readNext(): Promise<void> {
		const own = new AbortController();
		reading = own;
		const turn = await turns.take(own.signal);
		// The screen may have been scrolled while it waited for its turn.
		const due = turn && nextDue();
		if (due) await read(due, own.signal, turn.sent);
		turn?.end();
		if (reading !== own) return;
		reading = undefined;
		arm();
	}

	async function read(due: Due, signal: AbortSignal, onSent: () => void): Promise<void> {
		const {symbol, period} = due;
		try {
			const answer = await exchange.candles(symbol, {period, limit: limits[period], priority: 2, signal, onSent});
			if (signal.aborted) return;
			outages = 0;
			const candles = compacted(answer.data.slice(-limits[period]), period, answer);
			// Candles of the future would redate all markets.
			if (!candles || answer.misdated) return fail(due);
			note(candles);
			setLast(markets, symbol, {...markets.get(symbol), [period]: candles}, mostMarkets);
			setLast(tries, keyOf(due), {failures: 0, nextAt: now() + leastRereadMs}, 2 * mostMarkets);
			publisher.soon();
		} catch (error) {
			if (!(error instanceof ExchangeError)) process.emitWarning(String(error), 'Defect');
			if (!signal.aborted) fail(due, error instanceof ExchangeError ? error : undefined);
		}
	}

	/** Notes what an answer shows of the exchange. */
	function note(candles: PastCandles): void {
		const {period, times, page} = candles;
		const leastAheadMs = Math.max(evidence.leastAheadMs, (times.at(-1) ?? -Infinity) - page.receivedAt);
		const isProof = isOfNewest(candles, limits[period], {leastAheadMs});
		evidence = {leastAheadMs, sendsNewest: isProof ? new Set([...evidence.sendsNewest, period]) : evidence.sendsNewest};
	}

	/** Without an error: the answer is of no use. */
	function fail(due: Due, error?: ExchangeError): void {
		const failures = (tries.get(keyOf(due))?.failures ?? 0) + 1;
		const waitMs = retryWaitMs(
			{retryAfterMs: error?.retryAfterMs},
			{schedule: marketRetries, failures, random: random()},
		);
		setLast(tries, keyOf(due), {failures, nextAt: now() + waitMs}, 2 * mostMarkets);
		outages = error && isOfAll(error) ? outages + 1 : 0;
		if (outages > 0) resumeAt = now() + retryWaitMs({}, {schedule: outageRetries, failures: outages, random: random()});
	}

	function forget(): void {
		markets.clear();
		tries.clear();
		evidence = noPast;
		publisher.soon();
		if (wants.size > 0) arming.soon(true);
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		forget,
		want(viewer, wanted) {
			if (wanted) wants.set(viewer, wanted);
			else wants.delete(viewer);
			order = undefined;
			if (wants.size > 0) {
				// What came after the last viewer had left was not published.
				if (!leaveTurns) publisher.soon();
				leaveTurns ??= turns.join(() => 1);
				arming.soon(true);
				return;
			}

			cancelTimer();
			arming.cancel();
			reading?.abort();
			reading = undefined;
			leaveTurns?.();
			leaveTurns = undefined;
			publisher.cancel();
		},
	};
}

/** The wanted symbols, most urgent first, with their periods. */
function orderOf(wants: readonly WantedPast[]): ReadonlyMap<string, readonly PastPeriod[]> {
	const order = new Map<string, readonly PastPeriod[]>();
	for (const group of ['shown', 'favourites', 'others'] as const) {
		for (const {periods, [group]: symbols} of wants) {
			for (const symbol of symbols) {
				if (order.size === mostMarkets && !order.has(symbol)) continue;
				const before = order.get(symbol) ?? periods;
				const isSame = before === periods;
				order.set(symbol, isSame ? periods : pastPeriods.filter(each => [...before, ...periods].includes(each)));
			}
		}
	}

	return order;
}

/** Whether other markets would fail, too. */
const isOfAll = ({kind, status = 0}: ExchangeError): boolean =>
	kind === 'timeout' || kind === 'network' || kind === 'unavailable' || status === 429 || status >= 500;

/** A store whose state has the past of all markets, and whose screen can want more of it. */
export function withPast(
	store: MarketStore,
	reader: PastCandlesReader,
	interfaces: Exchange['interfaces'],
): MarketStore {
	const viewer = {};
	const joined = latest(({state, past}: {readonly state: MarketState; readonly past: Past}) => ({...state, past}));
	const {changed, subscribe} = createChanges();
	let wantedBefore: WantedPast | undefined;
	let unfollow: (() => void) | undefined;
	return {
		...store,
		getSnapshot() {
			const state = store.getSnapshot();
			const hasCandles = interfaces.includes('v2') && state.choice !== 'legacy';
			return joined({state, past: hasCandles ? reader.getSnapshot() : withoutCandles});
		},
		subscribe(listener) {
			const ends = [store.subscribe(listener), subscribe(listener)];
			return () => {
				for (const end of ends) end();
			};
		},
		wantPast(wanted) {
			if (wanted === wantedBefore) return;
			wantedBefore = wanted;
			if (!wanted) unfollow?.();
			unfollow = wanted && (unfollow ?? reader.subscribe(changed));
			reader.want(viewer, wanted);
		},
	};
}

const withoutCandles: Past = {...noPast, isUnavailable: true};
