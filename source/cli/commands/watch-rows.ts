import type {Ask} from '../../client/question.ts';
import {padEnd, padStart} from '../../format/cells.ts';
import {formatAmount, formatAtLeast, formatPercent} from '../../format/number.ts';
import {formatAge, formatDateTime, formatWaiting, formatZonedClock, lastTradeText} from '../../format/time.ts';
import {utc, type Zone} from '../../format/zone.ts';
import {dayChange} from '../../market/day.ts';
import {spreadOf} from '../../market/depth.ts';
import {activeState} from '../../market/types.ts';
import {notRecordedBrief} from '../../recording/outcome-log.ts';
import type {Resource} from '../../store/resource.ts';
import {longestWaitMs, type MarketState} from '../../store/state.ts';
import {quietIn} from '../../store/trade-time.ts';
import {demoTitle} from '../output.ts';
import {bidsErrorOf, failureOf, tickerErrorOf, watchedResources} from './watch-failures.ts';

/** The columns of the lines of `watch`, with minimum widths in cells, so that even the first lines are aligned. */
const columns: ReadonlyArray<readonly [title: string, least: number, pad: typeof padStart]> = [
	['time', 19, padEnd],
	['market', 8, padEnd],
	['last', 10, padStart],
	['change %', 7, padStart],
	['bid', 10, padStart],
	['ask', 10, padStart],
	['spread', 6, padStart],
	['volume 24 h', 8, padStart],
	['age', 6, padStart],
	['', 0, padEnd],
];

export const watchHeader = (zone: Zone = utc): readonly string[] =>
	columns.map(([title], index) => (index === 0 ? `${title} (${zone.name})` : title));

/** Aligns rows one at a time: a column is as wide as its widest cell so far, so that digits rarely move. */
export function createRowWriter(): (cells: readonly string[]) => string {
	const widths = columns.map(([, least]) => least);
	return cells => {
		const placed = columns.map(([, , pad], index) => {
			const text = pad(cells[index] ?? '', widths[index] ?? 0);
			widths[index] = Math.max(widths[index] ?? 0, text.length);
			return text;
		});
		return placed.join('  ').trimEnd();
	};
}

type RowStyle = {
	/** Epoch ms. */
	readonly now: number;
	readonly ascii: boolean;
	/** Of its times. Default UTC. */
	readonly zone?: Zone | undefined;
};

/** A small table: title, header and a line for each market. */
export function watchReport(
	states: readonly MarketState[],
	{demo, ...style}: RowStyle & {readonly demo: boolean},
): string {
	const align = createRowWriter();
	const rows = [watchHeader(style.zone), ...states.map(state => watchRow(state, style))];
	return [...(demo ? [demoTitle] : []), ...rows.map(align), ''].join('\n');
}

/** The cells of one market, as `watchHeader`. The price is the last trade's, because the ticker is delayed. */
export function watchRow(state: MarketState, {now, ascii, zone}: RowStyle): readonly string[] {
	const book = dataOf(state.depth);
	const trades = dataOf(state.trades)?.trades ?? [];
	const ticker = state.symbol === undefined ? undefined : dataOf(state.tickers)?.get(state.symbol);
	const [bid, ask] = [book?.bids?.[0]?.[0], book?.asks[0]?.[0]];
	const [trade] = trades;
	const day = dayChange(ticker, trade?.price);
	const price = (value: number | undefined) => formatAtLeast(value, state.decimals.price, {ascii});
	const received = watchedResources.flatMap(name => {
		const resource = state[name];
		return resource.status === 'ready' ? [resource.receivedAt] : [];
	});
	const unrecorded = received.length > 0 ? watchedResources.filter(name => isNotRecorded(state[name])) : [];
	const failures = failureNotes(state, {without: unrecorded, hasData: received.length > 0, zone});
	const bidsError = bidsErrorOf(state.depth);
	const tickerError = tickerErrorOf(state);
	const quiet = quietIn(state.trades);
	const notes = [
		...(quiet ? [lastTradeText(quiet.ms)] : []),
		...(!trade && ticker?.last !== undefined ? ["last is the ticker's"] : []),
		...(trade && day.ofTicker && day.percent !== undefined ? ["change is the ticker's"] : []),
		...(tickerError ? [tickerError.brief] : []),
		...(ticker && ticker.state !== activeState ? [ticker.state] : []),
		...(book && !book.bids ? [bidsError ? `bids missing: ${bidsError.brief}` : 'bids not shown'] : []),
		...(bid !== undefined && ask !== undefined && bid >= ask ? ['crossed'] : []),
		...shownNames.flatMap(([name, text]) => (unrecorded.includes(name) ? `${text} not recorded` : [])),
		...(failures.length > 0 ? failures : waitNotes(state, now)),
	];
	return [
		formatDateTime(now, zone),
		state.symbol ?? '',
		price(trade?.price ?? ticker?.last),
		formatPercent(day.percent, {ascii, unit: false}),
		price(bid),
		price(ask),
		price(book && spreadOf(book)?.spread),
		formatAmount(ticker?.volume, {ascii}),
		received.length === 0 ? (ascii ? '-' : '–') : formatAge(now - Math.min(...received)),
		notes.join(', '),
	];
}

const dataOf = <T>(resource: Resource<T>) => (resource.status === 'ready' ? resource.data : undefined);

/** What is shown, and its name for people. */
const shownNames = [
	['tickers', 'ticker'],
	['depth', 'book'],
	['trades', 'trades'],
] as const;

const isNotRecorded = (resource: Resource<unknown>): boolean =>
	resource.status === 'failed' && resource.failure.error.brief === notRecordedBrief;

/** How long the oldest request waits for its answer. */
function waitNotes(state: MarketState, now: number): readonly string[] {
	const waitMs = longestWaitMs(state, watchedResources, now);
	return waitMs === undefined ? [] : [formatWaiting(waitMs)];
}

/** Since when data is stale, by its last receipt, and why. */
function failureNotes(
	state: MarketState,
	{
		without,
		hasData,
		zone,
	}: {readonly without: readonly Ask[]; readonly hasData: boolean; readonly zone: Zone | undefined},
): readonly string[] {
	const failures = watchedResources.flatMap(name => {
		const resource = state[name];
		const failure = failureOf(resource);
		return failure && !without.includes(name)
			? [{...failure, since: resource.status === 'ready' ? resource.receivedAt : failure.since}]
			: [];
	});
	if (failures.length === 0) return [];
	const first = failures.reduce((a, b) => (b.since < a.since ? b : a));
	return [`${hasData ? 'stale' : 'no data'} since ${formatZonedClock(first.since, zone)}: ${first.error.brief}`];
}
