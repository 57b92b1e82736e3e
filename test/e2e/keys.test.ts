import {isDeepStrictEqual} from 'node:util';
import {afterAll, describe, expect, test} from 'vitest';
import {commands} from '../../source/view/commands/table.ts';
import {frameFault, isLive} from './frame.ts';
import {costOf, misadded, numberOf, ordersAfter, rowOf, type ShownTrade, shownBook, shownTrades} from './panels.ts';
import {openProgram, type Session, type Size} from './program.ts';

const standard: Size = {columns: 120, rows: 40};
const small: Size = {columns: 80, rows: 24};

/** Names of the keymap that `keyBytes` spells otherwise. */
const spelling: Readonly<Record<string, string>> = {'shift+tab': 'shift-tab', 'ctrl+c': 'ctrl-c', 'ctrl+z': 'ctrl-z'};
const pressed = new Set<string>();

type Expectation = Parameters<Session['waitFor']>[0];
type Keyboard = Session & {
	/** Presses a key by its name in the keymap and waits for what it does. */
	key(name: string, expected: Expectation): Promise<void>;
};

async function openMonitor(size: Size, ...args: readonly string[]): Promise<Keyboard> {
	const monitor = openProgram(args, size);
	const waitFor = (expected: Expectation) =>
		monitor.waitFor(text => {
			// Half a frame shows what was and what comes.
			if (frameFault(text, size) !== undefined) return false;
			return expected instanceof RegExp ? expected.test(text.join('\n')) : expected(text);
		});
	await waitFor(isLive);
	return {
		...monitor,
		waitFor,
		async key(name, expected) {
			pressed.add(name);
			monitor.press(name.length === 1 ? name : `<${spelling[name] ?? name}>`);
			await waitFor(expected).catch((error: unknown) => {
				throw new Error(`The key ${name} did not do what was expected`, {cause: error});
			});
		},
	};
}

/** The panel with the heavy border. */
const focused = (panel: string) => new RegExp(`┏━ ${panel}\\b`);
const header = (pair: string) => (text: readonly string[]) => (text[0] ?? '').startsWith(` ${pair} `);
/** The chart's lowest row where it stands between picker and tape, both of which go on moving. */
const timeAxis = (text: readonly string[]): string => text.at(-4)?.split(/[│┃]+/)[2] ?? '';

/** The picker's rows as long as its column is the first: pair, price and change. */
const listed = (text: readonly string[]): string[] =>
	text.flatMap(row => /^┃[▶ ][★ ]([A-Z0-9]+\/[A-Z]+) /.exec(row)?.[1] ?? []);

/** The pair under the picker's cursor: the row that is drawn inverse. */
function cursorPair(monitor: Session): string {
	const text = monitor.screen();
	const row = text.findIndex((line, index) => line.startsWith('┃') && monitor.cell(index, 3).inverse);
	return text[row]?.slice(3).split(' ')[0] ?? '';
}

