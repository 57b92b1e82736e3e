import {expect, test} from 'vitest';
import {findingsOf} from '../../../source/cli/commands/doctor-checks.ts';
import {inspect} from '../../../source/client/inspect/inspect.ts';
import {paths, type Reply, serverTime, v2} from '../../helpers/exchange-server.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';
import {startSpecifiedExchange} from '../../helpers/specified-exchange.ts';

const hour = 3600;

type Exchange = {
	/** How many candles there are. */
	readonly exist: number;
	readonly default?: number;
	readonly most?: number;
	/** Default true. */
	readonly ranges?: boolean;
};

/** Hourly candles up to the server's time. */
function candlesOf({exist, default: standard = 500, most = 1000, ranges = true}: Exchange): Reply {
	const newest = Math.floor(serverTime / 1000 / hour) * hour;
	const all = Array.from({length: exist}, (_, index) => newest - index * hour);
	return (response, request) => {
		const {startTime = 0, endTime = Infinity, limit = standard} = request.query;
		const isWithin = (id: number) => !ranges || (id * 1000 >= Number(startTime) && id * 1000 <= Number(endTime));
		const ids = all.filter(isWithin).slice(0, Math.min(Number(limit), most));
		v2(ids.map(id => ({id, open: 9, close: 10, low: 8, high: 12, volume: 5})))(response, request);
	};
}

/** Trades of a market with one a request, of which the newest `most` are answered. */
function movingTrades(most: number): Reply {
	let newest = most;
	return (response, request) => {
		const {limit = most} = request.query;
		newest += 1;
		const ids = Array.from({length: Math.min(Number(limit), most)}, (_, index) => newest - index);
		v2(ids.map(id => ({id, quantity: 1, price: 10, time: serverTime - 60_000 + id, side: 'buy'})))(response, request);
	};
}

async function inspected(replies: Readonly<Record<string, Reply>>) {
	const {url, requests} = await startSpecifiedExchange(replies);
	const clock = createHurriedClock(serverTime, {deadlineMs: 5000});
	const settings = {timeoutMs: 5000, rate: 1000, samples: 2, clock, random: () => 0, choose: () => 'BTCUSDT'};
	const inspection = await inspect({...settings, baseUrl: url});
	const findings = findingsOf(inspection).filter(({code}) => code.startsWith('limit') || code === 'too-few');
	return {
		texts: findings.map(({text}) => text),
		limits: inspection.limits,
		asked: requests.filter(({path}) => path === paths.candles).length,
	};
}

const [few, maximum] = ['v2 candles: 300 entries by default; documented: 500', 'documented maximum: 1,000'];
const cap = `v2 candles: at most 300 entries in one answer; ${maximum}; gaps are harder to close`;
const unchecked = 'v2 candles default, v2 candles maximum';

test.each<readonly [what: string, exchange: Exchange, requests: number, texts: readonly string[]]>([
	['the documented limits', {exist: 2000}, 8, []],
	['a lower maximum', {exist: 2000, default: 300, most: 300}, 9, [cap, few]],
	['a lower maximum than the default', {exist: 301, most: 300}, 9, [cap, few]],
	['only a lower default', {exist: 2000, default: 300}, 8, [few]],
	['a young market', {exist: 300}, 9, [`${unchecked}: only 300 candles exist`]],
	['a market of 700 candles', {exist: 700}, 9, ['v2 candles maximum: only 700 candles exist']],
	[
		'ranges that are ignored',
		{exist: 2000, most: 300, ranges: false},
		8,
		[`${unchecked}: only 300 candles received, possibly all`],
	],
])('the doctor finds %s of candles: %j, in %d requests', async (_, exchange, requests, texts) => {
	const {asked, ...found} = await inspected({[paths.candles]: candlesOf(exchange)});
	expect([found.texts, asked]).toEqual([texts, requests]);
});

test('the doctor finds that trades are cut when the oldest make room for new ones', async () => {
	const {limits} = await inspected({[paths.trades]: movingTrades(50)});
	expect(limits[0]).toMatchObject({operation: 'trades', default: 50, most: {entries: 50, beyond: 'cut'}});
});
