import {Agent, get} from 'node:http';
import {Book} from '../../source/demo/book.ts';
import {OrderFlow} from '../../source/demo/order-flow.ts';
import {Random} from '../../source/demo/random.ts';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import type {Clock} from '../../source/market/clock.ts';
import type {BenchRow} from './row.ts';

/** What the embedded exchange costs: idle, at first sight, after a long sleep, and for long charts. */
export async function bench(): Promise<readonly BenchRow[]> {
	let now = Date.UTC(2026, 10, 20, 10, 30);
	const clock: Clock = {now: () => now, after: () => () => {}};
	const demo = await startDemo({clock});
	const read = reader(demo);
	const rows: BenchRow[] = [];
	try {
		const first = await timed(() => read('/engine/v2/public/ticker'));
		rows.push(atMost('demo: first ticker of all markets, cold', first, 100));

		const seconds = 300;
		const before = process.cpuUsage();
		for (let second = 0; second < seconds; second++) {
			now += 1000;
			await read('/engine/v2/public/depth?symbol=BTCUSDT');
			await read('/api-ordermatch/api/v1/public/depth?symbol=BTCUSDT');
			await read('/trade/v2/public/trade?symbol=BTCUSDT&limit=100');
			if (second % 5 === 0) await read('/engine/v2/public/ticker');
			if (second % 15 === 0) await read('/trade-chart/v2/public/kline?symbol=BTCUSDT&period=60');
		}
		const {user, system} = process.cpuUsage(before);
		const percent = ((user + system) / 1e6 / seconds) * 100;
		rows.push({
			name: 'demo: a second of one polling monitor, its HTTP client included',
			measured: `${percent.toFixed(2)} % of a core`,
			target: '< 2 %',
			met: percent < 2,
		});

		for (const period of [1, 59, 60, 1440, 10_080]) {
			const path = `/trade-chart/v2/public/kline?symbol=ETHUSDT&period=${period}&limit=1000`;
			rows.push(atMost(`demo: 1,000 candles of ${period} min`, await timed(() => read(path)), 50));
		}

		now += 8 * 3_600_000;
		const asleep = await timed(() => read('/engine/v2/public/ticker'));
		rows.push(atMost('demo: all markets after 8 h of sleep', asleep, 5000));
	} finally {
		await demo.close();
	}
	rows.push(orderCost());
	return rows;
}

function orderCost(): BenchRow {
	const book = new Book(() => {});
	const options = {tempo: 6, orderLots: 650, volatility: 9e-5, restingOrders: 160, bidShare: 0.5, price: 6_182_400};
	const flow = new OrderFlow({...options, book, random: new Random(1), time: 0});
	const orders = 1_000_000;
	const start = performance.now();
	for (let order = 0; order < orders; order++) flow.next();
	const microseconds = ((performance.now() - start) * 1000) / orders;
	const measured = `${microseconds.toFixed(2)} µs`;
	return {name: 'demo: one order of the busiest market', measured, target: '≤ 2 µs', met: microseconds <= 2};
}

function atMost(name: string, ms: number, most: number): BenchRow {
	return {name, measured: `${ms.toFixed(1)} ms`, target: `≤ ${most} ms`, met: ms <= most};
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

function reader({url}: Demo): (path: string) => Promise<void> {
	const agent = new Agent({keepAlive: true, maxSockets: 1});
	const headers = {'accept-encoding': 'gzip'};
	return path =>
		new Promise((resolve, reject) => {
			get(url + path, {agent, headers}, response => {
				response.resume().on('end', resolve).on('error', reject);
			}).on('error', reject);
		});
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
