import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createAlerts, type StatedRule} from '../../source/alerts/alerts.ts';
import type {AlertEvent} from '../../source/alerts/judged-rule.ts';
import type {MarketsData} from '../../source/alerts/market-data.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {secondMs} from '../../source/market/units.ts';
import {waiting} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 22, 14);
const blank = marketState();
const stepMs = 5 * secondMs;

/** What happens at one second: a poll with so many trades of the past, with candles or not, or a restart. */
type Step = {
	readonly at: number;
	/** How many trades the page has. */
	readonly page?: number;
	readonly candles?: boolean;
	readonly restarts?: boolean;
	/** The tape starts over with that page, as with another spelling of the market. */
	readonly renews?: boolean;
	readonly sleeps?: boolean;
	/** The trades have other ids, as those of the other interface have. */
	readonly renames?: boolean;
	/** So many candles could not be read. */
	readonly dropped?: number;
	/** Default: from the exchange. */
	readonly builtFrom?: 'trades';
};

/** Trades of BTCUSDT, one a second from the start on. */
const tradesOf = (prices: readonly number[]): readonly Trade[] =>
	prices.map((price, second) => ({id: String(second), time: start + second * secondMs, price, quantity: 1}));

/** What a rule says on an exchange with these trades, as text. */
function run(text: string, trades: readonly Trade[], steps: readonly Step[]): readonly (readonly AlertEvent[])[] {
	const clock = createFakeClock(start + (steps[0]?.at ?? 0) * secondMs);
	const rule = parseRule(text, {now: start, marketNamed: key => ({key})});
	let known: MarketsData = new Map();
	let tape: Tape = emptyTape;
	let events: AlertEvent[] = [];
	let arrived = () => {};
	const timers = new Set<() => void>();
	let stated: StatedRule = {rule, origin: 'user', isOff: false};
	let alerts = begin();

	function begin() {
		const after = (_ms: number, run: () => void) => {
			timers.add(run);
			return () => timers.delete(run);
		};
		const created = createAlerts({
			clock: {...clock, after},
			rules: [stated],
			marketsOf: () => ['BTCUSDT'],
			onEvent: event => events.push(event),
			feeds: {
				follow() {},
				data: () => known,
				pollMs: () => 1000,
				subscribe(listener) {
					arrived = listener;
					return () => {};
				},
			},
		});
		created.start();
		return created;
	}

	/** As each second. */
	function tick() {
		for (const run of [...timers]) {
			timers.delete(run);
			run();
		}
	}

	let receivedAt = clock.now();
	return steps.map(step => {
		const {at, page, candles = false, restarts = false, renews = false, sleeps = false, renames = false} = step;
		const time = start + at * secondMs;
		// A longer jump of the clock looks like a sleep.
		for (; !restarts && !sleeps && time - clock.now() > stepMs; tick()) clock.jump(stepMs);
		clock.jump(time - clock.now());
		if (restarts) {
			// What is remembered goes through the state file.
			const [remembered] = [...alerts.remembered().values()];
			stated = {rule, ...JSON.parse(JSON.stringify(remembered))};
			alerts.stop();
			known = new Map();
			tape = emptyTape;
			alerts = begin();
		}

		if (page !== undefined || candles) {
			const past = trades.filter(({time}) => time <= clock.now());
			if (page !== undefined) {
				const named = past.slice(-page).map(trade => (renames ? {...trade, id: `9${trade.id}`} : trade));
				tape = mergeTape(renews ? emptyTape : tape, named);
				receivedAt = clock.now();
			}

			const state = {...blank, symbol: 'BTCUSDT', trades: received(tape, receivedAt)};
			const series = {...candlesFromTrades(past.toReversed(), 1), builtFrom: step.builtFrom ?? ('exchange' as const)};
			const answer = {...received(series, clock.now()), dropped: step.dropped ?? 0};
			const candlesOf = () => (candles ? answer : waiting);
			known = new Map([['BTCUSDT', {state, candlesOf, facts: new Map()}]]);
		}

		arrived();
		tick();
		const said = events;
		events = [];
		return said;
	});
}

