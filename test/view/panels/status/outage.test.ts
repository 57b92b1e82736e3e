/** What the status line says, second by second, while an exchange hangs, and after. */
import {expect, test} from 'vitest';
import {combine, type Source} from '../../../../source/client/combine.ts';
import {AbortedError, type Operation, TimeoutError} from '../../../../source/client/errors.ts';
import type {Answer, CallOptions} from '../../../../source/client/exchange.ts';
import type {Handlers} from '../../../../source/client/middleware.ts';
import type {DepthBook, Interface} from '../../../../source/market/types.ts';
import {createMarketStore} from '../../../../source/store/market-store.ts';
import {lineText} from '../../../../source/view/line.ts';
import {statusLines} from '../../../../source/view/panels/status/rows.ts';
import {createFakeClock} from '../../../helpers/fake-clock.ts';
import {book, candle, info, market, ticker, trade} from '../../../store/samples.ts';

const startTime = Date.UTC(2026, 0, 1, 12);
const timeoutMs = 5000;

/** A monitor of two interfaces, of which the requests named in `hanging`, like `v2 depth`, stay unanswered. */
function setUp() {
	const clock = createFakeClock(startTime);
	const hanging = new Set<string>();
	const budget = {used: 0, allowed: 5};

	function answered<T>(operation: Operation, name: Interface, data: T, options: CallOptions = {}): Promise<Answer<T>> {
		options.onSent?.();
		const context = {operation, interface: name, url: ''};
		const {promise, resolve, reject} = Promise.withResolvers<Answer<T>>();
		const hangs = hanging.has(`${name} ${operation}`);
		const cancel = clock.after(hangs ? timeoutMs : 20, () => {
			if (hangs) reject(new TimeoutError({...context, timeoutMs}));
			else resolve({data, interface: name, receivedAt: clock.now(), dropped: 0});
		});
		options.signal?.addEventListener('abort', () => {
			cancel();
			reject(new AbortedError(context));
		});
		return promise;
	}

	const sourceOf = (name: Interface, depth: DepthBook, others: Partial<Handlers> = {}): Source => ({
		baseUrl: `http://${name}.example`,
		answers: {
			markets: (_, call) => answered('markets', name, [market('BTCUSDT')], call),
			tickers: (_, call) => answered('ticker', name, [ticker('BTCUSDT', 100)], call),
			depth: (_, call) => answered('depth', name, depth, call),
			trades: (_, call) => answered('trades', name, [trade(1, startTime - 1000)], call),
			...others,
		},
	});
	const exchange = combine({
		v2: sourceOf(
			'v2',
			{asks: book(100).asks},
			{
				info: (_, call) => answered('info', 'v2', info, call),
				candles: (_, call) => answered('candles', 'v2', [candle(startTime - 30 * 60_000, 100)], call),
			},
		),
		legacy: sourceOf('legacy', book(100)),
		clock,
		random: () => 0,
		budget: () => budget,
		endPauses: () => {},
		close: async () => {},
	});
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	const status = () => {
		const view = {state: store.getSnapshot(), now: clock.now(), columns: 120, rows: 2, ascii: false} as const;
		const [line = []] = statusLines({...view, exchangeName: '', demo: false});
		return lineText(line).trim().split(' · ')[0];
	};
	/** The texts of that many seconds, each with the second at which it came. */
	const timeLine = async (seconds: number) => {
		const texts: string[] = [];
		let last: string | undefined;
		for (let second = 1; second <= seconds; second++) {
			await clock.advance(1000);
			const text = status();
			if (text !== last) texts.push(`${second} ${text}`);
			last = text;
		}

		return texts;
	};
	return {clock, store, hanging, timeLine};
}

const operations = ['info', 'markets', 'ticker', 'depth', 'trades', 'candles'];
const all = (name: Interface) => operations.map(operation => `${name} ${operation}`);

/** From the second second of a wait, at `second`, to its last one. */
const waits = (second: number, last: number) =>
	Array.from({length: last - 1}, (_, index) => `${second + index} waiting ${index + 2} s`);
const partly = (operation: string) => `partly failing: ${operation}: timed out`;

test.each([
	{
		name: 'everything hangs',
		hangs: [...all('v2'), ...all('legacy')],
		during: ['1 live', ...waits(3, 8), '10 no answer since 12:00:20: timed out'],
		after: [`1 ${partly('legacy depth')}`, '2 live'],
	},
	{
		// Legacy answers instead, operation by operation, for the ticker only after a while; it has no candles.
		name: 'v2 hangs',
		hangs: all('v2'),
		during: [
			...['1 live', ...waits(3, 4), '6 live', ...waits(7, 4)],
			...[`10 ${partly('v2 ticker')}`, `29 ${partly('v2 candles')}`],
		],
		after: [`1 ${partly('v2 candles')}`, '2 live'],
	},
	{
		name: 'one operation hangs',
		hangs: ['v2 trades', 'legacy trades'],
		during: ['1 live', ...waits(3, 9), `11 ${partly('v2 trades')}`],
		after: [`1 ${partly('v2 trades')}`, '2 live'],
	},
])('goes from live over waiting to why while $name, and back', async ({hangs, during, after}) => {
	const {clock, store, hanging, timeLine} = setUp();
	store.start();
	await clock.advance(20_300);
	for (const each of hangs) hanging.add(each);
	expect(await timeLine(40)).toEqual(during);
	hanging.clear();
	expect(await timeLine(15)).toEqual(after);
	store.stop();
});
