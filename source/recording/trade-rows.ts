import type {SQLOutputValue} from 'node:sqlite';
import {cutTape, type Former, isFormer, type KnownTrades, redatedTape} from '../market/continued-tape.ts';
import {brokenOff, compareTrades, type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {notesOf} from './answer-table.ts';
import {type Columns, DamagedError, interfaceOf, requiredTime} from './recorded-columns.ts';
import {type AddedTrades, decodeTrades, mostKeys, type NewTrades, type TapeNotes} from './trade-codec.ts';

/** A row of the table `trade` with the notes of its answer. Throws an Error if it is damaged. */
export function addedIn(row: Columns): AddedTrades {
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

/** Of a row of the table `trade` with the interface and notes of its answer. Throws an Error if it is damaged. */
export const newTradesIn = (row: Columns): NewTrades => ({...addedIn(row), interface: interfaceOf(row.interface)});

/** Whether the notes of an answer may have more of its trades than that they are new. */
export const tellsGaps = (notes: SQLOutputValue | undefined): boolean =>
	typeof notes === 'string' && /"(?:missing|gaps|former|redatedMs)"/.test(notes);

/** In characters of the rows of a tape, and of each row at least so many: more than a tape needs of a recorder. */
const mostWork = 2_500_000;
const rowWork = 150;

/** Of rows that come newest first, those that are read in some ten milliseconds. */
export function* bounded(rows: Iterable<Columns>): Generator<Columns> {
	let work = 0;
	for (const row of rows) {
		yield row;
		work += rowWork;
		for (const value of Object.values(row)) if (typeof value === 'string') work += value.length;
		if (work > mostWork) return;
	}
}

/** The tape as the exchange dates it since an answer, without that answer's trades. */
export function setClock(tape: Tape, {redatedMs = 0, former}: Omit<TapeNotes, 'gaps'>): Tape {
	return cutTape(redatedMs === 0 ? tape : redatedTape(tape, redatedMs), former);
}

/** The trades of rows that come newest first; of more rows than hold `enough` trades, only the newest. Throws an Error if one is damaged. */
export function tapeOfRows(rows: Iterable<Columns>, enough: number): KnownTrades {
	const trades: Trade[] = [];
	const gaps = new Set<string>();
	const closed = new Set<string>();
	/** How much later the rows to come are dated now. */
	let redatedMs = 0;
	let former: Former | undefined;
	for (const row of bounded(rows)) {
		const page = addedIn(row);
		const dated = redatedMs === 0 ? page.trades : page.trades.map(trade => ({...trade, time: trade.time + redatedMs}));
		if (page.former) former ??= {...page.former, time: page.former.time + redatedMs};
		const current = dated.filter(trade => !former || !isFormer(trade, former));
		trades.push(...current);
		// What a newer row has closed is closed.
		for (const key of page.gaps) if (!closed.has(key)) gaps.add(key);
		for (const key of page.closed) closed.add(key);
		redatedMs += page.redatedMs ?? 0;
		const isEnd = page.startsOver || (dated.length > 0 && current.length === 0);
		if (isEnd || trades.length >= enough) break;
	}

	trades.sort(compareTrades);
	if (!former) return {data: {trades, gaps}};
	const data = {trades, gaps: gaps.intersection(new Set(trades.map(tradeKey)))};
	return {data: trades.length < enough ? brokenOff(data) : data, former};
}
