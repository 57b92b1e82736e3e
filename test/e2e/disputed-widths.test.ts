// @module-tag tmux
import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {textWidth} from '../../source/format/cells.ts';
import {stripControl} from '../../source/format/control.ts';
import {demoNow} from '../helpers/environment.ts';
import {paths, v2} from '../helpers/exchange-server.ts';
import {info, startSpecifiedExchange} from '../helpers/specified-exchange.ts';
import {market, ticker} from '../helpers/wire-entries.ts';
import {command, openProgram, type Size} from './program.ts';

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

/** The specified exchange with markets of these names and states, by volume in this order. Its description lists them, too. */
async function startWith(names: readonly string[]): Promise<readonly string[]> {
	const markets = names.map((name, index) => market(name, {id: index + 1, state: names[(index + 1) % names.length]}));
	const tickers = names.map((name, index) => ticker({symbol: `${name}USDT`, volume: 1000 - index}));
	const exchange = await startSpecifiedExchange({
		[paths.markets]: v2(markets),
		[paths.summary]: v2({markets: tickers}),
		[paths.ticker]: v2(tickers),
		[paths.info]: v2({...info, description: names.join(' ')}),
	});
	// The older interface lists another market, which a busy machine's late answers would lead to.
	return ['--base-url', exchange.url, '--interface', 'v2'];
}

/** The program in a terminal. */
type Monitor = {
	readonly rows: () => readonly string[];
	readonly type: (keys: string) => void;
	readonly resize: (size: Size) => void;
};

function inXterm(args: readonly string[], size: Size): Monitor {
	const {screen, write, resize} = openProgram(args, size);
	return {rows: screen, type: write, resize: ({columns, rows}) => resize(columns, rows)};
}

function inTmux(args: readonly string[], size: Size): Monitor {
	const socket = `tapewatch-${randomUUID()}`;
	const tmux = (...words: readonly string[]): string =>
		execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {encoding: 'utf8'});
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-widths-'));
	onTestFinished(() => {
		tmux('kill-server');
		rmSync(home, {recursive: true, force: true});
	});
	const sized = ({columns, rows}: Size) => ['-x', String(columns), '-y', String(rows)];
	// At the time of the others, as how far the exchange's clock is behind is written in different widths.
	const own = `HOME=${home} XDG_CONFIG_HOME=${home} XDG_STATE_HOME=${home}`;
	const script = `${own} TAPEWATCH_DEMO_AT=${demoNow()} ${command} ${args.join(' ')}`;
	tmux('-u', 'new-session', '-d', ...sized(size), script);
	return {
		rows: () => tmux('capture-pane', '-p').split('\n').slice(0, -1),
		type: keys => tmux('send-keys', '-l', keys),
		resize: to => tmux('resize-window', ...sized(to)),
	};
}

/** Rows without their names, which are cut between letters of any width, the blanks after them, numbers, ages and the status line. */
const withoutNames = (rows: readonly string[]): readonly string[] =>
	rows
		.filter(row => !row.includes(' UTC '))
		.map(row =>
			row
				.replaceAll(/(?:(?:[^\0-\u02FF\u2000-\u25FF★]|\u200D)x* *…? *)+(?:\/USDT *)?/gu, '~')
				.replaceAll(/[ ─━]+\S+ · [\d.]+ s/g, ' age')
				.replaceAll(/\d/g, '0'),
		);

/** Some terminals show blanks between letters, and joiners are not written where none is. */
const letters = (text: string): string => text.replaceAll(/[ \u200D]/g, '');

type Monitors = {readonly expected: Monitor; readonly xterm: Monitor; readonly tmux: Monitor};

/** The program with these words and the pairs of the first names, beside one with the names that all terminals agree on. */
async function open(words: readonly string[], pairs: number, size: Size): Promise<Monitors> {
	const [plain, odd] = [await startWith(agreed), await startWith(disputed)];
	const args = (names: readonly string[]) => [...words, ...names.slice(0, pairs).map(name => `${name}/USDT`)];
	return {
		expected: inXterm([...plain, ...args(agreed)], size),
		xterm: inXterm([...odd, ...args(disputed)], size),
		tmux: inTmux([...odd, ...args(disputed)], size),
	};
}

const timeout = {timeout: 60_000, interval: 200};

/** Whether the program has drawn panels of this size. */
const isDrawn = (rows: readonly string[], {columns}: Size): boolean =>
	rows.some(row => row.length === columns && /^[┏╭].*[┓╮]$/.test(row));

/** Settles when both terminals show these texts whole, and everything else as it is with names that they agree on. */
async function expectShown({expected, ...terminals}: Monitors, texts: readonly string[]): Promise<void> {
	for (const [name, {rows}] of Object.entries(terminals)) {
		await vi.waitFor(() => {
			const shown = rows();
			expect(withoutNames(shown), name).toEqual(withoutNames(expected.rows()));
			expect(
				texts.filter(text => !letters(shown.join('')).includes(letters(text))),
				name,
			).toEqual([]);
		}, timeout);
	}
}

const [first = '', state = ''] = disputed;
const pairOf = (name: string): string => `${name}/USDT`;

test('names and states of disputed width are whole and move nothing else', async () => {
	const monitors = await open([], 1, {columns: 200, rows: 60});
	const all = Object.values(monitors);
	// With the names that are shown, and the widest that is not cut.
	const sizes = [
		{columns: 200, rows: 60, names: 32, widest: 9},
		{columns: 120, rows: 40, names: 30, widest: 4},
		{columns: 40, rows: 12, names: 6, widest: 4},
		{columns: 80, rows: 24, names: 15, widest: 9},
	];
	for (const {names, widest, ...size} of sizes) {
		for (const {resize, rows, type} of all) {
			resize(size);
			await vi.waitUntil(() => isDrawn(rows(), size), timeout);
			type('1');
		}

		const whole = words.slice(0, names).filter(name => textWidth(name) <= widest);
		await expectShown(monitors, whole.map(pairOf));
	}

	for (const {type} of all) type('i');
	await expectShown(monitors, words);
	for (const {type} of all) type('\u001B');
	await expectShown(monitors, [pairOf(words[14] ?? '')]);
	for (const {type} of all) type(`/${type === monitors.expected.type ? agreed[0] : first}`);
	await expectShown(monitors, [`/${first}▏`, `${first}/USDT${state}`]);
});
