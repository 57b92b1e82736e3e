import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type AnswerDates, createAnswerDates} from '../../../source/client/wire/answer-dates.ts';
import {type CacheModel, createCacheModel, every, keeps, keepsWholeSeconds} from '../../helpers/cache-model.ts';

/** For how long the least time of an answer counts for the ages of others, at least. */
const countsMs = 120_000;
const start = Date.UTC(2026, 0, 1, 12);
const day = 86_400_000;

type Line = {
	/** Ms after the start: when the exchange wrote the answer, when it was requested, and when it arrived. */
	readonly written: number;
	readonly at: number;
	readonly took?: number | undefined;
	readonly text?: string | undefined;
	readonly url?: string | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** How far the exchange's clock is ahead. */
	readonly skew?: number | undefined;
	/** How far our clock is ahead of the times above. */
	readonly ours?: number | undefined;
	/** What the envelope shows instead of its time; null: nothing. */
	readonly shows?: number | null | undefined;
};

/** What is said of each answer: ms after the start, and the cache. */
function dated(lines: readonly Line[], dates: AnswerDates = createAnswerDates()) {
	return lines.map(({written, at, took = 0, text, url = 'depth', headers = {}, skew = 0, ours = 0, shows}) => {
		const serverTime = shows === null ? undefined : start + (shows ?? written + skew);
		const {answeredAt, cache} = dates.of({
			...{operation: url === 'trades' ? 'trades' : 'depth', url},
			...{sentAt: start + ours + at, receivedAt: start + ours + at + took, serverTime, headers},
			text: text ?? `written at ${written}`,
		});
		return {at: answeredAt - start, ...(cache && {hit: cache.isHit})};
	});
}

const said = (age: number) => ({headers: {age: String(age)}});
const hit = {headers: {'x-cache': 'HIT'}};
const miss = {headers: {'x-cache': 'MISS'}};
const isTrue = (error: number): boolean => error >= 0 && error <= 60;

