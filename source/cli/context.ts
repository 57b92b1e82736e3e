import type {Exchange} from '../client/exchange.ts';
import {type Clock, systemClock} from '../market/clock.ts';
import type {ExchangeAddress, Options} from './options.ts';

/** What every command that reads an exchange runs with. */
export type Context = {
	readonly exchange: Exchange;
	readonly options: Options;
	readonly clock: Clock;
	/** The data is the embedded exchange's: every screen and table says DEMO. */
	readonly demo: boolean;
	/** The profile's name, the host of the address, or `demo`. */
	readonly exchangeName: string;
};

/** Opens the exchange that the options name, or the embedded one where they name none; closes all that it opened. */
export async function withExchange<T>(options: Options, use: (context: Context) => Promise<T>): Promise<T> {
	const address = options.exchange;
	if (address) return withConnection(options, address, use);
	const {startDemo} = await import('../demo/server.ts');
	const demo = await startDemo();
	try {
		return await withConnection(options, {name: 'demo', baseUrl: demo.url, legacyBaseUrl: demo.url}, use);
	} finally {
		await demo.close();
	}
}

async function withConnection<T>(
	options: Options,
	{name, baseUrl, legacyBaseUrl}: ExchangeAddress,
	use: (context: Context) => Promise<T>,
): Promise<T> {
	const {connect} = await import('../client/connect.ts');
	const {timeoutMs, rate} = options;
	const clock = systemClock;
	const exchange = connect({baseUrl, legacyBaseUrl, timeoutMs, rate, clock});
	try {
		return await use({exchange, options, clock, demo: options.exchange === undefined, exchangeName: name});
	} finally {
		await exchange.close();
	}
}
