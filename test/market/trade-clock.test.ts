import {expect, test} from 'vitest';
import {aheadMs, stampsAheadMs, type TradeClock, withPage} from '../../source/market/trade-clock.ts';
import type {Trade} from '../../source/market/types.ts';

/** No whole second, as stamps would be taken for cut off. */
const start = Date.UTC(2026, 0, 1) + 37;
const inSeconds = (ms: number) => Math.round(ms / 1000) + 0;
const second = 1000;

/** When an answer is made, in ms after the start by the trades' clock, and which trades are new in it, by their times. */
type Page = {
	readonly made: number;
	readonly trades: readonly number[];
	/** How far the stamp and our clock are ahead of the trades, default 0. */
	readonly stampMs?: number;
	readonly oursMs?: number;
};

/** The clock after these pages, each of which comes 100 ms after its request. */
function clockAfter(pages: readonly Page[]): TradeClock {
	let trades: readonly Trade[] = [];
	let clock: TradeClock | undefined;
	for (const {made, trades: times, stampMs = 0, oursMs = 0} of pages) {
		const added = times.map(time => ({id: String(time), time: start + time, price: 1, quantity: 1}));
		const next = [...added, ...trades].sort((a, b) => b.time - a.time);
		const at = start + made + oursMs;
		const page = {sentAt: at - 50, receivedAt: at + 50, serverTime: start + made + stampMs};
		clock = withPage(clock, page, next, trades);
		trades = next;
	}

	if (!clock) throw new Error('there are no pages');
	return clock;
}

/** A page each second, each with a trade 300 ms and 700 ms before it. */
const pages = (count: number, of: Partial<Page> = {}, from = 0): readonly Page[] =>
	Array.from({length: count}, (_, index) => {
		const made = from + index * second;
		return {made, trades: [made - 300, made - 700], ...of};
	});

test('bounds our clock and the stamps by what was in a page and what was not in the one before', () => {
	const {ahead, stamps} = clockAfter([
		{made: 0, trades: [-100]},
		{made: second, trades: [300, 900]},
	]);
	expect([ahead, stamps]).toEqual([
		// The newest trades were there 150 ms after their time, at most; the trade of 300 ms was not when the first page was asked for.
		{least: -150, most: 351},
		{least: -300, most: 100},
	]);
});

test.each([
	['the stamps are right', {}, 0, undefined],
	['the stamps are behind', {stampMs: -9 * second}, 0, -9],
	['the stamps are ahead', {stampMs: 300 * second}, 0, 300],
	['the stamps are a second ahead', {stampMs: second}, 0, undefined],
	['our clock is behind', {oursMs: -60 * second}, 60, undefined],
	['our clock and the stamps are ahead', {oursMs: 300 * second, stampMs: 9 * second}, -300, 9],
])('finds the clock of the trades where %s', (_, of, ahead, stamps) => {
	const clock = clockAfter(pages(4, of));
	expect(inSeconds(aheadMs(clock.ahead, clock.last))).toBe(ahead);
	const said = stampsAheadMs(clock.stamps);
	expect(said === undefined ? said : inSeconds(said)).toBe(stamps);
});

test('takes stamps of whole seconds for what they are', () => {
	const whole = pages(8).map(page => ({...page, made: page.made + 900, stampMs: -937}));
	expect(stampsAheadMs(clockAfter(whole).stamps)).toBe(undefined);
});

test('takes a stamp of 1970 for none', () => {
	const {ahead, stamps, last} = clockAfter(pages(4, {stampMs: -start}));
	expect([inSeconds(aheadMs(ahead, last)), stampsAheadMs(stamps)]).toEqual([0, undefined]);
});

test('says from a single page that trades are dated after their own answer', () => {
	expect(stampsAheadMs(clockAfter([{made: 0, trades: [-200], stampMs: -9 * second}]).stamps)).toBe(-8800);
	// An old last trade shows nothing: the market may be quiet.
	expect(stampsAheadMs(clockAfter([{made: 0, trades: [-9000]}]).stamps)).toBe(undefined);
});

test.each([
	['our clock is set back', pages(5), {oursMs: -3600 * second}, 3600],
	['our clock is set back a little', pages(5), {oursMs: -4 * second}, 4],
])('forgets what it knew when %s', (_, before, of, ahead) => {
	const after = clockAfter([...before, ...pages(2, of, 5 * second)]);
	expect(inSeconds(after.ahead.least)).toBe(ahead);
	const quiet = clockAfter([...before, {made: 5 * second, trades: [], ...of}]);
	expect(inSeconds(aheadMs(quiet.ahead, quiet.last))).toBe(ahead);
});

test('ignores a single trade that comes late, and believes several', () => {
	const late = (made: number) => ({made, trades: [made - 30 * second]});
	// Above the newest trade of a market that was quiet for a minute.
	const quiet = [...pages(3), {made: 60 * second, trades: []}];
	expect(clockAfter([...quiet, late(61 * second)]).ahead).toEqual(clockAfter(quiet).ahead);
	const lagging = clockAfter([...quiet, late(61 * second), late(62 * second)]);
	expect(inSeconds(lagging.ahead.most)).toBe(-29);
});
