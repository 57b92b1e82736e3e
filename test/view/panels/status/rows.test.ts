import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FrozenClockError, HeldError, HttpStatusError} from '../../../../source/client/errors.ts';
import type {Resource} from '../../../../source/store/resource.ts';
import {commandsNow, commandsOver} from '../../../../source/view/commands/table.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type StatusInput, statusLines} from '../../../../source/view/panels/status/rows.ts';
import {changed, initialUi} from '../../../../source/view/ui-state.ts';
import {timeout} from '../../../store/samples.ts';

const now = Date.UTC(2026, 0, 1, 23, 54, 59);
const failure = {error: timeout(), since: now};
const broken = {
	error: new HttpStatusError({operation: 'depth', interface: 'v2', url: '', status: 500, body: '', message: ''}),
	since: now,
};
const frozenClock = {
	error: new FrozenClockError({operation: 'depth', interface: 'v2', url: ''}),
	since: now - 40_000,
};
const held = {error: new HeldError({operation: 'depth', interface: 'v2', url: ''}), since: now, retryAt: now + 60_000};
const waiting = {status: 'waiting'} as const;
const failed = {status: 'failed', failure} as const;
const good = {status: 'ready', interface: 'v2', receivedAt: now, dropped: 0} as const;

const listed = [{symbol: 'BTCUSDT', state: 'active'}];

type Resources = Pick<StatusInput['state'], 'depth' | 'trades' | 'tickers' | 'candles' | 'markets'>;
const ready = {
	depth: {...good, data: {asks: []}},
	trades: {...good, data: {trades: [], gaps: new Set<string>()}},
	tickers: {...good, data: new Map()},
	candles: {...good, data: {period: 60, candles: [], builtFrom: 'exchange'}},
	markets: {...good, data: listed},
} satisfies Resources;
const all = <Each extends Resource<never>>(resource: Each) => ({
	depth: resource,
	trades: resource,
	tickers: resource,
	candles: resource,
	markets: resource,
});

/** The book fails; nothing else was due since. */
const failingFor = (ms: number) => {
	const older = all({...good, receivedAt: now - 3000, data: listed as never});
	return {...older, depth: {...ready.depth, receivedAt: now - 3000, failure: {...broken, since: now - ms}}};
};

const input = (change: Partial<StatusInput['state']> = {}, more: Partial<StatusInput> = {}): StatusInput => ({
	state: {budget: {used: 3, allowed: 5}, pending: {}, choice: 'auto', paused: false, ...ready, ...change},
	exchangeName: 'binance-like',
	demo: false,
	now,
	columns: 120,
	rows: 2,
	ascii: false,
	commands: commandsOver(undefined),
	focus: 'markets',
	...more,
});
const draw = (...of: Parameters<typeof input>) => statusLines(input(...of)).map(lineText);
const left = (...of: Parameters<typeof input>) => draw(...of)[0]?.split(/ {3,}/)[0];

test('why legacy answers in place of v2, where there is room', () => {
	const context = {operation: 'ticker', interface: 'v2', url: ''} as const;
	const preferredFailure = new HttpStatusError({...context, status: 500, body: '', message: ''});
	const tickers = {...ready.tickers, interface: 'legacy', preferredFailure} as const;
	expect(left({tickers})).toBe(' live · ticker from legacy: v2 server error 500 · 3.0 of 5.0 req/s · binance-like');
	expect(left({tickers}, {columns: 40})).not.toContain('from legacy');
	expect(left({tickers: {...tickers, failure: broken}})).not.toContain('from legacy');
	expect(draw({tickers}, {exchangeName: 'x'.repeat(80)})[0]).toMatch(/^ live · ticker from .* UTC 23:54:59 $/);
});

test('by how much the exchange’s clock differs from the times of its trades, from 2 s on', () => {
	const clocked = (stampsMs: number, serverTime = now) => {
		const bounds = {least: stampsMs - 300, most: stampsMs + 300};
		const last = {receivedAt: now};
		const clock = {ahead: {least: -300, most: 300}, stamps: bounds, sightings: [], last};
		return {
			trades: {...ready.trades, serverTime, tradeClock: {...clock, areStampsWhole: false, areTradesWhole: false}},
		};
	};
	expect(left(clocked(-9000))).toBe(' live · exchange clock 9 s behind its trades · 3.0 of 5.0 req/s · binance-like');
	expect(left(clocked(300_000, now + 300_000))).toMatch(
		/^ live · exchange clock 5 min ahead of its trades and this computer · /,
	);
	expect(left(clocked(300_000, now - 60_000))).toMatch(
		/^ live · exchange clock 5 min ahead of its trades · exchange clock 1 min behind · /,
	);
	expect(draw(clocked(300_000, now + 300_000), {columns: 80, rows: 1, commands: undefined})[0]).toContain(
		' live · clock 5 min ahead of its trades and this computer ',
	);
	expect(draw(clocked(9000), {columns: 80, rows: 1, commands: undefined})[0]).toContain(
		' live · clock 9 s ahead of its trades ',
	);
	expect(left(clocked(2000))).toMatch(/^ live · 3.0 of 5.0 req/);
});