const second = (time: number | undefined) => (time === undefined ? undefined : (time - start) / secondMs);

function told(event: AlertEvent): string {
	if (event.type === 'blind') {
		const how = event.ended ? `again by ${event.lookedUp}, since ${second(event.since)}: ${event.why}` : 'blind';
		return event.possible ? `${how}, possible` : how;
	}

	const {trade, gap, blindSince} = event;
	const when = gap ? `between ${second(gap.from)} and ${second(gap.to)}` : trade ? `at ${second(trade.time)}` : 'now';
	const prices = gap?.high === undefined ? '' : ` ${gap.low} to ${gap.high}`;
	return `${when}${prices}${blindSince === undefined ? '' : ` while blind since ${second(blindSince)}`}`;
}

/** Polls at 5 and 10 s with all trades, a restart at this second, and these. */
const restartedAt = (at: number, ...after: readonly Step[]): readonly Step[] => [
	...[
		{at: 5, page: 50},
		{at: 10, page: 50},
	],
	...[{at, restarts: true}, ...after],
];

const flat = (steps: readonly (readonly AlertEvent[])[]) => steps.map(events => events.map(told));

describe('a rule that is restarted', () => {
	const calm = Array.from({length: 400}, () => 99);
	const spiked = tradesOf(calm.map((price, index) => (index === 70 ? 101 : price)));

	test('is judged on the trades since then, where they still overlap', () => {
		const steps = restartedAt(100, {at: 101, page: 200});
		expect(flat(run('last crosses 100', spiked, steps))).toEqual([[], [], [], ['at 70 while blind since 10']]);
		expect(flat(run('last > 100', spiked, steps))).toEqual([[], [], [], ['at 70 while blind since 10']]);
		expect(flat(run('last crosses 102', spiked, steps))).toEqual([[], [], [], []]);
	});

	test('finds in the candles what it missed', () => {
		const steps = restartedAt(300, {at: 301, page: 20}, {at: 302, page: 20, candles: true});
		const held = ['between 60 and 120 99 to 101 while blind since 10'];
		expect(flat(run('last crosses 100', spiked, steps))).toEqual([[], [], [], [], held]);
		expect(flat(run('last > 100', spiked, steps))).toEqual([[], [], [], [], held]);
		expect(flat(run('last crosses 102', spiked, steps))).toEqual([[], [], [], [], []]);
	});

	test('says what is not known', () => {
		const steps = restartedAt(300, {at: 301, page: 20}, {at: 316, page: 40}, {at: 332, page: 60});
		const unknown = 'again by nothing, since 10: Tapewatch was not running';
		expect(flat(run('last crosses 100', spiked, steps))).toEqual([[], [], [], [], [], [unknown]]);
		expect(flat(run('tradeSize > 5', spiked, steps))).toEqual([[], [], [], [unknown], [], []]);
		expect(flat(run('trades(1m) > 100', spiked, steps)).flat()).toEqual([unknown, 'blind']);
	});

	test('calls at once for what crosses while candles are waited for', () => {
		const trades = tradesOf(calm.map((price, index) => (index >= 303 ? 101 : price)));
		const steps = restartedAt(300, {at: 301, page: 20}, {at: 303, page: 20});
		expect(flat(run('last crosses 100', trades, steps)).at(-1)).toEqual([
			'at 303 while blind since 10',
			'again by nothing, since 10: Tapewatch was not running',
		]);
	});

	test('goes on where it was before its data became too old', () => {
		const trades = tradesOf(calm.map((price, index) => (index === 80 ? 101 : price)));
		const steps = [{at: 5, page: 50}, {at: 70}, {at: 80, restarts: true, page: 1}, {at: 81, page: 200}];
		expect(flat(run('last crosses 100', trades, steps)).slice(2)).toEqual([
			['between 5 and 80 while blind since 5', 'again by nothing, since 5: Tapewatch was not running'],
			[],
		]);
	});

	test('goes on from no price where the market had no trades yet', () => {
		const trades = tradesOf([...calm.slice(0, 71), 101, 101]).slice(70);
		const saidAt = (...polls: readonly number[]) => {
			const said = [false, true].map(candles => {
				const steps = [{at: 5, page: 50}, {at: 60, restarts: true}, ...polls.map(at => ({at, page: 50, candles}))];
				return flat(run('last crosses 100', trades, steps)).slice(2);
			});
			expect(said[1]).toEqual(said[0]);
			return said[0];
		};
		const unknown = 'again by nothing, since 5: Tapewatch was not running';
		expect(saidAt(61, 70, 72)).toEqual([[unknown], [], ['at 71']]);
		expect(saidAt(70, 71)).toEqual([[unknown], ['at 71']]);
		expect(saidAt(72)).toEqual([['at 71 while blind since 5', unknown]]);
	});

	test('is judged from the time of the last trade where the other interface names trades anew', () => {
		const steps = restartedAt(
			15,
			{at: 16, page: 7, renames: true},
			...[30, 45, 60].map(at => ({at, page: 20, renames: true})),
		);
		expect(flat(run('last crosses 100', spiked, steps)).flat()).toEqual([]);
	});

	test('takes from candles no price that was traded after the trades that it knows', () => {
		const trades = tradesOf(calm.map((price, index) => (index === 220 ? 101 : price)));
		const steps = restartedAt(200, {at: 215, page: 10}, {at: 225, candles: true}, {at: 227, page: 20});
		expect(flat(run('last crosses 100', trades, steps)).slice(4)).toEqual([
			[],
			['at 220 while blind since 10', 'again by nothing, since 10: Tapewatch was not running'],
		]);
	});

	test('says between which trades it crossed where a later stretch is missing, too', () => {
		const trades = tradesOf(calm.map((price, index) => (index >= 310 ? 101 : price)));
		const steps = restartedAt(300, {at: 301, page: 20}, {at: 320, page: 5});
		expect(flat(run('last crosses 100', trades, steps)).at(-1)).toEqual([
			'between 301 and 316 while blind since 10',
			'again by nothing, since 10: Tapewatch was not running',
		]);
	});

	test('does not call again while it holds since a stretch that candles tell of', () => {
		const trades = tradesOf(calm.map((price, index) => (index >= 70 ? 101 : price)));
		const steps = restartedAt(200, ...[201, 203, 205, 207].map(at => ({at, page: 20, candles: true})));
		expect(flat(run('last > 100 every 1s', trades, steps)).flat()).toEqual([
			'between 60 and 120 99 to 101 while blind since 10',
		]);
	});

	test('does not call again for what it called for', () => {
		const steps = [
			{at: 60, page: 50},
			{at: 75, page: 50},
			{at: 80, restarts: true},
			{at: 81, page: 100},
			{at: 200, restarts: true},
			{at: 201, page: 200},
		];
		const called = [[], ['at 70'], [], [], [], []];
		expect(flat(run('last crosses 100', spiked, steps))).toEqual(called);
		expect(flat(run('last crosses 100 every 1m', spiked, steps))).toEqual(called);
	});

	test('does not call again while it still holds, and does when it holds anew', () => {
		const trades = tradesOf(calm.map((price, index) => ((index >= 70 && index < 90) || index >= 95 ? 101 : price)));
		const steps = [
			{at: 60, page: 50},
			{at: 75, page: 50},
			{at: 80, restarts: true},
			{at: 81, page: 100},
			{at: 92, page: 100},
			{at: 97, page: 100},
		];
		expect(flat(run('last > 100 every 1s', trades, steps))).toEqual([[], ['now'], [], [], [], ['now']]);
	});
});

