import type {Answer} from '../../client/exchange.ts';
import {type Alignment, alignTable} from '../../format/cells.ts';
import {formatExact, formatFixed, formatPercent, formatPrice} from '../../format/number.ts';
import {formatDateTime, formatPeriod} from '../../format/time.ts';
import {candleEnd, candleGaps} from '../../market/candles.ts';
import {noDecimals, widen} from '../../market/precision.ts';
import {pairName} from '../../market/symbol.ts';
import {
	type Candle,
	capabilityFlags,
	type DepthBook,
	type ExchangeInfo,
	interfaceName,
	type Level,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';

export type TableStyle = {
	/** The data is the embedded exchange's. */
	readonly demo: boolean;
	readonly ascii: boolean;
	/** Epoch ms: tells which candle still forms, where the exchange does not say what time it is. */
	readonly now: number;
};

type Column = {readonly name: string; readonly alignment?: Alignment};

const number = (name: string): Column => ({name, alignment: 'point'});

/** `name (unit)`, without the unit where it is not known. */
const withUnit = (name: string, unit: string | undefined) => (unit === undefined ? name : `${name} (${unit})`);

/** The words of the monitor's exchange info. */
const flagWord = (flag: boolean | null) => (flag === null ? 'no value' : String(flag));

export function infoTable(answer: Answer<ExchangeInfo>, style: TableStyle): readonly string[] {
	const {name, description, location, website, twitter, logo, version, capability} = answer.data;
	const texts = Object.entries({name, description, location, website, twitter, logo, version});
	return [
		title(['exchange info', ...source(answer)], style),
		...alignTable(
			[
				...texts.map(([label, text]) => [label, text ?? unknown(style)]),
				['capability', ''],
				...capabilityFlags.map(flag => [`  ${flag}`, flagWord(capability[flag])]),
			],
			[],
		),
	];
}

export function marketsTable(answer: Answer<readonly Market[]>, style: TableStyle): readonly string[] {
	const columns = [{name: 'symbol'}, {name: 'market'}, {name: 'state'}, {name: 'type'}, number('id')];
	const rows = answer.data.map(market => [
		market.symbol,
		pairName(market),
		market.state,
		market.type ?? unknown(style),
		market.id ?? unknown(style),
	]);
	return [title([count(rows.length, 'market'), ...listSource(answer)], style), ...table(columns, rows)];
}

/** Prices are in each market's quote asset, sizes in its base asset. */
export function tickerTable(answer: Answer<readonly Ticker[]>, style: TableStyle): readonly string[] {
	const columns = [
		{name: 'symbol'},
		number('last'),
		number('change'),
		number('change %'),
		number('open'),
		number('high'),
		number('low'),
		number('bid'),
		number('bid size'),
		number('ask'),
		number('ask size'),
		number('volume'),
		number('quote volume'),
		{name: 'state'},
	];
	const rows = answer.data.map(ticker => tickerCells(ticker, style));
	const heading = title(['24 h tickers, delayed', 'prices in quote, sizes in base', ...listSource(answer)], style);
	return [heading, ...table(columns, rows)];
}

/** Prices of a market all have as many decimals as the one that has most, its sizes too. */
function tickerCells(ticker: Ticker, style: TableStyle): readonly string[] {
	const {last, change, open, high, low, bid, ask, bidQuantity, askQuantity} = ticker;
	const decimals = widen(noDecimals, {
		prices: [last, open, high, low, bid, ask],
		quantities: [bidQuantity, askQuantity],
	});
	// The change is computed by the exchange: it can have more.
	const price = (value: number | undefined) => formatPrice(value, {...style, decimals: decimals.price});
	const size = (value: number | undefined) => formatFixed(value, decimals.quantity, style);
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

/** Both sides beside each other, best first. */
export function depthTable(market: Market, answer: Answer<DepthBook>, style: TableStyle): readonly string[] {
	const {asks, bids} = answer.data;
	const levels = [...asks, ...(bids ?? [])];
	const decimals = widen(noDecimals, {
		prices: levels.map(([price]) => price),
		quantities: levels.map(([, size]) => size),
	});
	const cells = (level: Level | undefined, absent: string) =>
		level
			? [formatFixed(level[0], decimals.price, style), formatFixed(level[1], decimals.quantity, style)]
			: [absent, absent];
	const rows = Array.from({length: Math.max(asks.length, bids?.length ?? 0)}, (_, index) => {
		const [bidPrice = '', bidSize = ''] = cells(bids?.[index], bids ? '' : unknown(style));
		return [bidSize, bidPrice, ...cells(asks[index], '')];
	});
	const columns = [
		number(withUnit('bid size', market.base)),
		number(withUnit('bid', market.quote)),
		number(withUnit('ask', market.quote)),
		number(withUnit('ask size', market.base)),
	];
	const bidCount = bids ? count(bids.length, 'bid') : 'bids not shown by this interface';
	const heading = title(
		[`${pairName(market)} depth`, bidCount, count(asks.length, 'ask'), ...listSource(answer)],
		style,
	);
	return [heading, ...table(columns, rows)];
}

/** Newest first. */
export function tradesTable(market: Market, answer: Answer<readonly Trade[]>, style: TableStyle): readonly string[] {
	const trades = answer.data;
	const decimals = widen(noDecimals, {
		prices: trades.map(({price}) => price),
		quantities: trades.map(({quantity}) => quantity),
	});
	const rows = trades.map(trade => [
		formatDateTime(trade.time),
		trade.side ?? trade.sideText ?? unknown(style),
		formatFixed(trade.price, decimals.price, style),
		formatFixed(trade.quantity, decimals.quantity, style),
		trade.id,
	]);
	const columns: readonly Column[] = [
		{name: 'time (UTC)'},
		{name: 'side'},
		number(withUnit('price', market.quote)),
		number(withUnit('size', market.base)),
		{name: 'id', alignment: 'right'},
	];
	return [
		title([`${pairName(market)} trades, newest first`, count(rows.length, 'trade'), ...listSource(answer)], style),
		...table(columns, rows),
	];
}

/** Oldest first; a candle that still forms and one after a gap say so. */
export function candlesTable(
	market: Market,
	period: Period,
	answer: Answer<readonly Candle[]>,
	style: TableStyle,
): readonly string[] {
	const candles = answer.data;
	const now = answer.serverTime ?? style.now;
	const gaps = new Set(candleGaps({period, candles, builtFrom: 'exchange'}));
	const decimals = widen(noDecimals, {
		prices: candles.flatMap(({open, high, low, close}) => [open, high, low, close]),
		quantities: candles.map(({volume}) => volume),
	});
	const rows = candles.map((candle, index) => [
		formatDateTime(candle.time),
		...[candle.open, candle.high, candle.low, candle.close].map(price => formatFixed(price, decimals.price, style)),
		formatFixed(candle.volume, decimals.quantity, style),
		[gaps.has(index) ? 'after a gap' : '', candleEnd(candle, period) > now ? 'forming' : '']
			.filter(note => note !== '')
			.join(', '),
	]);
	const columns = [
		{name: 'start (UTC)'},
		...['open', 'high', 'low', 'close'].map(name => number(withUnit(name, market.quote))),
		number(withUnit('volume', market.base)),
	];
	return [
		title(
			[`${pairName(market)} candles of ${formatPeriod(period)}`, count(rows.length, 'candle'), ...listSource(answer)],
			style,
		),
		...table(columns, rows),
	];
}

/** The first line of every table: whose data, what, from where, when. */
function title(parts: readonly string[], {demo, ascii}: TableStyle): string {
	return (demo ? ['DEMO', ...parts] : parts).join(ascii ? ' | ' : ' · ');
}

const source = (answer: Answer<unknown>) => [
	interfaceName(answer.interface),
	`${formatDateTime(answer.receivedAt)} UTC`,
];

const listSource = (answer: Answer<unknown>) => [
	`${answer.dropped} dropped`,
	...(answer.cut ? [`${answer.cut} cut`] : []),
	...source(answer),
];

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function table(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
	if (rows.length === 0) return ['none'];
	return alignTable(
		[columns.map(({name}) => name), ...rows],
		columns.map(({alignment}) => alignment ?? 'left'),
	);
}

const unknown = ({ascii}: TableStyle) => (ascii ? '-' : '–');