describe('the state of the feed', () => {
	test.each<[string, Partial<StatusInput['state']>]>([
		['live', {}],
		['waiting', all(waiting)],
		['waiting 6 s', {pending: {depth: now - 6000, trades: now - 2000}}],
		['live', {pending: {trades: now - 1400}}],
		['waiting 3 min', {...all(waiting), pending: {depth: now - 200_000}}],
		['partly failing: v2 depth: timed out', {trades: failed}],
		['partly failing: v2 depth: timed out', {depth: {...ready.depth, failure}}],
		['partly failing: v2 depth: server error 500', {depth: {...good, data: {asks: [], bidsFailure: broken.error}}}],
		['waiting: rate-limited', {...all({...waiting, held}), tickers: {...ready.tickers, failure: held}}],
		['partly failing: v2 depth: rate-limited', {depth: {...waiting, held}}],
		['data may be old: exchange clock frozen', {depth: {...ready.depth, failure: frozenClock}}],
		[
			'partly failing: v2 depth: exchange clock frozen',
			{depth: {...ready.depth, failure: frozenClock}, trades: failed},
		],
		['no answer: timed out', all(failed)],
		['no answer since 23:54:59: timed out', {...all(failed), markets: ready.markets}],
		['no answer since 23:54:59: timed out', {trades: {...ready.trades, failure}, pending: {trades: now + 1}}],
		['failing: server error 500', all({status: 'failed', failure: broken})],
		['failing: server error 500', failingFor(2000)],
		['partly failing: v2 depth: server error 500', failingFor(1999)],
		[
			'partly failing: v2 depth: server error 500',
			{...failingFor(2000), tickers: {...ready.tickers, receivedAt: now - 1000}},
		],
		['failing: timed out', {...all(failed), candles: {status: 'failed', failure: broken}}],
		['PAUSED · Space resumes', {paused: true, ...all(failed)}],
	])('is %s (%#)', (text, state) => {
		expect(left(state)).toBe(` ${text} · 3.0 of 5.0 req/s · binance-like`);
	});

	test('does not wait for what is not on screen', () => {
		const pending = {depth: now - 6000, candles: now - 3000};
		expect(left({pending}, {visible: new Set(['candles', 'trades'])})).toMatch(/^ waiting 3 s /);
		expect(left({pending}, {visible: new Set(['trades'])})).toMatch(/^ live /);
	});

	test('does not count missing bids of a book that is not on screen', () => {
		const depth = {...good, data: {asks: [], bidsFailure: broken.error}};
		expect(left({depth}, {visible: new Set(['trades'])})).toMatch(/^ live /);
	});

	test('leaves out the reason where the line has no room for it', () => {
		const silent = {...all(failed), markets: ready.markets};
		const narrow = (columns: number) => draw(silent, {columns, rows: 1, commands: undefined});
		expect([narrow(60), narrow(40), narrow(34)]).toEqual([
			[' no answer since 23:54:59: timed out           UTC 23:54:59 '],
			[' no answer since 23:54:59  UTC 23:54:59 '],
			[' no answer           UTC 23:54:59 '],
		]);
	});
});

test('the first row shows DEMO, a fixed interface and further notices', () => {
	expect(left({choice: 'legacy'}, {demo: true, more: '2 more do not fit'})).toBe(
		' live · DEMO · legacy only · 2 more do not fit · 3.0 of 5.0 req/s · binance-like',
	);
});

test('the budget shows how long requests wait', () => {
	const waiting = (ms: number) => ({budget: {used: 4.75, allowed: 2.5, freeAt: now + ms}});
	expect(left(waiting(1200))).toBe(' live · 4.8 of 2.5 req/s, next request in 1.2 s · binance-like');
	expect(left(waiting(12_000), {rows: 1, columns: 60, commands: undefined})).toBe(' live · next request in 12 s');
	// Too short for news, and too long for the line.
	expect(left(waiting(999))).toBe(' live · 4.8 of 2.5 req/s · binance-like');
	expect(draw(waiting(12_000), {rows: 1, columns: 24, commands: undefined})).toEqual([' live      UTC 23:54:59 ']);
});

test.each([
	[80, 'this is the beginning', ' live · DEMO · legacy only · this is the beginning                 UTC 23:54:59 '],
	[40, 'the ticker panel does not scroll', ' live · DEMO · no effect here           '],
])('one row of %d columns shows DEMO beside a notice, never cut', (columns, notice, row) => {
	expect(draw({choice: 'legacy'}, {demo: true, rows: 1, columns, notice})).toEqual([row]);
});

const unreachable = 'not recorded: /home/me/no-such-folder/btc.twr cannot be created: its folder does not exist';
test.each([
	[124, unreachable, ` live · ${unreachable}`],
	[80, unreachable, ' live · not recorded: btc.twr cannot be created: its folder does not exist'],
	[40, unreachable, ' live · its folder does not exist'],
	[
		70,
		'recording: /home/me/tapewatch/recordings/x.example-2026-11-22T22-00.twr',
		' live · recording: x.example-2026-11-22T22-00.twr',
	],
])('one row of %d columns names a file without its folders, and says why it cannot be used', (columns, notice, row) => {
	const [shown = ''] = draw({}, {rows: 1, columns, notice});
	expect(shown.replace(/ UTC .*/, '').trimEnd()).toBe(row);
});

