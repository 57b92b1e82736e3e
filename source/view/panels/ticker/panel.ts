import {type Size, textWidth, truncate} from '../../../format/cells.ts';
import {
	formatBasisPoints,
	formatCount,
	formatExact,
	formatFixed,
	formatPlain,
	formatPrice,
} from '../../../format/number.ts';
import {formatAge, formatZonedClock} from '../../../format/time.ts';
import {fromLocal, localDayOf, utc} from '../../../format/zone.ts';
import {spreadOf} from '../../../market/depth.ts';
import {clamp} from '../../../market/numbers.ts';
import {powerOfTen} from '../../../market/precision.ts';
import {dayAverage, tapeSums} from '../../../market/tape-sums.ts';
import {dayMs} from '../../../market/units.ts';
import type {Resource} from '../../../store/resource.ts';
import {selectedMarket} from '../../../store/state.ts';
import {completeTo, tradeTime} from '../../../store/trade-time.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {noKeyHint} from '../../keys.ts';
import {
	fitLine,
	fitLines,
	fitParts,
	type Line,
	label,
	lineText,
	lineWidth,
	type Part,
	sideBySide,
	type Tone,
} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {priceRows} from '../../plot/tape-trend.ts';
import {outdatedAt, type PanelView, panelStatuses} from '../../resource-panel.ts';
import {missingBids, type Quote, type TickerFacts, tickerFacts} from './facts.ts';
import {rangeGauge, shareOfRange} from './gauge.ts';
import {bothTickers, interfaceRows, notPolled, type OtherTickers, type Tickers} from './interface-rows.ts';
import {type TickerInput, type TickerState, type TickerView, tickerInput, whyAbsent} from './model.ts';

export type TickerPanelView = TickerView & PanelView & {readonly other?: OtherTickers | undefined};

/** The framed ticker panel. */
export function tickerPanel(state: TickerState, view: TickerPanelView): readonly Line[] {
	const {keyHint = noKeyHint, size, focused, ascii, now, zone, other = notPolled('not polled')} = view;
	const input = tickerInput(state, view);
	const titles = [`Ticker ${input.pair}`, input.pair, 'Ticker'];
	const statuses = panelStatuses(state.trades, now, ascii, zone, [state.depth]);
	const whole = {state, input, tickers: bothTickers(state, other, now), view};
	return framePanel(
		{key: keyHint('', 'go-to-ticker'), titles, statuses, focused, ascii, size},
		wholeTicker(whole, bodySize(size)),
	);
}

type WholeTicker = {
	readonly state: TickerState;
	/** Of this state. */
	readonly input: TickerInput;
	readonly tickers: Tickers;
	readonly view: TickerView;
};

/** From this size on, a panel has more than the facts of `tickerBody`. */
const wholeFrom: Size = {columns: 70, rows: 14};

export const isWhole = ({columns, rows}: Size): boolean => columns >= wholeFrom.columns && rows >= wholeFrom.rows;

type Column = {readonly width: number; readonly lines: readonly Line[]};

/** From these widths on: a wide column at the left, and a third column. */
const wideFrom = 100;
const threeFrom = 150;
const leastCurve = 4;
const between = 2;

/**
 * The ticker with the screen to itself: the range with the present prices in it, the facts of `tickerBody`, what is known of the
 * market, both interfaces' tickers side by side, and with room left the price as a curve. Exactly `size`; a small one has
 * `tickerBody` alone.
 */
function wholeTicker(whole: WholeTicker, size: Size): readonly Line[] {
	const {state, input, view} = whole;
	if (!isWhole(size)) return tickerBody({...input, size});
	const top = rangeRows(input, size.columns);
	const rows = size.rows - top.length - 1;
	const facts = sideBySide(columnsOf(whole, {columns: size.columns, rows}), between).slice(0, rows);
	const left = {columns: size.columns, rows: rows - facts.length - 1};
	const tape = state.trades.status === 'ready' && left.rows >= leastCurve ? state.trades.data : undefined;
	const curve = tape ? priceRows({...view, tape, decimals: input.decimals}, left) : [];
	return fitLines([...top, [], ...facts, [], ...curve], size);
}

function columnsOf(whole: WholeTicker, {columns, rows}: Size): readonly Column[] {
	const {input, tickers} = whole;
	const present = (width: number) => presentRows(input, width);
	const market = (width: number) => marketRows(whole, width);
	const interfaces = (width: number) => interfaceRows(tickers, input, {columns: width, rows});
	if (columns >= threeFrom) {
		const width = Math.floor((columns - 2 * between) / 3);
		return [present, interfaces, market].map(block => ({width, lines: block(width)}));
	}

	const left = columns >= wideFrom ? Math.floor(columns / 2) : wholeFrom.columns / 2;
	const right = columns - left - between;
	return [
		{width: left, lines: [...present(left), [], ...market(left)]},
		{width: right, lines: interfaces(right)},
	];
}

