import {type Size, textWidth} from '../../../format/cells.ts';
import {fitParts, type Line, label, lineText, lineWidth, type Part} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {missingBids, type Quote, type TickerFacts, tickerFacts} from './facts.ts';
import {rangeGauge} from './gauge.ts';
import type {TickerInput} from './model.ts';

/** Columns for the labels of `tickerBody`. */
const labelColumns = 9;
const widestGauge = 40;

/**
 * The ticker as a panel of its own, one fact per row, exactly `size`: last and state, 24 h, low and high, bid, ask, spread,
 * volume, ticker. Short panels leave out the last rows, narrow ones the facts at the right.
 */
export function tickerBody(input: TickerInput & {readonly size: Size}): readonly Line[] {
	return fitRows(Object.values(namedRows(input, tickerFacts(input))), input.size, input.ascii);
}

/** The facts of `tickerBody` without the range. */
export function presentRows(input: TickerInput, columns: number): readonly Line[] {
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
