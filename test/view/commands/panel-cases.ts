import {type Case, symbol} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const listed = ({ui}: Outcome) => [...(ui.picker.lists.get('m') ?? [])];
const typed = (line: string) => `${[...line].map(char => (char === ' ' ? 'space' : char)).join(' ')} enter`;
const inList = `${typed(':list-add m btcusdt ethusdt')} ${typed(':list m')}`;
const favourites = ({ui}: Outcome) => [...ui.picker.favourites];
export const list = ({ui}: Outcome) => ui.picker.list;
const period = ({state}: Outcome) => state.period;
const chartZoom = ({ui}: Outcome) => [ui.chart.zoom.columns, ui.chart.zoom.merged];
const bookScale = ({ui}: Outcome) => [ui.book.grouping, ui.book.zoom, ui.chart.zoom.columns];
const bookZoom = ({ui}: Outcome) => ui.book.zoom;
const mapCursor = ({ui}: Outcome) => ui.book.cursor?.price;
const notice = ({ui}: Outcome) => ui.notice;
const minSize = ({ui}: Outcome) => ui.tape.minimum.size;

/** Candles between the newest and the one that starts at this time; undefined: no time. */
const candlesBack = ({state: {candles}}: Outcome, start: number | undefined) => {
	if (start === undefined || candles.status !== 'ready') return undefined;
	return candles.data.candles.length - 1 - candles.data.candles.findIndex(({time}) => time === start);
};
export const offset = (outcome: Outcome) => candlesBack(outcome, outcome.ui.chart.rightEdge) ?? 0;
const mark = (outcome: Outcome) => candlesBack(outcome, outcome.ui.chart.mark?.time);
const crossPrice = ({ui}: Outcome) => ui.chart.crossPrice;
const cross = (outcome: Outcome) => candlesBack(outcome, outcome.ui.chart.cross);

const tooFarUp = '+ '.repeat(24).trim();
const tooFarDown = '- '.repeat(24).trim();
export const calm = ': l i s t - a d d space c a l m enter';

