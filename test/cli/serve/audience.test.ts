import {beforeAll, expect, onTestFinished, test, vi} from 'vitest';
import type {Settings} from '../../../source/cli/options/option-table.ts';
import {type Audience, openAudience, type Spectator} from '../../helpers/audience.ts';
import {collectGarbage} from '../../helpers/collect-garbage.ts';
import {createFakeClock, type FakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../../helpers/fake-exchange.ts';
import {createScreen} from '../../helpers/screen.ts';
import {book, candle, info, market, ticker, trade} from '../../store/samples.ts';

const symbols = ['BTCUSDT', 'ETHUSDT'];
const size = {columns: 120, rows: 40};
const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 20, 12);

/** Viewers of two markets whose prices rise by one a second. */
async function open(
	settings: Settings = {fps: 1},
	script: Partial<FakeExchange['script']> = {},
): Promise<{readonly audience: Audience; readonly clock: FakeClock}> {
	const clock = createFakeClock(start);
	const price = () => 100 + Math.floor((clock.now() - start) / 1000);
	const exchange = createFakeExchange(clock, {
		info: () => info,
		markets: () => symbols.map(symbol => market(symbol)),
		tickers: () => symbols.map(symbol => ticker(symbol, price())),
		depth: () => book(price()),
		trades: () => [trade(price(), clock.now(), price())],
		candles: () => [candle(start - hourMs, 90), candle(start, price())],
		...script,
	});
	return {audience: await openAudience({exchange, clock, size, settings}), clock};
}

const listeners = (): number => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

beforeAll(async () => {
	// Loads what is loaded late, and listens once for all.
	const {audience, clock} = await open();
	const spectator = audience.seat();
	await clock.advance(2000);
	spectator.vanish();
	await spectator.ended;
});

/** What the terminal shows. */
async function shown({terminal}: Spectator): Promise<string> {
	const screen = createScreen(size.columns, size.rows);
	await screen.write(terminal.pieces?.join('') ?? '');
	return screen.text().join('\n');
}

test('draws a viewer a frame a second, on the second, and what a key does at once', async () => {
	const {audience, clock} = await open();
	const spectator = audience.seat('BTCUSDT');
	const {terminal, type} = spectator;
	terminal.pieces = [];
	await clock.advance(3500);
	expect(await shown(spectator)).toContain('12:00:03');
	const frames = terminal.frames;
	await clock.advance(5000);
	expect(terminal.frames - frames).toBe(5);
	type('?');
	await clock.advance(0);
	expect(await shown(spectator)).toContain('? Keys');
});

test.each([{}, {fps: 1}])('shows who joins at once all that is known: %j', async settings => {
	const {audience, clock} = await open(settings);
	audience.seat('BTCUSDT');
	await clock.advance(3300);
	const late = audience.seat('BTCUSDT');
	late.terminal.pieces = [];
	await clock.advance(0);
	const known = await shown(late);
	expect(known).toContain('BTCUSDT  103');
	expect(known).not.toMatch(/waiting|loading/);
});

test('a read that is cut short says only why', async () => {
	const {audience, clock} = await open({}, {candles: () => undefined});
	const [left, interrupted] = [audience.seat('candles BTCUSDT'), audience.seat('candles BTCUSDT')];
	for (const {terminal} of [left, interrupted]) terminal.pieces = [];
	await clock.advance(1000);
	left.dismiss();
	interrupted.type('\u0003');
	await clock.advance(4000);
	expect([await left.ended, left.terminal.pieces]).toEqual([143, ['tapewatch: the server is stopping\n']]);
	expect([await interrupted.ended, interrupted.terminal.pieces]).toEqual([130, []]);
});

test.each([
	'depth BTCUSDX',
	'trades NOPE#7',
	'candles NOPE --period 1d',
	'NOPE',
	'watch NOPE ETHUSDT',
	'watch NOPE --json',
])('the exchange is asked for nothing that a viewer makes up: %s', async command => {
	const asked = new Set<string | undefined>();
	const note =
		<T>(answer: T) =>
		({symbol}: {readonly symbol: string | undefined}) => {
			asked.add(symbol);
			return answer;
		};
	const script = {depth: note(book(7)), trades: note([trade(7, start, 7)]), candles: note([candle(start, 7)])};
	const {audience, clock} = await open({}, script);
	const {ended} = audience.seat(command, command.includes('--') ? {term: undefined} : {});
	await clock.advance(10_000);
	expect(await ended).toBe(2);
	expect([...asked].filter(symbol => !symbols.includes(symbol ?? ''))).toEqual([]);
});

/** How a viewer goes: with a word, without one, because it has to, and before there is anything to see. */
const endings: ReadonlyArray<(spectator: Spectator) => void> = [
	// Lines end with Ctrl-C.
	({type}) => type('q\u0003'),
	({vanish}) => vanish(),
	({dismiss}) => dismiss(),
	({type, vanish}) => {
		type('?n');
		vanish();
	},
];
const commands = [undefined, 'ETHUSDT', 'watch BTCUSDT ETHUSDT', 'watch BTCUSDT --json', 'ticker', 'nonsense'];

test('viewers who are gone leave no reader, timer, listener or memory behind, however they went', async () => {
	// Ink's own, by which it holds on to a screen for a second after its end.
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	const {audience, clock} = await open();
	const [readers, timers, heard] = [audience.readers(), clock.timers, listeners()];
	const gone: WeakRef<object>[] = [];
	async function comeAndGo(waitMs: number): Promise<void> {
		const spectators = commands.flatMap(command =>
			endings.map(ending => ({ending, spectator: audience.seat(command)})),
		);
		await clock.advance(waitMs);
		for (const {spectator, ending} of spectators) ending(spectator);
		await clock.advance(10_000);
		await Promise.all(spectators.map(({spectator}) => spectator.ended));
		gone.push(...spectators.map(({spectator}) => new WeakRef(spectator.terminal)));
	}

	await comeAndGo(0);
	await comeAndGo(2500);
	await clock.advance(hourMs / 60);
	vi.advanceTimersByTime(1000);
	expect([audience.readers(), clock.timers, listeners()]).toEqual([readers, timers, heard]);
	const left = () => gone.filter(reference => reference.deref()).length;
	// What ends last can still be on the stack of a busy machine.
	for (let tries = 0; tries < 10 && left() > 0; tries++) await collectGarbage();
	expect(left()).toBe(0);
});
