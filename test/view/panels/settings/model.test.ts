import {describe, expect, test} from 'vitest';
import {noMinimum} from '../../../../source/market/minimum.ts';
import type {DepthBook} from '../../../../source/market/types.ts';
import {presetArrangement, withArrangement} from '../../../../source/view/arrangement.ts';
import {settingEntries, settingNames} from '../../../../source/view/commands/view-settings.ts';
import {rowAt} from '../../../../source/view/layout.ts';
import {
	type Chosen,
	deliveredIn,
	deliveredStart,
	type SettingsStart,
} from '../../../../source/view/panels/settings/model.ts';
import {changed, type UiState} from '../../../../source/view/ui-state.ts';
import {marketState, received} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';

const delivered = deliveredIn('standard');
const listed = [{id: '1', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active', type: 'spot'}];
const market = marketState({markets: received(listed, 0)});

const withUi = (change: (ui: UiState) => UiState): Chosen => ({...delivered, ui: change(delivered.ui)});
const withMarket = (market: Partial<Chosen['market']>): Chosen => ({
	...delivered,
	market: {...delivered.market, ...market},
});
const indicators = new Set(['sma', 'vwap'] as const);

/** What is changed, and the value before and after. */
const cases: ReadonlyArray<readonly [name: string, chosen: Chosen, before: string, after: string]> = [
	['timezone', withUi(ui => ({...ui, zone: zoneOf('Europe/Berlin')})), 'UTC', 'Europe/Berlin'],
	['theme', withUi(ui => ({...ui, theme: 'light'})), 'auto', 'light'],
	['palette', withUi(ui => ({...ui, palette: 'blue-orange'})), 'classic', 'blue-orange'],
	[
		'layout',
		withUi(ui => ({...ui, layouts: withArrangement({}, 'standard', presetArrangement('standard', 'book'))})),
		'default',
		'book',
	],
	['interface', withMarket({choice: 'legacy'}), 'auto', 'legacy'],
	['mouse', withUi(ui => ({...ui, mouse: false})), 'on', 'off'],
	['sort', withUi(changed('picker', {sort: 'change'})), 'volume', 'change'],
	['columns', withUi(changed('picker', {columns: ['last', 'volume']})), 'as many as fit', 'last volume'],
	['quote-currency', withUi(changed('picker', {currency: 'EUR'})), 'USDT', 'EUR'],
	['reverse-sort', withUi(changed('picker', {reversed: true})), 'off', 'on'],
	['active-only', withUi(changed('picker', {activeOnly: true})), 'off', 'on'],
	['period', withMarket({period: 240}), '1h', '4h'],
	['chart-type', withUi(changed('chart', {type: 'line'})), 'candles', 'line'],
	['logarithmic', withUi(changed('chart', {log: true})), 'off', 'on'],
	['footprint', withUi(changed('chart', {imbalance: 2.5})), '3', '2.5'],
	[
		'sma',
		withUi(changed('chart', {indicators, lengths: {...delivered.ui.chart.lengths, sma: [20, 50]}})),
		'off',
		'20 50',
	],
	['vwap', withUi(changed('chart', {indicators})), 'off', 'on'],
	['book-view', withUi(changed('book', {view: 'curve'})), 'ladder', 'curve'],
	['total', withUi(changed('book', {total: 'value'})), 'total', 'value'],
	['grouping', withUi(changed('book', {grouping: {mantissa: 5, exponent: -1}})), 'default', '0.5'],
	['min', withUi(changed('tape', {minimum: {size: 10_000, unit: 'quote'}})), 'off', '10000 usdt'],
	['min', withUi(changed('tape', {minimum: {...noMinimum, size: 0.5}})), 'off', '0.5 btc'],
	['merge-fills', withUi(changed('tape', {merged: true})), 'off', 'on'],
];

const entriesOf = (now: Chosen, start: SettingsStart, state = market) =>
	settingEntries({...now, market: {...state, ...now.market}}, 'standard', start);
const entryOf = (name: string, now: Chosen, start: SettingsStart = deliveredStart) =>
	entriesOf(now, start).find(entry => entry.name === name);

describe('a setting shows its value and where that comes from', () => {
	test.each(cases)('%s', (name, chosen, before, after) => {
		const remembering = {...deliveredStart, isRemembered: true};
		expect(entryOf(name, delivered)).toMatchObject({value: before, source: 'default'});
		expect(entryOf(name, chosen, remembering)).toMatchObject({value: after, source: 'set now'});
		expect(entryOf(name, chosen, {...remembering, begun: chosen})).toMatchObject({value: after, source: 'remembered'});
		for (const [origin, source] of [
			['flag', 'flag'],
			['environment', 'environment'],
			['file', 'config file'],
		] as const) {
			const given = {...remembering, begun: chosen, origins: {[name]: origin}};
			expect(entryOf(name, chosen, given)).toMatchObject({value: after, source});
			const later = origin === 'flag' ? /^(not )?remembered$/ : new RegExp(`^next time as the ${source} says$`);
			expect(entryOf(name, delivered, given)).toMatchObject({
				...{value: before, source: 'set now', later: expect.stringMatching(later)},
			});
		}
	});

	test('as every setting of the view does', () => {
		const others = ['ema', 'bollinger', 'rsi', 'macd', 'atr', 'volume-average', 'profile'];
		expect(new Set([...cases.map(([name]) => name), ...others])).toEqual(new Set(settingNames));
	});
});

test('what is set now is remembered where the view is, except what is of a market or a session', () => {
	const later = (isRemembered: boolean) =>
		cases.map(([name, chosen]) => [name, entryOf(name, chosen, {...deliveredStart, isRemembered})?.later] as const);
	const forgotten = later(true).filter(([, text]) => text === 'not remembered');
	expect(forgotten.map(([name]) => name)).toEqual(['interface', 'mouse', 'quote-currency', 'min', 'min']);
	expect(new Set(later(false).map(([, text]) => text))).toEqual(new Set(['not remembered']));
});

test('a palette that the start chose is the value until another one is set', () => {
	const start: SettingsStart = {...deliveredStart, palette: 'swapped', origins: {palette: 'environment'}};
	expect(entryOf('palette', delivered, start)).toMatchObject({value: 'swapped', source: 'environment'});
	const remembered = {...start, origins: {}};
	expect(entryOf('palette', delivered, remembered)).toMatchObject({value: 'swapped', source: 'remembered'});
});

test('what only the start sets follows, with what changes it', () => {
	const fixed = [{name: 'rewind', value: '2h', origin: 'file', how: '--rewind TIME'} as const];
	expect(entriesOf(delivered, {...deliveredStart, fixed}).at(-1)).toEqual({
		...{name: 'rewind', group: 'At the start', value: '2h', source: 'config file', how: '--rewind TIME'},
	});
});

test('what the program chooses by itself is shown as its value, where it is known', () => {
	const book: DepthBook = {asks: [[61_824.5, 1]], bids: [[61_824, 2]]};
	const markets = [{id: '1', symbol: 'BTCEUR', base: 'BTC', quote: 'EUR', state: 'active', type: 'spot'}];
	const state = marketState({
		markets: received(markets, 0),
		depth: received(book, 0),
		decimals: {price: 1, quantity: 0},
	});
	const values = (shown: typeof market, now = delivered) =>
		entriesOf(now, deliveredStart, shown)
			.filter(({name}) => ['columns', 'quote-currency', 'grouping'].includes(name))
			.map(({name, value, source}) => [name, value, source]);
	expect(values(state)).toEqual([
		['columns', 'as many as fit', 'default'],
		['quote-currency', 'EUR', 'default'],
		['grouping', '0.5', 'default'],
	]);
	expect(values(marketState())).toEqual([
		['columns', 'as many as fit', 'default'],
		['quote-currency', 'default', 'default'],
		['grouping', 'default', 'default'],
	]);
});

test('the cursor is at the first entry until it is moved', () => {
	const entries = entriesOf(delivered, deliveredStart);
	expect([undefined, 'sort', 'gone'].map(cursor => rowAt(entries, cursor, ({name}) => name)?.name)).toEqual([
		...['timezone', 'sort', 'timezone'],
	]);
});
