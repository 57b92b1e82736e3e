import type {Exchange} from '../client/exchange.ts';
import type {Observe} from '../client/outcome.ts';
import type {Clock} from '../market/clock.ts';
import {createDiagnosis, type DiagnosisStore} from '../store/diagnosis.ts';
import {allTaken} from '../terminal/lifecycle.ts';
import {programClock} from './clock.ts';
import {lateExchange} from './exchanges.ts';
import type {ExchangeAddress, Options} from './options/options.ts';

const demoName = 'demo';

/** What every command that reads an exchange runs with. */
export type Context = {
	readonly exchange: Exchange;
	/** What `exchange` has done so far. */
	readonly diagnosis: DiagnosisStore;
	readonly options: Options;
	readonly clock: Clock;
	/** The data is the embedded exchange's: every screen and table says DEMO. */
	readonly demo: boolean;
	/** The profile's name, the host of the address, or `demo`. */
	readonly exchangeName: string;
};

/** Opens the exchange that the options name, or the embedded one where they name none; closes all that it opened. */
export async function withExchange<T>(options: Options, use: (context: Context) => Promise<T>): Promise<T> {
	const observed = await observation(options);
	return withAddress(options, observed.clock, async address => {
		const exchange = await connectTo(address, options, observed);
		try {
			return await use(contextOf(exchange, options, observed));
		} finally {
			await exchange.close();
		}
	});
}

/**
 * To open the embedded exchange and to load the client takes the processor for a while: the first frame goes first, but a
 * terminal that does not read is not waited for.
 */
const firstFrameMs = 100;

/**
 * As `withExchange`, but without a wait: the exchange is opened when it is first read. Rejects when it cannot be opened,
 * whatever `use` does then.
 */
export async function withLateExchange<T>(options: Options, use: (context: Context) => Promise<T>): Promise<T> {
	const observed = await observation(options);
	const {promise: used, resolve: done} = Promise.withResolvers<void>();
	const {promise: failed, reject: fail} = Promise.withResolvers<never>();
	let closed: Promise<void> | undefined;
	const {baseUrl, legacyBaseUrl} = options.exchange ?? {baseUrl: 'demo', legacyBaseUrl: 'demo'};
	const exchange = lateExchange({
		interfaces: [...(baseUrl ? (['v2'] as const) : []), ...(legacyBaseUrl ? (['v1'] as const) : [])],
		budget: {used: 0, allowed: options.rate},
		async open() {
			await allTaken(process.stdout, observed.clock, firstFrameMs);
			const {promise, resolve} = Promise.withResolvers<Exchange>();
			closed = withAddress(options, observed.clock, async address => {
				const opened = await connectTo(address, options, observed);
				resolve(opened);
				await used;
				await opened.close();
			}).catch(fail);
			return promise;
		},
	});
	try {
		return await Promise.race([use(contextOf(exchange, options, observed)), failed]);
	} finally {
		done();
		await closed;
	}
}

type Observation = {readonly clock: Clock; readonly diagnosis: DiagnosisStore; readonly observe: Observe};

async function observation(options: Options): Promise<Observation> {
	const clock = programClock(process.env);
	const log = await openLog(options, clock);
	const diagnosis = createDiagnosis();
	return {
		clock,
		diagnosis,
		observe(outcome) {
			diagnosis.observe(outcome);
			log?.(outcome);
		},
	};
}

function contextOf(exchange: Exchange, options: Options, {clock, diagnosis}: Observation): Context {
	const {exchange: address} = options;
	const demo = address === undefined;
	return {exchange, diagnosis, options, clock, demo, exchangeName: address?.name ?? demoName};
}

/** The log that the options ask for. Throws a `UsageError` when it cannot be written. */
export async function openLog({logFile}: Options, clock: Clock): Promise<Observe | undefined> {
	if (logFile === undefined) return undefined;
	const {createLog, openLogFile} = await import('./log.ts');
	return createLog(openLogFile(logFile), clock);
}

/** The address that the options name, or the embedded exchange's, which then serves until `use` has settled. */
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

async function connectTo(
	{baseUrl, legacyBaseUrl}: ExchangeAddress,
	{timeoutMs, rate, maxRate}: Options,
	{clock, observe}: Observation,
): Promise<Exchange> {
	const {connect} = await import('../client/connect.ts');
	return connect({baseUrl, legacyBaseUrl, timeoutMs, rate, maxRate, clock, observe});
}
