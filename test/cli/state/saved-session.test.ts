import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {mergeSources, type Source} from '../../../source/cli/options/options.ts';
import {exchangeStateOf, rememberSession, restoredUi, withSavedLook} from '../../../source/cli/state/saved-session.ts';
import {noState, parseState, type ViewState} from '../../../source/cli/state/saved-state.ts';
import {openStateFile} from '../../../source/cli/state/state-file.ts';
import {utc, type Zone} from '../../../source/format/zone.ts';
import {monthMinutes} from '../../../source/market/units.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {presetArrangement} from '../../../source/view/arrangement.ts';
import {standardLengths} from '../../../source/view/panels/chart/indicator-table.ts';
import {changed, createUiStore, initialUi, type UiState} from '../../../source/view/ui-state.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {temporaryFolder} from '../../helpers/folders.ts';
import {zoneOf} from '../../helpers/zones.ts';
import {sampleScript} from '../../view/sample-exchange.ts';

const newPath = (): string => join(temporaryFolder(), 'state.json');

/** A monitor without a screen, begun from the file at `path`. */
async function begin(path: string, options: {readonly symbol?: string; readonly period?: number} = {}) {
	const clock = createFakeClock();
	const file = await openStateFile(path, clock);
	const last = exchangeStateOf(file.state, 'mine');
	const {view} = file.state;
	const ui = createUiStore(restoredUi(initialUi('standard'), view, last, {market: options.symbol}));
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

const berlin = zoneOf('Europe/Berlin');

const withFavourites = (...symbols: readonly string[]) => changed('picker', {favourites: new Set(symbols)});

test('the next run restores what the user chose, not what was only viewed', async () => {
	const path = newPath();
	const first = await begin(path);
	first.store.select('eth-usdt');
	first.store.setPeriod(240);
	const listed = {lists: new Map([['calm', new Set(['BTCUSDT'])]]), list: 'calm'};
	const layouts = {
		standard: {...presetArrangement('standard', 'chart'), columns: {book: 4}, rows: {tape: -2}},
		tiny: {...presetArrangement('tiny', 'default'), hidden: new Set(['tape'] as const)},
	};
	const drawnLevels = new Map([['BTCUSDT', [{price: 61_500, note: 'support'}, {price: 0.000_001}]]]);
	const anchors = new Map([['BTCUSDT', [Date.UTC(2026, 10, 8, 14), Date.UTC(2026, 10, 9)]]]);
	const columns = ['volume', 'last'] as const;
	const chosen = {sort: 'change', reversed: true, columns, quote: 'USDT', ...listed} as const;
	const changes = [
		changed('picker', {...chosen, favourites: new Set(['SOLUSDT', 'BTCUSDT']), filter: 'sol', cursor: 'SOLUSDT'}),
		changed('chart', {
			type: 'bars',
			log: true,
			imbalance: 2.5,
			indicators: new Set(['sma']),
			zoom: {columns: 1, merged: 2},
		}),
		changed('chart', {lengths: {...standardLengths, sma: [20, 50, 200], bollinger: [30, 2.5]}, anchors}),
		changed('book', {view: 'curve', grouping: {mantissa: 2, exponent: -1}}),
		(state: UiState): UiState => ({...state, focus: 'book', zoomed: true, compared: ['BTCUSDT', 'SOLUSDT'], layouts}),
		(state: UiState): UiState => ({...state, zone: berlin, palette: 'swapped', drawnLevels}),
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
		layouts,
		compared: ['BTCUSDT', 'SOLUSDT'],
		zone: berlin,
		palette: 'swapped',
		drawnLevels,
		picker: {
			...initial.picker,
			sort: 'change',
			reversed: true,
			columns: ['volume', 'last'],
			quote: 'USDT',
			favourites: new Set(['SOLUSDT', 'BTCUSDT']),
			lists: new Map([['calm', new Set(['BTCUSDT'])]]),
			list: 'calm',
			sorts: new Map([
				['calm', {sort: 'change', reversed: true}],
				['', {sort: 'volume', reversed: false}],
			]),
		},
		chart: {
			...{
				...initial.chart,
				type: 'bars',
				log: true,
				imbalance: 2.5,
				zoom: {columns: 1, merged: 2},
				indicators: new Set(['sma']),
			},
			lengths: {...standardLengths, sma: [20, 50, 200], bollinger: [30, 2.5]},
			anchors,
		},
		book: {...initial.book, view: 'curve', grouping: {mantissa: 2, exponent: -1}},
	});
	await second.end();
});

test('a time zone that is given goes before the one that is saved, which stays', async () => {
	const path = newPath();
	const first = await begin(path);
	first.ui.update(state => ({...state, zone: berlin}));
	await first.end();
	const {state} = await openStateFile(path, createFakeClock());
	const restored = (zone?: Zone) => restoredUi(initialUi('standard'), state.view, {}, {zone}).zone;
	expect([restored(), restored(utc)]).toEqual([berlin, utc]);
	expect(restoredUi(initialUi('standard'), {timezone: 'Mars/Olympus'}, {}).zone).toBe(utc);
});

test('a palette that is given goes before the one that is saved', () => {
	const restored = (origins = {}) => restoredUi(initialUi('standard'), {palette: 'swapped'}, {}, {origins}).palette;
	expect([restored(), restored({palette: 'file'})]).toEqual(['swapped', undefined]);
});

