import {describe, expect, onTestFinished, test} from 'vitest';
import type {Size} from '../../../../source/format/cells.ts';
import {utc} from '../../../../source/format/zone.ts';
import {createComparison} from '../../../../source/store/comparison.ts';
import {createDiagnosis} from '../../../../source/store/diagnosis.ts';
import {createMarketStore} from '../../../../source/store/market-store.ts';
import {Monitor, type MonitorProps} from '../../../../source/view/app.tsx';
import {createTick} from '../../../../source/view/clock-stores.ts';
import {type Remapping, remapped} from '../../../../source/view/commands/table.ts';
import {layoutName} from '../../../../source/view/layout.ts';
import {type TileToOpen, Watch} from '../../../../source/view/panels/watch/watch-screen.tsx';
import {createTheme} from '../../../../source/view/theme/theme.ts';
import {createUiStore, initialUi} from '../../../../source/view/ui-state.ts';
import {alertsOf} from '../../../helpers/alerts-of.ts';
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
	readonly color?: 0 | 1;
	readonly rotateMs?: number;
	readonly until?: string;
	readonly script?: FakeExchange['script'];
	/** How long the watch runs before the test looks. Default: until the second ticker is due. */
	readonly ms?: number;
};

async function openWatch(given: WatchOptions) {
	const {size, symbols, keyboard = true, ascii = false, color = 1, ms = 4400, ...options} = given;
	const {keys = {}, rotateMs, until, script = sampleScript} = options;
	const clock = createFakeClock(sampleTime);
	const exchange = createFakeExchange(clock, {...script});
	const tick = createTick(clock);
	const theme = createTheme({palette: 'classic', color});
	const stores = symbols.map(symbol => createMarketStore({exchange, clock, random: () => 0, symbol}));
	const quits: number[] = [];
	const suspensions: true[] = [];
	const redraws: true[] = [];
	const open: string[] = [];
	let say = (_: string) => {};
	const leaving: string[] = [];
	const openMonitor = async (
		{symbol, screen, leave, say: sayBelow}: TileToOpen,
		rest: Pick<MonitorProps, 'loan' | 'quit'>,
	) => {
		open.push(symbol);
		say = sayBelow;
		const store = createMarketStore({exchange, clock, random: () => 0, symbol});
		const ui = createUiStore(initialUi(layoutName(size)));
		store.start();
		return {
			view: (
				<Monitor
					screen={{...screen, store}}
					{...{ui, exchange, leave, ...rest}}
					diagnosis={createDiagnosis()}
					comparison={createComparison({exchange, clock})}
					alerts={alertsOf(store, {exchange, clock, ui})}
					exchangeName="sample"
					demo={true}
					suspend={() => suspensions.push(true)}
					redraw={() => redraws.push(true)}
				/>
			),
			close() {
				leaving.push(symbol);
				store.stop();
				const {zone, theme = 'auto', palette = 'classic'} = ui.getSnapshot();
				return {zone, theme, palette};
			},
		};
	};
	const quit = (status: number) => quits.push(status);
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
			status={zone => until && `until ${until}${zone === utc ? '' : ` in ${zone.name}`}`}
			openMonitor={tile => openMonitor(tile, {loan, quit})}
			quit={quit}
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
	const {frame, rows} = terminal;
	return {
		...terminal,
		clock,
		exchange,
		say: (notice: string) => say(notice),
		open,
		leaving,
		quits,
		suspensions,
		redraws,
		frame,
		rows,
	};
}

const large: Size = {columns: 200, rows: 60};
const small: Size = {columns: 80, rows: 24};
const standard: Size = {columns: 120, rows: 40};
const tiny: Size = {columns: 40, rows: 12};

