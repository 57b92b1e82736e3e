import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createAnswerDates} from '../../source/client/wire/answer-dates.ts';
import {createRhythm} from '../../source/store/rhythm.ts';
import {type CacheModel, createCacheModel, every, keeps, keepsWholeSeconds} from '../helpers/cache-model.ts';

const start = Date.UTC(2026, 0, 1);

type Poll = {
	/** Ms: when it was sent, and when the answer was written and seems to be. */
	readonly at: number;
	readonly written: number;
	readonly dated: number;
};

type Setting = {
	readonly cache: CacheModel;
	/** When the first poll is, ms. */
	readonly from?: number;
	readonly intervalMs?: number;
	/** How far the exchange's clock is ahead. */
	readonly skew?: number;
	/** Each way. */
	readonly onWayMs?: number;
	readonly saysAge?: boolean;
};

/** The first 100 polls of a cache, whose answers are dated as the client dates them. */
function polls({cache, from = 0, intervalMs = 1000, skew = 0, onWayMs = 4, saysAge = false}: Setting): readonly Poll[] {
	const dates = createAnswerDates();
	const rhythm = createRhythm();
	const made: Poll[] = [];
	for (let at = from; made.length < 100; ) {
		const written = cache.ask(at + onWayMs);
		const now = start + at + 2 * onWayMs;
		const age = String(Math.floor((at + onWayMs - written) / 1000));
		const dated = dates.of({
			...{operation: 'depth', url: 'depth', sentAt: start + at, receivedAt: now, serverTime: start + skew + written},
			...{headers: saysAge ? {age} : {}, text: `written at ${written}`},
		});
		const {answeredAt} = dated;
		made.push({at, written, dated: answeredAt - start});
		const isCached = dated.cache !== undefined;
		at += isCached ? 2 * onWayMs + rhythm.waitMs({answeredAt, now, intervalMs, isCached}) : intervalMs;
	}

	return made;
}

const errorsOf = (made: readonly Poll[]): readonly number[] => made.map(({written, dated}) => dated - written);

/** How many polls there are for each of their answers. */
const pollsPerAnswer = (made: readonly Poll[]): number => made.length / new Set(made.map(({written}) => written)).size;

const perSecond = (made: readonly Poll[]): number =>
	((made.length - 1) * 1000) / ((made.at(-1)?.at ?? 0) - (made[0]?.at ?? 0));

test.each([
	['nginx', {expiry: keepsWholeSeconds(1), saysAge: false}],
	['a cache that keeps an answer for an interval', {expiry: keeps(1000), saysAge: true}],
	['a cache that keeps an answer for longer', {expiry: keeps(1700), saysAge: true}],
	['a cache that keeps an answer for less', {expiry: keeps(600), saysAge: true}],
])(
	'ages behind %s are true to 200 ms after 15 polls, whoever else asks and whatever the clocks show',
	(_name, {expiry, saysAge}) => {
		fc.assert(
			fc.property(
				fc.integer({min: 20, max: 5000}),
				fc.record({
					from: fc.nat({max: 10_000}),
					skew: fc.integer({min: -86_400_000, max: 86_400_000}),
					onWayMs: fc.nat({max: 20}),
				}),
				(othersMs, setting) => {
					const made = polls({...setting, saysAge, cache: createCacheModel(expiry, every(othersMs, 13))});
					// A clock that shows only whole seconds is taken for one that has no others.
					fc.pre(made.slice(0, 3).some(({written}) => (written + setting.skew) % 1000 !== 0));
					for (const error of errorsOf(made).slice(15)) {
						expect(error).toBeGreaterThanOrEqual(0);
						expect(error).toBeLessThanOrEqual(200 + 2 * setting.onWayMs);
					}

					expect(perSecond(made)).toBeLessThan(1.6);
				},
			),
			{numRuns: 40},
		);
	},
);

test('each answer of a cache that keeps it for an interval is polled once', () => {
	for (const othersMs of [7, 40, 333, 900, 5000]) {
		const made = polls({cache: createCacheModel(keeps(1000), every(othersMs)), from: 310, saysAge: true});
		expect(pollsPerAnswer(made)).toBeLessThan(1.1);
		expect(perSecond(made)).toBeGreaterThan(0.9);
	}
});

test('an answer that stays is polled in steps until it is 2.5 intervals old, then once an interval', () => {
	const cache = createCacheModel(keeps(60_000));
	const times = polls({cache, from: 10, onWayMs: 0, intervalMs: 700, saysAge: true}).map(({at}) => at - 10);
	const inSteps = Array.from({length: 12}, (_, index) => 600 + 100 * index);
	expect(times.slice(0, 16)).toEqual([0, ...inSteps, 1800, 2500, 3200]);
});
