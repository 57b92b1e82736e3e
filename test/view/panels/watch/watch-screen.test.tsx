import {describe, expect, onTestFinished, test} from 'vitest';
import type {Size} from '../../../../source/format/cells.ts';
import {createMarketStore} from '../../../../source/store/market-store.ts';
import {createTick} from '../../../../source/view/clock-stores.ts';
import {type Remapping, remapped} from '../../../../source/view/commands/table.ts';
import {Watch} from '../../../../source/view/panels/watch/watch-screen.tsx';
import {createTheme} from '../../../../source/view/theme.ts';
import {createFakeClock} from '../../../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../../../helpers/fake-exchange.ts';
import {timeout} from '../../../store/samples.ts';
import {openTerminal} from '../../monitor.tsx';
import {sampleScript, sampleTime} from '../../sample-exchange.ts';

const markets = [
	...['BTCUSDT', 'SHIBUSDT', 'DUSTBTC', 'ETHUSDT', 'HALTUSDT', 'NEWUSDT'],
	...['BNBUSDT', 'XRPUSDT', 'SOLUSDT', 'ADAUSDT', 'PEPEUSDT', 'TRXUSDT'],
];

type WatchOptions = {
	readonly size: Size;
	readonly symbols: readonly string[];
	readonly keyboard?: boolean;
	readonly keys?: Remapping;
	readonly ascii?: boolean;
	readonly rotateMs?: number;
	readonly until?: string;
	readonly script?: FakeExchange['script'];
	/** How long the watch runs before the test looks. Default: until the second ticker is due. */
	readonly ms?: number;
};

async function openWatch({size, symbols, keyboard = true, ascii = false, ms = 4400, ...options}: WatchOptions) {
	const {keys = {}, rotateMs, until, script = sampleScript} = options;
	const clock = createFakeClock(sampleTime);
	const exchange = createFakeExchange(clock, {...script});
	const tick = createTick(clock);
	const theme = createTheme({palette: 'classic', color: 1});
	const stores = symbols.map(symbol => createMarketStore({exchange, clock, random: () => 0, symbol}));
	const quits: number[] = [];
	const suspensions: true[] = [];
	const redraws: true[] = [];
	const terminal = await openTerminal(clock, size, ({surface, loan}) => (
		<Watch
			screens={stores.map(store => ({store, tick, theme, surface, ascii}))}
			loan={loan}
			exchangeName="sample"
			demo={true}
			keyboard={keyboard}
			commands={remapped(keys)}
			rotateMs={rotateMs}
			pollHidden={until !== undefined}
			status={() => until && `until ${until}`}
			quit={status => quits.push(status)}
			suspend={() => suspensions.push(true)}
			redraw={() => redraws.push(true)}
		/>
	));
	for (const store of stores) store.start();
	onTestFinished(() => {
		for (const store of stores) store.stop();
		tick.stop();
		terminal.unmount();
	});
	await clock.advance(ms);
	return {...terminal, clock, exchange, quits, suspensions, redraws, frame: terminal.frame, rows: terminal.rows};
}

const small: Size = {columns: 80, rows: 24};
const standard: Size = {columns: 120, rows: 40};
const tiny: Size = {columns: 40, rows: 12};

