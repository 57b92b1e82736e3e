import type {Size} from '../../../format/cells.ts';
import {formatDateTime, formatPeriod} from '../../../format/time.ts';
import {zoneOfCandles} from '../../../format/zone.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {memo} from '../../../market/memo.ts';
import {changeSince, priceAtStep, stepPrices} from '../../../market/performance.ts';
import {decimalsOfAll} from '../../../market/precision.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Market, Period} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import type {Compared} from '../../../store/comparison.ts';
import {type Resource, waiting} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {dotted, marksFor} from '../../marks.ts';
import {dateRangeTexts, dayTime, fullTime} from '../../plot/time-labels.ts';
import {type OverlayView, resourcePanel} from '../../resource-panel.ts';
import {chartSkeleton, emptyChart} from '../chart/rows.ts';
import {builtFromText} from '../chart/title.ts';
import {type CompareState, type CompareView, createCompareView, wantsOlderOf} from './compare-view.ts';
import {type ComparedLine, compareChart, plotColumns} from './draw-compare.ts';

export type ComparePanelInput = OverlayView & {
	readonly compared: readonly Compared[];
	/** The market list, for the names of the pairs. */
	readonly markets: Resource<readonly Market[]>;
	readonly period: Period;
	readonly compare: CompareState;
};

/** The framed comparison. Its age is that of a failing market or, if none fails, the oldest one. */
export function comparePanel(input: ComparePanelInput, now: number): readonly Line[] {
	const {compared} = input;
	return resourcePanel({
		...input,
		now,
		resource: worstResource(compared),
		command: 'compare',
		titles: titlesOf(input, now),
		footers: footersOf(input),
		focused: true,
		// Only the year of the time counts. In a zone it can begin at any minute in UTC.
		body: () => compareBody(input, Math.floor(now / minuteMs)),
		skeleton: chartSkeleton,
	});
}

/**
 * From long to short. A base that was chosen is never dropped, as it gives every number its meaning, and the dates of a view
 * that is panned are dropped last.
 */
function titlesOf(input: ComparePanelInput, now: number): readonly string[] {
	const {compared, period, compare, size, ascii} = input;
	const zone = zoneOfCandles(period, input.zone);
	const built = compared.flatMap(({candles}) => seriesOf(candles) ?? []).flatMap(builtFromText);
	const {merged} = compare.zoom;
	const {times} = marksFor(ascii);
	const scale = [formatPeriod(period), ...(merged > 1 ? [`${merged} a step`] : [])];
	const whole = [...scale, ...new Set(built)];
	const short = whole.map(text => text.replace('built from', 'from'));
	const view = compareViewOf(input, bodySize(size).columns);
	const range = view && view.to < view.newest ? dateRangeTexts(view.from, view.to, now, ascii, zone) : undefined;
	const join = (...parts: ReadonlyArray<string | undefined>) => dotted(parts, ascii);

	const {base} = compare;
	const since = base === undefined ? undefined : `since ${fullTime(base, zone)}`;
	const isThisYear =
		base !== undefined && formatDateTime(base, zone).slice(0, 4) === formatDateTime(now, zone).slice(0, 4);
	const sinceShort = isThisYear ? `since ${dayTime(base, zone)}` : since;
	return [
		join('Compare', ...whole, range?.full, `change ${since ?? 'since the left edge'}`),
		join('Compare', ...whole, range?.full, since),
		join(...whole, range?.full, since),
		join(...whole, range?.brief, since),
		join(...short, range?.brief, sinceShort),
		join(...short, range?.least, sinceShort),
		join(...short, sinceShort),
		[`${formatPeriod(period)}${merged > 1 ? times + merged : ''}`, sinceShort].filter(Boolean).join(' '),
	];
}

