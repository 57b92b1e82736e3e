import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {exchangeStateOf, rememberSession, restoredUi} from '../../../source/cli/state/saved-session.ts';
import {noState} from '../../../source/cli/state/saved-state.ts';
import {openStateFile} from '../../../source/cli/state/state-file.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {changed, createUiStore, initialUi, type UiState} from '../../../source/view/ui-state.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {sampleScript} from '../../view/sample-exchange.ts';

function newPath(): string {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-session-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	return join(folder, 'state.json');
}

/** A monitor without a screen, begun from the file at `path`. */
async function begin(path: string, options: {readonly symbol?: string; readonly period?: number} = {}) {
	const clock = createFakeClock();
	const file = await openStateFile(path, clock);
	const last = exchangeStateOf(file.state, 'mine');
	const {view} = file.state;
	const ui = createUiStore(restoredUi(initialUi('standard'), view, last, options.symbol));
	const symbol = options.symbol ?? last.market;
	const period = options.period ?? view.period;
	const store = createMarketStore({exchange: createFakeExchange(clock, {...sampleScript}), clock, symbol, period});
	const end = rememberSession({file, exchangeName: 'mine', ui, store, clock});
	store.start();
	await clock.advance(300);
	return {
		...{clock, ui, store, file},
		async end() {
			store.stop();
			await end();
		},
	};
}

const withFavourites = (...symbols: readonly string[]) => changed('picker', {favourites: new Set(symbols)});

test('the next run restores what the user chose, not what was only viewed', async () => {
	const path = newPath();
	const first = await begin(path);
	first.store.select('eth-usdt');
	first.store.setPeriod(240);
	const listed = {lists: new Map([['calm', new Set(['BTCUSDT'])]]), list: 'calm'};
	const chosen = {sort: 'change', reversed: true, quote: 'USDT', ...listed} as const;
	const changes = [
		changed('picker', {...chosen, favourites: new Set(['SOLUSDT', 'BTCUSDT']), filter: 'sol', cursor: 'SOLUSDT'}),
		changed('chart', {type: 'bars', log: true, indicators: new Set(['sma']), zoom: {columns: 1, merged: 2}}),
		changed('book', {view: 'curve', grouping: {mantissa: 2, exponent: -1}}),
		(state: UiState): UiState => ({...state, focus: 'book', zoomed: true, compared: ['BTCUSDT', 'SOLUSDT']}),
	];
	for (const change of changes) first.ui.update(change);
	await first.end();

	const second = await begin(path);
	const {symbol, period} = second.store.getSnapshot();
	const ui = second.ui.getSnapshot();
	expect({symbol, period}).toEqual({symbol: 'ETHUSDT', period: 240});
	const initial = initialUi('standard');
	expect(ui).toEqual({
		...initial,
		focus: 'book',
		zoomed: true,
		compared: ['BTCUSDT', 'SOLUSDT'],
		picker: {
			...initial.picker,
			sort: 'change',
			reversed: true,
			quote: 'USDT',
			favourites: new Set(['SOLUSDT', 'BTCUSDT']),
			lists: new Map([['calm', new Set(['BTCUSDT'])]]),
			list: 'calm',
		},
		chart: {...initial.chart, type: 'bars', log: true, zoom: {columns: 1, merged: 2}, indicators: new Set(['sma'])},
		book: {...initial.book, view: 'curve', grouping: {mantissa: 2, exponent: -1}},
	});
	await second.end();
});

test('a change is written a second later, while the monitor runs', async () => {
	const path = newPath();
	const {ui, clock, end} = await begin(path);
	ui.update(withFavourites('SOLUSDT'));
	await clock.advance(999);
	expect(() => readFileSync(path)).toThrow('ENOENT');
	await clock.advance(1);
	await expect.poll(() => JSON.parse(readFileSync(path, 'utf8')).exchanges.mine.favourites).toEqual(['SOLUSDT']);
	await end();
});

test('two instances keep favourites that either added, and drop those that either removed', async () => {
	const path = newPath();
	const first = await begin(path);
	first.ui.update(withFavourites('BTCUSDT', 'ETHUSDT'));
	await first.end();

	const [one, other] = [await begin(path), await begin(path)];
	one.ui.update(withFavourites('ETHUSDT'));
	other.ui.update(withFavourites('BTCUSDT', 'ETHUSDT', 'SOLUSDT'));
	await one.end();
	await other.end();
	const {state} = await openStateFile(path, createFakeClock());
	expect(exchangeStateOf(state, 'mine').favourites).toEqual(['ETHUSDT', 'SOLUSDT']);
});

test('a market that the exchange does not list is not saved', async () => {
	const path = newPath();
	await (await begin(path)).end();
	await (await begin(path, {symbol: 'NOSUCH'})).end();
	const {state} = await openStateFile(path, createFakeClock());
	expect(exchangeStateOf(state, 'mine').market).toBe('BTCUSDT');
});

test('a period from the command line is saved', async () => {
	const path = newPath();
	await (await begin(path, {period: 15})).end();
	const {state} = await openStateFile(path, createFakeClock());
	expect(state.view.period).toBe(15);
});

test('the grouping of the book is restored for the last market only, and an unknown zoom is ignored', () => {
	const initial = initialUi('standard');
	const restored = (market?: string) =>
		restoredUi(initial, {candleZoom: {columns: 2, merged: 7}}, {market: 'BTCUSDT', bookStep: 0.05}, market);
	const step = {mantissa: 5, exponent: -2};
	expect([restored(), restored('btc-usdt'), restored('ETHUSDT')].map(({book}) => book.grouping)).toEqual([
		step,
		step,
		undefined,
	]);
	expect(restored().chart).toEqual(initial.chart);
	expect(restoredUi(initial, {}, {}, 'BTCUSDT')).toEqual(initial);
});

test('other exchanges have markets and favourites of their own', () => {
	const state = {...noState, exchanges: {mine: {market: 'BTCUSDT'}}};
	expect(exchangeStateOf(state, 'mine')).toEqual({market: 'BTCUSDT'});
	expect(exchangeStateOf(state, 'other')).toEqual({});
	expect(exchangeStateOf(state, 'constructor')).toEqual({});
});

test('the focus is restored, but not on a picker that would cover the other panels', () => {
	const small = initialUi('small');
	expect(restoredUi(small, {focus: 'tape'}, {}).focus).toBe('tape');
	expect(restoredUi(small, {focus: 'markets'}, {}).focus).toBe('chart');
	expect(restoredUi(small, {focus: 'markets', zoomed: true}, {}).focus).toBe('markets');
});
