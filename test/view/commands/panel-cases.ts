import {type Case, symbol} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const favourites = ({ui}: Outcome) => [...ui.picker.favourites];
export const list = ({ui}: Outcome) => ui.picker.list;
const period = ({state}: Outcome) => state.period;
const chartZoom = ({ui}: Outcome) => [ui.chart.zoom.columns, ui.chart.zoom.merged];
const bookScale = ({ui}: Outcome) => [ui.book.grouping, ui.book.zoom, ui.chart.zoom.columns];
const minSize = ({ui}: Outcome) => ui.tape.minSize;

/** Candles between the newest and the one that starts at this time; undefined: no time. */
const candlesBack = ({state: {candles}}: Outcome, start: number | undefined) => {
	if (start === undefined || candles.status !== 'ready') return undefined;
	return candles.data.candles.length - 1 - candles.data.candles.findIndex(({time}) => time === start);
};
export const offset = (outcome: Outcome) => candlesBack(outcome, outcome.ui.chart.rightEdge) ?? 0;
const cross = (outcome: Outcome) => candlesBack(outcome, outcome.ui.chart.cross);

export const calm = ': l i s t - a d d space c a l m enter';

export const panelCases: readonly Case[] = [
	['select', 'j j enter', symbol, 'BTCUSDT', 'SOLUSDT'],
	['sort', 's', ({ui}) => ui.picker.sort, 'volume', 'name'],
	['sort', 'S s', ({ui}) => [ui.picker.sort, ui.picker.reversed], ['volume', true], ['name', false]],
	['reverse-sort', 'S', ({ui}) => ui.picker.reversed, false, true],
	['reverse-sort', 'S S', ({ui}) => ui.picker.reversed, true, false],
	['quote-asset', 'u', ({ui}) => ui.picker.quote, undefined, 'USDT'],
	['quote-asset', 'u u u', ({ui}) => ui.picker.quote, 'BTC', undefined],
	['quote-asset', 'j u', ({ui}) => ui.picker.cursor, 'ETHUSDT', undefined],
	['active-only', 'A', ({ui}) => ui.picker.activeOnly, false, true],
	['active-only', 'A A', ({ui}) => ui.picker.activeOnly, true, false],
	['compare', 'C', ({ui}) => ui.compared, [], ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']],
	['compare', 'j j j f C', ({ui}) => ui.compared, [], ['BTCUSDT', 'SHIBUSDT']],
	['compare', 'C C', ({ui}) => ui.overlay, 'compare', undefined],
	['list', `${calm} L`, list, undefined, 'calm'],
	['list', `${calm} L L`, list, 'calm', undefined],
	['favourite', 'f', favourites, [], ['BTCUSDT']],
	['favourite', 'f f', favourites, ['BTCUSDT'], []],
	['favourite', 'j f', favourites, [], ['ETHUSDT']],

	['up', '2 k', offset, 0, 1],
	['shorter-period', '[', period, 60, 30],
	['longer-period', ']', period, 60, 120],
	['longer-period', 'left ]', offset, 5, 0],
	['period', '2 t', ({ui}) => ui.chart.typing, undefined, {text: ''}],
	['older', 'left', offset, 0, 5],
	['older', '2 x left', cross, 0, 1],
	['newer', 'left left right', offset, 10, 5],
	['scale-up', '2 +', chartZoom, [1, 1], [2, 1]],
	['scale-up', '2 =', chartZoom, [1, 1], [2, 1]],
	['scale-down', '2 + + -', chartZoom, [3, 1], [2, 1]],
	['scale-down', '2 + _', chartZoom, [2, 1], [1, 1]],
	['scale-down', '2 -', chartZoom, [1, 1], [1, 2]],
	['chart-type', 'c', ({ui}) => ui.chart.type, 'candles', 'bars'],
	['chart-type', 'c c c c', ({ui}) => ui.chart.type, 'line', 'candles'],
	['indicators', 'o', ({ui}) => [ui.focus, ui.chart.menu], ['markets', undefined], ['chart', 0]],
	['crosshair', '2 x', cross, undefined, 0],
	['crosshair', '2 x x', cross, 0, undefined],
	['down', '2 x left left j', cross, 2, 1],
	['first', '2 x g', cross, 0, 299],
	['back', '2 x left esc', cross, 1, undefined],
	['logarithmic', '2 l', ({ui}) => ui.chart.log, false, true],

	['scale-up', '3 +', bookScale, [undefined, 0, 1], [{mantissa: 2, exponent: -2}, 0, 1]],
	['scale-down', '3 + + -', ({ui}) => ui.book.grouping, {mantissa: 5, exponent: -2}, {mantissa: 2, exponent: -2}],
	['scale-up', '3 b +', bookScale, [undefined, 0, 1], [undefined, 1, 1]],
	['scale-down', '3 b b -', bookScale, [undefined, 0, 1], [undefined, -1, 1]],
	['centre', '3 j m', ({ui}) => ui.book.anchor, {side: 'bid', price: 61_824}, undefined],
	['total', '3 t', ({ui}) => ui.book.total, 'total', 'value'],
	['total', '3 t t', ({ui}) => ui.book.total, 'value', 'total'],
	['book-view', 'b', ({ui}) => ui.book.view, 'ladder', 'curve'],
	['book-view', 'b b', ({ui}) => ui.book.view, 'curve', 'heatmap'],
	['book-view', 'b b b', ({ui}) => ui.book.view, 'heatmap', 'ladder'],
	['fill', 'a', ({ui}) => [ui.focus, ui.book.fill.editing], ['markets', false], ['book', true]],

	['scale-up', '4 +', minSize, 0, 0.05],
	['scale-down', '4 + + -', minSize, 0.1, 0.05],
	['merge-fills', '4 m', ({ui}) => ui.tape.merged, false, true],
	['merge-fills', '4 m m', ({ui}) => ui.tape.merged, true, false],
];