/** The keys that act, from long to short, after what became of older candles. */
function footersOf({compared, compare, keyHint, ascii}: ComparePanelInput): readonly string[] {
	const {cross, base} = compare;
	const moves = keyHint(cross === undefined ? 'pan' : 'move', 'compare-older', 'compare-newer');
	const baseHint = cross === undefined ? '' : keyHint('base', 'compare-base');
	const closes = keyHint(cross !== undefined ? 'hides' : base !== undefined ? 'resets' : 'closes', 'back');
	const period = keyHint('period', 'shorter-period', 'longer-period');
	const zooms = keyHint('zoom', 'compare-zoom-in', 'compare-zoom-out');
	const crosshair = cross === undefined ? keyHint('crosshair', 'compare-crosshair') : '';
	const picks = keyHint('compare picks the markets', 'command');
	const note = historyNote(compared);
	return [
		[note, picks, moves, zooms, crosshair, baseHint, period, closes],
		[note, moves, zooms, crosshair, baseHint, period, closes],
		[note, moves, crosshair, baseHint, closes],
		[note, baseHint, closes],
		[closes],
	].map(texts => dotted(texts, ascii));
}

function historyNote(compared: readonly Compared[]): string {
	if (compared.some(({history}) => history.status === 'loading')) return 'loading older candles';
	const failed = compared.flatMap(({history}) => (history.status === 'failed' ? history.error.brief : []));
	return failed[0] === undefined ? '' : `older candles: ${failed[0]}`;
}

type CompareViewInput = Pick<ComparePanelInput, 'compared' | 'markets' | 'period' | 'compare'>;

const namesOf = memo((compared: readonly Compared[], markets: ComparePanelInput['markets']): readonly string[] => {
	const listed = new Map(markets.status === 'ready' ? markets.data.map(market => [market.symbol, market]) : []);
	return compared.map(({symbol}) => {
		const market = listed.get(symbol);
		return market ? pairName(market) : symbol;
	});
});

/** What the comparison shows in a body of so many columns; undefined: there are no candles. */
export function compareViewOf(
	{compared, markets, period, compare}: CompareViewInput,
	columns: number,
): CompareView | undefined {
	const series = compared.map(({candles}) => seriesOf(candles)?.candles ?? []);
	return createCompareView(series, period, compare, plotColumns(namesOf(compared, markets), {columns}));
}

/** The symbols of the markets of which older candles are wanted in a panel of this size. */
export function olderWanted(input: CompareViewInput, size: Size): readonly string[] {
	const view = compareViewOf(input, bodySize(size).columns);
	if (!view) return [];
	return input.compared
		.filter(({candles}) => wantsOlderOf(seriesOf(candles)?.candles ?? [], view))
		.map(({symbol}) => symbol);
}

const compareBody = memo((input: ComparePanelInput, minute: number): readonly Line[] => {
	const {compared, markets, compare, period, ascii, zone} = input;
	const size = bodySize(input.size);
	const view = compareViewOf(input, size.columns);
	if (!view) return emptyChart(size, ascii);
	const names = namesOf(compared, markets);
	const lines = compared.map(({candles}, index) => lineOf(names[index] ?? '', candles, view));
	const isBaseChosen = compare.base !== undefined;
	return compareChart({
		...{lines, view, isBaseChosen, size, ascii},
		now: minute * minuteMs,
		zone: zoneOfCandles(period, zone),
	});
});

/** The visible changes and prices of a market. */
function lineOf(name: string, candles: Compared['candles'], view: CompareView): ComparedLine {
	const all = seriesOf(candles)?.candles ?? [];
	const prices = stepPrices(all, view);
	const base = priceAtStep(all, view.base, view.period);
	return {
		...{name, note: noteOf(candles), prices, hasBase: base !== undefined},
		changes: prices.map(price => changeSince(base, price)),
		decimals: decimalsOfAll(prices.filter(price => price !== undefined)),
	};
}

const seriesOf = (candles: Compared['candles']): CandleSeries | undefined =>
	candles.status === 'ready' ? candles.data : undefined;

function noteOf(candles: Compared['candles']): string | undefined {
	if (candles.status === 'waiting') return 'waiting';
	if (candles.status === 'failed') return candles.failure.error.brief;
	if (candles.data.candles.length === 0) return 'no candles';
	return candles.failure ? 'stale' : undefined;
}

/** Among the markets with candles, one that fails, else the oldest. */
function worstResource(compared: readonly Compared[]): Resource<unknown> {
	const resources = compared.map(({candles}) => candles);
	const answered = resources.filter(candles => candles.status === 'ready');
	const failing = answered.find(({failure}) => failure !== undefined);
	const [oldest] = answered.toSorted((a, b) => a.receivedAt - b.receivedAt);
	return failing ?? oldest ?? resources[0] ?? waiting;
}
