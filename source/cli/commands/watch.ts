import {delayedNote, printRule} from '../../alerts/rule.ts';
import type {Ask} from '../../client/question.ts';
import {stripControl} from '../../format/control.ts';
import {waited} from '../../market/clock.ts';
import {largestPage} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import {createMarketStore} from '../../store/market-store.ts';
import {type Failure, retryAfterText} from '../../store/resource.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import {createWindowTitle} from '../../terminal/window-title.ts';
import type {Context} from '../context.ts';
import {sharedReads} from '../exchanges.ts';
import {aborted, exitStatus} from '../exit.ts';
import {bothMessages, demoTitle, insteadText, type Output, waitText} from '../output.ts';
import {type AlertCalls, callsAsConfigured} from './alert-calls.ts';
import {alertDocument, alertLine, blindLine} from './alert-words.ts';
import {originOf} from './documents.ts';
import {judgeWatchRules, type RulesJudging} from './judge-rules.ts';
import {checkUnlisted, onceListed, watchedMarkets} from './lookup.ts';
import {
	afterLong,
	type JudgedUntil,
	judgeUntil,
	onEachChange,
	snapshotsOf,
	statusAtEnd,
	type WatchEnd,
	type WatchLimits,
} from './watch-end.ts';
import {createMarketEvents, type Met, metEvent} from './watch-events.ts';
import {
	bidsErrorOf,
	createFailureChanges,
	type FailureChange,
	failureOf,
	tickerErrorOf,
	watchedResources,
} from './watch-failures.ts';
import {createEventQueue, defaultMostPending} from './watch-queue.ts';
import {createRowWriter, watchHeader, watchRow} from './watch-rows.ts';
import {onceBooksCame, onceMarketsListed, type WatchRules} from './watch-rules.ts';

export type WatchRequest = WatchLimits & {
	/** Markets in any spelling; none: the configured one, else the exchange's default one. */
	readonly texts: readonly string[];
	/** Writes events instead of lines. */
	readonly json: boolean;
	/** Begins with the events of all trades and candles that the exchange sends. Default: with those of the newest. */
	readonly backfill?: boolean;
	/** Ends when each market has been written once; `until` is then compared with what was written. */
	readonly once: boolean;
	/** Between two lines of a market, and between two polls. Default: 5 s for lines; events are polled as in the monitor. */
	readonly intervalMs?: number | undefined;
	readonly rules: WatchRules;
};

const lineMs = 5 * secondMs;

type Watch = {
	readonly stores: readonly MarketStore[];
	/** What is polled and written. */
	readonly resources: readonly (typeof watchedResources)[number][];
	readonly context: Context;
	readonly request: WatchRequest;
	/** Aborted from outside, or as a market is not listed: write nothing more. */
	readonly interrupted: AbortSignal;
	/** Aborted from outside or by a limit of the watch, whose last lines are still to be written. */
	readonly ended: AbortSignal;
	/** Judges `until`; with `once` when it is started. */
	readonly judged: JudgedUntil | undefined;
	/** Judges the rules until the returned function is called. */
	alerts(handlers: Pick<RulesJudging, 'onEvent' | 'call'>): () => Promise<void>;
	/** What met the condition; undefined: it is not met, or not before the end of the watch. */
	met(): Met | undefined;
};

/**
 * Watches without a terminal until `interrupted` is aborted or the watch ends by itself. Settles with the exit status: 0
 * when done or when the condition is met; with `once` 1 when a read failed; 124 when the time runs out before the condition
 * is met or `once` is done. Rejects with a `UsageError` for a market that the exchange does not have.
 */
