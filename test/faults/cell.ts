import type {Ask} from '../../source/client/question.ts';
import type {FaultName} from '../../source/demo/faults/table.ts';
import type {Interface} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {Resource} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {
	briefOf,
	type CellId,
	demand,
	faultSecondsOf,
	hitsAll,
	intervals,
	isFresh,
	pollMs,
	receivedAtOf,
	sendsOf,
} from './checks.ts';
import {offences} from './invariants.ts';
import {checkRecovered, outcomeOf, ready, resourcesOf} from './outcomes.ts';
import {market, stepMs, timeoutMs, type World} from './world.ts';

/** A step each for the request, for the store to tell of it, and for the test to look. */
const slackMs = 3 * stepMs;
/** What is asked for only once has no next poll, but a next try. */
const longestRetryMs = 8000;
/** After a 429, requests pause as long as it says, else longer each time; then the lowered rate spaces the requests. */
const refusedMs: Partial<Record<FaultName, number>> = {'status-429': 9000, 'status-429-wait': 4000};
/** Two polls, after each of which data goes on. */
const goesOnSeconds = 2;
/** Both interfaces were hit: until the preferred one has answered two probes. */
const longestReturnMs = 10_000;

/**
 * One fault on one operation of an exchange that has nothing to stand in for it, from good data through the fault and back
 * to good data. Throws on the first promise that does not hold.
 */
export async function runCell(world: World, {fault, operation}: CellId, sources: Interface | 'both'): Promise<void> {
	const {clock, demo} = world;
	const targets = resourcesOf[operation];
	const companion: Ask = targets.includes('depth') ? 'trades' : 'depth';
	const outcome = outcomeOf(fault, operation);
	const faultSeconds = 'shows' in outcome && fault !== 'delay' ? goesOnSeconds : faultSecondsOf(fault);
	let endedAt = Number.POSITIVE_INFINITY;
	const lateFailures: string[] = [];
	// A request that hit `refuse` just before its end closes the port of all others once more.
	const graceMs = fault === 'refuse' ? stepMs : 0;
	const exchange = await world.open(sources, ({error, startedAt}) => {
		if (error && startedAt > endedAt + graceMs) lateFailures.push(error.message);
	});
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: market, intervals});
	const now = () => store.getSnapshot();
	// What is asked for once is asked for again when the user says so.
	const refresh = () => targets.includes('info') && store.refresh();

	try {
		store.show(new Set([...targets, companion]));
		store.start();
		// The summary is asked for where the ticker fails.
		if (operation === 'v2.summary') demo.faults.add({on: 'v2.ticker', fault: 'status-503'});
		await world.pass(1250);
		for (const name of [...targets, companion]) demand(isFresh(now()[name]), `${name} is not there before the fault`);
		const before = now();
		const isUsual = (name: Ask) => sourceOf(now()[name]) === sourceOf(before[name]);

		const startedAt = clock.now();
		demo.faults.add({on: operation, fault});
		await world.pass(250);
		refresh();
		for (let second = 0; second < faultSeconds; second++) {
			await world.pass(1000);
			demand(offences(now()).length === 0, offences(now()).join(', '));
			for (const name of targets) {
				if ('says' in outcome) keeps(before, now(), name);
				else demand(isFresh(now()[name]), `${name} fails: ${briefOf(now()[name])}`);
				demand(isUsual(name), `${name} is from ${sourceOf(now()[name])}`);
			}
		}

		for (const name of targets) {
			if ('says' in outcome) demand(outcome.says.test(briefOf(now()[name])), `${name} says ${briefOf(now()[name])}`);
			else demand(receivedAtOf(now()[name]) > startedAt, `${name} is not polled`);
		}

		if ('shows' in outcome) outcome.shows({before, during: now()});
		if (!hitsAll({fault, operation})) {
			demand(receivedAtOf(now()[companion]) > clock.now() - 2 * pollMs, `${companion} suffers too`);
		}

		const requests = demo.faults.list().find(({rule}) => rule.on === operation)?.requests ?? 0;
		// A poll a second, and what was under way at either end.
		const mostRequests = targets.length * (faultSeconds + 4) * sendsOf(fault);
		demand(requests > 0 && requests <= mostRequests, `${requests} requests in ${faultSeconds} s`);

		endedAt = clock.now();
		const underWay = demo.held() > 0 ? 1 : 0;
		demo.faults.clear();
		refresh();
		// One poll after the end; what was under way then has its deadline before it.
		const boundMs =
			(targets.includes('info') ? longestRetryMs : pollMs) + underWay * timeoutMs + (refusedMs[fault] ?? 0) + slackMs;
		const isBack = (name: Ask) => isFresh(now()[name]) && receivedAtOf(now()[name]) >= endedAt;
		while (!targets.every(isBack) && clock.now() < endedAt + boundMs) await world.pass(stepMs);

		const tookMs = clock.now() - endedAt;
		for (const name of targets) demand(isBack(name), `${name} is not back in ${tookMs} ms: ${briefOf(now()[name])}`);
		// What was under way when the fault ended may still fail, and nothing after it.
		demand(lateFailures.length === 0, `failed after the end: ${lateFailures}`);
		while (!targets.every(isUsual) && clock.now() < endedAt + tookMs + longestReturnMs) await world.pass(stepMs);
		demand(targets.every(isUsual), 'the usual source is not back');
		await world.pass(1000);
		demand(targets.every(isBack) && offences(now()).length === 0, `is not well afterwards: ${offences(now())}`);
		checkRecovered(operation, {before, during: now()});
	} finally {
		demo.faults.clear();
		store.stop();
		await exchange.close();
		await world.pass(0);
	}
}

const sourceOf = (resource: Resource<unknown>): Interface => ready(resource).interface;

/** The last good data stays, with its age. Only the last candle moves on, with the trades. */
function keeps(before: MarketState, during: MarketState, name: Ask): void {
	const [good, kept] = [ready<unknown>(before[name]), ready<unknown>(during[name])];
	demand(kept.receivedAt === good.receivedAt, `${name} has another age`);
	demand(kept.data === good.data || name === 'candles', `${name} has other data`);
}