test('a screen that is no monitor looks as the monitor did, unless flags, variables or the config file say otherwise', () => {
	const saved = {timezone: 'Europe/Berlin', palette: 'swapped'} as const;
	const look = (sources: readonly Source[], view: ViewState = saved) => {
		const {zone, palette} = withSavedLook(mergeSources(sources), view);
		return [zone?.word, palette];
	};
	const given = {name: 'flags', origin: 'flag', where: () => '--exchange'} as const;
	expect(look([])).toEqual(['Europe/Berlin', 'swapped']);
	expect(look([{...given, settings: {palette: 'classic'}}])).toEqual(['Europe/Berlin', 'classic']);
	expect(look([{...given, settings: {timezone: utc}}])).toEqual(['UTC', 'swapped']);
	expect(look([], {})).toEqual([undefined, 'classic']);
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

test('a change that could not be written is written half a minute later, with those made since', async () => {
	const path = newPath();
	const lock = `${path}.lock`;
	mkdirSync(lock);
	const {ui, clock, end, file} = await begin(path);
	const {promise: failed, resolve: fail} = Promise.withResolvers<string | undefined>();
	file.onFault(fail);
	ui.update(withFavourites('SOLUSDT'));
	await clock.advance(1000);
	expect(await failed).toBe(`${lock} is a folder`);
	rmSync(lock, {recursive: true});
	await clock.advance(30_000);
	await expect.poll(() => JSON.parse(readFileSync(path, 'utf8')).exchanges.mine.favourites).toEqual(['SOLUSDT']);
	await end();
	expect(file.notices()).toEqual([]);
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

test('a period of months is remembered, one of part of a minute is not', async () => {
	const path = newPath();
	await (await begin(path, {period: 3 * monthMinutes})).end();
	const next = await begin(path);
	expect(next.store.getSnapshot().period).toBe(3 * monthMinutes);
	await next.end();
	expect(parseState(JSON.stringify({...noState, view: {period: 1.5}}))).toEqual({fault: 'view.period: Invalid input'});
});

test('the grouping of the book is restored for the last market only, and an unknown zoom is ignored', () => {
	const initial = initialUi('standard');
	const restored = (market?: string) =>
		restoredUi(initial, {candleZoom: {columns: 2, merged: 7}}, {market: 'BTCUSDT', bookStep: 0.05}, {market});
	const step = {mantissa: 5, exponent: -2};
	expect([restored(), restored('btc-usdt'), restored('ETHUSDT')].map(({book}) => book.grouping)).toEqual([
		step,
		step,
		undefined,
	]);
	expect(restored().chart).toEqual(initial.chart);
	const sorts = new Map([['', {sort: 'volume', reversed: false}]]);
	expect(restoredUi(initial, {}, {}, {market: 'BTCUSDT'})).toEqual({...initial, picker: {...initial.picker, sorts}});
});

test('a layout that cannot be read is as delivered, and the others are restored', () => {
	const layouts = {
		wide: {preset: 'cinema', hidden: [], columns: {}, rows: {}},
		small: {preset: 'chart', hidden: ['book'], columns: {chart: 'all'}, rows: {}},
		standard: {preset: 'book', hidden: [], columns: {}, rows: {tape: 3}},
	};
	const restored = restoredUi(initialUi('standard'), {layouts, log: true}, {});
	expect(restored.layouts).toEqual({standard: {preset: 'book', hidden: new Set(), columns: {}, rows: {tape: 3}}});
	expect(restored.chart.log).toBe(true);
	expect(restoredUi(initialUi('standard'), {layouts: 'none'}, {}).layouts).toEqual({});
});

test('the focus is restored, but not on a picker that would cover the other panels', () => {
	const small = initialUi('small');
	expect(restoredUi(small, {focus: 'tape'}, {}).focus).toBe('tape');
	expect(restoredUi(small, {focus: 'markets'}, {}).focus).toBe('chart');
	expect(restoredUi(small, {focus: 'markets', zoomed: true}, {}).focus).toBe('markets');
});

test('lengths of indicators that are broken are replaced by the standard ones, and lose nothing else', () => {
	const initial = initialUi('standard');
	const restored = (lengths: unknown) => {
		const parsed = parseState(JSON.stringify({...noState, view: {log: true, lengths}}));
		if ('fault' in parsed) throw new Error(parsed.fault);
		return restoredUi(initial, parsed.state.view, {}).chart;
	};
	expect(restored({sma: '20 50', rsi: 'soon', macd: [1, 2], other: '5'})).toEqual({
		...{...initial.chart, log: true},
		lengths: {...standardLengths, sma: [20, 50]},
	});
	expect(restored('none')).toEqual({...initial.chart, log: true});
});

test('columns keep their order, are forgotten when reset, and unknown ones are no fault', async () => {
	const path = newPath();
	const choose = async (columns: UiState['picker']['columns']) => {
		const run = await begin(path);
		const restored = run.ui.getSnapshot().picker.columns;
		run.ui.update(changed('picker', {columns}));
		await run.end();
		return restored;
	};
	expect([await choose(['last', 'high']), await choose(['high', 'last']), await choose(undefined)]).toEqual([
		...[undefined, ['last', 'high'], ['high', 'last']],
	]);
	expect(await choose(['age'])).toBeUndefined();
	writeFileSync(path, readFileSync(path, 'utf8').replace('"age"', '"later age"'));
	expect(await choose(['last'])).toEqual(['age']);
});

test('broken levels cost nothing else, and stay in the file until one is drawn', async () => {
	const path = newPath();
	const state = {...noState, exchanges: {mine: {favourites: ['SOLUSDT'], levels: 'broken'}}};
	writeFileSync(path, JSON.stringify(state));
	const monitor = await begin(path);
	expect(monitor.ui.getSnapshot().picker.favourites).toEqual(new Set(['SOLUSDT']));
	monitor.ui.update(withFavourites('SOLUSDT', 'BTCUSDT'));
	await monitor.end();
	const written = (await openStateFile(path, createFakeClock())).state;
	expect(exchangeStateOf(written, 'mine')).toMatchObject({favourites: ['SOLUSDT', 'BTCUSDT'], levels: 'broken'});
});
