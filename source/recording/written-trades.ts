import type {DatabaseSync} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import {type Continued, continueTape, type KnownTrades} from '../market/continued-tape.ts';
import {compareTrades, emptyTape, tradeKey} from '../market/tape.ts';
import type {Interface, Trade} from '../market/types.ts';
import {afterOther, missingTrades, otherInterface} from './missing-trades.ts';
import {interfaceOf} from './recorded-columns.ts';
import type {Insert} from './table-rows.ts';
import {encodeTrades, knownTrades, type MissingTrades, type TapeNotes} from './trade-codec.ts';
import {endOfSecond} from './trade-gaps.ts';
import {tapeOfRows} from './trade-rows.ts';

/** Writes each trade of an interface once. */
export type WrittenTrades = {
	/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
	write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number;
	/** How many stretches between trades of this recorder are not proven whole. */
	gaps(): number;
};

type Written = KnownTrades & {
	/** From when on trades may be missing since the exchange has set its clock. */
	readonly setFrom?: number | undefined;
};

/** The interface that answered last, and the time of the newest trade of the other one before. */
type Source = {readonly from: Interface; readonly since: number};

export function createWrittenTrades(db: DatabaseSync, insert: Insert): WrittenTrades {
	/** By symbol and interface: each interface has ids of its own. */
	const tapes = new Map<string, Written>();
	const sources = new Map<number, Source>();
	/** The counted gaps that a later page may close. */
	const open = new Set<string>();
	let count = 0;
	const rowsOf = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND interface = ? ORDER BY answer.id DESC`,
	);
	const newestRow = db.prepare(
		`SELECT interface FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND first_id <> '' ORDER BY answer.id DESC LIMIT 1`,
	);
	const addNotes = db.prepare(`UPDATE answer SET notes = json_patch(coalesce(notes, '{}'), ?) WHERE id = ?`);

	const keyOf = (symbol: number, from: Interface) => `${symbol} ${from}`;

	/** What earlier sessions have written is not written again. */
	const tapeOf = (symbol: number, from: Interface): Written =>
		tapes.get(keyOf(symbol, from)) ?? tapeOfRows(rowsOf.iterate(symbol, from), knownTrades);

	function sourceOf(symbol: number): Source | undefined {
		const row = sources.has(symbol) ? undefined : newestRow.get(symbol);
		return row ? {from: interfaceOf(row.interface), since: -Infinity} : sources.get(symbol);
	}

	return {
		write(answer, symbol, page) {
			const key = keyOf(symbol, page.interface);
			const last = tapeOf(symbol, page.interface);
			const {data: trades, besideDropped, receivedAt} = page;
			// As the tape on the screen, it starts over if the exchange sets its clock or begins its ids again.
			const next = continueTape(last, {trades, besideDropped, receivedAt}, knownTrades);
			const {data: after, former, newAt, reach} = next;
			const before = next.startsOver ? emptyTape : last.data;
			// Most pages have few trades that a tape of thousands does not have.
			const unknown = new Set(trades.map(tradeKey));
			for (const trade of before.trades) unknown.delete(tradeKey(trade));
			const added = after.trades.filter(trade => unknown.has(tradeKey(trade)));
			const fresh = [...added, ...next.leftOut].sort(compareTrades).reverse();
			const gone = before.gaps.difference(after.gaps);
			// The last trade that is kept has no mark any more, as the tape ends there.
			const closed = gone.size === 0 ? gone : gone.intersection(new Set(after.trades.slice(0, -1).map(tradeKey)));
			const marks = after.gaps.difference(before.gaps);
			const source = sourceOf(symbol);
			const isOther = source !== undefined && source.from !== page.interface && fresh.length > 0;
			const since = isOther
				? (tapeOf(symbol, source.from).data.trades[0]?.time ?? -Infinity)
				: (source?.since ?? -Infinity);
			const found = missingTrades({last, next, receivedAt, besideDropped, marks, setFrom: last.setFrom});
			const switched = isOther ? otherInterface(since, fresh) : [];
			// What was declared, and is closed in part only, is not known from the other interface.
			const own = closed.size > 0 ? found : afterOther(found, switched[0]?.[2] ?? endOfSecond(since));
			const missing = [...switched, ...own].map(gap => (page.interface === 'legacy' ? toEndOfSecond(gap) : gap));
			// What is missing since an earlier session is not counted.
			if (sources.has(symbol) || last.data.trades.length === 0) recount(key, missing, gone, closed);
			if (fresh.length > 0) sources.set(symbol, {from: page.interface, since});
			const setFrom = next.startsOver || next.isSet ? found[0]?.[1] : last.setFrom;
			tapes.set(key, {data: after, former, newAt, reach, setFrom});
			const notes = notesOf(next, marks.difference(unknown), marks.size > 0 || isOther ? missing : undefined);
			if (notes) addNotes.run(JSON.stringify(notes), answer);
			if (notes || fresh.length + closed.size > 0)
				insert('trade', {answer, symbol, ...encodeTrades(fresh, after.gaps, closed, next.startsOver)});
			return fresh.length;
		},
		gaps: () => count,
	};

	/** `gone`: keys after which the tape has no gap any more, for those of `closed` as none is missing. */
	function recount(
		of: string,
		missing: readonly MissingTrades[],
		gone: ReadonlySet<string>,
		closed: ReadonlySet<string>,
	): void {
		for (const key of gone) if (open.delete(`${of} ${key}`) && closed.has(key)) count--;
		count += missing.length;
		for (const [key] of missing) if (key !== null) open.add(`${of} ${key}`);
	}
}

const toEndOfSecond = ([key, from, to, reason]: MissingTrades): MissingTrades => [key, from, endOfSecond(to), reason];

/** Undefined unless the exchange has set its clock, or trades are missing. `gaps`: keys of trades of earlier answers. */
function notesOf(
	{redatedMs, former, isSet}: Continued,
	gaps: ReadonlySet<string>,
	missing: readonly MissingTrades[] | undefined,
): TapeNotes | undefined {
	if (redatedMs === 0 && !isSet && !missing) return undefined;
	return {
		...(redatedMs !== 0 && {redatedMs}),
		...(isSet && former && {former}),
		...(gaps.size > 0 && {gaps: [...gaps]}),
		...(missing && {missing}),
	};
}
