import {setTimeout} from 'node:timers/promises';
import {connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import type {Observe} from '../../source/client/outcome.ts';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {type Clock, systemClock} from '../../source/market/clock.ts';
import {createWorld} from '../faults/world.ts';

/** The demo exchange on loopback and the program's client of both its interfaces, on one clock. */
export type SoakWorld = {
	readonly clock: Clock;
	readonly demo: Demo;
	readonly exchange: Exchange;
	/** Lets `ms`, a multiple of 250, pass. */
	pass(ms: number): Promise<void>;
	/** How many timers of the clock wait. */
	timers(): number;
	close(): Promise<void>;
};

/** Time is the machine's. */
export async function realWorld(observe: Observe): Promise<SoakWorld> {
	let waiting = 0;
	const clock: Clock = {
		now: systemClock.now,
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
	const exchange = connect({baseUrl: demo.url, legacyBaseUrl: demo.url, clock, observe});
	return {
		clock,
		demo,
		exchange,
		pass: ms => setTimeout(ms),
		timers: () => waiting,
		async close() {
			await exchange.close();
			await demo.close();
		},
	};
}

/** Time passes as fast as the program can follow. */
export async function virtualWorld(observe: Observe): Promise<SoakWorld> {
	const world = await createWorld();
	const exchange = await world.open('both', observe);
	return {
		...world,
		exchange,
		async close() {
			await exchange.close();
			await world.close();
		},
	};
}
