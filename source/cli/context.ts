import type {Budget, Exchange, Observe} from '../client/exchange.ts';
import {exchangeOf} from '../client/middleware.ts';
import type {Repeats} from '../client/retry.ts';
import {parseTime} from '../format/time.ts';
import {type Clock, systemClock} from '../market/clock.ts';
import type {Interface} from '../market/types.ts';
import type {Recorded} from '../recording/recorded-exchange.ts';
import {createDiagnosis, type DiagnosisStore} from '../store/diagnosis.ts';
import type {PastCandlesReader} from '../store/past-candles.ts';
import type {SpareTurns} from '../store/spare-turns.ts';
import {allTaken} from '../terminal/lifecycle.ts';
import type {Tty} from '../terminal/tty.ts';
import {UsageError} from './exit.ts';
import type {Log} from './log.ts';
import {demoName, type ExchangeAddress, mostViewerCandles} from './options/option-table.ts';
import type {Options} from './options/options.ts';
import {type Output, ownOutput} from './output.ts';
import {ownTty} from './own-tty.ts';

/** What one who looks from elsewhere may do. */
export type ViewerRights = {
	/** Sees the diagnosis of the program. */
	readonly isOwner: boolean;
	/** Has no monitor, only tiles and lines. */
	readonly isWatchOnly: boolean;
	/** Sees some markets only. */
	readonly isRestricted: boolean;
};

/** What one who looks from elsewhere can have of the computer of the program. */
export const viewerLimits = {
	/** Alert rules, and the markets that they are judged on. */
	rules: 20,
	ruleMarkets: 50,
	/** Markets of one watch. */
	watched: 50,
	/** Candles of one read. */
	candles: mostViewerCandles,
} as const;

/** What a command that reads an exchange gets. */
export type Context = {
	readonly exchange: Exchange;
	/** Latency, errors and budget of the requests of `exchange`. */
	readonly diagnosis: DiagnosisStore;
	readonly options: Options;
	readonly clock: Clock;
	/** Where screens are drawn. */
	readonly tty: Tty;
	/** Where text is written. */
	readonly output: Output;
	/** The data is the embedded exchange's: every screen and table says DEMO. */
	readonly demo: boolean;
	/** The profile's name, the host of the address, or `demo`. */
	readonly exchangeName: string;
	/** Of all viewers, for what their rules poll; absent: there are none. */
	readonly spareTurns?: SpareTurns | undefined;
	/** Of all viewers; absent: there are none. */
	readonly pastCandles?: PastCandlesReader | undefined;
	/** Who looks, if not the user of the program; absent: that user. */
	readonly viewer?: ViewerRights | undefined;
	/** Absent: `exchange` is asked now. */
	readonly recorded?: Recorded | undefined;
	/** Absent: the user wants no log file. */
	readonly log?: Log | undefined;
};

type Requests = {
	/** For requests that are answered 429. Default: they are not repeated. */
	readonly repeats?: Repeats | undefined;
	/** Also called at the end of every request. */
	readonly observe?: Observe | undefined;
	/** Runs `use` at once, with an exchange that is opened by its first read, so that a screen can be drawn before. */
	readonly isLate?: boolean;
};

/**
 * Starting the embedded exchange and loading the client keep the processor busy. The first frame is written before that,
 * unless the terminal takes longer than this to read it.
 */
const firstFrameMs = 100;

/**
 * Runs `use` with the exchange that the options name, by default the embedded one, and closes it afterwards. Rejects as soon as it
 * cannot be opened, even if `use` still runs.
 */
export async function withExchange<T>(
	options: Options,
	use: (context: Context) => Promise<T>,
	{repeats, observe, isLate = false}: Requests = {},
): Promise<T> {
	const {observed, ...local} = await observedContext(options, observe);
	const {timeoutMs, rate, maxRate, maxBytes} = options;
	/** Resolved when `use` has settled: until then, the exchange stays open. */
	const unused = Promise.withResolvers<void>();
	/** Rejected when the exchange cannot be opened, as its reads then never settle. */
	const failed = Promise.withResolvers<never>();
	/** Settles when the exchange is closed or could not be opened; absent until it is opened. */
	let closed: Promise<void> | undefined;
	async function open(): Promise<Exchange> {
		if (isLate) await allTaken(process.stdout, local.clock, firstFrameMs);
		const opened = Promise.withResolvers<Exchange>();
		closed = withAddress(options, local.clock, async ({baseUrl, legacyBaseUrl}) => {
			const {connect} = await import('../client/connect.ts');
			const how = {timeoutMs, rate, maxRate, maxBytes, clock: local.clock, observe: observed, repeats};
			const exchange = connect({baseUrl, legacyBaseUrl, ...how});
			opened.resolve(exchange);
			await unused.promise;
			await exchange.close();
		}).catch(failed.reject);
		return Promise.race([opened.promise, failed.promise]);
	}

	const late = {interfaces: interfacesOf(options.exchange), budget: {used: 0, allowed: rate}, open};
	try {
		const exchange = isLate ? lateExchange(late) : await open();
		return await Promise.race([use({...local, exchange}), failed.promise]);
	} finally {
		unused.resolve();
		await closed;
	}
}

