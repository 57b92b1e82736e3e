// @module-tag tmux
import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {expect, onTestFinished, test, vi} from 'vitest';
import {type Size, textWidth} from '../../source/format/cells.ts';
import {stripControl} from '../../source/format/control.ts';
import type {Market, Ticker} from '../../source/market/types.ts';
import {cellDiff, type Shown} from '../../source/terminal/cell-diff.ts';
import type {Picture} from '../../source/terminal/surface.ts';
import {createScreen} from '../helpers/screen.ts';
import {type OpenMonitor, openMonitor} from '../view/monitor.tsx';
import {sampleInfo, sampleScript} from '../view/sample-exchange.ts';

/** Terminals draw their letters in different widths. */
const words = [
	...['น้ำ', 'ระงับทำการ', 'กำลัง', 'ปิดปรับปรุง', 'บิตคอยน์', 'ເງິນ', 'ຫຼຽນ', 'ກຳ', 'ကျပ်', 'မြန်မာ', 'ក្រុម', 'ស្រី', 'ប្រាក់'],
	...['हिन्दी', 'क्षत्रिय', 'रुपया', 'स्थगित', 'বাংলা', 'টাকা', 'தமிழ்', 'நிறுத்து', 'తెలుగు', 'ಕನ್ನಡ', 'മലയാളം', 'සිංහල'],
	...['ශ්‍රී', 'བོད', 'العربية', 'ﷺ', 'עִבְרִית', 'Ж̷̡̛̞Ѓ̸͓͝Ѝ̵̰̈́', '\u1112\u1161\u11AB각'],
];
const emoji = ['👍🏽', '👩🏿‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '❤️‍🔥', '🇪🇺🇺🇸', '☎️', '🧑🏻‍🤝‍🧑🏿'];
const disputed = [...words, ...emoji];
/** Names of the same widths that all terminals agree on. */
const agreed = disputed.map(
	(name, index) => String.fromCharCode(0x430 + index) + 'x'.repeat(textWidth(stripControl(name)) - 1),
);

/** The monitor on an exchange with markets of these names and states, by volume in this order. Its description lists them, too. */
async function openWith(names: readonly string[], size: Size): Promise<OpenMonitor> {
	const shown = names.map(stripControl);
	const markets = shown.map((base, index): Market => {
		const state = shown[(index + 1) % shown.length] ?? '';
		return {symbol: `${base}USDT`, id: String(index), base, quote: 'USDT', state, type: 'Spot'};
	});
	const tickers = markets.map(({symbol, state}, index): Ticker => ({symbol, last: 10, volume: 1000 - index, state}));
	const info = {...sampleInfo, description: shown.join(' ')};
	const script = {...sampleScript, markets: () => markets, tickers: () => tickers, info: () => info};
	const monitor = await openMonitor({size, script, symbol: markets[0]?.symbol});
	await monitor.clock.advance(5000);
	return monitor;
}

/** Draws pictures, each as the change from the one before it, and gives its rows. */
type Drawn = (picture: Picture) => Promise<readonly string[]>;

function inXterm(size: Size): Drawn {
	const screen = createScreen(size.columns, size.rows);
	let shown: Shown | undefined;
	return async picture => {
		const change = cellDiff(shown, picture);
		({shown} = change);
		screen.resize(picture.columns, picture.rows.length);
		await screen.write(change.text);
		return screen.text();
	};
}

function inTmux({columns, rows}: Size): Drawn {
	const socket = `tapewatch-${randomUUID()}`;
	const tmux = (...words: readonly string[]): string =>
		execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {encoding: 'utf8'});
	tmux('-u', 'new-session', '-d', '-x', String(columns), '-y', String(rows), 'stty raw -echo; exec sleep 1000');
	onTestFinished(() => void tmux('kill-server'));
	const device = tmux('display-message', '-p', '#{pane_tty}').trim();
	let [shown, step]: [Shown | undefined, number] = [undefined, 0];
	return async picture => {
		const change = cellDiff(shown, picture);
		({shown} = change);
		const title = `step ${++step}`;
		tmux('resize-window', '-x', String(picture.columns), '-y', String(picture.rows.length));
		writeFileSync(device, `${change.text}\u001B]2;${title}\u0007`);
		// Set once everything before it is drawn.
		await vi.waitUntil(() => tmux('display-message', '-p', '#{pane_title}').trim() === title, {timeout: 60_000});
		return tmux('capture-pane', '-p').split('\n').slice(0, -1);
	};
}

/** Rows without their names, which are cut between letters of any width, and the blanks after them. */
const withoutNames = (rows: readonly string[]): readonly string[] =>
	rows.map(row => row.replaceAll(/(?:(?:[^\0-\u02FF\u2000-\u25FF★]|\u200D)x* *…? *)+(?:\/USDT *)?/gu, '~'));

/** Some terminals show blanks between letters, and joiners are not written where none is. */
const letters = (text: string): string => text.replaceAll(/[ \u200D]/g, '');

const [first = '', state = ''] = disputed;
const pairOf = (name: string): string => `${name}/USDT`;

test('names and states of disputed width are whole and move nothing else', async () => {
	// With the names that are shown, and the widest that is not cut.
	const sizes = [
		{columns: 120, rows: 40, names: 30, widest: 4},
		{columns: 80, rows: 24, names: 15, widest: 9},
	] as const;
	const [plain, odd] = [await openWith(agreed, sizes[0]), await openWith(disputed, sizes[0])];
	const terminals = {xterm: inXterm(sizes[0]), tmux: inTmux(sizes[0])};

	/** These texts are shown whole, and everything else as with names that all terminals agree on. */
	async function expectShown(texts: readonly string[]): Promise<void> {
		const expected = await inXterm(sizes[0])(plain.picture());
		for (const [name, drawn] of Object.entries(terminals)) {
			const rows = await drawn(odd.picture());
			expect(withoutNames(rows), name).toEqual(withoutNames(expected));
			const shown = letters(rows.join(''));
			expect(
				texts.filter(text => !shown.includes(letters(text))),
				name,
			).toEqual([]);
		}
	}

	for (const {names, widest, ...size} of sizes) {
		for (const {resize, press} of [plain, odd]) {
			await resize(size);
			await press('1');
		}

		await expectShown(words.slice(0, names).flatMap(name => (textWidth(name) <= widest ? pairOf(name) : [])));
	}

	for (const {press} of [plain, odd]) await press('i');
	await expectShown(words);
	for (const {press} of [plain, odd]) await press('esc');
	await expectShown([pairOf(words[14] ?? '')]);
	await plain.type(`/${agreed[0]}`);
	await odd.type(`/${first}`);
	await expectShown([`/${first}▏`, `${first}/USDT${state}`]);
});