describe('dates an answer', () => {
	test('at its arrival where no cache is known', () => {
		expect(
			dated([
				{written: 11, at: 1, took: 20},
				{written: 100, at: 1001},
				{written: 90, at: 2001},
			]),
		).toEqual([{at: 21}, {at: 1001}, {at: 2001}]);
	});

	test('at its first arrival where it comes again', () => {
		expect(
			dated([
				{written: 1, at: 1},
				{written: 1, at: 1001},
				{written: 1, at: 1501},
				{written: 2001, at: 2001},
				{written: 2001, at: 3001},
			]),
		).toEqual([{at: 1}, {at: 1, hit: true}, {at: 1, hit: true}, {at: 2001, hit: false}, {at: 2001, hit: true}]);
	});

	test('by what it took longer than the freshest one, once a cache is known', () => {
		expect(
			dated([
				{written: 5, at: 1, took: 5},
				{written: 5, at: 1001, took: 5},
				{written: 1301, at: 2001, took: 7},
				{written: 3001, at: 3001, took: 1},
				{written: 3301, at: 4001, took: 7, url: 'trades'},
			]),
		).toEqual([{at: 6}, {at: 6, hit: true}, {at: 1302, hit: true}, {at: 3002, hit: false}, {at: 3302, hit: true}]);
	});

	test('within a second of its Age, whatever its clock shows', () => {
		expect(
			dated([
				{written: 0, at: 3600, took: 10, ...said(3)},
				{written: 0, at: 3600, took: 10, ...said(3), shows: null},
				{written: 4001, at: 4001, took: 10, ...said(0)},
				{written: 4901, at: 6000, took: 10, ...said(1)},
				{written: 4901, at: 7000, took: 10, ...said(2)},
				{written: 4902, at: 9000, took: 10, ...said(2)},
				{written: 9900, at: 9950, took: 10, ...said(7)},
			]),
		).toEqual([
			{at: 610, hit: true},
			{at: 600, hit: true},
			{at: 4011, hit: false},
			{at: 4911, hit: true},
			{at: 4911, hit: true},
			{at: 6000, hit: true},
			{at: 6001, hit: true},
		]);
	});

	test('after its request where it did not come from the cache', () => {
		expect(
			dated([
				{written: 15, at: 11, took: 5, ...hit},
				{written: 1400, at: 2000, took: 20, ...hit},
				{written: 1500, at: 3000, took: 20, ...miss},
				{written: 3500, at: 4000, took: 20, ...hit},
			]),
		).toEqual([
			{at: 16, hit: true},
			{at: 1401, hit: true},
			{at: 3020, hit: false},
			{at: 4020, hit: true},
		]);
	});

	test('by its Date where the envelope has no time, to the second', () => {
		const at = (ms: number) => ({headers: {date: new Date(start + ms).toUTCString(), 'x-cache': 'HIT'}, shows: null});
		expect(
			dated([
				{written: 0, at: 100, ...at(0)},
				{written: 5000, at: 5100, ...at(5000)},
				{written: 5000, at: 7050, ...at(5000)},
				{written: 6000, at: 8050, ...at(6000)},
			]),
		).toEqual([
			{at: 100, hit: true},
			{at: 5100, hit: true},
			{at: 5100, hit: true},
			{at: 7099, hit: true},
		]);
	});

	test('at its arrival where it changes and its time does not', () => {
		const frozen = {shows: 7};
		expect(
			dated([
				{written: 10, at: 10, ...frozen},
				{written: 1010, at: 1010, ...frozen},
				{written: 1010, at: 2010, ...frozen},
				{written: 3010, at: 3010, ...frozen, ...hit},
				{written: 4010, at: 4010},
				{written: 4010, at: 5010},
			]),
		).toEqual([{at: 10}, {at: 1010}, {at: 2010}, {at: 3010, hit: true}, {at: 4010, hit: false}, {at: 4010, hit: true}]);
	});

	test.each([
		['three answers in a row', -1900, [3, -1896, -1396, -896, 1504, 2004]],
		['one answer', -12_000, [3, -11_996, 504, 1004, 1504, 2004]],
	])('by the clock of its own operation once that is proven by %s', (_proof, skew, expected) => {
		const trades = {url: 'trades', skew, ...hit};
		const lines = [
			{written: 3, at: 3, ...hit},
			...[4, 504, 1004, 1504, 2004].map(at => ({written: at, at, ...trades})),
		];
		expect(dated(lines).map(({at}) => at)).toEqual(expected);
	});

	test('at its arrival where two answers of one second are alike, as they may be without a cache', () => {
		expect(
			dated([
				{written: 0, at: 5},
				{written: 0, at: 900},
				{written: 0, at: 1006},
			]),
		).toEqual([{at: 5}, {at: 900}, {at: 5, hit: true}]);
	});
});

/** Requests one after another, and the cache that answers each. */
type Poll = {readonly wait: number; readonly there: number; readonly back: number; readonly cache?: number};

function answersOf(polls: readonly Poll[], caches: readonly CacheModel[]): readonly (Line & {readonly took: number})[] {
	let now = 0;
	return polls.map(({wait, there, back, cache = 0}) => {
		const at = now + wait;
		now = at + there + back;
		const written = caches[cache % caches.length]?.ask(at + there) ?? Number.NaN;
		return {written, at, took: there + back};
	});
}

