import {setImmediate, setTimeout} from 'node:timers/promises';
import {getHeapStatistics} from 'node:v8';
import {connect} from '../../source/client/connect.ts';
import type {Exchange, Observe} from '../../source/client/exchange.ts';
import {listings} from '../../source/demo/listing.ts';
import {LiveMarket} from '../../source/demo/live-market.ts';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {wireLevels} from '../../source/demo/wire.ts';
import type {Clock} from '../../source/market/clock.ts';
import type {DepthBook, Interface} from '../../source/market/types.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** Of one request, and of no other timer: by it the requests under way are counted, as each keeps its deadline on the clock. */
export const timeoutMs = 5003;
export const stepMs = 250;
/** Market of all cells. */
export const market = 'BTCUSDT';
const seed = 1;
/** Turns of the event loop in which nothing must move before the world counts as still. */
const stillTurns = 3;
const longestTurnsMs = 600_000;
/**
 * When nobody makes an answer and nothing has come for so long, by the machine's time and in turns of the event loop, of
 * which a busy machine grants few, a request waits for its turn.
 */
const turnMs = 300;
const turnCount = 200;

/** A demo exchange on loopback and its clients, all on one clock that is frozen until it is moved. */
export type World = {
	readonly clock: Clock;
	readonly demo: Demo;
	/**
	 * One interface of the demo exchange, or both, as the program reads it; ready to be asked without delay. `url`: of what
	 * stands before the exchange.
	 */
	open(source: Interface | 'both', observe?: Observe, url?: string): Promise<Exchange>;
	/** Lets `ms`, a multiple of 250, pass; every answer that can come without more time has come when it resolves. */
	pass(ms: number): Promise<void>;
	/** The book of `market` as it was at `time` (epoch ms, never back): what any answer of then shows. */
	bookAt(time: number): Required<Pick<DepthBook, 'asks' | 'bids'>>;
	/** The computer sleeps for `ms`: the time of day goes on, timers stand still. */
	sleep(ms: number): void;
	/** The computer's time of day is `ms` ahead of that of the exchange from now on. */
	setClock(ms: number): void;
	/** How many timers wait. */
	timers(): number;
	/**
	 * Runs with garbage collected before each `pass` of a fault; resolves with the most MiB that were in use during one beside
	 * what was held before.
	 */
	weigh(run: () => Promise<unknown>): Promise<number>;
	close(): Promise<void>;
};

/** The same simulation once more: the exchange's books depend on seed, start and time alone. */
function bookOf(startedAt: number): World['bookAt'] {
	const listing = listings.find(({symbol}) => symbol === market);
	if (!listing) throw new Error(`${market} is not listed`);
	const live = new LiveMarket(listing, seed, startedAt);
	return time => {
		live.advance(time);
		return {asks: wireLevels(live.asks, listing), bids: wireLevels(live.bids, listing)};
	};
}

/** Of Node's own counts, those that do not ask the system. */
const megabytesInUse = (): number => {
	const {used_heap_size: heap, external_memory: external} = getHeapStatistics();
	return (heap + external) / 1024 ** 2;
};

/** Memory that something holds, in MiB. */
export async function heldMegabytes(): Promise<number> {
	await collectGarbage();
	return megabytesInUse();
}

export async function createWorld({v2Bids = true} = {}): Promise<World> {
	const clock = createFakeClock(Date.UTC(2026, 10, 20, 10, 30));
	const demo = await startDemo({clock, v2Bids, seed});
	const book = bookOf(clock.now());
	let underWay = 0;
	/** The most that was in use in any turn of the event loop while a fault lasted, if that is looked at. */
	let peak: number | undefined;
	const hasFault = () => demo.faults.list().length > 0;
	let setMs = 0;
	const clientClock: Clock = {
		now: () => clock.now() + setMs,
		after(ms, callback) {
			const cancel = clock.after(ms, callback);
			if (ms !== timeoutMs) return cancel;
			underWay++;
			return () => {
				underWay--;
				cancel();
			};
		},
	};

	/** Sockets take turns of the event loop, not time on the clock. */
	async function settle(): Promise<void> {
		const end = performance.now() + longestTurnsMs;
		let [lastUnderWay, changedAt, turns] = [underWay, performance.now(), 0];
		for (let still = 0; still < stillTurns; ) {
			// What waits for its turn needs no processor.
			await (turns > turnCount ? setTimeout(turnMs / 20) : setImmediate());
			if (peak !== undefined && hasFault()) peak = Math.max(peak, megabytesInUse());
			const time = performance.now();
			if (underWay !== lastUnderWay || demo.answering() > 0) [lastUnderWay, changedAt, turns] = [underWay, time, 0];
			still = underWay === demo.held() ? still + 1 : 0;
			if (time > end) throw new Error(`${underWay} requests under way, ${demo.held()} held by a fault`);
			turns++;
			if (time > changedAt + turnMs && turns > turnCount) return;
		}
	}

	return {
		clock: clientClock,
		demo,
		async open(source, observe, url = demo.url) {
			const address = {
				...(source !== 'legacy' && {baseUrl: url}),
				...(source !== 'v2' && {legacyBaseUrl: url}),
			};
			const exchange = connect({...address, clock: clientClock, timeoutMs, rate: 20, random: () => 0, observe});
			// Loads the HTTP client, which takes no time of this world's.
			await exchange.markets();
			return exchange;
		},
		async pass(ms) {
			if (peak !== undefined && hasFault()) await collectGarbage(1);
			await settle();
			for (let passed = 0; passed < ms; passed += stepMs) {
				await clock.advance(stepMs);
				await settle();
			}
		},
		bookAt: book,
		sleep: clock.jump,
		setClock(ms) {
			setMs = ms;
		},
		timers: () => clock.timers,
		async weigh(run) {
			const before = await heldMegabytes();
			peak = before;
			try {
				await run();
				return peak - before;
			} finally {
				peak = undefined;
			}
		},
		close: () => demo.close(),
	};
}