describe('a rule that lacks trades', () => {
	const calm = Array.from({length: 400}, () => 99);
	const unknown = 'again by nothing, since 10: Tapewatch was not running';

	test('is silent about a short restart after which all is known', () => {
		const restartedFor = (seconds: number, page = 300) => [
			...[5, 10].map(at => ({at, page: 50})),
			...[
				{at: 10 + seconds, restarts: true},
				{at: 11 + seconds, page},
			],
		];
		expect(flat(run('trades(1m) > 100', tradesOf(calm), restartedFor(10))).flat()).toEqual([]);
		expect(flat(run('trades(1m) > 100', tradesOf(calm), restartedFor(60))).flat()).toEqual([unknown]);
		expect(flat(run('trades(1m) > 100', tradesOf(calm), restartedFor(10, 5))).flat()).toEqual([unknown]);
	});

	test('says so if it ends before they are known', () => {
		const steps = [{at: 5, page: 50}, {at: 10, page: 50}, {at: 20, restarts: true}, {at: 26}];
		expect(flat(run('last crosses 100 until 14:00:25', tradesOf(calm), steps)).at(-1)).toEqual([unknown]);
	});

	test('says so when it knows all again that it compares, though it has all trades since', () => {
		const steps = Array.from({length: 16}, (_, index) => ({at: 100 + 5 * index, page: index === 0 ? 2 : 10}));
		expect(flat(run('trades(1m) > 100', tradesOf(calm), steps)).flat()).toEqual([
			'blind',
			'again by nothing, since 100: trades(1m) is unknown',
		]);
	});

	test('needs none if it is judged on what is known now', () => {
		const steps = [5, 10, 25, 40, 57].map(at => ({at, page: at === 25 ? 5 : 20}));
		expect(flat(run('last > 100', tradesOf(calm), steps)).flat()).toEqual([]);
	});

	test('does not call for what candles tell of before the time of every has passed', () => {
		const trades = tradesOf(calm.map((price, index) => (index === 8 || index === 70 ? 101 : price)));
		const steps = [
			...[5, 10, 20].map(at => ({at, page: 50})),
			...[
				{at: 200, restarts: true},
				{at: 201, page: 20},
				{at: 202, page: 20, candles: true},
			],
		];
		expect(flat(run('last crosses 100 every 5m', trades, steps)).flat()).toEqual(['at 8']);
		expect(flat(run('last crosses 100 every 3m', trades, steps)).flat()).toEqual([
			'at 8',
			'between 20 and 120 99 to 101 while blind since 20',
		]);
	});

	test.each([
		['some of which could not be read', {dropped: 1}],
		['that are built from the trades', {builtFrom: 'trades'}],
	] as const)('does not look them up in candles %s', (_, of) => {
		const trades = tradesOf(calm.map((price, index) => (index === 70 ? 101 : price)));
		const steps = [
			...[5, 10].map(at => ({at, page: 50})),
			{at: 200, restarts: true},
			...[201, 216, 232].map((at, index) => ({at, page: 20 * (index + 1), candles: true, ...of})),
		];
		expect(flat(run('last crosses 100', trades, steps)).flat()).toEqual([unknown]);
	});

	test('does not take a price for one of a gap that may have been traded in a gap before', () => {
		const trades = tradesOf(calm.map((price, index) => (index === 65 ? 101 : price)));
		const steps = [
			...[
				{at: 62, page: 10},
				{at: 70, page: 2},
				{at: 85, page: 17},
				{at: 101, page: 33},
				{at: 105, page: 37},
			],
			...[
				{at: 110, restarts: true},
				{at: 135, page: 10, candles: true},
			],
		];
		expect(flat(run('last crosses 100', trades, steps)).flat()).toEqual([
			'again by nothing, since 62: trades are missing',
			'again by candles, since 105: Tapewatch was not running, possible',
		]);
	});

	test('does not know what happened while a value was unknown', () => {
		const steps = [{at: 20, page: 50}, {at: 55}, {at: 60, page: 3}, {at: 62, page: 3}, {at: 68, page: 8}];
		expect(flat(run('volume(5s) > 100', tradesOf(calm), steps)).flat()).toEqual([
			'blind',
			'again by nothing, since 20: no answer',
		]);
	});
});

