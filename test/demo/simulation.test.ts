import {expect, test} from 'vitest';
import {listings} from '../../source/demo/listing.ts';
import {Simulation} from '../../source/demo/simulation.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const hourMs = 3_600_000;

/** Of the busiest market. */
function lastIds(simulation: Simulation) {
	return simulation.read(listings.slice(0, 1), (markets, now) => ({
		now,
		ids: markets.map(market => market.executions(1)[0]?.id),
	}));
}

test('catches up after a long sleep without blocking the event loop', async () => {
	const clock = createFakeClock();
	const simulation = new Simulation(1, clock);
	await lastIds(simulation);
	clock.jump(hourMs / 2);

	let turns = 0;
	let done = false;
	const reading = lastIds(simulation).finally(() => {
		done = true;
	});
	for (; !done; turns++) await new Promise(setImmediate);
	const slept = await reading;
	// It yields every few milliseconds, so how often depends on the machine; without yielding there is one turn.
	expect(turns).toBeGreaterThan(3);

	const awake = createFakeClock();
	const other = new Simulation(1, awake);
	for (let minutes = 0; minutes < 30; minutes += 5) {
		awake.jump(hourMs / 12);
		await lastIds(other);
	}
	expect(slept).toEqual(await lastIds(other));
});

test('reads take turns, each with all markets at the time of its turn', async () => {
	const clock = createFakeClock();
	const simulation = new Simulation(1, clock);
	clock.jump(hourMs / 12);
	const order: string[] = [];
	const first = simulation.read(listings, (_, now) => order.push(`first ${now - clock.now()}`));
	const second = simulation.read(listings.slice(0, 1), (_, now) => order.push(`second ${now - clock.now()}`));
	await new Promise(setImmediate);
	clock.jump(1000);
	await Promise.all([first, second]);
	expect(order).toEqual(['first -1000', 'second 0']);
});

test('a failed read does not block the next one', async () => {
	const simulation = new Simulation(1, createFakeClock());
	const failing = simulation.read([], () => {
		throw new Error('no');
	});
	const next = simulation.read([], (_, now) => now);
	await expect(failing).rejects.toThrow('no');
	expect(await next).toBe(simulation.now());
});

test('market time stops while the clock goes back', async () => {
	const clock = createFakeClock();
	const simulation = new Simulation(1, clock);
	const before = await lastIds(simulation);
	clock.jump(-hourMs);
	expect(await lastIds(simulation)).toEqual(before);
});

test('finds a market by either spelling, in any case, and by id', () => {
	const simulation = new Simulation(1, createFakeClock());
	const found = ['BTCUSDT', 'btc_usdt', 'Btc_Usdt', 'BTC-USDT', 'BT_CUSDT', ''].map(
		text => simulation.findSymbol(text)?.symbol,
	);
	expect(found).toEqual(['BTCUSDT', 'BTCUSDT', 'BTCUSDT', undefined, undefined, undefined]);
	expect([simulation.findId(101)?.symbol, simulation.findId(1)]).toEqual(['BTCUSDT', undefined]);
});
