import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import {requiredNumber, textOf} from './recorded-columns.ts';
import {leastGapMs, mostMsBefore} from './schema.ts';

/** More than 10 s, and more than three poll intervals, between two books, or two pages of trades, of a market. */
export type RecordedGap = {
	readonly symbol: string;
	readonly operation: 'depth' | 'trades';
	/** Epoch ms. */
	readonly from: number;
	readonly to: number;
	/** The kind of the first failure in it, or `not recorded`. */
	readonly reason: string;
};

/**
 * The rows of the view `gaps`, those of `pageSize` answers at a time: quicker, as it sorts nothing. `nameOf`: of a symbol's id.
 */
export function* findGaps(
	db: DatabaseSync,
	nameOf: (symbol: number) => string,
	pageSize: number,
): Generator<readonly RecordedGap[]> {
	const rows = db.prepare(
		`SELECT id, operation, symbol, received_at FROM answer
		WHERE operation IN ('depth', 'trades') AND symbol IS NOT NULL AND error IS NULL AND id > ? ORDER BY id LIMIT ?`,
	);
	const failure = db.prepare(
		`SELECT error FROM answer WHERE error IS NOT NULL AND id BETWEEN ? AND ? AND operation = ? AND symbol = ?
		ORDER BY id LIMIT 1`,
	);
	const most = db.prepare(
		`SELECT ${mostMsBefore} AS value FROM answer JOIN session ON session.id = answer.session WHERE answer.id = ?`,
	);
	rows.setReturnArrays(true);
	const last = {depth: new Map<number, Read>(), trades: new Map<number, Read>()};

	function gapBefore([id, name, symbolId, receivedAt]: readonly SQLOutputValue[]): RecordedGap | undefined {
		const operation = name === 'depth' ? 'depth' : 'trades';
		const [symbol, read] = [requiredNumber(symbolId), {id: requiredNumber(id), time: requiredNumber(receivedAt)}];
		const before = last[operation].get(symbol) ?? read;
		last[operation].set(symbol, read);
		const ms = read.time - before.time;
		if (ms <= leastGapMs || ms <= requiredNumber(most.get(read.id)?.value)) return undefined;
		const reason = textOf(failure.get(before.id, read.id, operation, symbol)?.error) ?? 'not recorded';
		return {symbol: nameOf(symbol), operation, from: before.time, to: read.time, reason};
	}

	for (let id = 0; ; ) {
		const page = rows.all(id, pageSize) as unknown as readonly (readonly SQLOutputValue[])[];
		yield page.flatMap(row => gapBefore(row) ?? []);
		if (page.length < pageSize) return;
		id = requiredNumber(page.at(-1)?.[0]);
	}
}

type Read = {readonly id: number; readonly time: number};
