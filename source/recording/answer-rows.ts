import type {CacheUse} from '../client/exchange.ts';
import type {ExchangeInfo} from '../market/types.ts';
import type {RecordedRead} from './playback-reader.ts';
import type {RecordedFailure} from './read-outcome.ts';
import {type Columns, interfaceOf, jsonOf, knownFields, numberIn, requiredNumber} from './recorded-columns.ts';
import {RecordedError} from './recorded-error.ts';
import type {TapeNotes} from './trade-codec.ts';

/** The column `notes` of a good answer: what few answers have. */
export type Notes = {
	/** If that was before it was known. */
	readonly receivedAt?: number;
	readonly cache?: CacheUse;
	readonly rounded?: number;
	readonly cut?: number;
	readonly misdated?: number;
	readonly offPeriod?: number;
	readonly outside?: {readonly before: boolean; readonly after: boolean};
	readonly preferredFailure?: RecordedFailure;
	readonly bidsFailure?: RecordedFailure;
	readonly info?: ExchangeInfo;
} & TapeNotes;

export const notesOf = (row: Columns): Notes => jsonOf<Notes>(row.notes) ?? {};

/** A row of the table `answer`. Throws an Error if it is damaged. */
export function readAnswerRow(row: Columns): RecordedRead {
	const [id, endedAt, took] = [requiredNumber(row.id), requiredNumber(row.received_at), requiredNumber(row.took)];
	if (row.error !== null) {
		const failure = jsonOf<RecordedFailure>(row.notes);
		if (!failure) throw new Error('a recorded failure has no words');
		return {id, sentAt: endedAt - took, endedAt, failure};
	}

	const {receivedAt = endedAt, cache, preferredFailure, ...others} = notesOf(row);
	const {bidsFailure: _ofBook, info: _data, redatedMs: _redated, former: _former, gaps: _gaps, ...counts} = others;
	return {
		...{id, sentAt: receivedAt + (cache?.ageMs ?? 0) - took, endedAt},
		answer: knownFields({
			...counts,
			interface: interfaceOf(row.interface),
			...{receivedAt, cache},
			serverTime: numberIn(row.server_time),
			dropped: requiredNumber(row.dropped),
			preferredFailure: preferredFailure && new RecordedError(preferredFailure),
		}),
	};
}