export async function runWatch(context: Context, request: WatchRequest, interrupted: AbortSignal): Promise<number> {
	const {json, backfill, once, until, forMs, texts, rules} = request;
	const {clock, output} = context;
	const intervalMs = request.intervalMs ?? (json ? undefined : lineMs);
	const every = intervalMs === undefined ? {} : {depth: intervalMs, trades: intervalMs, tickers: intervalMs};
	const intervals = {...context.options.intervalsMs, ...every};
	const shared = {...context, exchange: sharedReads(context, intervals)};
	const refusing = new AbortController();
	const stopped = AbortSignal.any([interrupted, refusing.signal]);
	const ending = new AbortController();
	const ended = AbortSignal.any([stopped, ending.signal]);
	let end: WatchEnd | undefined;
	const finish = (reason: WatchEnd) => {
		end ??= reason;
		ending.abort();
	};

	const stops: (() => void)[] = [];
	if (forMs !== undefined) stops.push(afterLong(clock, forMs, () => finish({reason: 'time'})));
	try {
		const markets = (await unlessAborted(watchedMarkets(shared, texts, ended), ended)) ?? [];
		const stores = markets.map(market => {
			const store = openStore(shared, {
				symbol: market.symbol,
				intervals,
				firstTrades: backfill ? largestPage : undefined,
			});
			const check = checkUnlisted(market, 'watching', output);
			stops.push(onceListed(store, check, error => refusing.abort(error)));
			return store;
		});
		stops.push(onceMarketsListed(stores[0], {rules, until}, error => refusing.abort(error)));
		// Lines show no candles.
		const resources = watchedResources.filter(name => json || name !== 'candles');
		for (const store of stores) {
			store.show(new Set<Ask>(resources));
			stops.push(store.stop);
			store.start();
		}

		stops.push(noteWaits(stores, context, json));
		const {blindAfterMs} = context.options;
		const {linesOf} = rules;
		const judging = {linesOf, exchange: shared.exchange, clock, turns: context.spareTurns, intervals, blindAfterMs};
		const judged = until && judgeUntil(until, stores, judging, met => finish({reason: 'met', met}));
		if (judged) stops.push(judged.stop);
		if (!once) judged?.start();
		const compared = [...(until ? [{condition: until, where: '--until'}] : []), ...rules.conditions];
		stops.push(onceBooksCame(stores, compared, context.options, error => refusing.abort(error)));
		const met = () => (end?.reason === 'met' ? end.met : undefined);
		const alerts: Watch['alerts'] = handlers =>
			rules.stated.length > 0 ? judgeWatchRules(stores, {...judging, rules, ...handlers}).stop : async () => {};
		const watch = {stores, resources, context, request, interrupted: stopped, ended, judged, alerts, met};
		await (json ? writeEvents(watch) : writeLines(watch));
		refusing.signal.throwIfAborted();
		if (once && !met()) return statusOfOnce(watch);
		return end ? statusAtEnd(end, request, context) : exitStatus.done;
	} finally {
		for (const stop of stops) stop();
	}
}

const openStore = (
	{exchange, clock, options: {period, choice}}: Context,
	own: Pick<Parameters<typeof createMarketStore>[0], 'symbol' | 'intervals' | 'firstTrades'>,
): MarketStore => createMarketStore({exchange, clock, period, choice, ...own});

/**
 * Writes a line for each market when all have answered or failed, then one every interval, and at the end one for each
 * market that met the condition. A line is made when the one before it is written. Failures go to stderr.
 */
async function writeLines(watch: Watch): Promise<void> {
	const {stores, context, request, interrupted, ended} = watch;
	const {demo, clock, options, output} = context;
	const {print, note} = output;
	const align = createRowWriter();
	const row = (state: MarketState) =>
		print(`${align(watchRow(state, {now: clock.now(), ascii: options.ascii, zone: options.zone}))}\n`);
	const unsubscribe = noteFailures(stores, context);
	for (const {rule} of request.rules.stated) {
		const delayed = delayedNote(rule);
		if (delayed !== undefined) note(`${stripControl(printRule(rule))}: ${delayed}`);
	}

	const calls = callsOf(watch);
	const header = Promise.withResolvers<void>();
	/** Settles when the lines of all alerts so far are printed, below the header. */
	let alertsPrinted = header.promise;
	const stopAlerts = watch.alerts({
		call: calls.call,
		onEvent(event) {
			if (event.type === 'blind') return note(blindLine(event, options.zone));
			alertsPrinted = alertsPrinted.then(() => print(`${alertLine(event, options.zone)}\n`));
			// It is thrown at the end, unless a row fails before.
			alertsPrinted.catch(() => {});
		},
	});
	try {
		await firstAnswers(watch);
		if (interrupted.aborted) return;
		const title = demo ? `${demoTitle}\n` : '';
		await unlessAborted(print(`${title}${align(watchHeader(options.zone))}\n`), interrupted);
		header.resolve();
		if (request.once) {
			for (const state of snapshotsOf(stores)) await unlessAborted(row(state), interrupted);
			return;
		}

		while (!ended.aborted) {
			for (const store of stores) if (!ended.aborted) await unlessAborted(row(store.getSnapshot()), ended);
			await waited(clock, request.intervalMs ?? lineMs, ended);
		}

		await unlessAborted(alertsPrinted, interrupted);
		for (const state of watch.met()?.states ?? []) await unlessAborted(row(state), interrupted);
	} finally {
		unsubscribe();
		await stopAlerts();
		await calls.ended();
	}
}

/** Writes an event for every change, and at the end one for each market that met the condition. */
async function writeEvents(watch: Watch): Promise<void> {
	const {stores, context, request, interrupted, ended} = watch;
	const {clock, demo, output} = context;
	const {print, note} = output;
	if (demo) note(demoTitle);
	// All markets can be answered while the first write takes its time.
	const mostPending = defaultMostPending * (request.backfill ? stores.length + 1 : 1);
	const queue = createEventQueue({write: print, origin: originOf(context), now: clock.now, mostPending});
	const unsubscribe = onEachChange(stores, () => {
		const eventsOf = createMarketEvents({backfill: request.backfill === true});
		return state => queue.push(eventsOf(state, clock.now()));
	});
	const calls = callsOf(watch);
	const stopAlerts = watch.alerts({call: calls.call, onEvent: event => queue.push([alertDocument(event)])});
	try {
		await Promise.race([request.once ? firstAnswers(watch) : aborted(ended), queue.failed]);
		unsubscribe();
		const {until} = request;
		const met = watch.met();
		if (until && met) queue.push(met.states.map(state => metEvent(until, state, met)));
		await unlessAborted(queue.drained(), interrupted);
	} finally {
		unsubscribe();
		await stopAlerts();
		await calls.ended();
	}
}

