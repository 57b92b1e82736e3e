import dns from 'node:dns';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {market} from '../helpers/wire-entries.ts';

const hostName = 'exchange.test';
const {lookup} = dns;
afterEach(() => {
	dns.lookup = lookup;
});

/** From now on this is the address of the exchange's name. */
function pointNameTo(address: string): void {
	const answer = (
		name: string,
		options: dns.LookupOptions,
		done: (error: Error | null, found: dns.LookupAddress[]) => void,
	) => (name === hostName ? done(null, [{address, family: 4}]) : lookup(name, {...options, all: true}, done));
	dns.lookup = Object.assign(answer as unknown as typeof lookup, {__promisify__: lookup.__promisify__});
}

/** An exchange that lists one market. */
async function serve(address: string, port: number, symbol: string): Promise<Server> {
	const data = [market(symbol.replace('USDT', ''))];
	const server = createServer((_, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({data, success: true, message: '', timestamp: 1_723_161_299_000}));
	});
	await new Promise<void>(resolve => server.listen(port, address, resolve));
	return server;
}

test('finds an exchange at a new address within one poll', async () => {
	pointNameTo('127.0.0.1');
	const old = await serve('127.0.0.1', 0, 'OLDUSDT');
	const {port} = old.address() as AddressInfo;
	const clock = createFakeClock();
	const exchange = connect({baseUrl: `http://${hostName}:${port}`, clock});
	const intervals = {markets: 1000};
	const store = createMarketStore({exchange, clock, random: () => 0, intervals, updateGapMs: 0});
	const shown = () => {
		const {markets} = store.getSnapshot();
		return markets.status === 'ready' ? markets.data.map(({symbol}) => symbol) : [];
	};
	const until = (symbol: string) => expect.poll(shown, {interval: 5}).toEqual([symbol]);
	store.show(new Set(['markets']));
	store.start();
	await until('OLDUSDT');

	const moved = await serve('127.0.0.2', port, 'NEWUSDT');
	pointNameTo('127.0.0.2');
	old.close();
	old.closeAllConnections();
	await clock.advance(1000);
	await until('NEWUSDT');
	expect(store.getSnapshot().markets).not.toHaveProperty('failure');

	store.stop();
	await exchange.close();
	moved.close();
	moved.closeAllConnections();
});
