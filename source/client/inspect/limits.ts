import {HttpStatusError, RefusedError} from '../errors.ts';
import type {Look} from './look.ts';

/** What an exchange does with one `limit`. `failed`: for another reason than the limit, as far as one can tell. */
export type LimitAnswer = {
	readonly limit: number;
	readonly outcome: 'answered' | 'refused' | 'failed';
	/** That came, when it answered. */
	readonly entries?: number | undefined;
	/** HTTP status, where one came. */
	readonly status?: number | undefined;
};

/** The bounds of `limit`, as far as a few questions show them. */
export type LimitBounds = {
	/** Entries without a limit; absent where that failed. */
	readonly standard?: number | undefined;
	/** In the order of their limits. */
	readonly answers: readonly LimitAnswer[];
	/**
	 * The most entries that an answer had, and what is known of more: more are `refused` or `cut` to these, `more` are
	 * given, or it is `unknown` because the market may have no more. Absent: nothing was answered.
	 */
	readonly most?: {readonly entries: number; readonly beyond: 'refused' | 'cut' | 'more' | 'unknown'} | undefined;
};

/** The documented ends, and one beyond each. */
export const limitsAsked: readonly number[] = [0, 1, 1000, 1001];

export function limitBounds(
	standard: Look | undefined,
	asked: ReadonlyArray<{readonly limit: number; readonly look: Look}>,
): LimitBounds {
	const answers = asked.map(
		({limit, look}): LimitAnswer => ({
			limit,
			outcome: look.answer ? 'answered' : isRefusal(look) ? 'refused' : 'failed',
			entries: entriesOf(look),
			status: look.status,
		}),
	);
	const entries = standard && entriesOf(standard);
	return {standard: entries, answers, most: mostOf(answers, entries ?? 0)};
}

const isRefusal = ({error}: Look): boolean =>
	error instanceof RefusedError || (error instanceof HttpStatusError && error.status < 500 && error.status !== 429);

function mostOf(answers: readonly LimitAnswer[], standard: number): LimitBounds['most'] {
	const answered = answers.filter(({outcome}) => outcome === 'answered');
	const largest = answered.at(-1);
	if (!largest) return undefined;
	const entries = Math.max(standard, ...answered.map(answer => answer.entries ?? 0));
	if (answers.some(({outcome, limit}) => outcome === 'refused' && limit > largest.limit)) {
		return {entries, beyond: entries >= largest.limit ? 'refused' : 'unknown'};
	}

	if (entries >= largest.limit) return {entries, beyond: largest === answers.at(-1) ? 'more' : 'unknown'};
	// That there is but one entry is nothing unusual.
	const isWhole = entries > 1 && answered.some(({limit}) => limit === entries);
	return {entries, beyond: isWhole ? 'cut' : 'unknown'};
}

/** Entries of the list, or levels of the book, that came; absent where the answer has neither. */
export function entriesOf({json, answer}: Look): number | undefined {
	if (!answer) return undefined;
	// What was sent twice counts twice here, unlike in what was made of it.
	const sent = typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
	if (Array.isArray(sent)) return sent.length;
	const {data, dropped} = answer;
	if (Array.isArray(data)) return data.length + dropped;
	return typeof data === 'object' && data !== null && 'asks' in data ? levelsOf(data) + dropped : undefined;
}

function levelsOf(book: object): number {
	return Object.values(book).reduce((sum: number, side: unknown) => sum + (Array.isArray(side) ? side.length : 0), 0);
}
