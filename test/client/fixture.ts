import {test as base, expect} from 'vitest';
import {type ClientOptions, connect} from '../../source/client/connect.ts';
import {ExchangeError} from '../../source/client/errors.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {type ExchangeServer, startExchangeServer} from '../helpers/exchange-server.ts';

type Fixture = {
	readonly server: ExchangeServer;
	/** Both interfaces of the server unless told otherwise; closed after the test. */
	readonly open: (options?: ClientOptions) => Exchange;
};

export const test = base.extend<Fixture>({
	// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that it needs from here
	server: async ({}, use) => {
		const server = await startExchangeServer();
		await use(server);
		await server.close();
	},
	open: async ({server}, use) => {
		const opened: Exchange[] = [];
		await use(options => {
			const exchange = connect({
				baseUrl: server.url,
				legacyBaseUrl: server.url,
				rate: 1000,
				random: () => 0,
				...options,
			});
			opened.push(exchange);
			return exchange;
		});
		await Promise.all(opened.map(exchange => exchange.close()));
	},
});

/** The error that a read rejects with. */
export async function failureOf(read: Promise<unknown>): Promise<ExchangeError> {
	const outcome = await read.then(
		value => ({value}),
		(error: unknown) => ({error}),
	);
	if ('error' in outcome && outcome.error instanceof ExchangeError) return outcome.error;
	return expect.fail(`expected an ExchangeError, got ${JSON.stringify(outcome)}`);
}
