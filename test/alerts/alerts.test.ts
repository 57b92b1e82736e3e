import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createAges} from '../../source/alerts/ages.ts';
import type {AlertEvent} from '../../source/alerts/judged-rule.ts';
import {JudgedRule} from '../../source/alerts/judged-rule.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {Candle, DepthBook, Trade} from '../../source/market/types.ts';
import {hourMs, minuteMs} from '../../source/market/units.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {failure, received} from '../helpers/market-state.ts';
import {book, ticker} from '../store/samples.ts';
import {known, parse, second, secondsOf, start, watchRule} from './set-up.ts';

/** A trade at its second, with that as its id. */
const tradeAt = (at: number, price: number, quantity = 1): Trade => ({
	...{id: String(at), time: start + at * second, price, quantity, side: 'buy'},
});

const tapeOf = (trades: readonly Trade[], at: number) =>
	received({trades: trades.toReversed(), gaps: new Set<string>()}, start + at * second);

function sayOf(event: AlertEvent): string {
	const at = secondsOf(event.time);
	if (event.type === 'alert') {
		const when = event.trade ? `trade of ${secondsOf(event.trade.time)}` : 'now';
		return `${at}: ${when}${event.blindSince === undefined ? '' : ' while blind'}`;
	}

	if (event.ended) return `${at}: judged again, by ${event.lookedUp}`;
	return `${at}: blind since ${secondsOf(event.since)}: ${event.why}`;
}

/** What a poll brings: the prices or sizes of its trades, oldest first, or a failure. */
type Poll = readonly number[] | 'fails';

/** Judges the rule at a poll a second; the seconds at which it fired. */
function firedAt(text: string, polls: readonly Poll[], tradeOf: (value: number) => Pick<Trade, 'price' | 'quantity'>) {
	const {alerts, arrive} = watchRule(text);
	let tape = emptyTape;
	let count = 0;
	const fired = polls.flatMap((poll, at) => {
		const now = start + at * second;
		const page = poll === 'fails' ? [] : poll;
		tape = mergeTape(tape, [
			...tape.trades.slice(0, 1),
			...page.map(value => ({id: String(count++), time: now, side: 'buy' as const, ...tradeOf(value)})),
		]);
		const trades = {...received(tape, now), ...(poll === 'fails' && {failure: failure(now)})};
		const events = arrive(at, known({trades})).filter(({type}) => type === 'alert');
		expect(events.length).toBeLessThanOrEqual(1);
		return events.map(() => at);
	});
	alerts.stop();
	return fired;
}

const priced = (text: string, ...polls: readonly Poll[]) => firedAt(text, polls, price => ({price, quantity: 1}));
const sized = (text: string, ...polls: readonly Poll[]) => firedAt(text, polls, quantity => ({price: 1, quantity}));