describe('shows', () => {
	test.each([...[small, standard].flatMap(size => [1, 3, 12].map(count => ({...size, count}))), {...tiny, count: 2}])(
		'$count markets at $columns×$rows',
		async ({count, columns, rows}) => {
			const watch = await openWatch({size: {columns, rows}, symbols: markets.slice(0, count)});
			await expect(`${watch.frame()}\n`).toMatchFileSnapshot(`../../../frames/watch/${columns}x${rows}-${count}.txt`);
		},
	);

	test('only ASCII characters where that is wanted', async () => {
		const watch = await openWatch({size: small, symbols: markets.slice(0, 6), ascii: true, until: 'last > 70000'});
		expect(watch.frame()).toMatch(/^[ -~\n]*$/);
		await expect(`${watch.frame()}\n`).toMatchFileSnapshot('../../../frames/watch/80x24-ascii.txt');
	});

	test('tiles that are still loading show their shape', async () => {
		const watch = await openWatch({size: small, symbols: markets.slice(0, 2), script: {}, ms: 0});
		await expect(`${watch.frame()}\n`).toMatchFileSnapshot('../../../frames/watch/80x24-waiting.txt');
	});

	test('what failed, tile by tile', async () => {
		const script: FakeExchange['script'] = {
			...sampleScript,
			trades: call => (call.symbol === 'BTCUSDT' ? timeout('trades') : sampleScript.trades?.(call)),
			depth: call => (call.symbol === 'SHIBUSDT' ? timeout('depth') : sampleScript.depth?.(call)),
		};
		const watch = await openWatch({size: small, symbols: markets.slice(0, 3), script});
		watch.exchange.script.tickers = () => timeout('ticker');
		watch.exchange.script.trades = () => timeout('trades');
		watch.exchange.script.depth = () => timeout('depth');
		await watch.clock.advance(5000);
		await expect(`${watch.frame()}\n`).toMatchFileSnapshot('../../../frames/watch/80x24-failing.txt');
	});

	test('the worst feed of the page in the status line', async () => {
		const watch = await openWatch({size: small, symbols: markets.slice(0, 3)});
		expect(watch.rows().at(-1)).toMatch(/^ live · DEMO /);
		const {depth} = sampleScript;
		watch.exchange.script.depth = call => (call.symbol === 'SHIBUSDT' ? timeout('depth') : depth?.(call));
		await watch.clock.advance(9000);
		expect(watch.rows().at(-1)).toMatch(/^ partly failing: v2 depth: timed out · DEMO /);
		Object.assign(watch.exchange.script, {depth});
		await watch.clock.advance(3000);
		expect(watch.rows().at(-1)).toMatch(/^ live · DEMO /);
	});

	test('which size it needs where no tile fits', async () => {
		const watch = await openWatch({size: {columns: 39, rows: 20}, symbols: ['BTCUSDT']});
		expect(watch.frame()).toBe('tapewatch needs 40×7, this is 39×20');
		await watch.resize({columns: 40, rows: 7});
		await watch.clock.advance(1000);
		expect(watch.rows()[0]).toMatch(/^╭─ BTC\/USDT ─+ v2 · \d\.\d s ─╮$/);
	});
});

describe('pages', () => {
	const symbols = markets.slice(0, 3);
	const requested = (exchange: FakeExchange, since: number) =>
		[...new Set(exchange.calls.depth.filter(({at}) => at >= since).map(({symbol}) => symbol))].sort();

	test('pages take turns, and only the shown one requests its markets', async () => {
		const watch = await openWatch({size: tiny, symbols, rotateMs: 5000});
		expect(watch.rows()[0]).toContain('BTC/USDT');
		expect(watch.rows().at(-1)).toContain('page 1/3');
		expect(requested(watch.exchange, 0)).toEqual(['BTCUSDT']);

		await watch.clock.advance(1600);
		const turned = watch.clock.now();
		expect(watch.rows()[0]).toMatch(/SHIB\/USDT ─+ v2 · \d\.\d s/);
		expect(watch.rows().at(-1)).toContain('page 2/3');
		await watch.clock.advance(3000);
		expect(requested(watch.exchange, turned)).toEqual(['SHIBUSDT']);

		await watch.clock.advance(10_000);
		expect(watch.rows()[0]).toContain('BTC/USDT');
	});

	test('end when there is room for all', async () => {
		const watch = await openWatch({size: {columns: 60, rows: 12}, symbols});
		expect(watch.rows().at(-1)).toContain('page 1/3');
		await watch.resize({columns: 60, rows: 40});
		await watch.clock.advance(1000);
		expect(requested(watch.exchange, 0)).toEqual(['BTCUSDT', 'DUSTBTC', 'SHIBUSDT']);
		expect(watch.rows().at(-1)).not.toContain('page');
	});

	test('request hidden markets too while a condition is pending', async () => {
		const watch = await openWatch({size: small, symbols: markets, until: 'ETHUSDT.last > 1'});
		expect(requested(watch.exchange, 0)).toEqual([...markets].sort());
		expect(watch.rows().at(-1)).toMatch(/^ live · DEMO · page 1\/2, until ETHUSDT\.last > 1 +UTC \d\d:\d\d:\d\d/);
	});
});

test('quits and suspends by key, and ignores other keys', async () => {
	const watch = await openWatch({size: small, symbols: ['BTCUSDT']});
	await watch.press('n', 'z', 'q', 'ctrl+c', 'ctrl+z');
	expect(watch.quits).toEqual([0, 130]);
	expect(watch.suspensions.length).toBe(1);
	expect(watch.frame()).toContain('BTC/USDT');
});

test('quits and suspends by the keys of the config file, and no longer by their default keys', async () => {
	const keys = {quit: ['X'], suspend: ['Z']};
	const watch = await openWatch({size: small, symbols: ['BTCUSDT'], keys});
	await watch.press('q', 'ctrl+z');
	expect([watch.quits, watch.suspensions]).toEqual([[], []]);
	await watch.press('X', 'Z', 'ctrl+c');
	expect([watch.quits, watch.suspensions]).toEqual([[0, 130], [true]]);
});

test('ignores all keys without a keyboard', async () => {
	const watch = await openWatch({size: small, symbols: ['BTCUSDT'], keyboard: false});
	await watch.press('q');
	expect(watch.quits).toEqual([]);
});
