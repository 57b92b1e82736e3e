import type {ExchangeInfo} from '../market/types.ts';
import type {RecordedRead} from './playback-reader.ts';
import type {RecordedFailure} from './read-outcome.ts';
import {type Columns, interfaceOf, jsonOf, knownFields, numberIn} from './recorded-columns.ts';
import {RecordedError} from './recorded-error.ts';

/** The column `notes` of a good answer: what few answers have. */
export type Notes = {
	readonly rounded?: number;
	readonly cut?: number;
	readonly misdated?: number;
	readonly offPeriod?: number;
	readonly outside?: {readonly before: boolean; readonly after: boolean};
	readonly preferredFailure?: RecordedFailure;
	readonly bidsFailure?: RecordedFailure;
	readonly info?: ExchangeInfo;
};

export const notesOf = (row: Columns): Notes => jsonOf<Notes>(row.notes) ?? {};

/** A row of the table `answer`. `sentNumbers`: of the answer with this id. Throws an Error if the row is damaged. */
export function readAnswerRow(row: Columns, sentNumbers: (id: number) => readonly string[]): RecordedRead {
	const [id, endedAt] = [Number(row.id), Number(row.received_at)];
	const ended = {id, sentAt: endedAt - Number(row.took), endedAt};
	if (row.error !== null) {
		const failure = jsonOf<RecordedFailure>(row.notes);
		if (!failure) throw new Error('a recorded failure has no words');
		return {...ended, failure};
	}

	const {preferredFailure, bidsFailure: _ofBook, info: _data, ...counts} = notesOf(row);
	return {
		...ended,
		answer: knownFields({
			...counts,
			interface: interfaceOf(row.interface),
			receivedAt: endedAt,
			serverTime: numberIn(row.server_time),
			dropped: Number(row.dropped),
			sentNumbers: counts.rounded === undefined ? undefined : sentNumbers(id),
			preferredFailure: preferredFailure && new RecordedError(preferredFailure),
		}),
	};
}
