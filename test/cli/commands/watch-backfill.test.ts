import {expect, onTestFinished, test} from 'vitest';
import {type ExchangeServer, paths} from '../../helpers/exchange-server.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

const start = Date.UTC(2024, 7, 8, 9);
const trade = (id: number) => ({id, price: 100, quantity: 1, time: start + id, side: 'buy'});
const ids = (from: number, to: number) => Array.from({length: to - from + 1}, (_, index) => from + index);
/** As many as are asked for, newest first. */
const tradesUpTo =
	(newest: number): Parameters<ExchangeServer['answer']>[1] =>
	(response, request) => {
		const limit = Number(request.query.limit);
		v2(
			ids(Math.max(newest - limit + 1, 1), newest)
				.toReversed()
				.map(trade),
		)(response, request);
	};

async function startTraded(newest: number): Promise<ExchangeServer> {
	const exchange = await startSmallExchange();
	onTestFinished(exchange.close);
	exchange.answer(paths.trades, tradesUpTo(newest));
	return exchange;
}

async function backfilled({url}: ExchangeServer) {
	const {stdout, stderr, status} = await inProcess([
		...['watch', 'BTCUSDT', '--json', '--backfill', '--once', '--base-url', url, '--rate', '1000'],
	]);
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	const events = stdout
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
	return (type: string) => events.filter(event => event.type === type);
}

test('begins with all trades and candles of the first answers, oldest first, the first of them after a gap', async () => {
	const events = await backfilled(await startTraded(1200));
	expect(events('trade').map(({id, gap}) => [Number(id), gap])).toEqual(ids(201, 1200).map(id => [id, id === 201]));
	const hour = Date.UTC(2024, 7, 8, 10);
	expect(events('candle').map(({time, closed}) => [time, closed])).toEqual(
		[4, 3, 0].map(hours => [hour - hours * 3_600_000, hours > 0]),
	);
});

test.each([
	[['BTCUSDT'], '--backfill needs --json: only events include every trade and candle'],
	[['BTCUSDT', '--json', '--recording', 'x.twr'], '--backfill does not apply to a recording'],
])('%j is refused', async (args, reason) => {
	const {stdout, stderr, status} = await inProcess(['watch', '--backfill', ...args]);
	expect({stdout, stderr, status}).toEqual({
		stdout: '',
		stderr: `tapewatch: ${reason} (see tapewatch watch --help)\n`,
		status: 2,
	});
});