describe('a rule', () => {
	test('calls once', () => {
		expect(priced('last > 100', [101], [99], [101], [102])).toEqual([0]);
	});

	test('calls for each market that it is judged for', () => {
		const data = new Map([
			...known({trades: tapeOf([tradeAt(0, 101)], 0)}),
			...known({symbol: 'ETHUSDT', trades: tapeOf([tradeAt(0, 101)], 0)}),
		]);
		const calledFor = (text: string) => {
			const {arrive} = watchRule(text, ['BTCUSDT', 'ETHUSDT']);
			return [arrive(0, data), arrive(1, data)].map(events => events.map(({symbol}) => symbol));
		};
		expect(calledFor('last > 100')).toEqual([['BTCUSDT', 'ETHUSDT'], []]);
		expect(calledFor('ETHUSDT last > 100')).toEqual([['ETHUSDT'], []]);
	});

	test('calls no more after its end', () => {
		const polls: readonly Poll[] = [[99], ...Array.from({length: 59}, () => []), [101]];
		expect(priced('last crosses 100 until 14:01', ...polls)).toEqual([]);
		expect(priced('last crosses 100 until 14:02', ...polls)).toEqual([60]);
	});

	test('that is judged on each trade calls again though it was false between two polls only', () => {
		const text = 'last > 100 or tradeSize > 9';
		expect(priced(`${text} every 1s`, [101], [101], [99, 101], [101], [99, 101])).toEqual([0, 2, 4]);
		expect(priced(`${text} every 3s`, [101], [99, 101], [101], [101], [101])).toEqual([0, 3]);
		expect(priced(text, [101], [99, 101])).toEqual([0]);
	});

	test('of single trades calls for any of a page, and once for several of them', () => {
		expect(sized('tradeSize >= 5', [9], [1, 1, 1, 5, 1, 1, 1, 1, 1, 1])).toEqual([1]);
		expect(sized('tradeSize >= 5 every 1s', [1], [1, 7, 1, 9, 1], [1], [6], [6, 6])).toEqual([1, 3, 4]);
		expect(sized('tradeValue >= 5 every 2s', [1], [7], [9], [1], [6])).toEqual([1, 4]);
	});

	test('calls by any polls only as often as every allows, and after it was false', () => {
		const anyPoll = fc.oneof(fc.array(fc.integer({min: 98, max: 102}), {maxLength: 3}), fc.constant('fails' as const));
		fc.assert(
			fc.property(fc.array(anyPoll, {maxLength: 60}), fc.integer({min: 1, max: 9}), (polls, every) => {
				let [last, isFalse, isArmed, calledAt] = [0, true, true, -Infinity];
				const expected = polls.flatMap((poll, second) => {
					if (poll === 'fails') return [];
					last = poll.at(-1) ?? last;
					isFalse = last > 0 && last <= 100;
					if (isFalse) isArmed = true;
					if (isFalse || last === 0 || !isArmed || second - calledAt < every) return [];
					[isArmed, calledAt] = [false, second];
					return [second];
				});
				expect(priced(`last > 100 every ${every}s`, ...polls)).toEqual(expected);
			}),
			{numRuns: 50},
		);
	});

	test.each([
		['tradeSize > 5', 4],
		['tradeValue > 500', 4],
		['last crosses 100', 3],
	] as const)('does not call for trades before it was armed, though the first answer had none: %s', (text, at) => {
		const {arrive} = watchRule(text);
		const old = [tradeAt(-20, 99, 9), tradeAt(-10, 101, 9), tradeAt(-5, 99, 9)];
		expect([arrive(0, known({trades: tapeOf([], 0)})), arrive(2, known({trades: tapeOf(old, 2)}))]).toEqual([[], []]);
		const trades = [...old, tradeAt(3, 101), tradeAt(4, 99, 9)];
		expect(arrive(4, known({trades: tapeOf(trades, 4)})).map(sayOf)).toEqual([`4: trade of ${at}`]);
	});
});

/**
 * What a rule says; polls come at these seconds, with a trade for each price so far, but for one that comes `late`, with the
 * last poll.
 */
function alertsIn(text: string, prices: readonly number[], polls: readonly number[], late?: number) {
	const {arrive} = watchRule(text);
	const trades = prices.map((price, at) => tradeAt(at, price));
	return polls.flatMap(poll => {
		const isKnown = (at: number) => at <= poll && (at !== late || poll === polls.at(-1));
		const tape = tapeOf(
			trades.filter((_, at) => isKnown(at)),
			poll,
		);
		return arrive(poll, known({trades: tape})).map(sayOf);
	});
}

describe('the crossings of a page', () => {
	const wave = [99, 101, 99, 101, 99, 101, 99, 101, 99, 99, 99, 101];

	test.for([
		['last crosses above 100 every 1s', ['8: 1', '8: 3', '8: 5', '8: 7', '11: 11']],
		['tradeSize > 0 every 3s', ['8: 1', '8: 4', '8: 7', '11: 10']],
		// Of one page, and from one page to the next.
		['last crosses above 100 every 4s', ['8: 1', '8: 5', '11: 11']],
		['last crosses above 100 every 7s', ['8: 1', '11: 11']],
		['last crosses above 100 every 20s', ['8: 1']],
	] as const)('alert as often as every allows, by the times of the trades: %s', ([text, alerts]) => {
		expect(alertsIn(text, wave, [0, 8, 11])).toEqual(alerts.map(alert => alert.replace(': ', ': trade of ')));
	});

	test('alert for the same trades as one poll for each of them', () => {
		const each = wave.map((_, at) => at);
		for (const text of ['last crosses 100 every 3s', 'tradeSize > 0 every 2s', 'last crosses below 100 every 1s']) {
			const tradesOf = (polls: readonly number[]) => alertsIn(text, wave, polls).map(alert => alert.split(' of ')[1]);
			expect(tradesOf([0, 11])).toEqual(tradesOf(each));
		}
	});

	test('start from where the trades around a late one are, not from where the newest is', () => {
		const rule = 'last crosses above 100 every 1s';
		// What the next trade crossed is not crossed again.
		expect(alertsIn(rule, [99, 101, 101, 99, 99, 99], [0, 3, 5], 1)).toEqual(['3: trade of 2']);
		expect(alertsIn(rule, [99, 101, 99, 99, 99, 99], [0, 3, 5], 1)).toEqual(['5: trade of 1']);
	});
});

