import {setTimeout as sleep} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import type {Ask} from '../../source/client/question.ts';
import {startDemo} from '../../source/demo/server.ts';
import {type Clock, systemClock} from '../../source/market/clock.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {Resource} from '../../source/store/resource.ts';
import {startNginx} from '../helpers/nginx.ts';

/** An exchange whose clock is off, behind nginx with its defaults: it tells nothing of itself, and its `Date` is its own. */
async function openExchange(skewMs: number): Promise<string> {
	const clock: Clock = {now: () => systemClock.now() + skewMs, after: systemClock.after};
	const demo = await startDemo({clock});
	onTestFinished(demo.close);
	const nginx = await startNginx(
		({folder, port}) => `
			proxy_cache_path ${folder}/cache keys_zone=tapewatch:1m;
			server {
				listen 127.0.0.1:${port};
				location / {
					proxy_pass ${demo.url};
					proxy_cache tapewatch;
					proxy_cache_valid 200 1s;
					proxy_cache_lock on;
				}
			}
		`,
	);
	onTestFinished(nginx.stop);
	return nginx.url;
}

const watched = ['depth', 'trades', 'tickers'] as const satisfies readonly Ask[];

/** An answer that came. `errorMs`: how much younger it seemed than it was. */
type Shown = {
	readonly name: Ask;
	readonly ageMs: number;
	readonly errorMs: number;
	readonly isNew: boolean;
};

/** A reader of its own, and the answers that it has shown. */
function watch(url: string, skewMs: number): readonly Shown[] {
	const exchange = connect({baseUrl: url, legacyBaseUrl: url});
	const store = createMarketStore({exchange, clock: systemClock, symbol: 'BTCUSDT', updateGapMs: 0});
	onTestFinished(async () => {
		store.stop();
		await exchange.close();
	});
	const shown: Shown[] = [];
	const last = new Map<Ask, Resource<unknown>>();
	store.subscribe(() => {
		const state = store.getSnapshot();
		for (const name of watched) {
			const resource = state[name];
			const before = last.get(name);
			if (resource.status !== 'ready' || resource.serverTime === undefined || before === resource) continue;
			last.set(name, resource);
			const {receivedAt, serverTime} = resource;
			shown.push({
				...{name, ageMs: Date.now() - receivedAt, errorMs: receivedAt - (serverTime - skewMs)},
				isNew: before?.status !== 'ready' || before.receivedAt !== receivedAt,
			});
		}
	});
	store.show(new Set(watched));
	store.start();
	return shown;
}

/** Polls after which a reader has found when nginx replaces its answers, and those that are then looked at. */
const pollsBefore = 15;
const pollsMeasured = 4;

test('most ages behind nginx are true to 200 ms, however wrong the exchange’s clock is', {tags: 'nginx'}, async () => {
	const skewMs = -3_700_000;
	const url = await openExchange(skewMs);
	const readers: (readonly Shown[])[] = [];
	for (let reader = 0; reader < 4; reader++) {
		readers.push(watch(url, skewMs));
		await sleep(170 + reader * 110);
	}

	const fewest = () =>
		Math.min(
			...readers.flatMap(shown =>
				(['depth', 'trades'] as const).map(name => shown.filter(each => each.name === name).length),
			),
		);
	await expect.poll(fewest).toBeGreaterThanOrEqual(pollsBefore);
	const from = readers.map(shown => shown.length);
	await expect.poll(fewest).toBeGreaterThanOrEqual(pollsBefore + pollsMeasured);
	const measured = () => readers.map((shown, reader) => shown.slice(from[reader]));
	const newErrors = (shown: readonly Shown[]) => shown.flatMap(({errorMs, isNew}) => (isNew ? [errorMs] : []));
	await expect.poll(() => Math.min(...measured().map(shown => newErrors(shown).length))).toBeGreaterThan(1);
	for (const shown of measured()) {
		const errors = newErrors(shown).toSorted((a, b) => a - b);
		// Our times are rounded down. A busy machine may be late for some, but not for most.
		expect(errors[0]).toBeGreaterThanOrEqual(-1);
		expect(errors[Math.floor(errors.length / 2)]).toBeLessThanOrEqual(200);
		expect(Math.max(...shown.map(({ageMs}) => ageMs))).toBeGreaterThan(500);
	}
});
