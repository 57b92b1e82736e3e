import type {Exchange} from '../client/exchange.ts';
import type {Observe} from '../client/outcome.ts';
import {type Clock, systemClock} from '../market/clock.ts';
import {createDiagnosis, type DiagnosisStore} from '../store/diagnosis.ts';
import type {ExchangeAddress, Options} from './options.ts';

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
	const log = await openLog(options, systemClock);
	return withAddress(options, address => withConnection(options, address, log, use));
}

/** The log that the options ask for. Throws a `UsageError` when it cannot be written. */
export async function openLog({logFile}: Options, clock: Clock): Promise<Observe | undefined> {
	if (logFile === undefined) return undefined;
	const [{openRotatingFile}, {createLog}] = await Promise.all([import('./log-file.ts'), import('./log.ts')]);
	return createLog(openRotatingFile(logFile), clock);
}

/** The address that the options name, or the embedded exchange's, which then serves until `use` has settled. */
export async function withAddress<T>(options: Options, use: (address: ExchangeAddress) => Promise<T>): Promise<T> {
	if (options.exchange) return use(options.exchange);
	const {startDemo} = await import('../demo/server.ts');
	const demo = await startDemo();
	try {
		return await use({name: 'demo', baseUrl: demo.url, legacyBaseUrl: demo.url});
	} finally {
		await demo.close();
	}
}

async function withConnection<T>(
	options: Options,
	{name, baseUrl, legacyBaseUrl}: ExchangeAddress,
	log: Observe | undefined,
	use: (context: Context) => Promise<T>,
): Promise<T> {
	const {connect} = await import('../client/connect.ts');
	const {timeoutMs, rate, maxRate} = options;
	const clock = systemClock;
	const diagnosis = createDiagnosis();
	const observe: Observe = outcome => {
		diagnosis.observe(outcome);
		log?.(outcome);
	};
	const exchange = connect({baseUrl, legacyBaseUrl, timeoutMs, rate, maxRate, clock, observe});
	try {
		return await use({exchange, diagnosis, options, clock, demo: options.exchange === undefined, exchangeName: name});
	} finally {
		await exchange.close();
	}
}