describe('a rule is blind', () => {
	/** What is said each second until `end`; polls of trades at 99, of `later` after the first failure, fail in between. */
	function saidIn(text: string, end: number, [from, to] = [end, end], later: readonly number[] = []) {
		const {arrive} = watchRule(text);
		return Array.from({length: end + 1}, (_, at) => at).flatMap(at => {
			const isFailing = at >= from && at < to;
			const at0 = isFailing ? from - 1 : at;
			const trades = [tradeAt(0, 99), ...(at >= to ? later.map((price, index) => tradeAt(from + index, price)) : [])];
			const tape = {...tapeOf(trades, at0), ...(isFailing && {failure: failure(start + at0 * second)})};
			return arrive(at, known({trades: tape})).map(sayOf);
		});
	}

	test('when its data is 30 s old, until there is new data, and says of what happened meanwhile that it did', () => {
		const blind = '30: blind since 0: timed out';
		expect(saidIn('last crosses 100', 60, [1, 50])).toEqual([blind, '50: judged again, by trades']);
		expect(saidIn('last crosses 100', 60, [1, 50], [99, 101, 102])).toEqual([
			blind,
			'50: trade of 2 while blind',
			'50: judged again, by trades',
		]);
	});

	test('when a value is not known for as long, though there is data', () => {
		const {arrive} = watchRule('volume > 10');
		const day = (at: number, volume?: number) => {
			const ticker = {symbol: 'BTCUSDT', state: 'active', ...(volume !== undefined && {volume})};
			return arrive(at, known({tickers: received(new Map([['BTCUSDT', ticker]]), start + at * second)})).map(sayOf);
		};
		const said = Array.from({length: 31}, (_, at) => day(at)).flat();
		expect(said).toEqual(['30: blind since 0: volume is unknown']);
		expect(day(31, 5)).toEqual(['31: judged again, by nothing']);
	});

	test('never by the age of data, which it is judged by', () => {
		expect(saidIn('age > 60 and last > 1', 40, [1, 100])).toEqual(['30: blind since 0: timed out']);
		expect(saidIn('age > 1000', 70, [1, 100])).toEqual([]);
	});

	test('no more once it has called', () => {
		expect(saidIn('last < 100', 60, [1, 100])).toEqual(['0: now']);
	});

	test('while data is back that does not tell all values', () => {
		const {alerts, arrive} = watchRule('imbalance > 2');
		const saidAt = (ms: number, book: DepthBook, receivedMs = ms) => {
			const depth = received(book, start + receivedMs);
			const isFailing = receivedMs < ms;
			return arrive(ms / second, known({depth: {...depth, ...(isFailing && {failure: failure(start + ms)})}})).map(
				sayOf,
			);
		};
		const asks = [[101, 1]] as const;
		const whole: DepthBook = {asks, bids: [[99, 1]]};
		for (let ms = 1000; ms <= 30_000; ms += 1000) expect(saidAt(ms, whole, 1000)).toEqual([]);
		expect(saidAt(31_000, whole, 1000)).toEqual(['31: blind since 1: timed out']);
		expect([saidAt(31_500, {asks}), saidAt(32_500, {asks}), saidAt(33_000, {asks})]).toEqual([[], [], []]);
		expect(saidAt(34_000, whole)).toEqual(['34: judged again, by nothing']);
		expect(alerts.getSnapshot().missed).toMatchObject([{since: start + second}]);
	});

	test('by the sleep of this computer, which the clock of the other interface does not show', () => {
		const {arrive} = watchRule('last > 100');
		const said = (at: number, source: 'v2' | 'legacy') => {
			const tape = received(emptyTape, start + at * second);
			return arrive(at, known({trades: {...tape, interface: source, serverTime: start}})).map(sayOf);
		};
		expect([said(0, 'v2'), said(600, 'v2')]).toEqual([[], []]);
		expect(said(1200, 'legacy')).toEqual(['1200: blind since 600: the computer slept']);
	});
});