type Point = {readonly name: string; readonly glyph: string; readonly price: number; readonly tone: Tone};

/** The prices in the range, the most important last: it covers the others where they share a cell. */
function pointsOf({lastTrade, ticker, book, ascii}: TickerInput): readonly Point[] {
	const points: ReadonlyArray<Omit<Point, 'price'> & {readonly price: number | undefined}> = [
		{name: 'ask', glyph: 'a', price: book?.asks[0]?.[0], tone: 'down'},
		{name: 'bid', glyph: 'b', price: book?.bids?.[0]?.[0], tone: 'up'},
		{name: 'open', glyph: ascii ? 'o' : '○', price: ticker?.open, tone: 'plain'},
		{name: 'last', glyph: ascii ? 'O' : '●', price: lastTrade?.price ?? ticker?.last, tone: 'strong'},
	];
	return points.flatMap(({price, ...point}) => (price === undefined ? [] : {...point, price}));
}

/** Cells of the names of facts, with the blanks around them. */
const labelColumns = 9;

/** The gauge has at least so many cells. */
const leastGauge = 10;

/**
 * `61,001.00 ▕──○────b●a──▏ 62,745.14`, and below it what the marks are and where they lie, in percent from the low. A price
 * outside the range, of a trade more than a day old, stands at that end, without a percentage. Two rows.
 */
function rangeRows(input: TickerInput, columns: number): readonly Line[] {
	const {range, absences, ascii} = input;
	const decimals = input.decimals.price;
	const {low, high} = range;
	const {none, ellipsis} = marksFor(ascii);
	if (low === undefined || high === undefined) {
		return [[label(` range 24 h  ${none}  ${absences?.ticker ?? 'not sent'}`)], []];
	}

	const text = (price: number) => formatPrice(price, {decimals, ascii});
	const width = Math.floor((columns - leastGauge - 4) / 2);
	const endText = (price: number) =>
		firstFitting([text(price), formatPrice(price, {decimals, width, ascii}), ellipsis], width);
	const [left, right] = [` ${endText(low)} `, ` ${endText(high)} `];
	const points = pointsOf(input);
	const canvas = createCanvas({columns: columns - left.length - right.length, rows: 1});
	const {columns: cells} = canvas.size;
	const shareOf = (price: number) => shareOfRange(low, high, price) ?? 0;
	const [start, rail, end] = ascii ? ['[', '-', ']'] : ['▕', '─', '▏'];
	canvas.write(0, 0, start + rail.repeat(cells - 2) + end, 'muted');
	for (const {price, glyph, tone} of points) {
		canvas.write(0, 1 + Math.round(clamp(shareOf(price), 0, 1) * (cells - 3)), glyph, tone);
	}

	const places = points.toReversed().map(({name, glyph, price, tone}, index): Part => {
		const isInside = price >= low && price <= high;
		const place = isInside ? ` at ${formatFixed(shareOf(price) * 100, 0)} %` : ' outside';
		return {
			spans: [{text: ` ${glyph}`, tone}, label(` ${name} `), {text: text(price)}, label(place)],
			rank: index,
			gap: 2,
		};
	});
	const [gauge = []] = canvas.lines();
	return [[{text: left}, ...gauge, {text: right}], fitParts(places, columns, ellipsis)];
}

/** What is known of the market itself, one fact per row. A fact that is unknown is left out, or says why. */
function marketRows({state, input, view}: WholeTicker, columns: number): readonly Line[] {
	const {symbol = '', markets} = state;
	const {ticker, book, decimals, now, ascii} = input;
	const market = selectedMarket(state);
	const {none, ellipsis} = marksFor(ascii);
	const room = columns - labelColumns;
	const numbers = (texts: readonly string[]) => firstFitting([...texts, ellipsis], room);
	const word = market || ticker ? stateText(input) : none;
	const spread = book && spreadOf(book);
	const facts: ReadonlyArray<readonly [name: string, text: string]> = [
		['market', market?.id === undefined ? symbol : `${symbol}, id ${market.id}`],
		['assets', `base ${market?.base ?? none}, quote ${market?.quote ?? none}`],
		['state', firstFitting([`${word}, type ${market?.type ?? ticker?.type ?? none}`, word], room) || word],
		['spread', numbers([spread ? formatBasisPoints(spread.basisPoints, {ascii}) : `${none} needs bid and ask`])],
		['trades', numbers(paceTexts(state, view))],
		['VWAP', numbers(averageTexts(state, view))],
		['prices', numbers(stepTexts(decimals.price))],
		['sizes', numbers(stepTexts(decimals.quantity))],
		['listed', listedText(markets, market ? '' : ', not in it')],
		...agesOf(state, now).map(
			(texts, index) => [index === 0 ? 'ages' : '', firstFitting(texts, room) || (texts.at(-1) ?? '')] as const,
		),
	];
	return facts.map(([name, text]) =>
		fitLine([label(` ${name}`.padEnd(labelColumns)), {text: truncate(text, room, ascii)}], columns),
	);
}

