import {padEnd, padStart} from '../../format/cells.ts';
import {formatAmount, formatFixed, formatPercent} from '../../format/number.ts';
import {formatAge, formatClock, formatDateTime} from '../../format/time.ts';
import {sumDecimals} from '../../market/precision.ts';
import {activeState} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {failureOf, watchedResources} from './watch-events.ts';

/** Of each line of `watch`. All but the first two and the last are numbers. */
export const watchHeader: readonly string[] = [
	'time (UTC)',
	'market',
	'last',
	'change %',
	'bid',
	'ask',
	'spread',
	'volume 24 h',
	'age',
	'',
];

/** Least cells of each column, so that the first lines already stand below each other. */
const leastWidths = [19, 8, 10, 7, 10, 10, 6, 8, 6, 0];
const textColumns: ReadonlySet<number> = new Set([0, 1, 9]);

/** Writes rows one at a time: a column is as wide as its widest cell so far, so digits rarely jump. */
export function createRowWriter(): (cells: readonly string[]) => string {
	const widths = [...leastWidths];
	return cells => {
		const placed = cells.map((cell, index) => {
			const pad = textColumns.has(index) ? padEnd : padStart;
			const text = pad(cell, widths[index] ?? 0);
			widths[index] = Math.max(widths[index] ?? 0, text.length);
			return text;
		});
		return placed.join('  ').trimEnd();
	};
}

/** Said above the lines when the exchange is the embedded one. */
export const demoTitle = 'DEMO data of the embedded exchange';

type ReportStyle = {readonly now: number; readonly ascii: boolean; readonly demo: boolean};

/** A whole small table at once: title, header and a line for each market. */
export function watchReport(states: readonly MarketState[], {now, ascii, demo}: ReportStyle): string {
	const align = createRowWriter();
	const rows = [watchHeader, ...states.map(state => watchRow(state, now, ascii))];
	return [...(demo ? [demoTitle] : []), ...rows.map(align), ''].join('\n');
}

/** One market as the cells below `watchHeader`. The price is the last trade's: the ticker is delayed. */
export function watchRow(state: MarketState, now: number, ascii: boolean): readonly string[] {
	const book = dataOf(state.depth);
	const trades = dataOf(state.tape)?.trades ?? [];
	const ticker = state.symbol === undefined ? undefined : dataOf(state.tickers)?.get(state.symbol);
	const [bid, ask] = [book?.bids?.[0]?.[0], book?.asks[0]?.[0]];
	const price = (value: number | undefined) => formatFixed(value, state.decimals.price, {ascii});
	const received = watchedResources.flatMap(name => {
		const resource = state[name];
		return resource.status === 'ready' ? [resource.receivedAt] : [];
	});
	const notes = [
		...(trades.length === 0 && ticker?.last !== undefined ? ["last is the ticker's"] : []),
		...(ticker && ticker.state !== activeState ? [ticker.state] : []),
		...(book && !book.bids ? ['bids not shown'] : []),
		...(bid !== undefined && ask !== undefined && bid >= ask ? ['crossed'] : []),
		...failureNotes(state, received.length > 0),
	];
	return [
		formatDateTime(now),
		state.symbol ?? '',
		price(trades[0]?.price ?? ticker?.last),
		formatPercent(ticker?.changePercent, {ascii, unit: false}),
		price(bid),
		price(ask),
		price(ask !== undefined && bid !== undefined ? sumDecimals([ask, -bid]) : undefined),
		formatAmount(ticker?.volume, {ascii}),
		received.length === 0 ? (ascii ? '-' : '–') : formatAge(now - Math.min(...received)),
		notes.join(', '),
	];
}

const dataOf = <T>(resource: Resource<T>) => (resource.status === 'ready' ? resource.data : undefined);

/** Since when, and why, not all is fresh. */
function failureNotes(state: MarketState, hasData: boolean): readonly string[] {
	const failures = watchedResources.flatMap(name => failureOf(state[name]) ?? []);
	if (failures.length === 0) return [];
	const first = failures.reduce((a, b) => (b.since < a.since ? b : a));
	return [`${hasData ? 'stale' : 'no data'} since ${formatClock(first.since)}: ${first.error.brief}`];
}
