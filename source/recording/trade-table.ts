import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import {isFormer} from '../market/continued-tape.ts';
import {compareTrades, type Tape, tradeKey} from '../market/tape.ts';
import {aheadMs, type TradeClock, type TradePage, withPage} from '../market/trade-clock.ts';
import {largestPage, type Trade} from '../market/types.ts';
import {notesOf, readAnswerRow} from './answer-table.ts';
import {type Columns, DamagedError, interfaceOf, requiredNumber, requiredTime} from './recorded-columns.ts';
import type {Insert} from './table-rows.ts';
import {
	type AddedTrades,
	decodeTrades,
	encodeTrades,
	keptTrades,
	mostKeys,
	type NewTrades,
	type TapeNotes,
} from './trade-codec.ts';
import {createTradePages, type TradePages, tapeOfPages} from './trade-pages.ts';

/** Writes each trade of an interface once. */
export function createWrittenTrades(db: DatabaseSync, insert: Insert) {
	const markets = new Map<number, TradePages>();
	const rowsOf = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND interface = ? ORDER BY answer.id DESC`,
	);
	const newestRow = db.prepare(
		`SELECT interface FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND first_id <> '' ORDER BY answer.id DESC LIMIT 1`,
	);
	const addNotes = db.prepare(`UPDATE answer SET notes = json_patch(coalesce(notes, '{}'), ?) WHERE id = ?`);

	/** What earlier sessions have written is not written again. */
	const begin = (symbol: number): TradePages =>
		createTradePages({
			tape: from => tapeOfPages(bounded(rowsOf.iterate(symbol, from)).map(addedIn), keptTrades),
			newest() {
				const row = newestRow.get(symbol);
				return row && interfaceOf(row.interface);
			},
		});

	return {
		/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
		write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number {
			const market = markets.get(symbol) ?? begin(symbol);
			markets.set(symbol, market);
			const added = market.add(page);
			if (!added) return 0;
			const notes = notesBeside(added);
			if (notes) addNotes.run(JSON.stringify(notes), answer);
			insert('trade', {answer, symbol, ...encodeTrades(added)});
			return added.trades.length;
		},
		/** How many stretches between trades of this recorder are not proven whole. */
		gaps: (): number => markets.values().reduce((sum, market) => sum + market.gaps(), 0),
	};
}

/** What the table `trade` does not hold; undefined: nothing. */
function notesBeside({trades, gaps, closed: _closed, startsOver: _over, ...notes}: AddedTrades): TapeNotes | undefined {
	const keys = new Set(trades.map(tradeKey));
	const others = gaps.filter(key => !keys.has(key));
	if (others.length > 0) return {...notes, gaps: others};
	return Object.keys(notes).length > 0 ? notes : undefined;
}

/** A row of the table `trade` with the notes of its answer. Throws an Error if it is damaged. */
function addedIn(row: Columns): AddedTrades {
	const {redatedMs = 0, former, gaps: others = [], missing} = notesOf(row);
	const isFormerRead = !former || (typeof former.id === 'string' && Number.isFinite(former.time));
	if (!isFormerRead || !Number.isFinite(redatedMs) || !Array.isArray(others) || others.length > mostKeys)
		throw new DamagedError('notes', row.notes);
	for (const [, from, to, reason] of missing ?? []) {
		requiredTime(from);
		requiredTime(to);
		if (typeof reason !== 'string') throw new DamagedError('a reason', reason);
	}

	const {gaps, ...added} = decodeTrades(row);
	const clock = {...(redatedMs !== 0 && {redatedMs}), ...(former && {former})};
	return {...added, gaps: [...gaps, ...others], ...clock, ...(missing && {missing})};
}

/** Reads a row of the table `trade` with the interface and notes of its answer. Throws an Error if it is damaged. */
export const newTradesIn = (row: Columns): NewTrades => ({...addedIn(row), interface: interfaceOf(row.interface)});

/** Whether the notes of an answer may have more of its trades than that they are new. */
export const notesGaps = (notes: SQLOutputValue | undefined): boolean =>
	typeof notes === 'string' && /"(?:missing|gaps|former|redatedMs)"/.test(notes);

/** Maximum characters of the rows of a tape, and the minimum that counts for each row: more than a recorder's tape needs. */
const mostWork = 2_500_000;
const rowWork = 150;

/** The first of `rows` (newest first), as many as are read in some ten milliseconds. */
function* bounded(rows: Iterable<Columns>): Generator<Columns> {
	let work = 0;
	for (const row of rows) {
		yield row;
		work += rowWork;
		for (const value of Object.values(row)) if (typeof value === 'string') work += value.length;
		if (work > mostWork) return;
	}
}

/** `first`: the time of the first trade, epoch ms. */
export type TradeExtent = LastTrades & {readonly first: number};

/** Once this many answers have only later trades, no answer fills an earlier gap. */
const mostLater = 100;

/** The trades of a recording. A market is named by the id of its symbol. */
export function createTradesOfRecording(db: DatabaseSync) {
	const rowOf = db.prepare(
		'SELECT trade.*, notes FROM trade JOIN answer ON answer.id = trade.answer WHERE trade.answer = ?',
	);
	const newestRows = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id <= ?
		AND interface = (SELECT interface FROM answer WHERE id = ?) ORDER BY answer.id DESC`,
	);
	const rowsFrom = db.prepare(
		`SELECT trade.*, interface, notes, received_at FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id >= ? ORDER BY answer.id`,
	);
	const firstRow = db.prepare(
		`SELECT from_time FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND times <> '[]' ORDER BY answer.id LIMIT 1`,
	);
	const leastTime = db.prepare(
		`SELECT min(from_time) AS from_time FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND times <> '[]'`,
	);
	const lastRows = db.prepare(
		`SELECT answer.id, received_at, took, interface, server_time, dropped, error, notes, trade.*
		FROM answer LEFT JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND error IS NULL ORDER BY answer.id DESC LIMIT ${clockPages}`,
	);

	return {
		/** The trades that were new in this answer. */
		newIn(answer: number): AddedTrades {
			const row = rowOf.get(answer);
			return row ? addedIn(row) : {trades: [], gaps: [], closed: [], startsOver: false};
		},
		/** The newest trades up to an answer, of its interface: ids of another one name other trades. */
		upTo(symbol: number, answer: number, count: number): Tape {
			// A later page may have filled a gap further down.
			const pages = bounded(newestRows.iterate(symbol, answer, answer)).map(addedIn);
			const {trades, gaps} = tapeOfPages(pages, count + largestPage).data;
			return {trades: trades.slice(0, count), gaps};
		},
		/**
		 * The new trades of each answer from `first` on with some of the time from `from` to `to` (epoch ms), then those of the next ones,
		 * which show what is missing at its end; in order.
		 */
		*between(symbol: number, first: number, from: number, to: number): Generator<NewTrades> {
			let later = 0;
			for (const row of rowsFrom.iterate(symbol, first)) {
				const [begin, end] = [requiredNumber(row.from_time), requiredNumber(row.to_time)];
				const hasTrades = row.times !== '[]';
				// Where the exchange's clock was ahead, what happens later is dated earlier.
				const isLater = begin > to && requiredNumber(row.received_at) > to;
				if (hasTrades && isLater && ++later > mostLater) return;
				if (hasTrades && end < from && row.closed_gaps === null && !notesGaps(row.notes)) continue;
				yield newTradesIn(row);
			}
		},
		extent(symbol: number): TradeExtent | undefined {
			const first = firstRow.get(symbol);
			const rows = first ? [...bounded(lastRows.iterate(symbol))] : [];
			// Ids of another interface name other trades.
			const last = lastTrades(rows.filter(row => row.interface === rows[0]?.interface));
			if (!first || !last) return undefined;
			const begin = requiredNumber(first.from_time);
			// The first trades may be dated by a clock that was ahead, and was set since.
			return {first: begin <= last.last ? begin : requiredNumber(leastTime.get(symbol)?.from_time), ...last};
		},
	};
}

