import {type Size, truncate} from '../../../format/cells.ts';
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
import type {Interface} from '../../../market/types.ts';
import {dayMs} from '../../../market/units.ts';
import type {Resource} from '../../../store/resource.ts';
import {selectedMarket} from '../../../store/state.ts';
import {completeTo, tradeTime} from '../../../store/trade-time.ts';
import {fitLine, fitLines, fitParts, type Line, label, type Part, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {priceRows} from '../../plot/tape-trend.ts';
import {outdatedAt} from '../../resource-panel.ts';
import {tickerFacts} from './facts.ts';
import {shareOfRange} from './gauge.ts';
import {type InterfaceTicker, interfaceRows} from './interface-rows.ts';
import {type TickerInput, type TickerState, type TickerView, whyAbsent} from './model.ts';
import {presentRows, tickerBody} from './rows.ts';

type WholeTicker = {
	readonly state: TickerState;
	/** Of this state. */
	readonly input: TickerInput;
	readonly tickers: Readonly<Record<Interface, InterfaceTicker>>;
	readonly view: TickerView;
};

/** From this size on, a panel has more than the facts of `tickerBody`. */
const wholeFrom: Size = {columns: 70, rows: 14};

export const isWhole = ({columns, rows}: Size): boolean => columns >= wholeFrom.columns && rows >= wholeFrom.rows;

/** A column of blocks, each with a blank row after it. */
type Column = {readonly width: number; readonly blocks: ReadonlyArray<readonly Line[]>};

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
export function wholeTicker(whole: WholeTicker, size: Size): readonly Line[] {
	const {state, input, view} = whole;
	if (!isWhole(size)) return tickerBody({...input, size});
	const top = rangeRows(input, size.columns);
	const rows = size.rows - top.length - 1;
	const facts = besideEachOther(columnsOf(whole, {columns: size.columns, rows}), rows);
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
		return [present, interfaces, market].map(block => ({width, blocks: [block(width)]}));
	}

	const left = columns >= wideFrom ? Math.floor(columns / 2) : wholeFrom.columns / 2;
	const right = columns - left - between;
	return [
		{width: left, blocks: [present(left), market(left)]},
		{width: right, blocks: [interfaces(right)]},
	];
}

/** The columns side by side, as high as the highest, at most `rows`. */
function besideEachOther(columns: readonly Column[], rows: number): readonly Line[] {
	const stacks = columns.map(({width, blocks}) => ({
		width,
		lines: blocks.flatMap((block, index) => (index > 0 ? [[], ...block] : block)),
	}));
	const height = Math.min(Math.max(...stacks.map(({lines}) => lines.length)), rows);
	return Array.from({length: height}, (_, row) =>
		stacks.flatMap(
			({width, lines}, index): Line => [
				...(index > 0 ? [{text: ' '.repeat(between)}] : []),
				...fitLine(lines[row] ?? [], width),
			],
		),
	);
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

/** Cells of the names of facts, with the blanks around them. */
const nameColumns = 9;

/** What is known of the market itself, one fact per row. A fact that is unknown is left out, or says why. */
function marketRows({state, input, view}: WholeTicker, columns: number): readonly Line[] {
	const {symbol = '', markets} = state;
	const {ticker, book, decimals, now, ascii} = input;
	const market = selectedMarket(state);
	const {none, ellipsis} = marksFor(ascii);
	const room = columns - nameColumns;
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
		fitLine([label(` ${name}`.padEnd(nameColumns)), {text: truncate(text, room, ascii)}], columns),
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
