import type {Answer} from '../../client/exchange.ts';
import {freeText} from '../../format/cells.ts';
import {formatCount, formatExact, formatPercent, formatPrice} from '../../format/number.ts';
import {formatDateTime, formatFullTime, formatPeriod} from '../../format/time.ts';
import {isUtc, utc, type Zone, zoneOfCandles} from '../../format/zone.ts';
import {candleGaps, isOtherPeriod} from '../../market/candles.ts';
import {spreadOf} from '../../market/depth.ts';
import {noDecimals, widen} from '../../market/precision.ts';
import {pairName} from '../../market/symbol.ts';
import {
	activeState,
	type Candle,
	capabilityFlags,
	type DepthBook,
	type ExchangeInfo,
	type Level,
	type Market,
	operationTitle,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import {packed} from '../../view/wrap.ts';
import {formingStart, isBuiltFromTrades, readable} from './documents.ts';

/** Each table is a title with content, source and time, then header and rows. */

export type TableStyle = {
	/** The data comes from the embedded exchange. */
	readonly demo: boolean;
	readonly ascii: boolean;
	/** Of what time a recording tells, for the title; absent: the data is no recording. */
	readonly recorded?: string | undefined;
	/** Of its times. Default UTC. */
	readonly zone?: Zone | undefined;
	/** Cells of a line. Default: as many as it needs. */
	readonly width?: number | undefined;
};

const text = (name: string, rank = 0): Column => ({titles: [name], rank});
const number = (name: string, rank = 0): Column => ({titles: [name], alignment: 'point', rank});

/** `name (unit)` where there is room for it and the unit is known, else the name alone. */
const withUnit = (name: string, unit: string | undefined, rank = 0): Column => ({
	...number(name, rank),
	titles: [...(unit === undefined ? [] : [`${name} (${unit})`]), name],
});

/** Labels, and texts that are wrapped in so many cells or more. */
export const labelled: readonly Column[] = [{titles: []}, {titles: [], least: 20}];

export function infoTable(answer: Answer<ExchangeInfo>, style: TableStyle): Table {
	const {name, description, location, website, twitter, logo, version, capability} = answer.data;
	const facts = Object.entries({name, description, location, website, twitter, logo, version});
	const rows = [
		...facts.map(([label, fact]) => [label, fact === undefined ? unknown(style) : freeText(fact, style.ascii)]),
		['capability', ''],
		...capabilityFlags.map(flag => [`  ${flag}`, String(capability[flag] ?? 'no value')]),
	];
	const {lines, hidden} = table(labelled, rows, style);
	return {lines: [...titleLines(['exchange info', ...sourceOf(answer, style)], style), ...lines], hidden};
}

export function marketsTable(answer: Answer<readonly Market[]>, style: TableStyle): Table {
	const rows = readable(answer.data).map(market => [
		market.symbol,
		pairName(market),
		market.state,
		market.type ?? unknown(style),
		market.id ?? unknown(style),
	]);
	const columns = [text('symbol'), text('market', 1), text('state', 2), text('type', 4), number('id', 3)];
	return listTable([formatCount(rows.length, 'market')], answer, style, columns, rows);
}

/** Prices are in each market's quote asset, sizes in its base asset. */
export function tickerTable(answer: Answer<readonly Ticker[]>, style: TableStyle): Table {
	const isActive = answer.data.every(({state}) => state === activeState);
	const columns = [
		...[text('symbol'), number('last'), number('change', 7), number('change %', 1), number('open', 8)],
		...[number('high', 4), number('low', 4), number('bid', 5), number('bid size', 9), number('ask', 5)],
		...[number('ask size', 9), number('volume', 3), number('quote volume', 6), text('state', isActive ? 10 : 2)],
	];
	const rows = answer.data.map(ticker => tickerCells(ticker, style));
	return listTable(['24 h tickers, delayed', 'prices in quote, sizes in base'], answer, style, columns, rows);
}

/** Aligns the decimals within a market: prices to its longest price, sizes to its longest size. */
function tickerCells(ticker: Ticker, style: TableStyle): readonly string[] {
	const {last, change, open, high, low, bid, ask, bidQuantity, askQuantity} = ticker;
	const decimals = decimalsOf([last, open, high, low, bid, ask], [bidQuantity, askQuantity]);
	// The exchange computes the change, which can have more decimals.
	const price = (value: number | undefined) => exactText(value, decimals.price, style);
	const size = (value: number | undefined) => exactText(value, decimals.quantity, style);
	return [
		ticker.symbol,
		price(last),
		price(change),
		formatPercent(ticker.changePercent, {...style, unit: false}),
		...[open, high, low].map(price),
		...[price(bid), size(bidQuantity), price(ask), size(askQuantity)],
		formatExact(ticker.volume, style),
		formatExact(ticker.quoteVolume, style),
		ticker.state,
	];
}

/** Both sides next to each other, best prices first. */
export function depthTable(market: Market, answer: Answer<DepthBook>, style: TableStyle): Table {
	const {asks, bids, bidsFailure} = answer.data;
	const levels = [...asks, ...(bids ?? [])];
	const decimals = decimalsOf(
		levels.map(([price]) => price),
		levels.map(([, size]) => size),
	);
	const cells = ([price, size]: Level) => [
		exactText(price, decimals.price, style),
		exactText(size, decimals.quantity, style),
	];
	const rows = Array.from({length: Math.max(asks.length, bids?.length ?? 0)}, (_, index) => {
		const [bid, ask] = [bids?.[index], asks[index]];
		const absentBid = bids ? '' : unknown(style);
		return [...(bid ? cells(bid).toReversed() : [absentBid, absentBid]), ...(ask ? cells(ask) : ['', ''])];
	});
	const columns = [
		withUnit('bid size', market.base, 1),
		withUnit('bid', market.quote),
		withUnit('ask', market.quote),
		withUnit('ask size', market.base, 1),
	];
	const absentBids = bidsFailure
		? `bids missing: ${operationTitle(bidsFailure)} failed, ${bidsFailure.brief}`
		: 'bids not shown by this interface';
	const bidCount = bids ? formatCount(bids.length, 'bid') : absentBids;
	const parts = [
		`${pairName(market)} depth`,
		bidCount,
		formatCount(asks.length, 'ask'),
		...crossedNote(answer.data, decimals.price, style),
	];
	return listTable(parts, answer, style, columns, rows);
}

/** `CROSSED by 0.5` or `LOCKED`, as the monitor has it; empty for other books. */
function crossedNote(book: DepthBook, decimals: number, style: TableStyle): readonly string[] {
	const spread = spreadOf(book);
	if (!spread || spread.state === 'open') return [];
	return [spread.state === 'locked' ? 'LOCKED' : `CROSSED by ${exactText(-spread.spread, decimals, style)}`];
}

/** How times of these entries are written: with their offset if clocks change among them, as an hour may then come twice. */
function timeColumn(entries: ReadonlyArray<{readonly time: number}>, zone: Zone): (time: number) => string {
	const offsets = new Set(entries.map(({time}) => zone.offsetAt(time)));
	const format = offsets.size > 1 ? formatFullTime : formatDateTime;
	return time => format(time, zone);
}

/** The times without their seconds if these are 0 in all. */
function withoutSeconds(times: readonly string[]): readonly string[] {
	const short = times.map(time => time.replace(/(:\d\d):00(?= |$)/, '$1'));
	return short.some((time, index) => time === times[index]) ? times : short;
}

/** Newest first. `remarks` are added to the title. */
export function tradesTable(
	market: Market,
	answer: Answer<readonly Trade[]>,
	style: TableStyle,
	remarks: readonly string[] = [],
): Table {
	const trades = answer.data;
	const {zone = utc} = style;
	const decimals = decimalsOf(
		trades.map(({price}) => price),
		trades.map(({quantity}) => quantity),
	);
	const timeText = timeColumn(trades, zone);
	const rows = trades.map(trade => [
		timeText(trade.time),
		trade.side ?? trade.sideText ?? unknown(style),
		exactText(trade.price, decimals.price, style),
		exactText(trade.quantity, decimals.quantity, style),
		trade.id,
	]);
	const columns: readonly Column[] = [
		{titles: [`time (${zone.name})`, 'time']},
		text('side', 2),
		withUnit('price', market.quote),
		withUnit('size', market.base, 1),
		{titles: ['id'], alignment: 'right', rank: 3},
	];
	const parts = [`${pairName(market)} trades, newest first`, formatCount(rows.length, 'trade'), ...remarks];
	return listTable(parts, answer, style, columns, rows);
}

/**
 * Oldest first; marks the forming candle and those after a gap, partial, or built from trades where others are not. `lacking`:
 * start times of candles in which some are missing that they are built from. `remarks` are added to the title.
 */
export function candlesTable(
	market: Market,
	period: Period,
	answer: Answer<readonly Candle[]>,
	style: TableStyle,
	remarks: readonly string[] = [],
	lacking?: ReadonlySet<number>,
): Table {
	const candles = answer.data;
	const zone = zoneOfCandles(period, style.zone);
	const forming = formingStart(answer, period);
	const isBuilt = isBuiltFromTrades(candles);
	const isSeries = !isBuilt && !isOtherPeriod(candles, period);
	const gaps = new Set(isSeries ? candleGaps({period, candles, builtFrom: 'exchange'}) : []);
	const decimals = decimalsOf(
		candles.flatMap(({open, high, low, close}) => [open, high, low, close]),
		candles.map(({volume}) => volume),
	);
	const starts = withoutSeconds(candles.map(({time}) => time).map(timeColumn(candles, zone)));
	const rows = candles.map((candle, index) => [
		starts[index] ?? '',
		...[candle.open, candle.high, candle.low, candle.close].map(price => exactText(price, decimals.price, style)),
		exactText(candle.volume, decimals.quantity, style),
		[
			...(gaps.has(index) ? ['after a gap'] : lacking?.has(candle.time) ? ['incomplete'] : []),
			...(candle.builtFrom === 'trades' && !isBuilt ? ['from trades'] : []),
			...(candle.partial ? ['partial'] : []),
			...(candle.time === forming ? ['forming'] : []),
		].join(', '),
	]);
	const prices = Object.entries({open: 3, high: 1, low: 1, close: 0});
	const columns: readonly Column[] = [
		{titles: [`start (${zone.name})`, 'start']},
		...prices.map(([name, rank]) => withUnit(name, market.quote, rank)),
		withUnit('volume', market.base, 2),
		{titles: [''], least: 'incomplete'.length},
	];
	const parts = [
		`${pairName(market)} candles of ${formatPeriod(period)}`,
		formatCount(rows.length, 'candle'),
		...remarks,
	];
	return listTable(parts, answer, style, columns, rows);
}

function listTable(
	parts: readonly string[],
	answer: Answer<unknown>,
	style: TableStyle,
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
): Table {
	const refused = [
		`${formatExact(answer.dropped)} dropped`,
		...(answer.rounded ? [`${formatExact(answer.rounded)} rounded`] : []),
		...(answer.cut ? [`${formatExact(answer.cut)} cut`] : []),
		...(answer.misdated ? [`${formatExact(answer.misdated)} misdated`] : []),
		...(answer.offPeriod ? [`${formatExact(answer.offPeriod)} off period`] : []),
	];
	const heading = titleLines([...parts, ...refused, ...sourceOf(answer, style)], style);
	if (rows.length === 0) return {lines: [...heading, 'none'], hidden: []};
	// What no row has is left out first.
	const isEmpty = (index: number) => rows.every(row => row[index] === unknown(style));
	const ranked = columns.map((column, index) => (column.rank && isEmpty(index) ? {...column, rank: Infinity} : column));
	const {lines, hidden} = table(ranked, rows, style);
	return {lines: [...heading, ...lines], hidden};
}

/** The parts of a title in as many lines as they need. */
export function titleLines(
	parts: readonly string[],
	{demo, ascii, recorded, width = Infinity}: Pick<TableStyle, 'demo' | 'ascii' | 'recorded' | 'width'>,
): readonly string[] {
	const all = [...(demo ? ['DEMO'] : []), ...(recorded ? [recorded] : []), ...parts];
	return packed(all, ascii ? ' | ' : ' · ', width);
}

/** For a title of times without their zone: the names of columns have it only where there is room. */
export const zoneNote = (zone: Zone): readonly string[] => (isUtc(zone) ? [] : [`times in ${zone.name}`]);

const sourceOf = (answer: Answer<unknown>, {zone}: TableStyle) => [
	answer.interface,
	formatFullTime(answer.receivedAt, zone),
];

const decimalsOf = (prices: readonly (number | undefined)[], quantities: readonly (number | undefined)[]) =>
	widen(noDecimals, {prices, quantities});

/** Wider numbers are written with their zeros counted. */
const numberCells = 32;

/** Every digit, with at least `decimals` after the point. */
const exactText = (value: number | undefined, decimals: number, {ascii}: TableStyle): string =>
	formatPrice(value, {decimals, ascii, width: numberCells});

const unknown = ({ascii}: TableStyle) => (ascii ? '-' : '–');