describe('a trade that comes while other data is not known', () => {
	const text = 'tradeSize > 5 and sma(5, 1m) > 0';
	const candles = Array.from({length: 20}, (_, index): Candle => {
		return {time: start + (index - 20) * minuteMs, open: 100, high: 100, low: 100, close: 100, volume: 1};
	});

	/** Sizes of trades by second; polls of candles fail between these seconds of a minute and a half. */
	function said(
		text: string,
		sizes: Readonly<Record<number, number>>,
		[from, to]: readonly [from: number, to: number],
	) {
		const {arrive} = watchRule(text);
		const trades = Object.entries(sizes).map(([at, size]) => tradeAt(Number(at), 100, size));
		return Array.from({length: 90}, (_, at) => at).flatMap(at => {
			const isFailing = at >= from && at < to;
			const receivedAt = start + (isFailing ? from - 1 : at) * second;
			const series = received({candles, period: 1, builtFrom: 'exchange'} as const, receivedAt);
			const tape = tapeOf(
				trades.filter(({time}) => time <= start + at * second),
				at,
			);
			const failed = {...series, ...(isFailing && {failure: failure(receivedAt)})};
			return arrive(
				at,
				known({trades: tape}, () => failed),
			).map(sayOf);
		});
	}

	test('is judged once when that is back, as each other one that came then', () => {
		const sizes = {0: 1, 12: 9, 14: 1, 16: 9, 30: 1, 31: 9};
		expect(said(`${text} every 1s`, sizes, [10, 20])).toEqual([
			'20: trade of 12',
			'20: trade of 16',
			'31: trade of 31',
		]);
		expect(said(text, sizes, [10, 20])).toEqual(['20: trade of 12']);
	});

	test('is judged at once where the rule holds without that', () => {
		const or = 'tradeSize > 5 or sma(5, 1m) > 1000 every 1s';
		expect(said(or, {0: 1, 12: 9, 14: 1, 16: 9}, [10, 20])).toEqual(['12: trade of 12', '16: trade of 16']);
		expect(said(or, {0: 1, 50: 9, 52: 1}, [10, 80])).toEqual([
			'39: blind since 9: timed out',
			'50: trade of 50 while blind',
			'80: judged again, by nothing',
		]);
	});

	test('is judged at the moment at which the rule gets blind', () => {
		const or = 'tradeSize > 5 or sma(5, 1m) > 1000';
		expect(said(or, {0: 1, 39: 9}, [10, 80])).toEqual(['39: trade of 39', '39: blind since 9: timed out']);
	});

	test('ends a rule that is blind, when the rule holds without that, in silence', () => {
		const or = 'tradeSize > 5 or sma(5, 1m) > 1000';
		expect(said(or, {0: 1, 50: 9, 52: 1}, [10, 80])).toEqual([
			'39: blind since 9: timed out',
			'50: trade of 50 while blind',
		]);
	});

	test('is not judged where the rule got blind, which says that it is not known what happened', () => {
		expect(said(text, {0: 1, 12: 9, 50: 1, 70: 9}, [10, 60])).toEqual([
			'39: blind since 9: timed out',
			'60: judged again, by nothing',
			'70: trade of 70',
		]);
	});

	test.each([
		['is back', book(100), ['2: trade of 1']],
		['is back without what the rule compares', {asks: book(100).asks}, []],
	])('is judged when that %s, and not later', (_, back, saidOf) => {
		const {arrive} = watchRule('tradeSize > 5 and spread < 5');
		const [first, big] = [tradeAt(0, 100, 1), tradeAt(1, 100, 9)];
		const depthAt = (at: number, data: DepthBook, failedAt?: number) => ({
			...received(data, start + at * second),
			...(failedAt !== undefined && {failure: failure(start + failedAt * second)}),
		});
		const told = [
			known({trades: tapeOf([first], 0), depth: depthAt(0, book(100))}),
			known({trades: tapeOf([first, big], 1), depth: depthAt(0, book(100), 1)}),
			known({trades: tapeOf([first, big], 2), depth: depthAt(2, back)}),
			known({trades: tapeOf([first, big], 3), depth: depthAt(3, book(100))}),
		].flatMap((data, at) => arrive(at, data).map(sayOf));
		expect(told).toEqual(saidOf);
	});

	test('is judged in silence where the rule does not hold', () => {
		expect(said(text, {0: 1, 12: 2, 14: 1, 25: 2}, [10, 20])).toEqual([]);
	});
});

