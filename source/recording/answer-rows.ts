import type {CacheUse} from '../client/exchange.ts';
import type {ExchangeInfo} from '../market/types.ts';
import type {RecordedRead} from './playback-reader.ts';
import type {RecordedFailure} from './read-outcome.ts';
import {
	type Columns,
	DamagedError,
	interfaceOf,
	jsonOf,
	knownFields,
	requiredNumber,
	requiredTime,
} from './recorded-columns.ts';
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

/** Throws an Error if they are damaged: a text in place of a number would make every age one. */
export function notesOf(row: Columns): Notes {
	const notes = jsonOf<Notes>(row.notes) ?? {};
	const {receivedAt, cache, rounded = 0, cut = 0, misdated = 0, offPeriod = 0, preferredFailure, bidsFailure} = notes;
	if (receivedAt !== undefined) requiredTime(receivedAt);
	for (const number of [cache?.ageMs ?? 0, rounded, cut, misdated, offPeriod]) requiredNumber(number);
	for (const failure of [preferredFailure, bidsFailure]) if (failure) requiredFailure(failure);
	return notes;
}

/** Its words are shown. */
function requiredFailure(failure: RecordedFailure): RecordedFailure {
	const {kind, operation, brief, message, words, status = 0, retryAfterMs = 0, other} = failure;
	for (const text of [kind, operation, brief, message]) requiredText(text);
	for (const number of [status, retryAfterMs]) requiredNumber(number);
	for (const text of words ? [words.brief, words.text, words.own, words.advice] : []) requiredText(text);
	if (other) requiredFailure(other);
	return failure;
}

function requiredText(text: unknown): void {
	if (typeof text !== 'string') throw new DamagedError('a text', text);
}

/** A row of the table `answer`. Throws an Error if it is damaged. */
export function readAnswerRow(row: Columns): RecordedRead {
	const [id, endedAt, took] = [requiredNumber(row.id), requiredTime(row.received_at), requiredNumber(row.took)];
	if (row.error !== null) {
		const failure = jsonOf<RecordedFailure>(row.notes);
		if (!failure) throw new Error('a recorded failure has no words');
		return {id, sentAt: endedAt - took, endedAt, failure: requiredFailure(failure)};
	}

	const {receivedAt = endedAt, cache, preferredFailure, ...others} = notesOf(row);
	const {bidsFailure: _ofBook, info: _data, redatedMs: _redated, former: _former, gaps: _gaps, ...rest} = others;
	const {missing: _missing, ...counts} = rest;
	return {
		...{id, sentAt: receivedAt + (cache?.ageMs ?? 0) - took, endedAt},
		answer: knownFields({
			...counts,
			interface: interfaceOf(row.interface),
			...{receivedAt, cache},
			serverTime: row.server_time === null ? undefined : requiredTime(row.server_time),
			dropped: requiredNumber(row.dropped),
			preferredFailure: preferredFailure && new RecordedError(preferredFailure),
		}),
	};
}