test('a rule says of a burst that it crossed where trades are missing', () => {
	const trades = tradesOf([...Array.from({length: 30}, () => 99), ...Array.from({length: 100}, () => 101)]);
	const steps = [
		{at: 10, page: 50},
		{at: 20, page: 50},
		{at: 45, page: 10},
	];
	expect(flat(run('last crosses 100', trades, steps)).at(-1)).toEqual([
		'between 20 and 36',
		'again by nothing, since 20: trades are missing',
	]);
});

test('a rule looks up what it missed where the tape starts over', () => {
	const spiked = tradesOf(Array.from({length: 300}, (_, index) => (index === 70 ? 101 : 99)));
	const steps = [
		{at: 5, page: 50},
		{at: 10, page: 50},
		{at: 200, page: 20, renews: true},
		{at: 201, page: 20, candles: true},
	];
	expect(flat(run('last crosses 100', spiked, steps)).slice(2)).toEqual([
		['blind'],
		['between 60 and 120 99 to 101 while blind since 10', 'again by candles, since 10: no answer'],
	]);
});

test('a rule that ended while the computer slept says so', () => {
	const trades = tradesOf(Array.from({length: 100}, () => 99));
	const steps = [
		{at: 5, page: 50},
		{at: 10, page: 50},
		{at: 60, sleeps: true},
		{at: 65, restarts: true},
		{at: 66, page: 50},
	];
	const said = 'again by nothing, since 10: the computer slept, or its clock was set';
	expect(flat(run('last crosses 100 until 14:00:55', trades, steps))).toEqual([[], [], [said], [], []]);
	expect(flat(run('last crosses 100 until 14:00:15', trades, steps))).toEqual([[], [], [], [], []]);
});

