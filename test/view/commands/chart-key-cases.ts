import type {Case, Seen} from './key-case.ts';

/** Candles between the newest and the one at the right edge. */
export const offset = ({ui: {chart}, state: {candles}}: Seen) => {
	if (chart.rightEdge === undefined || candles.status !== 'ready') return 0;
	return candles.data.candles.length - 1 - candles.data.candles.findIndex(({time}) => time === chart.rightEdge);
};
/** Candles back from the newest to the one under the crosshair. */
const cross = ({ui: {chart}, state: {candles}}: Seen) =>
	chart.cross !== undefined && candles.status === 'ready'
		? candles.data.candles.length - 1 - candles.data.candles.findIndex(({time}) => time === chart.cross)
		: undefined;
const zoom = ({ui}: Seen) => [ui.chart.zoom.columns, ui.chart.zoom.merged];
const period = ({state}: Seen) => state.period;

/** What the keys of the chart do. */
export const chartCases: readonly Case[] = [
	{key: 'k', after: ['2'], what: 'pans the chart by a candle', see: offset, from: 0, to: 1},
	{key: '[', what: 'shortens the candles', see: period, from: 60, to: 30},
	{key: ']', what: 'lengthens them', see: period, from: 60, to: 120},
	{key: ']', after: ['left'], what: 'shows the newest of the new ones', see: offset, from: 5, to: 0},
	{key: 'left', what: 'pans to older candles', see: offset, from: 0, to: 5},
	{key: 'right', after: ['left', 'left'], what: 'pans to newer ones', see: offset, from: 10, to: 5},
	{key: 'right', what: 'stays at the newest', see: offset, from: 0, to: 0},
	{key: '+', after: ['2'], what: 'zooms the chart in', see: zoom, from: [1, 1], to: [2, 1]},
	{key: '=', after: ['2'], what: 'the same', see: zoom, from: [1, 1], to: [2, 1]},
	{key: '-', after: ['2', '+', '+'], what: 'zooms it out', see: zoom, from: [3, 1], to: [2, 1]},
	{key: '_', after: ['2', '+'], what: 'the same', see: zoom, from: [2, 1], to: [1, 1]},
	{key: '-', after: ['2'], what: 'gathers two candles in a column', see: zoom, from: [1, 1], to: [1, 2]},
	{key: 'c', what: 'draws bars instead of candles', see: ({ui}) => ui.chart.type, from: 'candles', to: 'bars'},
	{
		key: 'c',
		after: ['c', 'c', 'c'],
		what: 'draws candles after the line',
		see: ({ui}) => ui.chart.type,
		from: 'line',
		to: 'candles',
	},
	{key: 'l', after: ['2'], what: 'makes the prices logarithmic', see: ({ui}) => ui.chart.log, from: false, to: true},
	{key: 'x', after: ['2'], what: 'shows the crosshair on the newest candle', see: cross, from: undefined, to: 0},
	{key: 'x', after: ['2', 'x'], what: 'and hides it', see: cross, from: 0, to: undefined},
	{key: 'left', after: ['2', 'x'], what: 'moves the crosshair', see: cross, from: 0, to: 1},
	{key: 'j', after: ['2', 'x', 'left', 'left'], what: 'moves it to newer candles', see: cross, from: 2, to: 1},
	{key: 'g', after: ['2', 'x'], what: 'moves it to the oldest candle', see: cross, from: 0, to: 299},
	{key: 'esc', after: ['2', 'x', 'left'], what: 'leaves the crosshair', see: cross, from: 1, to: undefined},
	{
		key: 'o',
		what: 'opens the indicators',
		see: ({ui}) => [ui.focus, ui.chart.menu],
		from: ['markets', undefined],
		to: ['chart', 0],
	},
	{key: 'o', after: ['o'], what: 'closes them', see: ({ui}) => ui.chart.menu, from: 0, to: undefined},
	{key: 'j', after: ['o'], what: 'moves in the menu', see: ({ui}) => ui.chart.menu, from: 0, to: 1},
	{
		key: 'space',
		after: ['o', 'j'],
		what: 'chooses the indicator',
		see: ({ui, state}) => [[...ui.chart.indicators], state.paused],
		from: [[], false],
		to: [['ema'], false],
	},
	{
		key: 'enter',
		after: ['o', 'enter'],
		what: 'leaves it out again',
		see: ({ui}) => [...ui.chart.indicators],
		from: ['sma'],
		to: [],
	},
	{key: 't', after: ['2'], what: 'begins a period', see: ({ui}) => ui.chart.typing, from: undefined, to: ''},
	{key: 'enter', after: ['2', 't', '4', '5'], what: 'takes the typed period', see: period, from: 60, to: 45},
	{key: 'enter', after: ['2', 't', '3', 'd'], what: 'in days too', see: period, from: 60, to: 4320},
	{
		key: 'esc',
		after: ['2', 't', '4'],
		what: 'keeps the period',
		see: ({ui}) => ui.chart.typing,
		from: '4',
		to: undefined,
	},
];
