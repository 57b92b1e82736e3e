import type {Ask} from '../../source/client/question.ts';
import type {DepthBook, Interface} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {MarketState} from '../../source/store/state.ts';
import {
	briefOf,
	type CellId,
	demand,
	faultSecondsOf,
	intervals,
	isFresh,
	pollMs,
	receivedAtOf,
	sendsOf,
} from './checks.ts';
import {offences} from './invariants.ts';
import {ready, resourcesOf} from './outcomes.ts';
import {market, stepMs, timeoutMs, type World} from './world.ts';

/** Reads of the failing interface in 12 s: the one that failed first, and probes after 2, 4 and 8 s. */
const mostProbes = 4;
/** The ticker that v2 sent last is kept for 10 s while v2 fails, then until the next poll, which may be one that waits. */
const keptTickersMs = 10_000 + 4000;
/** Until the next probe, then two good ones, and the poll that follows. */
const longestReturnMs = 8000 + 1000 + pollMs;
/** The fault on a ticker lasts longer, and so does the wait for the next probe. */
const longerWaitMs = 8000;

/** Which interface answers while all is well, and which during the fault. */
export type Sources = {readonly usual: Interface; readonly during: Interface};

/**
 * One fault on one operation that another interface stands in for (or that is not asked for at all): data stays fresh, each
 * book is one snapshot, and the source changes at most once to and once back. Throws on the first promise that does not
 * hold.
 */
export async function runStandInCell(
	world: World,
	{fault, operation}: CellId,
	{usual, during}: Sources,
): Promise<void> {
	const {clock, demo} = world;
	const targets = resourcesOf[operation];
	// Legacy's book is asked for with every poll, as v2 has no bids.
	const isAlwaysAsked = usual === 'legacy';
	// Ticker and summary can both hang.
	const keptMs = (name: Ask): number => (name === 'tickers' && usual !== during ? keptTickersMs + slowMs : 0);
	const exchange = await world.open('both');
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: market, intervals});
	const now = () => store.getSnapshot();
	const sources = targets.map((): Interface[] => []);
	const offer = (index: number, source: Interface) => {
		if (sources[index]?.at(-1) !== source) sources[index]?.push(source);
	};
	let slowMs = 0;
	let failsSince: number | undefined;
	const faultMs = faultSecondsOf(fault) * 1000 + (targets.includes('tickers') ? keptTickersMs : 0);
	let book: DepthBook | undefined;

	async function step(): Promise<void> {
		await world.pass(stepMs);
		// The first request that hangs keeps a poll until its deadline.
		if (demo.held() > 0) slowMs = timeoutMs;
		const state = now();
		demand(offences(state).length === 0, offences(state).join(', '));
		for (const [index, name] of targets.entries()) {
			const ageMs = clock.now() - receivedAtOf(state[name]);
			demand(ageMs <= pollMs + 3 * stepMs + slowMs + keptMs(name), `${name} is ${ageMs} ms old`);
			failsSince = isFresh(state[name]) ? undefined : (failsSince ?? clock.now());
			const failsMs = clock.now() - (failsSince ?? clock.now());
			demand(isFresh(state[name]) || failsMs < keptMs(name) + slowMs, `${name} fails: ${briefOf(state[name])}`);
			offer(index, ready<unknown>(state[name]).interface);
		}

		if (targets.includes('depth') && ready(state.depth).data !== book) {
			book = ready(state.depth).data;
			isOneSnapshot(world, state);
		}
	}

	try {
		store.show(new Set(targets));
		store.start();
		await world.pass(pollMs);
		if (operation === 'v2.summary') demo.faults.add({on: 'v2.ticker', fault: 'status-503'});
		for (let passed = 0; passed < 1250; passed += stepMs) await step();
		demo.faults.add({on: operation, fault});
		for (let passed = 0; passed < faultMs; passed += stepMs) await step();
		for (const name of targets)
			demand(ready<unknown>(now()[name]).interface === during, `${name} is not from ${during}`);
		const requests = demo.faults.list().find(({rule}) => rule.on === operation)?.requests ?? 0;
		const mostPolls = isAlwaysAsked ? faultMs / pollMs : mostProbes + Math.max(...targets.map(keptMs)) / pollMs;
		const most = during === usual ? 0 : targets.length * mostPolls * sendsOf(fault);
		demand(requests <= most && requests > 0 === most > 0, `${requests} requests to what is down`);

		const endedAt = clock.now();
		const laterMs = targets.includes('tickers') ? longerWaitMs : 0;
		const underWayMs = laterMs + (demo.held() > 0 ? timeoutMs + longestReturnMs : 0);
		demo.faults.clear();
		const isBack = () => targets.every(name => ready<unknown>(now()[name]).interface === usual);
		while (!isBack() && clock.now() < endedAt + longestReturnMs + underWayMs) await step();
		const tookMs = clock.now() - endedAt;
		demand(isBack(), `${usual} is not back in ${tookMs} ms`);
		for (let passed = 0; passed < 2000; passed += stepMs) await step();
		const expected = during === usual ? usual : `${usual} ${during} ${usual}`;
		for (const each of sources) demand(each.join(' ') === expected, `the source went ${each.join(' ')}`);
	} finally {
		demo.faults.clear();
		store.stop();
		await exchange.close();
		await world.pass(0);
	}
}

/** Both sides are the exchange's of the one moment that the answer names. */
function isOneSnapshot({bookAt}: World, state: MarketState): void {
	const {data, serverTime = Number.NaN} = ready(state.depth);
	const whole = bookAt(serverTime);
	const same = (side: 'asks' | 'bids') => JSON.stringify(data[side]) === JSON.stringify(whole[side]);
	demand(same('asks') && (!data.bids || same('bids')), `the book is not that of ${serverTime}`);
}