/** `v2 list of 595 markets`, or why there is none. */
const listedText = (markets: TickerState['markets'], note: string): string =>
	markets.status === 'ready'
		? `${markets.interface} list of ${formatCount(markets.data.length, 'market')}${note}`
		: (whyAbsent(markets) ?? '');

/** `active`, or `active (ticker) · halted (list, 40 s ago)`. */
function stateText(input: TickerInput): string {
	const {state, contradiction} = tickerFacts(input);
	return contradiction.text === '' ? input.state : `${state.text} ${contradiction.text}`;
}

/** The finest step of the prices or sizes received, from long to short: the exchange gives none. */
function stepTexts(decimals: number): readonly string[] {
	const step = `steps of ${formatPlain(1 / powerOfTen(decimals))} seen`;
	const count = formatCount(decimals, 'decimal');
	return [`${step}, ${count}`, step, `${count} seen`];
}

/** From long to short. Counted when the trades came: after an outage the last minute would seem quiet. */
function paceTexts({trades: tape}: TickerState, {now, ascii, zone}: TickerView): readonly string[] {
	const {none, atLeast} = marksFor(ascii);
	const sums = tape.status === 'ready' ? tapeSums(tape.data, completeTo(tape)) : undefined;
	if (tape.status !== 'ready' || sums?.since === undefined) return [`${none} none yet`];
	const countedAt = outdatedAt(tape, now);
	const when = countedAt === undefined ? '' : ` at ${formatZonedClock(countedAt, zone)}`;
	const rate = `${sums.perMinutePartial ? atLeast : ''}${formatFixed(sums.perMinute, 0)}/min${when}`;
	const count = formatExact(tape.data.trades.length);
	return [`${rate}, ${count} since ${formatZonedClock(sums.since, zone)}`, rate];
}

/** From long to short. The exchange gives no average price: it is that of the trades received. */
function averageTexts({trades: tape, decimals}: TickerState, {now, ascii, zone = utc}: TickerView): readonly string[] {
	const {none, about} = marksFor(ascii);
	const today = fromLocal(localDayOf(tradeTime(tape, now), zone) * dayMs, zone);
	const average = tape.status === 'ready' ? dayAverage(tape.data, today) : undefined;
	if (!average) return [`${none} no trades today`];
	const price = (average.hasGaps ? about : '') + formatFixed(average.price, decimals.price, {ascii});
	return [`${price} since ${formatZonedClock(average.since, zone)}`, price];
}

/**
 * `trades v2, 0.4 s old` for each source that has answered, from long to short; for any other, why it has not. The age of a ticker is
 * that of its answer.
 */
function agesOf({trades: tape, depth, tickers, markets}: TickerState, now: number): ReadonlyArray<readonly string[]> {
	const sources = {trades: tape, book: depth, ticker: tickers, list: markets};
	return Object.entries(sources).map(([name, resource]: readonly [string, Resource<unknown>]) => {
		if (resource.status !== 'ready') return [`${name}: ${whyAbsent(resource)}`];
		const [source, age] = [`${name} ${resource.interface}`, formatAge(now - resource.receivedAt)];
		const stale = resource.failure ? ', stale' : '';
		if (name !== 'ticker') return [`${source}, ${age} old${stale}`];
		const text = `${source}, answer ${age} old${stale}`;
		return [`${text} (prices may be delayed)`, text, `${source} answer ${age}${stale}`];
	});
}

const widestGauge = 40;

/**
 * The ticker as a panel of its own, one fact per row, exactly `size`: last and state, 24 h, low and high, bid, ask, spread,
 * volume, ticker. Short panels leave out the last rows, narrow ones the facts at the right.
 */
export function tickerBody(input: TickerInput & {readonly size: Size}): readonly Line[] {
	return fitRows(Object.values(namedRows(input, tickerFacts(input))), input.size, input.ascii);
}

/** The facts of `tickerBody` without the range. */
function presentRows(input: TickerInput, columns: number): readonly Line[] {
	const size = {columns, rows: presentCount};
	const {range: _, ...rows} = namedRows({...input, size}, tickerFacts(input));
	return fitRows(Object.values(rows), size, input.ascii);
}

