import type {Ask} from '../../client/question.ts';
import {formatCount, formatFixed} from '../../format/number.ts';
import {formatDuration, formatZonedDateTime} from '../../format/time.ts';
import {waited} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {minuteMs} from '../../market/units.ts';
import {answerTo, type Outcome} from '../../recording/outcome-log.ts';
import {RecordingError} from '../../recording/recorded-columns.ts';
import type {OutcomeSink} from '../../recording/recording-exchange.ts';
import type {Recording, RecordingStatus} from '../../recording/start-recording.ts';
import type {recordEvent} from '../../schema/event-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import {createMarketStore} from '../../store/market-store.ts';
import type {MarketStore} from '../../store/state.ts';
import {reportStuckThread} from '../../terminal/ending.ts';
import {type Context, withExchange} from '../context.ts';
import {recordedReads} from '../exchanges.ts';
import {exitStatus, UsageError, untilInterrupted} from '../exit.ts';
import type {FlagsOf} from '../options/option-table.ts';
import {readOptions} from '../options/options.ts';
import {demoTitle, print} from '../output.ts';
import {note} from '../standard-error.ts';
import {originOf} from './documents.ts';
import {checkUnlisted, onceListed, type WatchedMarket, watchedMarkets} from './lookup.ts';
import {type EarlyRead, endRecording, recordTo} from './monitor-recording.ts';
import {noteFailures, noteWaits, unlessAborted} from './watch.ts';
import {afterLong} from './watch-end.ts';

type RecordRequest = {
	/** Markets in any spelling; none: the exchange's default one. */
	readonly texts: readonly string[];
	readonly path: string;
	readonly books: boolean;
	readonly allTickers: boolean;
	readonly json: boolean;
} & Pick<FlagsOf<'record'>, 'for' | 'keep'>;

/** As `runRecord`, with the settings of flags, variables and the config file. */
export async function record(flags: FlagsOf<'record'>, texts: readonly string[]): Promise<number> {
	const options = await readOptions(flags, process.env);
	const {json = false, out: path = '', books = false, allTickers = false} = flags;
	const recorded = texts.length > 0 || options.market === undefined ? texts : [options.market];
	const request = {...flags, texts: recorded, path, books, allTickers, json};
	return untilInterrupted(signal => withExchange(options, context => runRecord(context, request, signal)));
}

/** Candles of other periods can be made of these. */
const recordedPeriod = 1;
const lineMs = minuteMs;

/**
 * Records without a screen until `interrupted` is aborted, the time runs out or the recording fails, and writes a line once a
 * minute. Settles with the exit status: 1 if the recording failed. Rejects with a `UsageError` for a market that the exchange does
 * not have, and a file that cannot be recorded.
 */
async function runRecord(context: Context, request: RecordRequest, interrupted: AbortSignal): Promise<number> {
	const {clock, demo} = context;
	const {texts, for: forMs} = request;
	const ending = new AbortController();
	const ended = AbortSignal.any([interrupted, ending.signal]);
	const from = clock.now();
	let recording: Recording | undefined;
	/** Until the file is open. */
	const early: EarlyRead[] = [];
	const sink: OutcomeSink = {
		add(outcome) {
			if (recording) recording.add(request.allTickers ? outcome : ownTickers(outcome, stores));
			else early.push([outcome, clock.now()]);
		},
	};
	const exchange = recordedReads(context, sink, context.options.intervalsMs);
	let stores: readonly MarketStore[] = [];
	const stops: (() => void)[] = [];
	try {
		const markets = await unlessAborted(watchedMarkets({...context, exchange}, texts, ended), ended);
		if (!markets) return exitStatus.done;
		const opening = openFile(context, request, markets, from);
		recording = await unlessAborted(opening, ended);
		if (!recording) {
			opening.then(endRecording, () => {});
			// Its thread may be stuck in a file system that hangs.
			reportStuckThread();
			return exitStatus.done;
		}

		for (const [outcome, now] of early) recording.add(outcome, now);
		const {status} = recording;
		if (forMs !== undefined) stops.push(afterLong(clock, forMs, () => ending.abort()));
		const failing = Promise.withResolvers<never>();
		// It is thrown by the wait for the next line.
		failing.promise.catch(() => {});
		const fail = (error: unknown) => failing.reject(error);
		stores = markets.map(market => openStore({...context, exchange}, request, market, stops, fail));
		stops.push(noteFailures(stores, context), noteWaits(stores, context, true));
		const followEnd = () => status.getSnapshot().ended && ending.abort();
		stops.push(status.subscribe(followEnd));
		followEnd();
		const lines = createLines(context, request);
		if (demo) note(demoTitle);
		await print(lines.first(stores));
		while (!ended.aborted) {
			await Promise.race([waited(clock, lineMs, ended), failing.promise]);
			if (!ended.aborted) await print(lines.progress(status.getSnapshot()));
		}

		const reason = status.getSnapshot().ended?.reason;
		for (const store of stores) store.stop();
		await endRecording(recording);
		await print(lines.last(status.getSnapshot()));
		if (reason === undefined) return exitStatus.done;
		note(`the recording ended: ${reason}`);
		return exitStatus.failed;
	} finally {
		for (const stop of stops) stop();
		if (recording) await endRecording(recording);
	}
}

