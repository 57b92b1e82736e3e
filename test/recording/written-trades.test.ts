import {expect, test} from 'vitest';
import {tradePage} from '../store/samples.ts';
import {answered, openSample, query, recordSample, startedAt} from './recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;

test('each trade is written once as the exchange gives all of them earlier times, which a note says', () => {
	const path = recordSample([
		answered.trades(tradePage(20, 5, at(0)), at(0)),
		answered.trades(tradePage(21, 5, at(-3599)), at(1)),
	]);
	expect(
		query(path, 'SELECT trade.answer, first_id, from_time, to_time, gaps, notes FROM trade JOIN answer ON id = answer'),
	).toEqual([
		{answer: 1, first_id: '16', from_time: at(-4), to_time: at(0), gaps: null, notes: null},
		{answer: 2, first_id: '21', from_time: at(-3599), to_time: at(-3599), gaps: null, notes: '{"redatedMs":-3600000}'},
	]);
});

test('each trade is written once as the exchange sets its clock back, with a gap where it did', () => {
	const before = tradePage(20, 5, at(3600));
	const former = {id: '20', time: at(3600)};
	const reason = 'exchange set its clock';
	/** What was made between the two pages may be dated by either clock. */
	const missing = [
		['21', at(-3), at(1), reason],
		[null, at(3600), at(3604), reason],
	];
	const path = recordSample([
		answered.trades(before, at(0)),
		answered.trades([...before, ...tradePage(23, 3, at(3))], at(3)),
		answered.trades([...before, ...tradePage(24, 4, at(4))], at(4)),
	]);
	expect(
		query(path, 'SELECT trade.answer, first_id, from_time, gaps, notes FROM trade JOIN answer ON id = answer'),
	).toEqual([
		{answer: 1, first_id: '16', from_time: at(3596), gaps: null, notes: null},
		{answer: 2, first_id: '21', from_time: at(1), gaps: '[0]', notes: JSON.stringify({former, missing})},
		{answer: 3, first_id: '24', from_time: at(4), gaps: null, notes: null},
	]);
	// A recorder that appends knows which are written.
	const {recorder} = openSample(path, at(5));
	recorder.add(answered.trades([...before, ...tradePage(25, 5, at(5))], at(5)));
	recorder.end(at(5));
	expect(query(path, 'SELECT id, time FROM trades WHERE answer = 4')).toEqual([{id: '25', time: at(5)}]);
});