function callsOf({context}: Watch): AlertCalls {
	const write = context.tty.beside;
	const terminal = write && {write, title: createWindowTitle(write)};
	if (terminal) context.tty.onExit(terminal.title.clear);
	return callsAsConfigured(context, {
		terminal,
		onEnd(failure) {
			if (failure !== undefined) context.output.note(failure);
		},
	});
}

/** Settles when every resource has answered or failed, or when the watch ends; with `once` polling stops then. */
async function firstAnswers({stores, resources, request, ended, judged}: Watch): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const settle = () => {
		const isSettled = snapshotsOf(stores).every(state => resources.every(name => state[name].status !== 'waiting'));
		if (isSettled && (!request.once || judged?.isAnswered() !== false)) resolve();
	};

	const unsubscribes = [onEachChange(stores, () => settle), judged?.subscribe(settle)];
	settle();
	await unlessAborted(promise, ended);
	for (const unsubscribe of unsubscribes) unsubscribe?.();
	if (!request.once) return;
	judged?.start();
	for (const store of stores) store.stop();
}

function statusOfOnce({stores, resources, request}: Watch): number {
	const states = snapshotsOf(stores);
	const current = states.flatMap(state => resources.map(name => state[name]));
	// Data whose next poll only waits for the rate limit has not failed.
	if (current.some(resource => (failureOf(resource)?.error.kind ?? 'held') !== 'held')) return exitStatus.failed;
	if (states.some(state => bidsErrorOf(state.depth) ?? tickerErrorOf(state))) return exitStatus.failed;
	const isDone = current.length > 0 && current.every(({status}) => status !== 'waiting');
	return isDone && !request.until ? exitStatus.done : exitStatus.timedOut;
}

type Noting = Pick<Context, 'clock' | 'output'>;

/** Notes the failures of these markets on standard error. Returns the function that stops this. */
export function noteFailures(stores: readonly MarketStore[], {clock, output}: Noting): () => void {
	return onEachChange(stores, () => {
		const failureChanges = createFailureChanges();
		return state => {
			for (const change of failureChanges(state, clock.now()))
				noteFailure(change, state.symbol ?? 'default market', output);
		};
	});
}

/** Notes a failure when it begins and when it ends. Waits for the rate limit have notes of their own, late answers are in the lines. */
function noteFailure(
	{change, error, operation, left, kept}: FailureChange,
	market: string,
	{note}: Pick<Output, 'note'>,
): void {
	if (!error || error.kind === 'held') return;
	const onlyBids = left === 'part' && operation === 'depth';
	if (change === 'began') {
		const isRead = left === 'other' && kept;
		const rest = onlyBids ? 'bids missing' : 'retrying';
		note(`${market}: ${isRead ? insteadText(error, kept.interface) : `${bothMessages(error)}; ${rest}`}`);
	}

	if (change === 'ended') {
		const source = left === 'other' ? `${error.interface} ` : '';
		note(`${market}: ${onlyBids ? 'bids' : source + operation} recovered`);
	}
}

/** A wait is noted again only if its end moves by this much. */
const leastChangeMs = 1000;

/**
 * Notes each long wait for the exchange's rate limit; `withRefusals`: also of a request that it refused, which is not noted
 * otherwise. Returns the function that stops this.
 */
export function noteWaits(stores: readonly MarketStore[], {clock, output}: Noting, withRefusals: boolean): () => void {
	const isWait = ({error}: Failure) => error.kind === 'held' || (withRefusals && error.status === 429);
	let notedUntil = 0;
	return onEachChange(stores, () => state => {
		const failures = [...watchedResources, 'markets' as const].flatMap(name => failureOf(state[name]) ?? []);
		const [longest] = failures.filter(isWait).toSorted((a, b) => (b.retryAt ?? 0) - (a.retryAt ?? 0));
		const until = longest?.retryAt ?? 0;
		if (!longest || until < notedUntil + leastChangeMs) return;
		notedUntil = until;
		output.note(waitText(until - clock.now()) + retryAfterText(longest));
	});
}

/** Settles as `promise` does, or with `undefined` as soon as `signal` is aborted. Leaves no listener on the signal. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	const {promise: ended, resolve} = Promise.withResolvers<undefined>();
	const end = () => resolve(undefined);
	if (signal.aborted) end();
	signal.addEventListener('abort', end, {once: true});
	try {
		return await Promise.race([promise, ended]);
	} finally {
		signal.removeEventListener('abort', end);
	}
}
