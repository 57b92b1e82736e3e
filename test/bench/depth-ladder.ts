import {sideChanges} from '../../source/market/book-changes.ts';
import {emptyHistory, remember} from '../../source/market/liquidity.ts';
import type {DepthBook, Trade} from '../../source/market/types.ts';
import {curveBody} from '../../source/view/panels/book/curve.ts';
import {heatmapBody} from '../../source/view/panels/book/heatmap.ts';
import {type HeatmapInput, heatmapOf} from '../../source/view/panels/book/heatmap-model.ts';
import {type LadderInput, ladderBody} from '../../source/view/panels/book/rows.ts';
import {bitcoin, makeBook} from '../view/panels/book/books.ts';
import type {BenchRow} from './row.ts';

const polls = 200;
const ladderMs = 3;
const hourMs = 5;
const levels = 5000;
const tradeCount = 50_000;
const size = {columns: 60, rows: 40};

/** What a poll of the deepest book costs: 5,000 levels a side remembered, compared with the one before, and drawn at 60×40. */
export async function bench(): Promise<readonly BenchRow[]> {
	const books = Array.from({length: 8}, (_, index) => moved(makeBook({...bitcoin, levels}), index));
	const ladder: Omit<LadderInput, 'grouping' | 'book'> = {
		decimals: {price: bitcoin.priceDecimals, quantity: bitcoin.quantityDecimals},
		size,
		ascii: false,
	};
	let history = emptyHistory;
	const poll = (draw: (book: DepthBook, previous: DepthBook | undefined) => void) => (index: number) => {
		const book = {...(books[index % books.length] ?? books[0])} as DepthBook;
		const previous = history.current;
		history = remember(history, book, index * 1000);
		if (previous) sideChanges(previous.asks, book.asks, 'ask');
		if (previous?.bids && book.bids) sideChanges(previous.bids, book.bids, 'bid');
		draw(book, previous);
	};
	const grouping = {mantissa: 5, exponent: -1} as const;
	const trades = tradesIn(books[0]);
	const rows = [
		row(
			'ladder, finest',
			poll((book, previous) => ladderBody({...ladder, book, previous})),
		),
		row(
			'ladder, grouped by 0.5',
			poll((book, previous) => ladderBody({...ladder, book, previous, grouping})),
		),
		row(
			'ladder, grouped, with 50,000 trades beside it',
			poll((book, previous) => ladderBody({...ladder, book, previous, grouping, trades})),
		),
		row(
			'curve',
			poll(book => curveBody({...ladder, book, zoom: 0})),
		),
	];
	return [
		...rows,
		row(
			'heatmap',
			poll(book => drawHeatmap({...ladder, book, history, zoom: 0})),
		),
		hourRow(books),
	];
}

const drawHeatmap = (input: HeatmapInput) => heatmapBody(heatmapOf(input), input);

/** A poll after an hour of books a second with 50,000 trades, on the largest screen: the mid moves, so that rows do. */
function hourRow(books: readonly DepthBook[]): BenchRow {
	const hour = 3600;
	let history = emptyHistory;
	for (let second = 0; second < hour; second++) {
		history = remember(history, books[second % books.length] ?? {asks: []}, second * 1000);
	}

	const bytes = history.snapshots.reduce((sum, {asks, bids}) => sum + asks.byteLength + (bids?.byteLength ?? 0), 0);
	const trades = tradesIn(books[0]).map((trade, index) => ({
		...trade,
		time: (hour - (index * hour) / tradeCount) * 1000,
	}));
	const input = {
		...{trades, zoom: 0, ascii: false, hasHeat: true, size: {columns: 198, rows: 56}},
		decimals: {price: bitcoin.priceDecimals, quantity: bitcoin.quantityDecimals},
	};
	const measured = row(
		'',
		index => {
			const book = {...(books[index % books.length] ?? books[0])} as DepthBook;
			history = remember(history, book, (hour + index) * 1000);
			drawHeatmap({...input, book, history});
		},
		hourMs,
	);
	const name = `book: a poll after an hour, heatmap at 198×56, ${(bytes / 1e6).toFixed(1)} MB of books`;
	return {...measured, name};
}

/** Every tenth level has another size. */
function moved(book: DepthBook, index: number): DepthBook {
	const side = (levels: DepthBook['asks']) =>
		levels.map(([price, size], at) => [price, (at + index) % 10 === 0 ? size + 1 : size] as const);
	return {asks: side(book.asks), bids: side(book.bids ?? [])};
}

/** Spread over all asks. */
const tradesIn = (book: DepthBook | undefined): readonly Trade[] =>
	Array.from({length: tradeCount}, (_, index) => ({
		id: String(index),
		time: index,
		price: book?.asks[index % levels]?.[0] ?? 1,
		quantity: 1,
	}));

function row(name: string, poll: (index: number) => void, targetMs = ladderMs): BenchRow {
	const times = Array.from({length: polls}, (_, index) => {
		const start = performance.now();
		poll(index);
		return performance.now() - start;
	}).sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(polls * share)] ?? Infinity;
	return {
		name: `book: a poll of 5,000 levels a side, 60×40, ${name}`,
		measured: `${at(0.5).toFixed(2)} ms median, ${at(0.95).toFixed(2)} ms p95`,
		target: `median < ${targetMs} ms`,
		met: at(0.5) < targetMs,
	};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
