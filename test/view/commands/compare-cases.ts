import type {Compared} from '../../../source/store/comparison.ts';
import {received} from '../../helpers/market-state.ts';
import {sampleTime} from '../sample-exchange.ts';
import type {Case} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const hourMs = 3_600_000;
const newest = Math.floor(sampleTime / hourMs) * hourMs;

/** Two markets with candles of the last 200 hours, all that there are. */
export const sampleCompared: readonly Compared[] = ['BTCUSDT', 'ETHUSDT'].map(symbol => {
	const candles = Array.from({length: 200}, (_, index) => {
		const price = 100 + (index % 10);
		return {time: newest - (199 - index) * hourMs, open: price, high: price, low: price, close: price, volume: 1};
	});
	return {
		symbol,
		candles: received({period: 60, candles, builtFrom: 'exchange'}, sampleTime),
		history: {status: 'complete'},
	};
});

const hoursAgo = (time: number | undefined) => (time === undefined ? undefined : (newest - time) / hourMs);
const edge = ({ui}: Outcome) => hoursAgo(ui.compare.edge?.time);
const cross = ({ui}: Outcome) => hoursAgo(ui.compare.cross);
const base = ({ui}: Outcome) => hoursAgo(ui.compare.base);
const zoom = ({ui}: Outcome) => [ui.compare.zoom.columns, ui.compare.zoom.merged];
/** What Esc closes, from inside out. */
const open = ({ui}: Outcome) => [ui.compare.cross !== undefined, ui.compare.base !== undefined, ui.overlay];

export const compareCases: readonly Case[] = [
	['compare-older', 'C left', edge, undefined, 5],
	['compare-older', 'C + left', edge, undefined, 3],
	['compare-older', 'C x left', cross, 0, 1],
	['compare-newer', 'C left left right', edge, 10, 5],
	['compare-newer', 'C left right', edge, 5, undefined],
	['compare-newer', 'C right', ({ui}) => ui.notice, undefined, 'this is the newest candle'],
	['compare-newer', 'C x left left right', cross, 2, 1],
	['compare-oldest', 'C g', edge, undefined, 115],
	['compare-oldest', 'C home', edge, undefined, 115],
	['compare-oldest', 'C x g', cross, 0, 199],
	['compare-older', 'C g left', edge, 115, 115],
	['compare-newest', 'C left G', edge, 5, undefined],
	['compare-newest', 'C left end', edge, 5, undefined],
	['compare-newest', 'C x left left G', cross, 2, 0],
	['compare-zoom-in', 'C +', zoom, [1, 1], [2, 1]],
	['compare-zoom-in', 'C =', zoom, [1, 1], [2, 1]],
	['compare-zoom-out', 'C -', zoom, [1, 1], [1, 2]],
	['compare-zoom-out', 'C _', zoom, [1, 1], [1, 2]],
	['compare-zoom-out', 'C - - -', zoom, [1, 3], [1, 3]],
	['compare-crosshair', 'C left x', cross, undefined, 5],
	['compare-crosshair', 'C x x', cross, 0, undefined],
	['compare-base', 'C x left left enter', base, undefined, 2],
	['compare-base', 'C x left enter left enter', base, 1, 2],
	['compare-base', 'C x left enter enter', base, 1, undefined],
	['compare-base', 'C x left enter x enter', base, 1, undefined],
	['compare-base', 'C enter', ({ui}) => ui.notice, undefined, 'no crosshair to measure changes from'],
	['back', 'C x left enter esc', open, [true, true, 'compare'], [false, true, 'compare']],
	['back', 'C x left enter esc esc', open, [false, true, 'compare'], [false, false, 'compare']],
	['back', 'C x left enter esc esc esc', open, [false, false, 'compare'], [false, false, undefined]],
	['compare', 'C + x enter C C', open, [true, true, undefined], [false, false, 'compare']],
	['compare', 'C + C C', zoom, [2, 1], [2, 1]],
];