describe('whatever caches keep and clocks show', () => {
	const wait = fc.integer({min: 90, max: 2500});
	const onWay = fc.nat({max: 80});
	const polls = fc.array(fc.record({wait, there: onWay, back: onWay, cache: fc.nat({max: 1})}), {
		minLength: 20,
		maxLength: 80,
	});
	const cache = fc
		.tuple(
			fc.oneof(fc.integer({min: 300, max: 3000}).map(keeps), fc.integer({min: 1, max: 5}).map(keepsWholeSeconds)),
			fc.integer({min: 30, max: 900}),
		)
		.map(
			([expiry, othersMs]) =>
				() =>
					createCacheModel(expiry, every(othersMs)),
		);
	const skew = fc.integer({min: -day, max: day});

	test('no answer is dated before it was written, or after it arrived', () => {
		fc.assert(
			fc.property(polls, skew, fc.array(cache, {minLength: 1, maxLength: 2}), (polls, skew, caches) => {
				const lines = answersOf(
					polls,
					caches.map(create => create()),
				);
				for (const [index, {at}] of dated(lines.map(line => ({...line, skew}))).entries()) {
					const line = lines[index] ?? expect.fail();
					expect(at).toBeGreaterThanOrEqual(line.written - 1);
					expect(at).toBeLessThanOrEqual(line.at + line.took);
				}
			}),
		);
	});

	test('an answer is dated to what the freshest one took, once the cache has given one answer twice', () => {
		fc.assert(
			fc.property(polls, skew, cache, (polls, skew, create) => {
				const lines = answersOf(polls, [create()]);
				const found = dated(lines.map(line => ({...line, skew})));
				// Until it shows another time, the clock of the exchange seems to show only whole seconds.
				const exact = lines.findIndex(({written}) => (written + skew) % 1000 !== 0);
				const known = lines.findIndex(
					({written}, index) => exact >= 0 && index > exact && lines[index - 1]?.written === written,
				);
				const tookMs = lines.map(({written, at: sent, took}) => sent + took - written);
				for (const [index, {written, at: sent}] of lines.entries()) {
					const counted = tookMs.slice(0, index + 1).filter((_, each) => (lines[each]?.at ?? 0) >= sent - countsMs);
					const [before, {at} = {at: Number.NaN}] = [found[index - 1], found[index]];
					if (known < 0 || index <= known || written === lines[index - 1]?.written) continue;
					const latest = Math.max(written + Math.min(...counted), (before?.at ?? 0) + 1);
					expect(at).toBeLessThanOrEqual(latest);
				}
			}),
		);
	});

	test.each([
		['that of the exchange, back by an hour', -3600_000, 0],
		['that of the exchange, ahead by an hour', 3600_000, 0],
		['that of the exchange, back by 3 s', -3000, 0],
		['this computer, ahead by an hour', 0, 3600_000],
		['this computer, back by an hour', 0, -3600_000],
		['this computer, ahead by 2 s', 0, 2000],
	])('a clock that is set makes no lasting age: %s', (_what, skew, ours) => {
		const cache = createCacheModel(keeps(1000), every(37));
		const polls = Array.from({length: 60}, (_, index) => ({wait: 300 + ((index * 377) % 700), there: 5, back: 5}));
		const lines = answersOf(polls, [cache]).map((line, index) => ({...line, ...hit, ...(index >= 30 && {skew, ours})}));
		const errors = dated(lines).map(({at}, index) => {
			const {written} = lines[index] ?? expect.fail();
			return at - written - (index < 30 ? 0 : ours);
		});
		// Until the second answer after it, and of less than 10 s until the fourth.
		expect(errors.slice(30).filter(error => error < 0).length).toBeLessThanOrEqual(
			Math.abs(skew + ours) > 10_000 ? 1 : 4,
		);
		for (const error of [...errors.slice(10, 30), ...errors.slice(40)]) expect(error).toSatisfy(isTrue);
	});

	test('a clock that is set by less than can be noticed makes no age after four minutes', () => {
		const cache = createCacheModel(keeps(1000), every(37));
		const polls = Array.from({length: 800}, (_, index) => ({wait: 300 + ((index * 377) % 700), there: 5, back: 5}));
		const ours = 400;
		const lines = answersOf(polls, [cache]).map(line => ({...line, ...hit, ...(line.at >= 60_000 && {ours})}));
		const errors = dated(lines).map(({at}, index) => {
			const {written, at: sent} = lines[index] ?? expect.fail();
			return {sent, error: at - written - (sent < 60_000 ? 0 : ours)};
		});
		const errorsFrom = (ms: number) => errors.filter(({sent}) => sent >= ms).map(({error}) => error);
		expect(Math.min(...errorsFrom(60_000))).toBeGreaterThanOrEqual(-ours);
		expect(Math.min(...errorsFrom(60_000 + 2 * countsMs))).toBeGreaterThanOrEqual(0);
	});
});