async function openFile(
	context: Context,
	{path, books, allTickers, keep: keepMs}: RecordRequest,
	markets: readonly WatchedMarket[],
	from: number,
): Promise<Recording> {
	const recorded = {markets: markets.map(({symbol}) => symbol ?? 'default'), books, allTickers};
	try {
		return await recordTo(context, {path, from, recorded, keepMs});
	} catch (error) {
		if (error instanceof RecordingError) throw new UsageError(error.message, {cause: error});
		throw error;
	}
}

function openStore(
	{exchange, clock, options}: Context,
	{books}: RecordRequest,
	market: WatchedMarket,
	stops: (() => void)[],
	fail: (error: unknown) => void,
): MarketStore {
	const {choice, intervalsMs: intervals} = options;
	const store = createMarketStore({exchange, clock, symbol: market.symbol, period: recordedPeriod, choice, intervals});
	stops.push(onceListed(store, checkUnlisted(market, 'recording', {note}), fail), store.stop);
	store.show(new Set<Ask>(['trades', 'candles', 'tickers', ...(books ? (['depth'] as const) : [])]));
	store.start();
	return store;
}

/** The outcome with the tickers of these markets alone. */
function ownTickers(outcome: Outcome, stores: readonly MarketStore[]): Outcome {
	const answer = answerTo('tickers', outcome);
	if (!answer) return outcome;
	const keys = new Set(stores.map(store => symbolKey(store.getSnapshot().symbol ?? '')));
	const data = answer.data.filter(({symbol}) => keys.has(symbolKey(symbol)));
	return {...outcome, question: {ask: 'tickers'}, answer: {...answer, data}};
}

/** What is written on standard output. */
function createLines({clock, ...context}: Context, {path, books, allTickers, json, keep: keepMs}: RecordRequest) {
	const origin = originOf(context);
	const line = (event: Of<typeof recordEvent>) => `${JSON.stringify({...event, ...origin})}\n`;
	const head = () => ({time: clock.now(), file: path});
	const counted = ({counts, bytes}: RecordingStatus) => ({...counts, bytes});
	const text = (title: string, {counts, bytes}: RecordingStatus) => {
		const parts = [
			formatCount(counts.trades, 'trade'),
			...(books ? [formatCount(counts.books, 'book')] : []),
			formatCount(counts.answers, 'answer'),
			...(counts.failures > 0 ? [formatCount(counts.failures, 'failure')] : []),
			...(counts.gaps > 0 ? [formatCount(counts.gaps, 'gap')] : []),
			`${formatFixed(bytes / 1_000_000, 1)} MB`,
		];
		return `${formatZonedDateTime(clock.now(), context.options.zone)}  ${title}${parts.join(', ')}\n`;
	};
	return {
		first(stores: readonly MarketStore[]): string {
			const symbols = stores.map(store => store.getSnapshot().symbol ?? 'the default market');
			const parts = ['trades' as const, ...(books ? ['books' as const] : []), 'candles' as const, 'tickers' as const];
			if (json) return line({type: 'recording', ...head(), symbols, parts, allTickers, keepMs: keepMs ?? null});
			const kept = keepMs === undefined ? '' : `, kept for ${formatDuration(keepMs)}`;
			const what = allTickers ? [...parts.slice(0, -1), 'the tickers of all markets'] : parts;
			const list = `${what.slice(0, -1).join(', ')} and ${what.at(-1)}`;
			return `${formatZonedDateTime(clock.now(), context.options.zone)}  recording ${list} of ${symbols.join(', ')} to ${path}${kept}\n`;
		},
		progress: (status: RecordingStatus) =>
			json ? line({type: 'progress', ...head(), ...counted(status)}) : text('', status),
		last(status: RecordingStatus): string {
			const reason = status.ended?.reason ?? null;
			return json ? line({type: 'ended', ...head(), ...counted(status), reason}) : text('ended: ', status);
		},
	};
}
