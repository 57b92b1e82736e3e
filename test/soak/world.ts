import {setTimeout} from 'node:timers/promises';
import {connect} from '../../source/client/connect.ts';
import type {Exchange, Observe} from '../../source/client/exchange.ts';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {type Clock, systemClock} from '../../source/market/clock.ts';
import {createWorld} from '../faults/world.ts';
import type {ExchangeServer} from '../helpers/exchange-server.ts';
import {startHostileExchange} from '../helpers/hostile-bodies.ts';
import {startRelay} from './relay.ts';

/** The demo exchange on loopback, and the program's client of both its interfaces, which whoever opened it closes. */
export type SoakWorld = {
	readonly clock: Clock;
	readonly demo: Demo;
	/** Whether another exchange answers at the same address, with the costliest bodies. At first it does not. */
	setHostile(hostile: boolean): Promise<void>;
	/** To be called once. */
	open(observe: Observe): Promise<Exchange>;
	/** Lets `ms`, a multiple of 250, pass. */
	pass(ms: number): Promise<void>;
	/** The computer sleeps for `ms`: the time of day goes on, timers stand still. */
	sleep(ms: number): void;
	/** How many timers of the clock wait. */
	timers(): number;
	close(): Promise<void>;
};

/** Time is the machine's, but for sleep. */
export async function realWorld(): Promise<SoakWorld> {
	let waiting = 0;
	let sleptMs = 0;
	const clock: Clock = {
		now: () => systemClock.now() + sleptMs,
		after(ms, callback) {
			let waits = true;
			const end = () => {
				if (waits) waiting--;
				waits = false;
			};
			waiting++;
			const cancel = systemClock.after(ms, () => {
				end();
				callback();
			});
			return () => {
				end();
				cancel();
			};
		},
	};
	const demo = await startDemo({clock});
	const {url, ...address} = await hijackable(demo);
	return {
		clock,
		demo,
		...address,
		open: async observe => connect({baseUrl: url, legacyBaseUrl: url, clock, observe}),
		pass: ms => setTimeout(ms),
		sleep(ms) {
			sleptMs += ms;
		},
		timers: () => waiting,
	};
}

/** Time passes as fast as the program can follow. `hostileShare`: the share of their limits that hostile bodies reach. */
export async function virtualWorld(hostileShare = 1): Promise<SoakWorld> {
	const world = await createWorld();
	const {url, ...address} = await hijackable(world.demo, hostileShare);
	return {...world, ...address, open: observe => world.open('both', observe, url)};
}

/** An address at which `demo` answers, or the hostile exchange; `close` closes all three. */
async function hijackable(
	demo: Demo,
	hostileShare = 1,
): Promise<Pick<SoakWorld, 'setHostile' | 'close'> & {readonly url: string}> {
	const relay = await startRelay(demo.url);
	// Its bodies take a second to make.
	let hostile: ExchangeServer | undefined;
	return {
		url: relay.url,
		async setHostile(isHostile) {
			if (isHostile) hostile ??= await startHostileExchange(hostileShare);
			relay.switchTo((isHostile && hostile ? hostile : demo).url);
		},
		async close() {
			for (const server of [relay, hostile, demo]) await server?.close();
		},
	};
}
