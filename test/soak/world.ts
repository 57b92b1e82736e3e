import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Exchange, Observe} from '../../source/client/exchange.ts';
import type {Demo} from '../../source/demo/server.ts';
import type {Clock} from '../../source/market/clock.ts';
import {createWorld} from '../faults/world.ts';
import type {ExchangeServer} from '../helpers/exchange-server.ts';
import {startHostileExchange} from '../helpers/hostile-bodies.ts';
import {startRelay} from './relay.ts';

/** The demo exchange on loopback, and the program's client of both its interfaces, which whoever opened it closes. */
export type SoakWorld = {
	readonly clock: Clock;
	readonly demo: Demo;
	/**
	 * Which server the address leads to from now on: the exchange, which it is at first, another one with the costliest bodies, or one
	 * that answers 503 and keeps its connections when the exchange has moved on.
	 */
	moveTo(place: Place): Promise<void>;
	/** To be called once. */
	open(observe: Observe): Promise<Exchange>;
	/** Lets `ms`, a multiple of 250, pass. */
	pass(ms: number): Promise<void>;
	/** The computer sleeps for `ms`: the time of day goes on, timers stand still. */
	sleep(ms: number): void;
	/** The computer's time of day is `ms` ahead of that of the exchange from now on. */
	setClock(ms: number): void;
	/** How many timers of the clock wait. */
	timers(): number;
	close(): Promise<void>;
};

type Place = 'exchange' | 'hostile' | 'left';

/** Time passes as fast as the program can follow. `hostileShare`: the share of their limits that hostile bodies reach. */
export async function createSoakWorld(hostileShare = 1): Promise<SoakWorld> {
	const world = await createWorld();
	const {url, ...address} = await hijackable(world.demo, hostileShare);
	return {...world, ...address, open: observe => world.open('both', observe, url)};
}

/** An address that leads to `demo` or another server; `close` closes all. */
async function hijackable(
	demo: Demo,
	hostileShare = 1,
): Promise<Pick<SoakWorld, 'moveTo' | 'close'> & {readonly url: string}> {
	const relay = await startRelay(demo.url);
	const left = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
	await once(left, 'listening');
	const leftUrl = `http://127.0.0.1:${(left.address() as AddressInfo).port}`;
	// Its bodies take a second to make.
	let hostile: ExchangeServer | undefined;
	let place: Place = 'exchange';
	return {
		url: relay.url,
		async moveTo(next) {
			if (next === 'hostile') hostile ??= await startHostileExchange(hostileShare);
			const urls = {exchange: demo.url, hostile: (hostile ?? demo).url, left: leftUrl};
			relay.switchTo(urls[next], {keep: place === 'left'});
			place = next;
			hostile?.forget();
		},
		async close() {
			for (const server of [relay, hostile, demo]) await server?.close();
			left.closeAllConnections();
			left.close();
		},
	};
}
