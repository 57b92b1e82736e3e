import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {expect, onTestFinished, test, vi} from 'vitest';
import {textWidth} from '../../source/format/cells.ts';
import {sends} from '../helpers/exchange-server.ts';
import {startSpecifiedExchange} from '../helpers/specified-exchange.ts';
import {market} from '../helpers/wire-entries.ts';
import {command, openProgram, type Size} from './program.ts';

/** Terminals draw these in different widths. */
const clusters = [
	...['ระงับทำการ', 'กำลัง', 'ปิดปรับปรุง', 'น้ำ', 'บิตคอยน์', 'ເງິນ', 'ຫຼຽນ', 'ကျပ်', 'မြန်မာ', 'ក្រុម'],
	...['ស្រី', 'ប្រាក់', 'हिन्दी', 'क्षत्रिय', 'रुपया', 'स्थगित', 'বাংলা', 'টাকা', 'தமிழ்', 'நிறுத்து'],
	...['తెలుగు', 'ಕನ್ನಡ', 'മലയാളം', 'සිංහල', 'བོད', 'العربية', 'ﷺ', 'עִבְרִית', '👍🏽', '👩🏿‍🚀'],
	...['👨‍👩‍👧‍👦', '🏳️‍🌈', '❤️‍🔥', '🇪🇺🇺🇸', '☎️', '⭐⭐', '1️⃣2️⃣', '🧑🏻‍🤝‍🧑🏿', 'Z̷̡̛̞a̸͓͝l̵̰̈́', '한각'],
];
/** Names of the same widths that all terminals agree on. */
const agreed = clusters.map((name, index) => String.fromCharCode(0x410 + index) + 'x'.repeat(textWidth(name) - 1));

/** The specified exchange with 40 more markets of these names and states. */
async function startWith(names: readonly string[]) {
	const markets = names.map((name, index) => market(name, {id: index + 2, state: names.at(index - 1)}));
	const exchange = await startSpecifiedExchange();
	exchange.answer(
		'/engine/v2/public/markets',
		sends({data: [market('BTC'), ...markets], success: true, message: 'OK', timestamp: Date.now()}),
	);
	return ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
}

/** The least that has a picker, and far more. */
const sizes: readonly Size[] = [
	{columns: 112, rows: 30},
	{columns: 200, rows: 60},
];

/** The start of each row of the header, and the panels' rows without the picker's cells. Times and ages are left out. */
const aroundPicker = (rows: readonly string[]): readonly string[] =>
	rows.map(row => (row.startsWith('┃') ? row.replace(/^┃.*?┃/, '').replaceAll(/\d/g, '0') : row.slice(0, 10)));

const isSettled = (rows: readonly string[]): boolean =>
	/^ live/m.test(rows.join('\n')) &&
	!/waiting/.test(rows.join('\n')) &&
	rows.filter(row => row.startsWith('┃')).length > 20;

/** What a terminal shows of the program now. */
type Look = () => readonly string[];

function inXterm(args: readonly string[], size: Size): Look {
	const monitor = openProgram(args, size);
	return monitor.screen;
}

function inTmux(args: readonly string[], {columns, rows}: Size): Look {
	const socket = `tapewatch-${randomUUID()}`;
	const tmux = (...words: readonly string[]): string =>
		execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {encoding: 'utf8'});
	onTestFinished(() => {
		tmux('kill-server');
	});
	const size = ['-x', String(columns), '-y', String(rows)];
	tmux('-u', 'new-session', '-d', ...size, `XDG_STATE_HOME=/nonexistent ${command} ${args.join(' ')}`);
	return () => tmux('capture-pane', '-p').split('\n').slice(0, rows);
}

const timeout = {timeout: 60_000, interval: 200};

test.each(sizes)('40 names and states of disputed width move nothing else at $columns×$rows', async size => {
	const expected = inXterm(await startWith(agreed), size);
	const args = await startWith(clusters);
	const terminals = {xterm: inXterm(args, size), tmux: inTmux(args, size)};
	await vi.waitUntil(() => isSettled(expected()), timeout);
	for (const [name, shown] of Object.entries(terminals)) {
		await vi.waitFor(() => expect(aroundPicker(shown()), name).toEqual(aroundPicker(expected())), timeout);
		// And the names are there.
		const named = shown().filter(row => /^┃.*[^\u0000-\u04FF\u2500-\u25FF].*┃/u.test(row));
		expect(named.length, name).toBeGreaterThan(15);
		expect(shown().join('\n'), name).toContain('กำลัง');
	}
});
