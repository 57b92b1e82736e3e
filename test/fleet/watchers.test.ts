import {subscribe} from 'node:diagnostics_channel';
import type {IncomingMessage} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startDemo} from '../../source/demo/server.ts';
import {openPlace} from './document.ts';
import {openWatchers} from './open-watchers.ts';

const watchers = 40;
const markets = 4;
/** In which requests are counted: the longest time between two requests for the same. */
const windowMs = 15_000;
const mostRequests = 1.2;
/** The interval of books and trades. */
const pollMs = 1000;

const requests = new Map<number | undefined, number>();
subscribe('http.server.request.start', message => {
	const {localPort} = (message as {request: IncomingMessage}).request.socket;
	requests.set(localPort, (requests.get(localPort) ?? 0) + 1);
});

/** So many watchers behind a nginx of their own, and what their exchange is asked. */
async function openFleet(count: number) {
	const demo = await startDemo();
	onTestFinished(demo.close);
	const place = await openPlace(demo.port);
	onTestFinished(place.remove);
	await place.startNginx();
	onTestFinished(() => place.stopNginx().catch(() => {}));
	const fleet = openWatchers(place.nginx, count);
	onTestFinished(fleet.close);
	return {place, shown: fleet.shown, requests: () => requests.get(demo.port) ?? 0};
}

describe('forty watchers of four markets through nginx', {tags: 'nginx'}, () => {
	test('ask the exchange at most 1.2 times as often as one, see true ages, and say when nginx stops', async () => {
		const [one, many] = [await openFleet(1), await openFleet(watchers)];
		const stores = watchers * markets;
		await expect.poll(many.shown).toMatchObject({stores, well: stores});

		/** Their requests in a window, of one watcher and of many, and what many have shown in it. */
		async function look() {
			await many.shown();
			const before = [one.requests(), many.requests()] as const;
			await sleep(windowMs);
			return {one: one.requests() - before[0], many: many.requests() - before[1], ...(await many.shown())};
		}

		// At first none of them knows when nginx replaces its answers.
		await expect.poll(many.shown, {interval: 2 * pollMs}).toMatchObject({untrue: []});
		// Nor is a busy machine always on time.
		await expect
			.poll(look, {interval: 0, timeout: 8 * windowMs})
			.toSatisfy(seen => seen.untrue.length === 0 && seen.many <= mostRequests * seen.one);

		await many.place.stopNginx();
		await expect.poll(many.shown).toMatchObject({saying: stores, well: 0});
		const {waitMs} = await many.shown();
		await many.place.startNginx();
		// The polls of all at once take this machine longer than the interval, but not one of them may fail, or be late.
		expect(waitMs).toBeLessThanOrEqual(pollMs);
		await many.shown();
		let failures = 0;
		const well = async () => {
			const shown = await many.shown();
			failures += shown.failures;
			return shown.well;
		};
		await expect.poll(well).toBe(stores);
		expect(failures).toBe(0);
	});
});
