import type {FaultName} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {Failure, Resource} from '../../source/store/resource.ts';
import type {MarketState, ResourceName} from '../../source/store/state.ts';
import {offences} from './invariants.ts';
import {checkRecovered, market, outcomeOf, ready, resourcesOf} from './outcomes.ts';
import type {World} from './world.ts';

/** Seconds that a fault lasts: two failures and one more poll, whatever the backoff and the deadline. */
const faultSeconds = 12;
/** Between the starts of two polls of everything. */
const pollMs = 1000;
/** The longest time to the next poll: a request that still waits for its deadline, then the longest backoff. */
const longestWaitMs = 5003 + 8000 + 500;
/** Of one operation during the fault: polls that fail are rarer. */
const mostFailing = 8;
const mostGoing = faultSeconds + 2;

/** These hit all operations, as they share the port or the budget. */
const shared: readonly FaultName[] = ['refuse', 'status-429', 'status-429-wait'];

export type CellId = {readonly fault: FaultName; readonly operation: OperationName};

/**
 * One fault on one operation of one interface, from good data through the fault and back to good data. Throws on the
 * first promise that does not hold.
 */
export async function runCell(world: World, {fault, operation}: CellId): Promise<void> {
	const {clock, demo} = world;
	const targets = resourcesOf[operation];
	const companion: ResourceName = targets.includes('depth') ? 'tape' : 'depth';
	const outcome = outcomeOf(fault, operation);
	const exchange = await world.open(operation.startsWith('v2.') ? 'v2' : 'v1');
	const intervals = {depth: pollMs, trades: pollMs, tickers: pollMs, candles: pollMs, markets: pollMs};
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: market, intervals});
	const now = () => store.getSnapshot();
	// What is asked for once is asked for again when the user says so.
	const refresh = () => targets.includes('info') && store.refresh();

	try {
		store.show(new Set([...targets, companion]));
		store.start();
		await world.pass(2250);
		for (const name of [...targets, companion]) demand(isFresh(now()[name]), `${name} is not there before the fault`);
		const before = now();

		const startedAt = clock.now();
		demo.faults.add({on: operation, fault});
		if (operation === 'v2.summary') demo.faults.add({on: 'v2.ticker', fault: 'status-503'});
		await world.pass(250);
		refresh();
		for (let second = 0; second < faultSeconds; second++) {
			await world.pass(1000);
			demand(offences(now()).length === 0, offences(now()).join(', '));
			for (const name of targets) {
				if ('says' in outcome) keeps(before, now(), name);
				else demand(isFresh(now()[name]), `${name} fails: ${briefOf(now()[name])}`);
			}
		}

		for (const name of targets) {
			if ('says' in outcome) demand(outcome.says.test(briefOf(now()[name])), `${name} says ${briefOf(now()[name])}`);
			else demand(receivedAtOf(now()[name]) > startedAt, `${name} is not polled`);
		}

		if ('shows' in outcome) outcome.shows({before, during: now()});
		if (!shared.includes(fault)) {
			demand(receivedAtOf(now()[companion]) > clock.now() - 2 * pollMs, `${companion} suffers too`);
		}

		const requests = demo.faults.list()[0]?.requests ?? 0;
		const most = targets.length * ('says' in outcome ? mostFailing : mostGoing);
		demand(requests > 0 && requests <= most, `${requests} requests in ${faultSeconds} s`);

		const endedAt = clock.now();
		const underWay = demo.held() > 0 ? 1 : 0;
		const failures = new Set(targets.map(name => failureOf(now()[name])));
		demo.faults.clear();
		await world.pass(250);
		refresh();
		const isBack = (name: ResourceName) => isFresh(now()[name]) && receivedAtOf(now()[name]) > endedAt;
		while (!targets.every(isBack) && clock.now() < endedAt + longestWaitMs) {
			await world.pass(250);
			for (const name of targets) failures.add(failureOf(now()[name]));
		}

		for (const name of targets) {
			demand(isBack(name), `${name} is not back ${clock.now() - endedAt} ms after the end: ${briefOf(now()[name])}`);
		}

		// One poll: what was under way when the fault ended may still fail, and nothing after it.
		failures.delete(undefined);
		demand(failures.size <= targets.length * (1 + underWay), 'a poll after the end failed');
		await world.pass(2000);
		demand(targets.every(isBack) && offences(now()).length === 0, `is not well afterwards: ${offences(now())}`);
		checkRecovered(operation, {before, during: now()});
	} finally {
		demo.faults.clear();
		store.stop();
		await exchange.close();
		await world.pass(0);
	}
}

function demand(holds: boolean, offence: string): void {
	if (!holds) throw new Error(offence);
}

function isFresh(resource: Resource<unknown>): boolean {
	return resource.status === 'ready' && resource.failure === undefined;
}

function failureOf(resource: Resource<unknown>): Failure | undefined {
	return resource.status === 'waiting' ? undefined : resource.failure;
}

const receivedAtOf = (resource: Resource<unknown>): number => ready(resource).receivedAt;

const briefOf = (resource: Resource<unknown>): string => failureOf(resource)?.error.brief ?? 'nothing';

/** The last good data stays, with its age. Only the last candle moves on, with the trades. */
function keeps(before: MarketState, during: MarketState, name: ResourceName): void {
	const [good, kept] = [ready<unknown>(before[name]), ready<unknown>(during[name])];
	demand(kept.receivedAt === good.receivedAt, `${name} has another age`);
	demand(kept.data === good.data || name === 'candles', `${name} has other data`);
}
