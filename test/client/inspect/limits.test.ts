import {describe, expect, test} from 'vitest';
import {HttpStatusError, TimeoutError} from '../../../source/client/errors.ts';
import {limitBounds, limitsAsked} from '../../../source/client/inspect/limits.ts';
import type {Look} from '../../../source/client/inspect/look.ts';
import {looked} from './looks.ts';

const entries = (count: number): Look => looked({data: Array.from({length: count}, () => ({}))});
const context = {operation: 'trades', interface: 'v2', url: ''} as const;

/** What failed. */
function status(code: number): Look {
	const {answer, json, ...look} = entries(0);
	return {...look, status: code, error: new HttpStatusError({...context, status: code, body: '', message: ''})};
}

function hung(): Look {
	const {answer, json, status, ...look} = entries(0);
	return {...look, error: new TimeoutError({...context, timeoutMs: 5000})};
}

/** Of an exchange that answers 0, 1, 1000 and 1001 so. */
const most = (standard: number, ...looks: readonly Look[]) =>
	limitBounds(
		entries(standard),
		limitsAsked.map((limit, index) => ({limit, look: looks[index] ?? hung()})),
	).most;

describe('the bounds of a limit', () => {
	test('tell what was asked and answered', () => {
		const asked = [
			{limit: 0, look: status(422)},
			{limit: 1, look: entries(1)},
			{limit: 1000, look: hung()},
		];
		expect(limitBounds(entries(100), asked)).toEqual({
			standard: 100,
			answers: [
				{limit: 0, outcome: 'refused', status: 422},
				{limit: 1, outcome: 'answered', entries: 1, status: 200},
				{limit: 1000, outcome: 'failed'},
			],
			most: {entries: 100, beyond: 'unknown'},
		});
	});

	test.each([
		['more than the most is refused', most(500, status(422), entries(1), entries(1000), status(422)), 1000, 'refused'],
		['more than the most is cut', most(500, entries(500), entries(1), entries(1000), entries(1000)), 1000, 'cut'],
		['there is no most in sight', most(500, entries(0), entries(1), entries(1000), entries(1001)), 1001, 'more'],
		['the limit is not heeded', most(5000, ...Array.from({length: 4}, () => entries(5000))), 5000, 'more'],
		['there is but one entry', most(1, entries(1), entries(1), entries(1), entries(1)), 1, 'unknown'],
		['there may be no more', most(500, entries(0), entries(1), entries(657), entries(657)), 657, 'unknown'],
		['a smaller most is refused', most(500, entries(0), entries(1), status(400), status(400)), 500, 'refused'],
		[
			'a refusal for too many requests says nothing',
			most(9, entries(0), entries(1), entries(300), status(429)),
			300,
			'unknown',
		],
	])('when %s', (_, found, count, beyond) => {
		expect(found).toEqual({entries: count, beyond});
	});

	test('are unknown when nothing was answered', () => {
		expect(most(500, hung(), hung(), hung(), hung())).toBeUndefined();
	});

	test('count what was sent, also what cannot be read', () => {
		const half = {...looked({data: [{}], dropped: 1}), json: {data: [{}, {}, {}]}};
		expect(limitBounds(half, []).standard).toBe(3);
	});
});