describe('shows', () => {
	test.each([
		{...small, count: 3},
		{...standard, count: 1},
		{...tiny, count: 2},
		{...large, count: 12},
	])('$count markets at $columns×$rows', async ({count, columns, rows}) => {
		const watch = await openWatch({size: {columns, rows}, symbols: markets.slice(0, count)});
		await expect(`${watch.frame()}\n`).toMatchFileSnapshot(`../../../frames/watch/${columns}x${rows}-${count}.txt`);
	});

	test('only ASCII characters where that is wanted', async () => {
		const watch = await openWatch({size: small, symbols: markets.slice(0, 6), ascii: true, until: 'last > 70000'});
		expect(watch.frame()).toMatch(/^[ -~\n]*$/);
		await expect(`${watch.frame()}\n`).toMatchFileSnapshot('../../../frames/watch/80x24-ascii.txt');
	});

	test('the focused tile without colour, in ASCII too', async () => {
		const watch = await openWatch({size: small, symbols: markets.slice(0, 2), ascii: true, color: 0});
		await watch.press('tab');
		const borders = watch.rows().flatMap(row => row.match(/^[+#][-=] \w+\/\w+/) ?? []);
		expect(borders.map(([border = '']) => border)).toEqual(['#', '+']);
		expect(watch.cell(0, 3).style.foreground).toBe(watch.cell(12, 3).style.foreground);
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
	const requested = (exchange: FakeExchange, since: number) =>
		[...new Set(exchange.calls.depth.filter(({at}) => at >= since).map(({symbol}) => symbol))].sort();

	test('request hidden markets too while a condition is pending', async () => {
		const watch = await openWatch({size: small, symbols: markets, until: 'ETHUSDT.last > 1'});
		expect(requested(watch.exchange, 0)).toEqual([...markets].sort());
		expect(watch.rows().at(-1)).toMatch(/^ live · DEMO · page 1\/2, until ETHUSDT\.last > 1 .*UTC \d\d:\d\d:\d\d/);
	});
});

test.each([small, tiny])('shows what its keys do at $columns×$rows', async size => {
	const watch = await openWatch({size, symbols: markets});
	await watch.press('?');
	await expect(`${watch.frame()}\n`).toMatchFileSnapshot(`../../../frames/watch/${size.columns}x${size.rows}-help.txt`);
	await watch.press('?');
	expect(watch.rows()[0]).toContain('BTC/USDT');
});

test('pages turn and are held by keys, and only the shown one requests its markets', async () => {
	const watch = await openWatch({size: tiny, symbols: markets.slice(0, 3)});
	await watch.press('left');
	expect(watch.rows()[0]).toContain('DUST/BTC');
	await watch.press('left', 'space');
	await watch.clock.advance(60_000);
	expect(watch.rows()[0]).toMatch(/^╭─ SHIB\/USDT ─/);
	expect(watch.rows().at(-1)).toContain('page 2/3 held');
	await watch.press('tab');
	expect(watch.rows()[0]).toMatch(/^┏━ SHIB\/USDT ━/);
	await watch.press('esc');
	expect(watch.rows()[0]).toMatch(/^╭─ SHIB\/USDT ─/);
	await watch.clock.advance(11_000);
	expect(watch.rows()[0]).toContain('DUST/BTC');
});

describe('Enter opens the monitor', () => {
	const symbols = markets.slice(0, 3);
	/** The markets whose books were requested since, and how often. */
	const booksSince = ({calls}: FakeExchange, since: number): Readonly<Record<string, number>> => {
		const books = calls.depth.filter(({at}) => at > since).map(({symbol}) => symbol);
		return Object.fromEntries(
			[...new Set(books)].sort().map(symbol => [symbol, books.filter(each => each === symbol).length]),
		);
	};

	test('on the focused tile, and Esc comes back to the tiles as they were', async () => {
		const watch = await openWatch({size: standard, symbols});
		await watch.press('down', 'down', 'enter');
		await watch.clock.advance(300);
		expect([watch.open, watch.leaving]).toEqual([['SHIBUSDT'], []]);
		expect(watch.rows()[0]).toMatch(/^ SHIB\/USDT /);
		expect(watch.rows().at(-1)).toContain(' Esc tiles ');
		await watch.press('?', 'esc');
		expect(watch.leaving).toEqual([]);
		await watch.press(':');
		await watch.type('set timezone Asia/Kolkata\r');
		await watch.press('3', 'z');
		expect(watch.rows().at(-1)).not.toContain(' Esc tiles ');
		await watch.press('esc');
		expect(watch.rows().at(-1)).toContain(' Esc tiles ');
		await watch.press('esc');
		expect(watch.leaving).toEqual(['SHIBUSDT']);
		expect(watch.rows()[13]).toMatch(/^┏━ SHIB\/USDT ━/);
		// The zone that was set in the monitor.
		expect(watch.rows().at(-1)).toMatch(/ UTC\+05:30 \d\d:\d\d:\d\d /);
		watch.say('recorded: 12 answers');
		await watch.clock.advance(1000);
		expect(watch.rows().at(-1)).toMatch(/^ live · DEMO · recorded: 12 answers /);
		await watch.press('tab', 'tab');
		expect(watch.rows().at(-1)).not.toContain('recorded');
		await watch.press('enter', 'q');
		expect(watch.quits).toEqual([0]);
	});

	test('and the tiles do not poll meanwhile', async () => {
		const watch = await openWatch({size: standard, symbols});
		await watch.press('enter', 'enter');
		const opened = watch.clock.now();
		await watch.clock.advance(3200);
		expect(booksSince(watch.exchange, opened)).toEqual({BTCUSDT: 3});
		await watch.press('esc');
		const left = watch.clock.now();
		await watch.clock.advance(3200);
		const polled = booksSince(watch.exchange, left);
		expect(Object.keys(polled)).toEqual([...symbols].sort());
		expect(Math.max(...Object.values(polled))).toBeLessThanOrEqual(4);
	});

	test('and the tiles poll meanwhile what a condition is judged on', async () => {
		const watch = await openWatch({size: standard, symbols, until: 'last > 70000'});
		await watch.press('enter', 'enter');
		const opened = watch.clock.now();
		await watch.clock.advance(3200);
		expect(Object.keys(booksSince(watch.exchange, opened))).toEqual([...symbols].sort());
	});
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