describe('every key works on the real program', () => {
	test('markets: n p move Enter / s f', async () => {
		const monitor = await openMonitor(standard);
		const byVolume = listed(monitor.screen());
		expect(byVolume.slice(0, 2)).toEqual(['BTC/USDT', 'ETH/USDT']);
		const under = (pair: string) => () => cursorPair(monitor) === pair;

		await monitor.key('n', header('ETH/USDT'));
		await monitor.key('p', header('BTC/USDT'));
		await monitor.key('down', under(byVolume[1] ?? ''));
		await monitor.key('j', under(byVolume[2] ?? ''));
		await monitor.key('k', under(byVolume[1] ?? ''));
		await monitor.key('up', under(byVolume[0] ?? ''));
		// The list is longer than the panel.
		await monitor.key('pgdn', () => cursorPair(monitor) !== '' && !byVolume.includes(cursorPair(monitor)));
		await monitor.key('pgup', under(byVolume[0] ?? ''));
		const isLast = (text: readonly string[]) =>
			!byVolume.includes(cursorPair(monitor)) && cursorPair(monitor) === listed(text).at(-1);
		await monitor.key('G', isLast);
		await monitor.key('g', under(byVolume[0] ?? ''));
		await monitor.key('end', isLast);
		await monitor.key('home', under(byVolume[0] ?? ''));

		for (const order of ['name ↑', 'change ↓', 'last ↓', 'spread ↑', 'volume ↓']) {
			await monitor.key('s', new RegExp(`━ by ${order} ━`));
			if (order === 'name ↑') expect(listed(monitor.screen())).toEqual(listed(monitor.screen()).toSorted());
		}

		await monitor.key('S', /━ by volume ↑ ━/);
		await monitor.key('S', /━ by volume ↓ ━/);
		await monitor.key('u', /━ by volume ↓ · USDT ━/);
		expect(listed(monitor.screen()).filter(pair => !pair.endsWith('/USDT'))).toEqual([]);
		const [, otherQuote = ''] =
			monitor
				.screen()
				.join('\n')
				.match(/━ by volume ↓ · (\w+) ━/) ?? [];
		expect(otherQuote).toBe('USDT');
		for (let quote = otherQuote; quote !== ''; ) {
			const last = quote;
			const shown = (text: readonly string[]) => / by volume ↓(?: · (\w+))? ━/.exec(text.join('\n'))?.[1] ?? '';
			await monitor.key('u', text => shown(text) !== last);
			quote = shown(monitor.screen());
		}

		monitor.press(':list-add calm usdc/usdt eurusdt<enter>');
		await monitor.key('L', /━ by volume ↓ · calm ━/);
		expect(listed(monitor.screen()).toSorted()).toEqual(['EUR/USDT', 'USDC/USDT']);
		await monitor.key('L', /━ by volume ↓ ━/);
		await monitor.key('C', /^┏━ C Compare · 1h [\s\S]* A BTC\/USDT +[+−]?\d[\s\S]*/m);
		await monitor.key('C', /4 Tape/);
		await monitor.key('A', /━ by volume ↓ · active ━/);
		await monitor.key('A', /━ by volume ↓ ━/);

		await monitor.key('j', under('ETH/USDT'));
		await monitor.key('f', /^┃ ★ETH\/USDT /m);
		expect(listed(monitor.screen())[0]).toBe('ETH/USDT');
		await monitor.key('f', text => !text.join('\n').includes('★'));

		await monitor.key('/', /^┃\/▏/m);
		monitor.press('sox');
		await monitor.waitFor(/^┃\/sox▏/m);
		monitor.press('<backspace>');
		await monitor.waitFor(/^┃\/so▏/m);
		monitor.press('l');
		await monitor.waitFor(text => listed(text).every(pair => pair.startsWith('SOL/')));
		const [found = ''] = listed(monitor.screen());
		await monitor.key('enter', header(found));
		expect(found).toMatch(/^SOL\//);
		await monitor.waitFor(text => listed(text).length === byVolume.length);
		await monitor.key('/', /^┃\/▏/m);
		monitor.press('q1');
		await monitor.waitFor(/^┃\/q1▏ {2}(no match, Esc clears|\d)/m);
		await monitor.key('esc', text => listed(text).length === byVolume.length);
	});

	test('panels: Tab Shift-Tab 1 to 5 z, and : ? i d with Esc', async () => {
		const monitor = await openMonitor(standard);
		expect(monitor.screen().join('\n')).toMatch(focused('1 Markets'));
		await monitor.key('tab', focused('2 Chart'));
		await monitor.key('shift+tab', focused('1 Markets'));
		await monitor.key('2', focused('2 Chart'));
		await monitor.key('3', focused('3 Book'));
		await monitor.key('4', focused('4 Tape'));
		await monitor.key('5', text => !text.join('').includes('┏'));
		await monitor.key('z', focused('5 Ticker BTC/USDT'));
		await monitor.key('esc', /4 Tape/);
		await monitor.key('1', focused('1 Markets'));
		await monitor.key('3', focused('3 Book'));
		await monitor.key('z', text => !text.join('\n').includes('4 Tape') && /^┏━ 3 Book/m.test(text.join('\n')));
		await monitor.key('z', /4 Tape/);

		await monitor.key(':', /^ :▏/m);
		monitor.press('market eth/usdt<enter>');
		await monitor.waitFor(header('ETH/USDT'));
		await monitor.key(':', /^ :▏/m);
		monitor.press('market nosuch<enter>');
		await monitor.waitFor(/^ :market nosuch▏ {2}there is no market nosuch; nearest are /m);
		await monitor.key('esc', /q quit/);
		await monitor.key('p', header('BTC/USDT'));

		await monitor.key('?', /^┏━ \? Keys/m);
		expect(monitor.screen().join('\n')).toContain('next and previous market, from anywhere');
		await monitor.key('esc', /4 Tape/);
		await monitor.key('i', /^┏━ i Exchange .*[\s\S]*tradesSocket +no value/m);
		expect(monitor.screen().join('\n')).toMatch(/candles +true/);
		await monitor.key('i', /4 Tape/);
		await monitor.key('d', /^┃ v2 trades +[1-9]\d* +0 +\d+ +\d+ +\d+ +\d+\.\d +0 +┃$/m);
		expect(monitor.screen().join('\n')).toMatch(/^┏━ d Diagnosis since start ━/m);
		expect(monitor.screen().join('\n')).toMatch(/^┃ requests +\d+\.\d of \d+\.\d allowed per second/m);
		expect(monitor.screen().join('\n')).toMatch(/^┃ operation +sent +failed +last ms +p50 ms +p95 ms +kB +dropped/m);
		await monitor.key('esc', /4 Tape/);
		await monitor.key('d', /^┏━ d Diagnosis/m);
		await monitor.key('d', /4 Tape/);
	});

	test('chart: [ ] arrows + - c l x o t', async () => {
		// Candles of a day: the axis stands still while the test runs.
		const monitor = await openMonitor(standard, '--period', '1d');
		await monitor.key('2', focused('2 Chart · 1d · candles'));
		await monitor.key(']', focused('2 Chart · 1w'));
		await monitor.key('[', focused('2 Chart · 1d · candles'));
		await monitor.key('[', focused('2 Chart · 12h'));
		// The candle that is still forming is marked on the axis.
		await monitor.key(']', text => /2 Chart · 1d · candles/.test(text.join('\n')) && timeAxis(text).includes('▴'));

		const newest = timeAxis(monitor.screen());
		await monitor.key('left', text => timeAxis(text) !== newest && !timeAxis(text).includes('▴'));
		await monitor.key('right', text => timeAxis(text) === newest);
		await monitor.key('+', text => timeAxis(text) !== newest);
		const wider = timeAxis(monitor.screen());
		await monitor.key('=', text => timeAxis(text) !== wider);
		await monitor.key('-', text => timeAxis(text) === wider);
		await monitor.key('_', text => timeAxis(text) === newest);
		for (const type of ['bars', 'Heikin-Ashi, averages', 'line', 'candles']) {
			await monitor.key('c', new RegExp(`┏━ 2 (Chart · )?1d · ${type}`));
		}

		const row = (pattern: RegExp) => (text: readonly string[]) => text.some(each => pattern.test(each));
		await monitor.key('l', row(/2 Chart · 1d · candles · log/));
		await monitor.key('l', text => !row(/· log/)(text));
		await monitor.key('x', row(/┃\d{4}-\d\d-\d\d 00:00 .* V /));
		const [crossed] = /\d{4}-\d\d-\d\d 00:00/.exec(monitor.screen().join('\n')) ?? [];
		await monitor.key('left', text => row(/┃\d{4}-\d\d-\d\d 00:00/)(text) && !text.join('\n').includes(`┃${crossed}`));
		await monitor.key('esc', text => !row(/┃\d{4}-\d\d-\d\d 00:00/)(text));
		await monitor.key('o', row(/▶ · SMA 50/));
		await monitor.key('space', row(/▶ ● SMA 50/));
		await monitor.key('esc', text => row(/SMA 50 +\d/)(text) && !row(/Indicators/)(text));
		await monitor.key('t', row(/period _/));
		monitor.press('45');
		await monitor.key('enter', text => row(/2 Chart · 45m · candles/)(text) && isLive(text));
	});

	test('book: arrows + - m t b a', async () => {
		const monitor = await openMonitor(standard);
		// A book that stands still can be reckoned up.
		await monitor.key('space', / PAUSED /);
		await monitor.key('3', focused('3 Book 0.01'));
		await monitor.key('+', focused('3 Book 0.02'));
		await monitor.key('-', focused('3 Book 0.01'));
		const spreadRow = (text: readonly string[]) => rowOf(text, /┃── spread/);
		const middle = spreadRow(monitor.screen());
		await monitor.key('down', text => spreadRow(text) === middle - 1);
		await monitor.key('k', text => spreadRow(text) === middle);
		await monitor.key('j', text => spreadRow(text) === middle - 1);
		await monitor.key('down', text => spreadRow(text) === middle - 2);
		await monitor.key('m', text => spreadRow(text) === middle);

		const book = shownBook(monitor.screen());
		expect(Math.min(book.asks.length, book.bids.length)).toBeGreaterThan(1);
		expect(misadded(book, ({size}) => size)).toEqual([]);
		const addsUpInQuote = (text: readonly string[]) =>
			rowOf(text, /┃ +price +size +value +┃/) > 0 &&
			misadded(shownBook(text), ({price, size}) => price * size).length === 0;
		await monitor.key('t', addsUpInQuote);
		await monitor.key('t', text => isDeepStrictEqual(shownBook(text), book));

		await monitor.key('b', /┏━ 3 Depth curve ━[\s\S]*┗━ full height [\d.]+ BTC ━/);
		await monitor.key('b', /┏━ 3 Heatmap [\d.]+ ━[\s\S]*┗━ █ [\d.]+ BTC · 1 s a column ━/);
		await monitor.key('b', focused('3 Book 0.01'));

		await monitor.key('a', /┃ such as 2, 2 BTC, 5000 USDT +┃/);
		// Half of the thinner side in sight.
		const size = Number((Math.min(book.asks.at(-1)?.sum ?? 0, book.bids.at(-1)?.sum ?? 0) / 2).toFixed(5));
		monitor.press(`${size} btc`);
		await monitor.waitFor(new RegExp(`┃ fill ${size} btc +┃`));
		const answers = [`buy  ${costOf(size, book.asks)}`, `sell ${costOf(size, book.bids)}`];
		const filled = [`fill ${size} btc · average`, ...answers].map(row => `┃ ${row} `);
		// Both answers stand in the same columns, which are as wide as the wider of them needs.
		const singled = (text: string) => text.replaceAll(/ +/g, ' ');
		await monitor.key('enter', text => filled.every(row => text.some(each => singled(each).includes(singled(row)))));
		await monitor.key('esc', text => spreadRow(text) === middle && rowOf(text, /┃ fill /) < 0);
	});

	test('tape: arrows + - m', async () => {
		// High enough that some orders took several others.
		const monitor = await openMonitor({columns: 120, rows: 100}, 'XRPUSDT');
		await monitor.key('space', / PAUSED /);
		await monitor.key('4', focused('4 Tape'));
		const all = shownTrades(monitor.screen());
		// Whole screens: a wait can end between two pieces of one frame.
		const shows = (note: RegExp, trades: readonly ShownTrade[]) => (text: readonly string[]) =>
			rowOf(text, note) > 0 && isDeepStrictEqual(shownTrades(text), trades);
		const plain = /4 Tape/;
		await monitor.key('down', shows(/┃── 0 new ─+┃$/, all.slice(1)));
		await monitor.key('esc', shows(plain, all));

		const note = /┃── hides [\d,]+ below ([\d,.]+) ─+┃$/m;
		const leastOf = (text: readonly string[]) => numberOf(note.exec(text.join('\n'))?.[1] ?? '0');
		await monitor.key('+', text => {
			const least = leastOf(text);
			const large = shownTrades(text);
			const kept = all.filter(({size}) => size >= least);
			return (
				least > 0 &&
				kept.length < all.length &&
				large.length === all.length - 1 &&
				large.every(({size}) => size >= least) &&
				isDeepStrictEqual(large.slice(0, kept.length), kept)
			);
		});
		const least = leastOf(monitor.screen());
		const large = shownTrades(monitor.screen());
		await monitor.key('+', text => leastOf(text) > least);
		await monitor.key('-', shows(note, large));
		for (let last = least; last > 0; last = leastOf(monitor.screen())) {
			await monitor.key('-', text => leastOf(text) < last);
		}

		await monitor.waitFor(shows(plain, all));

		// All but two rows of ticker, two of status, the border and the sums.
		await monitor.key('z', text => shownTrades(text).length === 100 - 7);
		const single = shownTrades(monitor.screen());
		// Merged, the screen reaches farther back, and its oldest second may be cut.
		const oldest = single.at(-1)?.time ?? '';
		await monitor.key('m', text => {
			const merged = shownTrades(text);
			return (
				rowOf(text, /^┃── fills merged ─+┃$/) > 0 &&
				merged.length === single.length - 1 &&
				merged.some(({fills}) => fills > 1) &&
				isDeepStrictEqual(ordersAfter(oldest, merged), ordersAfter(oldest, single))
			);
		});
		await monitor.key('m', shows(plain, single));
	});

	test('feed: Space r v', async () => {
		const monitor = await openMonitor(small);
		const chartAge = (text: readonly string[]): number =>
			Number(/2 Chart .* v2 · (\d+(?:\.\d)?) s/.exec(text.join('\n'))?.[1] ?? Number.NaN);
		await monitor.waitFor(text => chartAge(text) >= 2);
		await monitor.key('r', text => chartAge(text) < 2);

		await monitor.key('space', /^ PAUSED · DEMO/m);
		await monitor.waitFor(text => chartAge(text) >= 1);
		await monitor.key('space', /^ live · DEMO/m);
		await monitor.key('v', /^ live · DEMO · only v2/m);
		await monitor.waitFor(/no bids shown by this interface/);
		await monitor.key('v', /^ live · DEMO · only legacy/m);
		await monitor.waitFor(/4 Tape ─+ legacy/);
		await monitor.key('v', text => isLive(text) && !text.some(row => row.includes('only')));
	});

	test('on a small terminal the picker opens over the chart and closes again', async () => {
		const monitor = await openMonitor(small);
		await monitor.key('1', text => focused('1 Markets').test(text.join('\n')) && !text.join('\n').includes('2 Chart'));
		await monitor.key('j', () => cursorPair(monitor) === 'ETH/USDT');
		await monitor.key('enter', text => header('ETH/USDT')(text) && focused('2 Chart').test(text.join('\n')));
		await monitor.key('1', focused('1 Markets'));
		await monitor.key('esc', focused('2 Chart'));
	});

	test('q and Ctrl-C leave', async () => {
		const monitor = await openMonitor(small);
		pressed.add('q');
		monitor.press('q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		const other = await openMonitor(small);
		pressed.add('ctrl+c');
		other.press('/');
		other.press('<ctrl-c>');
		expect(await other.exit).toEqual({exitCode: 130, signal: undefined});
	});

	// Ctrl-Z needs a shell to come back from: see leaving.test.ts.
	afterAll(() => expect(new Set([...pressed, 'ctrl+z'])).toEqual(new Set(commands.flatMap(({keys}) => keys))));
});

test('a market switch is painted at once and never shows one market under the name of another', async () => {
	const monitor = await openMonitor(standard);
	for (const [key, pair] of [
		['n', 'ETH/USDT'],
		['p', 'BTC/USDT'],
		['n', 'ETH/USDT'],
		['p', 'BTC/USDT'],
	] as const) {
		const pressedAt = monitor.raw().length;
		monitor.press(key);
		await monitor.waitFor(header(pair));
		// One frame can be under way when the key comes, and one be due before it is read.
		const first = (await monitor.painted(pressedAt)).findIndex(({text}) => header(pair)(text));
		expect(first).toBeLessThan(3);
	}

	await monitor.key('n', text => header('ETH/USDT')(text) && isLive(text));
	const bitcoinPrice = /(?<![\d,])\d\d,\d{3}(\.\d\d)?(?!\d)/;
	const etherPrice = /(?<![\d,])2,\d{3}\.\d\d(?!\d)/;
	const mixed = (await monitor.painted()).filter(({text}) => {
		// Beside the picker, which shows every market, and without the ticker's volumes.
		const panels = text.slice(2, -2).map(row => row.slice(32));
		const shown = [(text[0] ?? '').slice(0, 30), ...panels].join('\n');
		return (
			(header('ETH/USDT')(text) && bitcoinPrice.test(shown)) || (header('BTC/USDT')(text) && etherPrice.test(shown))
		);
	});
	expect(mixed).toEqual([]);
});
