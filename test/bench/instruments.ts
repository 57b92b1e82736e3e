/**
 * What each instrument costs: monitors with one instrument each, and one without any, run at the same time on a demo exchange in a
 * process of its own. Also what the footprints of an hour with 40 trades a second take.
 */
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {Random} from '../../source/demo/random.ts';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import {createTradedMinutes, type TradedMinutes} from '../../source/market/traded-minutes.ts';
import type {Trade} from '../../source/market/types.ts';
import {isLive} from '../e2e/frame.ts';
import {keyBytes} from '../helpers/terminal.ts';
import type {BenchRow} from './row.ts';
import {openDemo} from './support/demo.ts';
import {cpuMs, rssMb} from './support/process-use.ts';
import {built, openNode, type Program} from './support/program.ts';
import {median} from './support/quantile.ts';

const columns = (names: string): string => `:columns ${names}<enter>`;
const off = columns('last change');
const crosshair = `2x${'<left>'.repeat(12)}`;

/** What is pressed to switch each on, in a monitor of 120×40 with the one-minute chart. */
const instruments: Readonly<Record<string, string>> = {
	none: off,
	holdings: `:holding BTC 0.5 @ 61000 USDT<enter>:holding ETH 3<enter>${columns('last value')}`,
	footprint: `${off}:footprint<enter>`,
	'anchored VWAP': `${off}${crosshair}:avwap<enter><esc>`,
	'trend line': `${off}${crosshair}T<right><right><up>T<esc>`,
	screener: columns('last 1h'),
};

const keyGapMs = 50;
const settleMs = 20_000;
const windowMs = 60_000;

export async function bench(): Promise<readonly BenchRow[]> {
	if (!existsSync('/proc/self/stat')) return [{name: 'instruments', measured: 'not measured: there is no /proc here'}];
	if (process.env.ONLY) return hourOfFootprints();
	return [...(await monitors()), ...hourOfFootprints()];
}

async function monitors(): Promise<readonly BenchRow[]> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const demo = await openDemo(home);
	try {
		const opened = await Promise.all(
			Object.entries(instruments).map(async ([name, keys]) => ({name, monitor: await openMonitor(name, keys)})),
		);
		await setTimeout(settleMs);
		const used = await Promise.all(opened.map(async ({name, monitor}) => ({name, ...(await use(monitor))})));
		for (const {monitor} of opened) monitor.write('\u0003');
		await Promise.all(opened.map(({monitor}) => monitor.ended));
		const [none] = used;
		return used.map(({name, percent, bytes, mb}) => ({
			name: `instruments: ${name}`,
			measured:
				`${percent.toFixed(1)} % of a core, ${(bytes / 1000).toFixed(1)} kB/s, ${mb.toFixed(0)} MB` +
				(none && name !== 'none'
					? `: ${times(percent, none.percent)} CPU, ${times(bytes, none.bytes)} bytes, ${signed(mb - none.mb)} MB`
					: ''),
		}));
	} finally {
		await demo.close();
		rmSync(home, {recursive: true, force: true});
	}

	async function openMonitor(name: string, keys: string): Promise<Program> {
		const config = join(home, name);
		mkdirSync(join(config, 'tapewatch'), {recursive: true});
		const intervals = '[intervals]\ndepth = 0.25\ntrades = 0.25\n';
		writeFileSync(join(config, 'tapewatch', 'config.toml'), `rate = 100\n${intervals}`);
		const args = [built, 'BTCUSDT', '--period', '1', '--base-url', demo.url, '--legacy-base-url', demo.url];
		const monitor = openNode(args, config);
		await monitor.until(isLive);
		for (const key of keyBytes(keys)) {
			monitor.write(key);
			await setTimeout(keyGapMs);
		}

		return monitor;
	}
}

const times = (value: number, base: number): string => `${(value / base).toFixed(2)} ×`;
const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(0)}`;

async function use(monitor: Program) {
	const before = {cpu: cpuMs(monitor.pid), pieces: monitor.pieces.length, start: performance.now()};
	await setTimeout(windowMs);
	const ms = performance.now() - before.start;
	const bytes = monitor.pieces.slice(before.pieces).reduce((sum, {data}) => sum + Buffer.byteLength(data), 0);
	return {
		percent: (100 * (cpuMs(monitor.pid) - before.cpu)) / ms,
		bytes: (bytes * 1000) / ms,
		mb: rssMb(monitor.pid),
	};
}

const perSecond = 40;
const hourSeconds = 3600;
/** Of trades at another price than the one before; it was 0.2 to 0.45 in ten minutes of a real market. */
const movingShare = 0.5;

/** Sums the trades of a random walk by minute and price, a page of them a second. */
function hourOfFootprints(): readonly BenchRow[] {
	const held: {sums?: ReturnType<typeof createTradedMinutes>} = {sums: createTradedMinutes()};
	const updates: number[] = [];
	const tape = tapesOfHour(next => {
		const start = performance.now();
		held.sums?.(next);
		updates.push((performance.now() - start) * 1000);
	});
	const withSums = heapMb();
	const counts = pricesByMinute(held.sums?.(tape).minutes);
	delete held.sums;
	const mb = withSums - heapMb();
	const prices = counts.reduce((sum, count) => sum + count, 0);
	const [name, minutes] = [`footprints of an hour, ${perSecond} trades a second`, counts.length];
	const measured = `${mb.toFixed(1)} MB for ${prices} prices of ${minutes} minutes, ${median(updates).toFixed(0)} µs per update`;
	return [{name: `instruments: ${name}`, measured}];
}

const pricesByMinute = (minutes: TradedMinutes['minutes'] = new Map()): readonly number[] =>
	[...minutes.values()].map(({buy, sell, unknown}) => buy.size + sell.size + unknown.size);

/** The tape at the end of the hour; `onPage` gets each one before. */
function tapesOfHour(onPage: (tape: Tape) => void): Tape {
	const random = new Random(7);
	let cents = 6_100_000;
	let page: readonly Trade[] = [];
	let tape = emptyTape;
	for (let second = 0; second < hourSeconds; second++) {
		const fresh = Array.from({length: perSecond}, (_, index): Trade => {
			if (random.uniform() < movingShare) cents += Math.round(random.gaussian() * 100);
			return {
				id: String(second * perSecond + index + 1),
				time: second * 1000 + index * (1000 / perSecond),
				price: cents / 100,
				quantity: Math.ceil(random.uniform() * 1000) / 1000,
				side: random.uniform() < 0.5 ? 'buy' : 'sell',
			};
		});
		// Each page shares a trade with the one before.
		page = [...page.slice(-1), ...fresh];
		tape = mergeTape(tape, page);
		onPage(tape);
	}

	return tape;
}

function heapMb(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / 1e6;
}

if (import.meta.main) {
	for (const {name, measured} of await bench()) console.log(`${name}: ${measured}`);
}