describe('a call', () => {
	test('can be tried for one of its markets, with the values as they are', () => {
		const {alerts, events, arrive} = watchRule('last > 100', ['BTCUSDT', 'ETHUSDT']);
		arrive(0, known({trades: tapeOf([tradeAt(0, 99)], 0)}));
		alerts.test('last > 100', 'BTCUSDT');
		alerts.test('last > 101', 'BTCUSDT');
		alerts.test('last > 100', 'SOLUSDT');
		const rule = parse('last > 100');
		expect(events).toEqual([{type: 'alert', rule, symbol: 'BTCUSDT', time: start, values: {last: 99}, isTest: true}]);
		expect(alerts.getSnapshot().unseen).toEqual([]);
		alerts.test('last > 100', 'ETHUSDT');
		expect(events.map(({symbol}) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
	});

	test('that failed is reported until one succeeds', () => {
		const {alerts} = watchRule('last > 100', []);
		alerts.callFailed('notify-send: not found');
		expect(alerts.getSnapshot().callFailure).toEqual({text: 'notify-send: not found', time: start});
		alerts.callSucceeded();
		expect(alerts.getSnapshot().callFailure).toBeUndefined();
	});
});

test('rules listen while there is one to judge', () => {
	const {alerts, listeners} = watchRule('last > 100');
	alerts.setOff('last > 100', true);
	expect(listeners()).toBe(0);
	alerts.setOff('last > 100', false);
	expect(listeners()).toBe(1);
	alerts.stop();
	expect(listeners()).toBe(0);
});

test('of what fired, the newest thousand wait to be acknowledged', () => {
	const {alerts, arrive} = watchRule('tradeSize > 5 every 1s');
	arrive(0, known({trades: tapeOf([tradeAt(0, 100)], 0)}));
	const trades = Array.from({length: 1100}, (_, at) => tradeAt(at, 100, at > 0 ? 9 : 1));
	const events = arrive(1100, known({trades: tapeOf(trades, 1100)}));
	expect(events.filter(({type}) => type === 'alert')).toHaveLength(1099);
	const {unseen} = alerts.getSnapshot();
	expect([unseen.length, unseen[0]?.trade?.id]).toEqual([1000, '1099']);
});

describe('a rule is remembered', () => {
	test('until it is judged for a market, of which what it remembers counts from then on', () => {
		const text = '* last crosses 100';
		const first = watchRule(text);
		first.arrive(0, known({trades: tapeOf([tradeAt(0, 99)], 0)}));
		const symbols = ['BTCUSDT'];
		const {arrive} = watchRule(text, symbols, first.alerts.remembered().get(text)?.markets);
		const trades = [tradeAt(0, 99), tradeAt(1, 99)];
		const told = [arrive(1, known({trades: tapeOf(trades, 1)}))];
		symbols.length = 0;
		told.push(arrive(2, known({trades: tapeOf(trades, 2)})));
		symbols.push('BTCUSDT');
		told.push(arrive(5, known({trades: tapeOf([...trades, tradeAt(3, 101)], 5)})));
		expect(told).toEqual([[], [], []]);
	});

	test.each([
		['says what it did not see', 'volume > 1000', [['blind', 'nothing']]],
		['says nothing of that for many markets by the ticker', '* last > 1000', []],
	])('and %s after an hour: %s', (_, text, saidOf) => {
		const memory = {judgedAt: start - hourMs, trades: {}, sides: [], isReleased: true};
		const {arrive} = watchRule(text, ['BTCUSDT'], {BTCUSDT: memory});
		const tickers = received(new Map([['BTCUSDT', {...ticker('BTCUSDT'), volume: 1}]]), start);
		const events = arrive(0, known({tickers}));
		expect(events.map(event => [event.type, 'lookedUp' in event && event.lookedUp])).toEqual(saidOf);
	});

	test('and blind since it was judged in an earlier run, where no data comes', async () => {
		const memory = {judgedAt: start - hourMs, trades: {}, sides: [], isReleased: true};
		const {clock, events} = watchRule('last > 100', ['BTCUSDT'], {BTCUSDT: memory});
		await clock.advance(31 * second);
		expect(events).toMatchObject([{type: 'blind', ended: false, since: start - hourMs, why: 'no answer'}]);
	});

	test('as judged from when it was stated, though its data is older', () => {
		const {alerts, arrive} = watchRule('last > 100');
		arrive(0, known({trades: tapeOf([tradeAt(-5, 99)], -4)}));
		const {armedAt, markets} = alerts.remembered().get('last > 100') ?? {};
		expect([armedAt, markets?.BTCUSDT?.judgedAt]).toEqual([start, start]);
	});

	test('that has fired without all that was known then', async () => {
		const ages = createAges(createFakeClock(start));
		const rule = new JudgedRule({rule: parse('last > 100'), own: 'BTCUSDT', ages, armedAt: start, now: start});
		const judged = (price: number) => {
			const news = {data: known({trades: tapeOf([tradeAt(0, price)], 0)}), trades: [], now: start};
			rule.judge({news, symbolOf: key => key, blindAfterMs: second, whyOld: () => ''});
			return new WeakRef(news.data);
		};
		const atFiring = judged(101);
		expect([rule.isDone(start), rule.isOver]).toEqual([true, false]);
		judged(99);
		await collectGarbage();
		expect([rule.isOver, atFiring.deref(), rule.memory?.fired?.values]).toEqual([true, undefined, {last: 101}]);
		expect(rule.memory?.trades.BTCUSDT?.time).toBe(start);
	});
});