test('a rule calls again though the clock was set back since it called', () => {
	const spiked = tradesOf(Array.from({length: 400}, (_, index) => (index % 100 === 70 ? 101 : 99)));
	const steps = [
		{at: 360, page: 50},
		{at: 370, page: 50},
		{at: 130, restarts: true},
		{at: 145, page: 50},
		{at: 170, page: 50},
	];
	expect(flat(run('last > 100 every 10s', spiked, steps))).toEqual([[], ['now'], [], [], ['now']]);
});

test('a rule calls exactly once for a first crossing, whatever polls, gaps and restarts there are', () => {
	const anyStep = fc.record({
		after: fc.integer({min: 1, max: 25}),
		page: fc.option(fc.integer({min: 1, max: 60}), {nil: undefined}),
		candles: fc.boolean(),
		restarts: fc.boolean(),
		renews: fc.boolean(),
	});
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(98, 99, 99, 99, 101), {minLength: 400, maxLength: 400}),
			fc.array(anyStep, {minLength: 2, maxLength: 12}),
			(prices, anySteps) => {
				const trades = tradesOf([99, ...prices]);
				let at = 0;
				const steps: Step[] = [{at, page: 1}];
				for (const {after, page, ...rest} of anySteps) {
					at += after;
					steps.push({at, ...rest, ...(page !== undefined && {page})});
				}

				// In the end all is known.
				steps.push({at: at + 1, page: 1000, candles: true}, {at: at + 40, page: 1000, candles: true});
				const events = run('last crosses 100', trades, steps).flat();
				const alerts = events.filter(({type}) => type === 'alert');
				const crossed = trades.findIndex(({price}) => price > 100);
				const hasCrossed = crossed >= 0 && crossed <= at + 40;
				expect(alerts.length).toBeLessThanOrEqual(1);
				const isSaid = events.some(event => event.type === 'blind' && event.lookedUp !== 'trades');
				// It is never silently skipped.
				if (hasCrossed && !isSaid) expect(alerts).toHaveLength(1);
				if (!hasCrossed) expect(alerts).toEqual([]);
				for (const event of alerts) {
					if (event.type !== 'alert') continue;
					const [from, to] = event.gap ? [event.gap.from, event.gap.to] : [event.trade?.time, event.trade?.time];
					const within = trades.filter(({time}) => time >= (from ?? 0) && time <= (to ?? 0));
					expect(within.some(({price}) => price > 100) ? '' : JSON.stringify({...event, rule: 0})).toBe('');
				}
			},
		),
		{numRuns: 25},
	);
});
