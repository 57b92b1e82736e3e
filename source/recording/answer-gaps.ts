import type {DatabaseSync} from 'node:sqlite';
import type {RecordedGap} from './outcome-log.ts';
import {type Columns, interfaceOf, requiredNumber, requiredTime, textOf} from './recorded-columns.ts';
import {leastGapMs, mostMsBefore} from './schema.ts';
import {createTradeGaps, type TradeGaps} from './trade-gaps.ts';
import {newTradesIn, notesGaps} from './trade-table.ts';

/** A gap in the answers for a market, by the id of its symbol. */
type AnswerGap = Omit<RecordedGap, 'symbol'> & {readonly symbol: number};

/** A read of books or trades of a market that has ended at a time (epoch ms). `error`: the kind of its failure. */
type Read = Pick<AnswerGap, 'operation' | 'symbol'> & {
	readonly session: number;
	readonly at: number;
	readonly error?: string | undefined;
};

/** The stretches without an answer, of reads in the order in which they became known. */
export function createAnswerGaps(db: DatabaseSync) {
	/** The last answers. */
	const answers = new Map<string, Read>();
	const sessionRow = db.prepare(`SELECT to_time, ${mostMsBefore('?')} AS most FROM session WHERE id = ?`);
	const mostMs = new Map<string, number>();

	function mostMsOf({session, operation}: Read): number {
		const key = `${session} ${operation}`;
		const cached = mostMs.get(key);
		if (cached !== undefined) return cached;
		const most = requiredNumber(sessionRow.get(operation, session)?.most ?? leastGapMs);
		mostMs.set(key, most);
		return most;
	}

	function gapOf({operation, symbol, at, error}: Read, to: number, next: Read): AnswerGap | undefined {
		if (to - at <= leastGapMs || to - at <= mostMsOf(next)) return undefined;
		return {symbol, operation, from: at, to, reason: error ?? 'not recorded'};
	}

	return {
		/** The gap that this read ends. */
		add(read: Read): AnswerGap | undefined {
			const key = `${read.operation} ${read.symbol}`;
			const last = answers.get(key);
			if (read.error === undefined) answers.set(key, read);
			else if (last && last.error === undefined) answers.set(key, {...last, error: read.error});
			return last && read.error === undefined ? gapOf(last, read.at, read) : undefined;
		},
		/** Those that last when their session ends, or was written last. */
		lasting(): readonly AnswerGap[] {
			const ends = new Map<number, number>();
			return [...answers.values()].flatMap(last => {
				const to =
					ends.get(last.session) ?? requiredTime(sessionRow.get(last.operation, last.session)?.to_time ?? last.at);
				ends.set(last.session, to);
				return gapOf(last, to, last) ?? [];
			});
		},
	};
}

/** What is read at once: in work of that of an answer without trades. */
const decodedWork = 10;
const charactersOfWork = 100;

/**
 * The gaps of a recording, found in so many answers at a time; trades that may be missing, and what is missing at the end, come last.
 * `nameOf`: of a symbol's id.
 */
export function* findGaps(
	db: DatabaseSync,
	nameOf: (symbol: number) => string,
	pageSize: number,
): Generator<readonly RecordedGap[]> {
	const rows = db.prepare(
		`SELECT answer.id, session, operation, answer.symbol, received_at, error, interface, from_time, to_time,
		CASE WHEN trade.answer IS NOT NULL THEN notes END AS notes,
		first_id <> '' AND coalesce(gaps, closed_gaps, starts_over) IS NULL AS is_plain
		FROM answer LEFT JOIN trade ON operation = 'trades' AND trade.answer = answer.id
		WHERE operation IN ('depth', 'trades') AND answer.symbol IS NOT NULL AND answer.id > ? ORDER BY answer.id LIMIT ?`,
	);
	const tradesRow = db.prepare(
		'SELECT trade.*, interface, notes FROM trade JOIN answer ON answer.id = answer WHERE answer = ?',
	);
	const answerGaps = createAnswerGaps(db);
	const tradeGaps = new Map<number, TradeGaps>();

	/** Returns the work of it. */
	function addTrades(row: Columns, symbol: number): number {
		const gaps = tradeGaps.get(symbol) ?? createTradeGaps();
		tradeGaps.set(symbol, gaps);
		if (row.is_plain === 1 && !notesGaps(row.notes)) {
			gaps.addPlain(interfaceOf(row.interface), requiredTime(row.from_time), requiredTime(row.to_time));
			return 0;
		}

		const trades = tradesRow.get(requiredNumber(row.id)) ?? {};
		gaps.add(newTradesIn(trades));
		const texts = Object.values(trades).map(value => (typeof value === 'string' ? value.length : 0));
		return decodedWork + texts.reduce((sum, length) => sum + length, 0) / charactersOfWork;
	}

	for (let id = 0, isEnd = false; !isEnd; ) {
		const found: RecordedGap[] = [];
		let work = 0;
		isEnd = true;
		for (const row of rows.iterate(id, pageSize)) {
			id = requiredNumber(row.id);
			const [symbol, error] = [requiredNumber(row.symbol), textOf(row.error)];
			const [session, at] = [requiredNumber(row.session), requiredTime(row.received_at)];
			const operation = row.operation === 'depth' ? 'depth' : 'trades';
			const gap = answerGaps.add({operation, symbol, session, at, error});
			if (gap) found.push({...gap, symbol: nameOf(symbol)});
			work += 1 + (row.is_plain === null ? 0 : addTrades(row, symbol));
			isEnd = work < pageSize;
			if (!isEnd) break;
		}

		yield found;
	}

	yield [...tradeGaps].flatMap(([symbol, gaps]) =>
		gaps
			.all()
			.flatMap(gap => (gap.from === -Infinity ? [] : {symbol: nameOf(symbol), operation: 'trades' as const, ...gap})),
	);
	yield answerGaps.lasting().map(gap => ({...gap, symbol: nameOf(gap.symbol)}));
}
