import type {Line, Size, Span, Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {type Quote, type TickerFacts, type TickerFactsInput, tickerFacts} from './facts.ts';
import {rangeGauge} from './gauge.ts';
import {fitParts, type Part, partsWidth} from './parts.ts';

export type TickerInput = TickerFactsInput & {
	/** `BTC/USDT`. */
	readonly pair: string;
	/** Where the numbers came from and how old they are, e.g. `v2 · 0.4 s`, from long to short: at the end of the last row. */
	readonly sources: readonly string[];
	/** Why bid, ask and spread are not of now; empty where they are. */
	readonly bookNote: Line;
};

const gaugeColumns = 12;
const lead = ' ';

const label = (text: string): Span => ({text, tone: 'muted'});

/** In place of `24 h`. */
export const staleDay: Part = {spans: [{text: '24 h stale', tone: 'warn'}], rank: 2, gap: 2};

/**
 * The header: exactly `columns` wide, one or two rows. When room is short these go first, from the first to the last:
 * upper row: `24 h`, turnover, gauge, volume, high and low, change, what lies beyond bid and ask, percent, what is stale, state, price: never a number without
 * its market; lower row: the ticker's distance to the last trade, exchange ticker, quantities, spread, source, what is
 * stale, a crossed spread, ask. With one row the lower is left out.
 */
export function tickerLines(input: TickerInput & {readonly columns: number; readonly rows: 1 | 2}): readonly Line[] {
	const facts = tickerFacts(input);
	const upper = upperParts(input, facts);
	const rows = input.rows === 1 ? [upper] : [upper, lowerParts(input, facts, input.columns)];
	const {ellipsis} = marksFor(input.ascii);
	return rows.map(parts => fitParts(parts, input.columns, ellipsis));
}

function upperParts(input: TickerInput, facts: TickerFacts): readonly Part[] {
	const {low, high} = input.ticker ?? {};
	const gauge = rangeGauge({low, high, price: facts.current, columns: gaugeColumns, ascii: input.ascii});
	const day: Tone = input.tickerIsStale ? 'muted' : 'plain';
	return [
		{spans: [{text: lead + input.pair, tone: 'title'}], rank: 0},
		{spans: facts.state.text ? [facts.state] : [], rank: 2, gap: 2},
		{spans: facts.price, rank: 1, gap: 2},
		{spans: [facts.outside], rank: 4, gap: 1},
		{spans: [facts.change], rank: 5, gap: 2},
		{spans: [facts.percent], rank: 3, gap: 2},
		...[input.tickerIsStale ? staleDay : {spans: [label('24 h')], rank: 10, gap: 1}],
		{
			spans: [label('H '), {text: facts.high, tone: day}, label('  L '), {text: facts.low, tone: day}],
			rank: 6,
			gap: 2,
		},
		{spans: [label(gauge)], rank: 8, gap: 2},
		{spans: [label('vol '), {text: facts.volume, tone: day}], rank: 7, gap: 2},
		{spans: [label(facts.turnover)], rank: 9, gap: 2},
	];
}

const tickerRank = 7;
/** Of what gives way even to longer words on where the numbers came from. */
const lagRank = 8;

function lowerParts(input: TickerInput, facts: TickerFacts, columns: number): readonly Part[] {
	const name = (side: string, quote: Quote) => label(quote.fromTicker ? `ticker ${side} ` : `${side} `);
	const {bid, ask, spread, exchangeTicker} = facts;
	const parts: readonly Part[] = [
		{spans: [{text: lead}, name('bid', bid), bid.price], rank: 0},
		{spans: [bid.quantity], rank: 6, gap: 1},
		{spans: [name('ask', ask), ask.price], rank: 1, gap: 2},
		{spans: [ask.quantity], rank: 6, gap: 1},
		{spans: [label('spread '), spread], rank: spread.tone === 'warn' ? 2 : 5, gap: 2},
		{spans: input.bookNote, rank: 3, gap: 2},
		{spans: input.ticker ? [label(`ticker ${exchangeTicker}`)] : [], rank: tickerRank, gap: 3},
		{spans: [label(facts.tickerLag)], rank: lagRank, gap: 2},
	];
	const withSources = input.sources.map(source => [
		...parts,
		{spans: [label(source)], rank: 4, gap: 3, right: true} as const,
	]);
	const fitting = (below: number) =>
		withSources.find(all => partsWidth(all.filter(({rank}) => rank < below)) <= columns);
	return fitting(lagRank) ?? fitting(tickerRank) ?? withSources.at(-1) ?? parts;
}

/** The header's shape before anything is known: the pair, and dots where its numbers will stand. */
export function tickerSkeleton(input: {
	readonly pair: string;
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly ascii: boolean;
}): readonly Line[] {
	const {pair, columns, rows, ascii} = input;
	const {skeleton, ellipsis} = marksFor(ascii);
	const dots = (count: number, rank: number): Part => ({
		spans: [{text: skeleton.repeat(count), tone: 'muted'}],
		rank,
		gap: 2,
	});
	const title: Part = {spans: [{text: lead + pair, tone: 'title'}], rank: 0};
	const upper = [title, dots(9, 1), dots(8, 2), dots(7, 3), dots(11, 4), dots(11, 5), dots(gaugeColumns, 6)];
	const lower = [
		{...dots(16, 0), spans: [{text: lead + skeleton.repeat(16), tone: 'muted' as const}]},
		dots(16, 1),
		dots(11, 2),
	];
	return [upper, lower].slice(0, rows).map(parts => fitParts(parts, columns, ellipsis));
}

/** Room for the labels of `tickerBody`. */
const labelColumns = 9;
const widestGauge = 40;

/**
 * The same as a panel of its own, one fact a row, exactly `size`. In short panels the last rows are left out, in narrow
 * ones what stands at the right: last and state, 24 h, low and high, bid, ask, spread, volume, ticker.
 */
export function tickerBody(input: TickerFactsInput & {readonly size: Size}): readonly Line[] {
	const rows = bodyRows(input, tickerFacts(input));
	const {ellipsis} = marksFor(input.ascii);
	return Array.from({length: input.size.rows}, (_, row) => fitParts(rows[row] ?? [], input.size.columns, ellipsis));
}

/** Facts in the order of importance, also within a row. */
const factRow = (name: string, ...facts: readonly Line[]): readonly Part[] => [
	{spans: [label(` ${name}`.padEnd(labelColumns)), ...(facts[0] ?? [])], rank: 0},
	...facts.slice(1).map((spans, index) => ({spans, rank: index + 1, gap: 2})),
];

const quoteRow = (name: string, {price, quantity, fromTicker}: Quote): readonly Part[] => [
	...factRow(name, [price, label(fromTicker ? ' (ticker)' : '')]),
	{spans: [quantity], rank: 1, gap: 1},
];

function bodyRows(input: TickerFactsInput & {readonly size: Size}, facts: TickerFacts): ReadonlyArray<readonly Part[]> {
	const {low, high} = input.ticker ?? {};
	const room = input.size.columns - labelColumns - facts.low.length - facts.high.length - 5;
	const columns = Math.min(room, widestGauge);
	const gauge = room < 5 ? '' : rangeGauge({low, high, price: facts.current, columns, ascii: input.ascii});
	return [
		factRow('last', facts.price, [facts.state], [facts.outside]),
		factRow('24 h', [facts.change], [facts.percent], [label(facts.open)]),
		factRow('range', [{text: facts.low}], [label(gauge)], [{text: facts.high}], [label(facts.position)]),
		quoteRow('bid', facts.bid),
		quoteRow('ask', facts.ask),
		factRow('spread', [facts.spread]),
		factRow('volume', [{text: facts.volume}], [label(facts.turnover)]),
		factRow('ticker', [label(facts.exchangeTicker)], [label(facts.tickerLag)]),
	];
}
