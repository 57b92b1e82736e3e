import type {Size} from '../../../format/cells.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {noKeyHint} from '../../keys.ts';
import {fitParts, type Line, label, lineText, type Part} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {type PanelView, panelStatuses} from '../../resource-panel.ts';
import {missingBids, type Quote, type TickerFacts, type TickerFactsInput, tickerFacts} from './facts.ts';
import {rangeGauge} from './gauge.ts';
import {type TickerState, type TickerView, tickerInput} from './model.ts';

/** The framed ticker panel. */
export function tickerPanel(state: TickerState, view: TickerView & PanelView): readonly Line[] {
	const {keyHint = noKeyHint, size, focused, ascii, now} = view;
	const input = tickerInput(state, view);
	const titles = [`Ticker ${input.pair}`, 'Ticker'];
	const frame = {key: keyHint('', 'go-to-ticker'), titles, statuses: panelStatuses(state.tape, now, ascii)};
	return framePanel({...frame, focused, ascii, size}, tickerBody({...input, size: bodySize(size)}));
}

/** Columns for the labels of `tickerBody`. */
const labelColumns = 9;
const widestGauge = 40;

/**
 * The ticker as a panel of its own, one fact per row, exactly `size`: last and state, 24 h, low and high, bid, ask, spread,
 * volume, ticker. Short panels leave out the last rows, narrow ones the facts at the right.
 */
export function tickerBody(input: TickerFactsInput & {readonly size: Size}): readonly Line[] {
	const rows = bodyRows(input, tickerFacts(input));
	const {ellipsis} = marksFor(input.ascii);
	return Array.from({length: input.size.rows}, (_, row) => fitParts(rows[row] ?? [], input.size.columns, ellipsis));
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

function bodyRows(input: TickerFactsInput & {readonly size: Size}, facts: TickerFacts): ReadonlyArray<readonly Part[]> {
	const room = input.size.columns - labelColumns - facts.low.length - facts.high.length - 5;
	const columns = Math.min(room, widestGauge);
	const gauge = room < 5 ? '' : rangeGauge({...input.range, price: facts.current, columns, ascii: input.ascii});
	const {trades, book, ticker = 'not given'} = input.absences ?? {};
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
	const own = facts.own ?? {price: none, age: '', change: '', percent: ''};
	const ownChange = [own.change, own.percent].filter(text => text !== '').join('  ');
	return [
		factRow(
			'last',
			facts.price,
			why(trades ?? 'no trades yet', lineText(facts.price)),
			[facts.state],
			[facts.entryNote],
			[facts.outside],
		),
		factRow('24 h', [facts.change], facts.percent, [label(facts.open)], why(ticker, ...change)),
		factRow(
			'range',
			...[[{text: facts.low}], [label(gauge)], [{text: facts.high}], [label(facts.position)]],
			why(ticker, facts.low, facts.high),
		),
		bidRow,
		quote('ask'),
		factRow('spread', [facts.spread], why(book ?? 'needs bid and ask', facts.spread.text)),
		factRow('volume', [{text: facts.volume}], [label(facts.turnover)], why(ticker, facts.volume)),
		factRow(
			'ticker',
			...[[label(own.price + own.age)], [label(facts.tickerLag)], [label(ownChange && `24 h ${ownChange}`)]],
			why(ticker, own.price),
		),
	];
}