test('keys of the focused panel come first and stay longest', () => {
	const hintsAt = (columns: number) => draw({}, {columns})[1]?.trim();
	const own = '/ filter  Enter select  s sort  S reverse  u quote  A active  C compare  L lists  f favourite';
	const others = '↑↓ move  n/p market  Tab panel  z zoom  + - scale  Space pause  ! alerts  : command  ? help  q quit';
	expect([200, 126, 110, 66, 43, 22, 12, 5].map(hintsAt)).toEqual([
		`${own}  ${others}`,
		'/ filter  Enter select  s sort  u quote  C compare  f favourite  n/p market  Tab panel  z zoom  : command  ? help  q quit',
		'/ filter  Enter select  s sort  u quote  f favourite  n/p market  Tab panel  : command  ? help  q quit',
		'/ filter  Enter select  s sort  : command  ? help  q quit',
		'/ filter  : command  ? help  q quit',
		'? help  q quit',
		'? help',
		'',
	]);
});

test('the keys that widen the range of the curve are hinted at as range', () => {
	const ui = changed('book', {view: 'curve'})(initialUi('wide'));
	const acting = commandsNow({...ui, focus: 'book'}, {layout: 'wide', chartSize: {columns: 80, rows: 20}});
	expect(draw({}, {columns: 220, focus: 'book', commands: acting})[1]).toMatch(/^ \+ - range {2}b view /);
});

test('a newcomer sees what to press next in place of the hints, as much as fits, and none of what is worth knowing is left out', () => {
	const first = (columns: number, more: Partial<StatusInput> = {}) => draw({}, {columns, isFirst: true, ...more});
	const sentences = [120, 79, 78, 50, 24, 12, 1].map(columns => first(columns)[1]?.trim());
	expect(sentences).toEqual([
		'press ? for all keys, n for the next market, Tab for the next panel, q to quit, : for commands',
		'press ? for all keys, n for the next market, Tab for the next panel, q to quit',
		'press ? for all keys, n for the next market, Tab for the next panel',
		'press ? for all keys, n for the next market',
		'press ? for all keys',
		'',
		'',
	]);
	expect(first(16, {rows: 1})[0]?.trim()).toBe('live');
	expect(first(80, {rows: 1, demo: true})).toEqual([
		' live · DEMO  press ? for all keys, n for the next market          UTC 23:54:59 ',
	]);
	const empty = {markets: {...good, data: []}};
	expect(draw(empty, {rows: 1, columns: 80, isFirst: true})).toEqual([
		' live · no markets yet  press ? for all keys                       UTC 23:54:59 ',
	]);
	expect(first(80, {notice: 'this is the beginning'})[1]?.trim()).toBe('this is the beginning');
	const commands = commandsOver(undefined).map(each => (each.name === 'help' ? {...each, keys: ['ctrl+h']} : each));
	expect(first(30, {commands})[1]?.trim()).toBe('press Ctrl-H for all keys');
});

test('no keyboard means no hints', () => {
	expect(draw({}, {rows: 1, columns: 60, commands: undefined})).toEqual([` live${' '.repeat(42)}UTC 23:54:59 `]);
	expect(draw({}, {rows: 2, commands: undefined}).length).toBe(1);
});

test('ASCII rows hold nothing but ASCII', () => {
	expect(draw({}, {ascii: true, columns: 160}).join('')).toMatch(/^[ -~]*$/);
	expect(draw({}, {ascii: true, columns: 200, focus: 'chart'})[1]).toMatch(/ Left\/Right pan {2}.* Up\/Down move /);
});

test('every row is as wide as the terminal', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 220}), fc.constantFrom(1, 2), fc.boolean(), (columns, rows, demo) => {
			const lines = statusLines(input({choice: 'v2', paused: demo}, {columns, rows, demo}));
			expect(lines.map(lineWidth)).toEqual(Array(rows).fill(columns));
		}),
	);
});

test.each([
	[{droppedFrames: 12}, ' live · slow link: 12 frames dropped'],
	[{droppedFrames: 1, columns: 40}, ' live · slow link'],
	[{droppedFrames: 1, columns: 40, demo: true}, ' live · DEMO · slow link'],
] as const)(
	'a slow link shows how many frames were dropped where there is room beside the time: %j',
	(given, expected) => {
		expect(left({}, {rows: 1, commands: undefined, ...given})).toBe(expected);
	},
);

test('the time is left out whole where what is always shown leaves no room for it', () => {
	expect(draw({choice: 'legacy'}, {rows: 1, columns: 40, more: 'until last > 70,000', droppedFrames: 1})).toEqual([
		' live · legacy only · until last > 70,0…',
	]);
});