type LateExchange = Pick<Exchange, 'interfaces'> & {
	/** Called once, with the first read. */
	open(): Promise<Exchange>;
	/** The budget until then. */
	readonly budget: Budget;
};

/** An exchange that is opened by its first read, so that the screen can be drawn before. */
export function lateExchange({interfaces, budget, open}: LateExchange): Exchange {
	let opening: Promise<Exchange> | undefined;
	let opened: Exchange | undefined;
	async function exchange(): Promise<Exchange> {
		opening ??= open();
		opened = await opening;
		return opened;
	}

	return exchangeOf(async (question, call) => (await exchange()).read(question, call), {
		interfaces,
		budget: () => opened?.budget() ?? budget,
		retryNow: () => opened?.retryNow(),
		close: async () => (await opening)?.close(),
	});
}

/** The interfaces of a configured exchange, or of the embedded one, which has both. */
export function interfacesOf(address: ExchangeAddress | undefined): readonly Interface[] {
	if (!address) return ['v2', 'legacy'];
	return [...(address.baseUrl ? (['v2'] as const) : []), ...(address.legacyBaseUrl ? (['legacy'] as const) : [])];
}

/** What a command gets that sends no request. */
export type LocalContext = Omit<Context, 'exchange' | 'recorded'>;

export async function localContext(options: Options): Promise<LocalContext> {
	const {observed: _, ...context} = await observedContext(options);
	return context;
}

/** `observed`: to be called at the end of every request. */
async function observedContext(options: Options, observe?: Observe): Promise<LocalContext & {observed: Observe}> {
	const {exchange: address} = options;
	const clock = programClock(process.env, address);
	const log = await openLog(options, clock);
	const diagnosis = createDiagnosis();
	return {
		...{...ownPlace(), options, clock, diagnosis, log},
		...{demo: address === undefined, exchangeName: address?.name ?? demoName},
		observed(outcome) {
			diagnosis.observe(outcome);
			log?.observe(outcome);
			observe?.(outcome);
		},
	};
}

/** The terminal, standard output and standard error of this process. */
export const ownPlace = (): Pick<Context, 'tty' | 'output'> => ({tty: ownTty(), output: ownOutput});

/** Opens the configured log; undefined without one. Throws a `UsageError` when it cannot be written. */
export async function openLog({logFile}: Options, clock: Clock): Promise<Log | undefined> {
	if (logFile === undefined) return undefined;
	const {createLog, openLogFile} = await import('./log.ts');
	const log = createLog(openLogFile(logFile), clock);
	process.on('warning', log.warn);
	return log;
}

/** Runs `use` with the configured address, or with that of an embedded exchange that serves until `use` settles. */
export async function withAddress<T>(
	options: Options,
	clock: Clock,
	use: (address: ExchangeAddress) => Promise<T>,
): Promise<T> {
	if (options.exchange) return use(options.exchange);
	const {startDemo} = await import('../demo/server.ts');
	const demo = await startDemo({clock});
	try {
		return await use({name: demoName, baseUrl: demo.url, legacyBaseUrl: demo.url});
	} finally {
		await demo.close();
	}
}

/** A clock that showed `time` (epoch ms) when this process started and runs at normal speed. */
export function clockFrom(time: number): Clock {
	const offsetMs = Math.round(time - performance.timeOrigin);
	return {...systemClock, now: () => systemClock.now() + offsetMs};
}

/**
 * The one clock of the program: the computer's, or, so that tests see the same markets on any day, one that starts at
 * `TAPEWATCH_DEMO_AT`. Throws a `UsageError` when that is not a time, or when `exchange` may have live data, which would be
 * shown with a false time.
 */
export function programClock({TAPEWATCH_DEMO_AT: text}: NodeJS.ProcessEnv, exchange?: ExchangeAddress): Clock {
	if (!text) return systemClock;
	const time = parseTime(text);
	if (time === undefined) {
		throw new UsageError(`TAPEWATCH_DEMO_AT must be a UTC time such as 2026-11-20T12:00:00Z, not ${text}`);
	}

	const live = [exchange?.baseUrl, exchange?.legacyBaseUrl].find(url => url && !isLoopback(url));
	if (live) throw new UsageError(`TAPEWATCH_DEMO_AT is set, but ${live} is not on this computer; unset it`);
	return clockFrom(time);
}

function isLoopback(url: string): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
