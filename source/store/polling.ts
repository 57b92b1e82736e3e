import {HeldError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {operationOf} from '../client/middleware.ts';
import type {Ask} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import type {DepthBook, ExchangeInfo, Market, Ticker} from '../market/types.ts';
import type {CandlesAnswer} from './candle-feed.ts';
import {createOutage} from './outage.ts';
import {createPoller, type Poller} from './poller.ts';
import {type Failure, isUnanswered} from './resource.ts';
import {hasMarkets, leastPendingMs, type MarketState} from './state.ts';
import type {TapeAnswer} from './tape-feed.ts';

export type IntervalChoices = {readonly [Name in Exclude<Ask, 'info'>]?: number | undefined};

/** Milliseconds between the starts of two polls: as chosen, else the defaults. */
export function pollIntervals(choices: IntervalChoices = {}): Readonly<Record<Ask, number>> {
	return {
		depth: choices.depth ?? 1000,
		trades: choices.trades ?? 1000,
		tickers: choices.tickers ?? 5000,
		candles: choices.candles ?? 15_000,
		markets: choices.markets ?? 300_000,
		info: Number.POSITIVE_INFINITY,
	};
}

/** Ordered by their first requests. */
export const resourceNames: readonly Ask[] = ['depth', 'trades', 'tickers', 'candles', 'markets', 'info'];

const isOfMarket = (ask: Ask): boolean => ask === 'depth' || ask === 'trades' || ask === 'candles';

/** Whether names and spellings depend on the data, so that it is requested once even when hidden. */
const isNeededOnce = (ask: Ask): boolean => ask === 'markets' || ask === 'info';

/** A shorter wait for the budget is not reported. */
export const leastReportedWaitMs = 2000;

/** How a resource is fetched, and what happens to its answers. */
export type Source<T> = {
	/** Rejects with an `ExchangeError`. */
	fetch(call: CallOptions): Promise<T>;
	onAnswer(answer: T): void;
	/** Called when a poll failed or waits for the request budget. */
	onFailure(failure: Failure): void;
	/** Ms from the start of the poll that got this answer to the next, if that must be sooner than the interval. */
	wantedMs?(answer: T): number;
	/** Whether the next answer is wanted at once, in addition. Asked after each answer of any resource. */
	wantsNext?(): boolean;
};

type Answers = {
	readonly info: Answer<ExchangeInfo>;
	readonly markets: Answer<readonly Market[]>;
	readonly tickers: Answer<readonly Ticker[]>;
	readonly depth: Answer<DepthBook>;
	readonly trades: TapeAnswer;
	readonly candles: CandlesAnswer | 'unavailable';
};

export type Sources = {readonly [Name in Ask]: Source<Answers[Name]>};

export type PollingOptions = {
	readonly exchange: Pick<Exchange, 'budget' | 'interfaces' | 'retryNow'>;
	readonly clock: Clock;
	readonly random: () => number;
	readonly intervals: Readonly<Record<Ask, number>>;
	/** What is polled at all. */
	readonly asks: readonly Ask[];
	/** Requests what is shown at the lowest priority, and nothing else. */
	readonly isBackground: boolean;
	readonly sources: Sources;
	readonly state: () => MarketState;
	/** Called when an answer or a failure was put into the state. */
	readonly onChange: () => void;
	/** Forgets the data of a resource, as nothing is known any more. */
	readonly forget: (name: Ask) => void;
	/**
	 * Called when a request has been unanswered for long or failed without an answer, with when it was sent (epoch ms), and
	 * with undefined when it, or one after it, is answered or aborted.
	 */
	readonly onPending: (name: Ask, sentAt: number | undefined) => void;
};

/** Polls what is on screen; while paused, only once on request. */
export type Polling = {
	isStarted(): boolean;
	/** Whether it is polled now. */
	polls(name: Ask): boolean;
	start(): void;
	/** Aborts all requests and forgets when the next polls are due. */
	stop(): void;
	/** Everything counts as on screen before the first call. */
	show(visible: ReadonlySet<Ask>, focused: Ask | undefined): void;
	/** Starts the polls that the state needs now and stops the others. */
	sync(): void;
	/** Aborts the requests for these resources and polls those needed now, even while paused. */
	restart(names: readonly Ask[]): void;
	/** Polls everything needed now, even while paused, past caches, and whatever the exchange asked to wait. */
	refresh(): void;
	/** Reads the market list, past caches, whether it is needed or not. False: nothing is read before the start. */
	relist(): boolean;
};

/** Brings answers to their sources. */
export type CreatePolling = (options: PollingOptions) => Polling;

export function createPolling(options: PollingOptions): Polling {
	const {exchange, clock, random, intervals, asks, isBackground, sources, state, onChange} = options;
	const outage = createOutage({intervalOf: name => intervals[name], polled: () => resourceNames.filter(isPolled)});
	let started = false;
	let visible: ReadonlySet<Ask> = new Set(resourceNames);
	let focused: Ask | undefined;

	function createPollerOf<Name extends Ask>(name: Name): Poller {
		const source: Source<Answers[Name]> = sources[name];
		/** The end of the last reported wait of the pending request. */
		let reportedUntil: number | undefined;
		/** When the first request was sent that is unanswered. */
		let sentAt: number | undefined;
		let isReportedPending = false;

		function reportPending(since: number | undefined) {
			isReportedPending = since !== undefined;
			options.onPending(name, since);
		}

		function endPending() {
			sentAt = undefined;
			if (isReportedPending) reportPending(undefined);
		}

		return createPoller<Answers[Name]>({
			clock,
			operation: operationOf(name),
			intervalMs: intervals[name],
			wantedMs: source.wantedMs,
			dated: answer => (answer === 'unavailable' ? undefined : answer),
			hasProbe: () => outage.hasProbe(name),
			random,
			run(call) {
				const {signal} = call;
				reportedUntil = undefined;
				signal.addEventListener('abort', endPending, {once: true});
				const onSent = () => {
					if (!signal.aborted) sentAt ??= clock.now();
				};
				return source.fetch({...call, use: state().choice, priority: priorityOf(name), onSent});
			},
			onWait(since) {
				const isPending = sentAt !== undefined && clock.now() - sentAt >= leastPendingMs;
				if (isPending && !isReportedPending) reportPending(sentAt);
				const {choice} = state();
				const from = choice === 'auto' ? (exchange.interfaces[0] ?? 'v2') : choice;
				const operation = operationOf(name);
				const {freeAt, retryAfterMs} = exchange.budget({operation, interface: from});
				if (freeAt === undefined || freeAt - clock.now() < leastReportedWaitMs || freeAt === reportedUntil) return;
				reportedUntil = freeAt;
				const error = new HeldError({operation, interface: from, url: '', retryAfterMs});
				source.onFailure({error, since, retryAt: freeAt});
				onChange();
			},
			onAnswer(answer) {
				source.onAnswer(answer);
				endPending();
				settle(outage.record(name, answer === 'unavailable' ? 'unavailable' : 'answered'));
			},
			onFailure(failure) {
				source.onFailure(failure);
				if (!isUnanswered(failure.error)) endPending();
				else if (!isReportedPending) reportPending(sentAt);
				settle(outage.record(name, failure.error.kind === 'unavailable' ? 'unavailable' : 'failed'));
			},
		});
	}

	const pollers = Object.fromEntries(resourceNames.map(name => [name, createPollerOf(name)])) as Readonly<
		Record<Ask, Poller>
	>;

	function settle(recovered: boolean) {
		sync();
		for (const poller of Object.values(pollers)) {
			poller.catchUp();
			if (recovered) poller.retry();
		}

		if (isPolled('candles') && sources.candles.wantsNext?.()) pollers.candles.now();

		onChange();
	}

	/** Candles show the tape, too: each trade moves the last one. */
	const isShown = (name: Ask): boolean => visible.has(name) || (name === 'trades' && visible.has('candles'));

	const canPoll = (name: Ask): boolean =>
		started && asks.includes(name) && (state().symbol !== undefined || !isOfMarket(name));

	function isNeeded(name: Ask): boolean {
		if (isShown(name)) return true;
		if (!isNeededOnce(name) || isBackground) return false;
		return name === 'markets' ? !hasMarkets(state().markets) : state()[name].status !== 'ready';
	}

	const isPolled = (name: Ask): boolean => isNeeded(name) && canPoll(name) && !state().paused;

	function priorityOf(name: Ask): 0 | 1 | 2 {
		if (isBackground) return 2;
		if (name === focused) return 0;
		return isShown(name) ? 1 : 2;
	}

	function sync() {
		for (const name of resourceNames) {
			if (isPolled(name)) pollers[name].start();
			else pollers[name].stop();
		}
	}

	function pollShown(names: readonly Ask[], how: 'now' | 'refresh') {
		for (const name of names) if (isNeeded(name) && canPoll(name)) pollers[name][how]();
	}

	return {
		isStarted: () => started,
		polls: isPolled,
		start() {
			started = true;
			sync();
		},
		stop() {
			started = false;
			sync();
			for (const poller of Object.values(pollers)) poller.reset();
		},
		show(names, focus) {
			visible = names;
			focused = focus;
			sync();
		},
		sync,
		restart(names) {
			for (const name of names) pollers[name].reset();
			sync();
			pollShown(names, 'now');
		},
		refresh() {
			exchange.retryNow();
			pollShown(resourceNames, 'refresh');
		},
		relist() {
			if (canPoll('markets')) pollers.markets.refresh();
			return canPoll('markets');
		},
	};
}