export const panelCases: readonly Case[] = [
	['select', 'j j enter', symbol, 'BTCUSDT', 'SOLUSDT'],
	['sort', 's', ({ui}) => ui.picker.sort, 'volume', 'name'],
	['sort', ': c o l u m n s space a g e enter s s', ({ui}) => ui.picker.sort, 'name', 'age'],
	['sort', 's s s s s', ({ui}) => ui.picker.sort, 'spread', 'volume'],
	['sort', '1 z s s s s s', ({ui}) => ui.picker.sort, 'spread', 'range'],
	['sort', 'S s', ({ui}) => [ui.picker.sort, ui.picker.reversed], ['volume', true], ['name', false]],
	['reverse-sort', 'S', ({ui}) => ui.picker.reversed, false, true],
	['reverse-sort', 'S S', ({ui}) => ui.picker.reversed, true, false],
	['sort', 'j j s', ({ui, state}) => [ui.picker.cursor, state.symbol], ['SOLUSDT', 'BTCUSDT'], ['ADAUSDT', 'BTCUSDT']],
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
	['move-up', `${inList} down K`, listed, ['BTCUSDT', 'ETHUSDT'], ['ETHUSDT', 'BTCUSDT']],
	['move-down', `${inList} J`, listed, ['BTCUSDT', 'ETHUSDT'], ['ETHUSDT', 'BTCUSDT']],
	['favourite', 'f', favourites, [], ['BTCUSDT']],
	['favourite', 'f f', favourites, ['BTCUSDT'], []],
	['favourite', 'j f', favourites, [], ['ETHUSDT']],

	['up', '2 k', offset, 0, 1],
	['page-up', '2 pgup', offset, 0, 38],
	['half-page-up', '2 ctrl+u', offset, 0, 19],
	['half-page-down', '2 x ctrl+u ctrl+d', cross, 19, 0],
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
	['chart-type', 'c c c c c', ({ui}) => ui.chart.type, 'footprint', 'candles'],
	['indicators', 'o', ({ui}) => [ui.focus, ui.chart.menu], ['markets', undefined], ['chart', 0]],
	['crosshair', '2 x', cross, undefined, 0],
	['crosshair', '2 x x', cross, 0, undefined],
	['up', '2 x up', crossPrice, undefined, 61_850],
	['down', '2 x j', crossPrice, undefined, 61_750],
	['measure', '2 m', mark, undefined, 0],
	['measure', '2 x left up m m', mark, 1, undefined],
	['back', '2 m left esc', mark, 0, undefined],
	['first', '2 x g', ({ui}) => ui.chart.centre, undefined, 0],
	['back', '2 x left esc', cross, 1, undefined],
	['logarithmic', '2 l', ({ui}) => ui.chart.log, false, true],

	['scale-up', '3 +', bookScale, [undefined, 0, 1], [{mantissa: 2, exponent: -2}, 0, 1]],
	['scale-down', '3 + + -', ({ui}) => ui.book.grouping, {mantissa: 5, exponent: -2}, {mantissa: 2, exponent: -2}],
	['scale-up', '3 b +', bookScale, [undefined, 0, 1], [undefined, 1, 1]],
	['scale-down', '3 b b -', bookScale, [undefined, 0, 1], [undefined, -1, 1]],
	// Presses past an end are not kept.
	['scale-up', `3 b b ${tooFarUp}`, notice, 'these are the coarsest price rows', 'these are the coarsest price rows'],
	['scale-down', `3 b b ${tooFarUp} -`, bookZoom, 11, 10],
	[
		'scale-down',
		`3 b b ${tooFarDown}`,
		notice,
		'all prices are multiples of 0.01: no finer rows',
		'all prices are multiples of 0.01: no finer rows',
	],
	['scale-up', `3 b b ${tooFarDown} +`, bookZoom, -6, -5],
	['scale-up', `3 b ${tooFarUp}`, notice, 'this is the widest range of prices', 'this is the widest range of prices'],
	[
		'scale-down',
		`3 b ${tooFarDown}`,
		notice,
		'this is the narrowest range of prices',
		'this is the narrowest range of prices',
	],
	['centre', '3 j m', ({ui}) => ui.book.anchor, {side: 'bid', price: 61_824}, undefined],
	['total', '3 t', ({ui}) => ui.book.total, 'total', 'value'],
	['total', '3 t t', ({ui}) => ui.book.total, 'value', 'total'],
	['book-view', 'b', ({ui}) => ui.book.view, 'ladder', 'curve'],
	['book-view', 'b b', ({ui}) => ui.book.view, 'curve', 'heatmap'],
	['book-view', 'b b b', ({ui}) => ui.book.view, 'heatmap', 'ladder'],
	['heatmap-cursor', '3 b b x', mapCursor, undefined, 61_824],
	['next-market', '3 b b x n', mapCursor, 61_824, undefined],
	['heatmap-cursor', '3 b b x x', mapCursor, 61_824, undefined],
	['back', '3 b b x esc', mapCursor, 61_824, undefined],
	['up', '3 b b x up', mapCursor, 61_824, 61_825],
	['down', '3 b b x down', mapCursor, 61_824, 61_823],
	['crosshair', '3 b x', mapCursor, undefined, undefined],
	['heatmap-older', '3 b b left', notice, undefined, 'no older books are kept'],
	['heatmap-newer', '3 b b right', notice, undefined, 'this is the newest book'],
	['shorter-columns', '3 b b [', notice, undefined, 'shortest time of a column'],
	['longer-columns', '3 b b ]', notice, undefined, 'the whole session is shown'],
	['older', '3 b left', offset, 0, 5],
	['fill', 'a', ({ui}) => [ui.focus, ui.book.fill.editing], ['markets', false], ['book', true]],

	['scale-up', '4 +', minSize, 0, 0.05],
	['scale-down', '4 + + -', minSize, 0.1, 0.05],
	['merge-fills', '4 m', ({ui}) => ui.tape.merged, false, true],
	['merge-fills', '4 m m', ({ui}) => ui.tape.merged, true, false],
];