/** Up to when the trades of a market are known. Epoch ms. */
type LastTrades = {
	/** By the clock of the trades: the newest one, or when the last page was requested. */
	readonly last: number;
	/** When the last page was known, by that of the recorder. */
	readonly lastAt: number;
	/** How far the clock of the trades was ahead of the recorder's then. */
	readonly aheadMs: number;
};

/** Pages that are enough to show the clock of the trades. */
const clockPages = 60;

/** `rows`: answers with trades of one interface, newest first, each with its row of the table `trade`, if it has one. */
function lastTrades(rows: readonly Columns[]): LastTrades | undefined {
	let clock: TradeClock | undefined;
	let trades: readonly Trade[] = [];
	let page: (TradePage & {readonly endedAt: number}) | undefined;
	for (const row of rows.toReversed()) {
		const read = readAnswerRow(row);
		if (!('answer' in read)) continue;
		const {receivedAt, serverTime, cache} = read.answer;
		page = {...(!cache?.isHit && {sentAt: read.sentAt}), receivedAt, serverTime, endedAt: read.endedAt};
		const added = row.times === null ? undefined : addedIn(row);
		const isSet = added && (added.startsOver || added.redatedMs !== undefined || added.former !== undefined);
		const previous = isSet ? [] : trades;
		const {former} = added ?? {};
		const fresh = (added?.trades ?? []).filter(trade => !former || !isFormer(trade, former));
		trades = [...fresh, ...previous].sort(compareTrades);
		clock = withPage(clock, page, trades, previous);
	}

	if (!clock || !page) return undefined;
	const ahead = aheadMs(clock.ahead, page);
	const madeAfter = Math.min(page.sentAt ?? page.receivedAt, page.receivedAt);
	return {last: Math.max(trades[0]?.time ?? -Infinity, madeAfter + ahead), lastAt: page.endedAt, aheadMs: ahead};
}
