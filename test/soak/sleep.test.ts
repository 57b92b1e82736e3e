import {expect, test} from 'vitest';
import type {Ask} from '../../source/client/question.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {ready} from '../faults/outcomes.ts';
import {createWorld} from '../faults/world.ts';

const hour = 3_600_000;
const polled: readonly Ask[] = ['markets', 'tickers', 'depth', 'trades', 'candles'];

async function asleep(sleepMs: number, {requestUnderWay}: {requestUnderWay: boolean}) {
	const world = await createWorld();
	const exchange = await world.open('both');
	const {clock, demo} = world;
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	const now = () => store.getSnapshot();
	store.start();
	await world.pass(3000);
	const before = now();
	if (requestUnderWay) {
		demo.faults.add({on: '*', fault: 'hang'});
		await world.pass(1000);
	}

	world.sleep(sleepMs);
	demo.faults.clear();
	const wokenAt = clock.now();
	const ages = () => polled.map(name => clock.now() - ready<unknown>(now()[name]).receivedAt);
	const close = async () => {
		store.stop();
		await exchange.close();
		await world.close();
	};
	return {world, now, before, wokenAt, ages, close};
}

test('shows after an hour of sleep how old everything is, and within a second of waking fresh data', async () => {
	const {world, now, before, wokenAt, ages, close} = await asleep(hour, {requestUnderWay: false});
	expect(Math.min(...ages())).toBeGreaterThanOrEqual(hour);
	// What is polled each second answers first and wakes the others.
	await world.pass(1250);
	expect(Math.max(...ages())).toBeLessThanOrEqual(250);

	// Nobody saw what was traded meanwhile; the exchange knows the candles of all of it.
	const {data: tape} = ready(now().trades);
	expect(tape.trades[0]?.time).toBeGreaterThan(wokenAt - 60_000);
	expect(tape.gaps.size).toBe(1);
	const {candles} = ready(now().candles).data;
	const {candles: known} = ready(before.candles).data;
	expect(candles.slice(known.length - 1).map(({time}) => time - (candles[0]?.time ?? 0))).toEqual(
		Array.from({length: 2}, (_, index) => (known.length - 1 + index) * hour),
	);
	await close();
});

test('repeats interrupted requests within a second of waking', async () => {
	const {world, ages, close} = await asleep(600_000, {requestUnderWay: true});
	await world.pass(1250);
	expect(Math.max(...ages())).toBeLessThanOrEqual(1000);
	await close();
});