const presentCount = 7;

function fitRows(rows: ReadonlyArray<readonly Part[]>, {columns, ...size}: Size, ascii: boolean): readonly Line[] {
	const {ellipsis} = marksFor(ascii);
	return Array.from({length: size.rows}, (_, row) => fitParts(rows[row] ?? [], columns, ellipsis));
}

/** A row of facts, the most important first. */
const factRow = (name: string, ...facts: readonly Line[]): readonly Part[] => [
	{spans: [label(` ${name}`.padEnd(labelColumns)), ...(facts[0] ?? [])], rank: 0},
	...facts.slice(1).map((spans, index) => ({spans, rank: index + 1, gap: 2})),
];

const quoteRow = (name: string, {price, quantity, fromTicker}: Quote, why: Line): readonly Part[] => [
	...factRow(name, [price, label(fromTicker ? ' (ticker)' : '')]),
	{spans: [quantity], rank: 1, gap: 1},
	{spans: why, rank: 2, gap: 2},
];

type RowName = 'last' | 'day' | 'range' | 'bid' | 'ask' | 'spread' | 'volume' | 'ticker';

/** The rows by name, in their order. */
function namedRows(
	input: TickerInput & {readonly size: Size},
	facts: TickerFacts,
): Readonly<Record<RowName, readonly Part[]>> {
	const room = input.size.columns - labelColumns - facts.low.length - facts.high.length - 5;
	const columns = Math.min(room, widestGauge);
	const gauge = room < 5 ? '' : rangeGauge({...input.range, price: facts.current, columns, ascii: input.ascii});
	const {trades, book, ticker = 'not sent'} = input.absences ?? {};
	const {none} = marksFor(input.ascii);
	/** The reason beside texts that are all unknown. */
	const why = (reason: string, ...texts: readonly string[]): Line =>
		texts.every(text => text.trim() === none) ? [label(reason)] : [];
	const quote = (side: 'bid' | 'ask') => {
		const isShown = side === 'ask' || input.book?.bids !== undefined;
		const reason = book ?? (isShown ? `no ${side}s received` : 'not shown by this interface');
		return quoteRow(side, facts[side], why(reason, facts[side].price.text));
	};
	const missing = input.book && missingBids(input.book);
	const missingText = missing && firstFitting(missing, input.size.columns - labelColumns - 3);
	// Also beside the ticker's bid.
	const bidRow = missingText === undefined ? quote('bid') : quoteRow('bid', facts.bid, [label(missingText)]);
	const change = [facts.change.text, lineText(facts.percent)];
	const own = facts.own ?? {price: none, age: '', shortAge: '', change: '', percent: ''};
	const ageRoom = input.size.columns - labelColumns - textWidth(own.price);
	const delayed = own.age === '' ? [] : [label('(prices may be delayed)')];
	const agoRoom = input.size.columns - labelColumns - lineWidth(facts.price) - 2;
	const tradedAgo = textWidth(facts.tradedAgo.text) <= agoRoom ? facts.tradedAgo : facts.tradedAgoBrief;
	const ownChange = [own.change, own.percent].filter(text => text !== '').join('  ');
	return {
		last: [
			...factRow('last', facts.price, [tradedAgo], why(trades ?? 'no trades yet', lineText(facts.price)), [
				facts.state,
			]),
			{spans: [facts.contradiction], rank: 4, gap: 1},
			{spans: [facts.entryNote], rank: 5, gap: 2},
			{spans: [facts.outside], rank: 6, gap: 2},
		],
		day: factRow('24 h', [facts.change], facts.percent, [label(facts.open)], why(ticker, ...change)),
		range: factRow(
			'range',
			...[[{text: facts.low}], [label(gauge)], [{text: facts.high}], [label(facts.position)]],
			why(ticker, facts.low, facts.high),
		),
		bid: bidRow,
		ask: quote('ask'),
		spread: factRow('spread', [facts.spread], why(book ?? 'needs bid and ask', facts.spread.text)),
		volume: factRow('volume', [{text: facts.volume}], [label(facts.turnover)], why(ticker, facts.volume)),
		ticker: [
			{spans: [label(' ticker'.padEnd(labelColumns)), label(own.price)], rank: 0},
			{spans: [label(firstFitting([own.age, own.shortAge], ageRoom))], rank: 1, gap: 0},
			...[[label(facts.tickerLag)], [label(ownChange && `24 h ${ownChange}`)], delayed, why(ticker, own.price)].map(
				(spans, index) => ({spans, rank: index + 2, gap: 2}),
			),
		],
	};
}
