import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {command, groupLives, openProgram, openScript, type Size, startProgram} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const clock = /UTC \d\d:\d\d:\d\d$/m;

describe('watch on a terminal', () => {
	test.each([
		[['BTCUSDT'], ['BTC/USDT']],
		[
			['BTCUSDT', 'eth-usdt', 'SOL/USDT'],
			['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
		],
	])('fills the screen with %j and leaves on q', async (args, pairs) => {
		const watch = openProgram(['watch', ...args], size);
		const shown = (text: readonly string[]) =>
			text.flatMap(row => [...row.matchAll(/╭─ ([A-Z]+\/[A-Z]+) ─+ (?:v2|legacy) ·/g)].map(([, pair]) => pair));
		await watch.waitFor(
			text =>
				shown(text).join() === pairs.join() &&
				!text.some(row => row.includes('waiting')) &&
				/^ live · DEMO +UTC \d\d:\d\d:\d\d$/.test(text.at(-1) ?? ''),
		);
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([true, false]);
		const overflowing = (await watch.painted()).filter(({text}) => !clock.test(text.at(-1) ?? '') || !text[0]);
		expect(overflowing).toEqual([]);
		watch.press('q');
		expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
		expect([watch.alternate(), watch.cursorVisible(), groupLives(watch.pid)]).toEqual([false, true, false]);
	});

	test('shows the markets that do not fit on pages that take turns', async () => {
		const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--rotate', '1', '--interval', '0.5'], {
			columns: 40,
			rows: 12,
		});
		await watch.waitFor(text => /─ BTC\/USDT ─/.test(text[0] ?? '') && / page 1\/2 /.test(text.at(-1) ?? ''));
		await watch.waitFor(text => /─ ETH\/USDT ─+ v2 ·/.test(text[0] ?? '') && / page 2\/2 /.test(text.at(-1) ?? ''));
		await watch.waitFor(text => /─ BTC\/USDT ─+ v2 ·/.test(text[0] ?? ''));
		watch.press('q');
		expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
	});

	test('draws at once, and refuses a market when the list is there', async () => {
		const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDX'], size);
		expect(await watch.exit).toEqual({exitCode: 2, signal: undefined});
		const painted = await watch.painted();
		expect(painted.filter(({text}) => text.some(row => /─ ETHUSDX ─+ waiting ─/.test(row)))).not.toEqual([]);
		expect(watch.screen().join('\n').trim()).toBe(
			'tapewatch: no market ETHUSDX on this exchange; nearest: ETHUSDT, ETCUSDT, BTCUSDT',
		);
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([false, true]);
	});

	test('ends with 0 when the condition is met, and leaves on the terminal what met it', async () => {
		const watch = openProgram(
			['watch', 'BTCUSDT', 'ETHUSDT', '--until', 'ETHUSDT.last > 1 and ETHUSDT.spread >= 0'],
			size,
		);
		await watch.waitFor(/^ \S.* · DEMO · until ETHUSDT\.last > 1 and ETHUSDT\.spread >= 0 +UTC/m);
		expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([false, true]);
		expect(watch.screen().filter(row => row !== '')).toEqual([
			'DEMO data of the embedded exchange',
			expect.stringMatching(/^time \(UTC\) +market +last /),
			expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +ETHUSDT +[\d,.]+ /),
		]);
	});

	test('tells by its status that q was pressed before the condition was met', async () => {
		const watch = openProgram(['watch', 'BTCUSDT', '--until', 'last > 1e9'], size);
		await watch.waitFor(/^ live · DEMO · until/m);
		watch.press('q');
		expect(await watch.exit).toEqual({exitCode: 130, signal: undefined});
	});

	test('ends with 124 when the time is over first', async () => {
		const watch = openProgram(['watch', 'BTCUSDT', '--until', 'last > 1e9', '--for', '1'], size);
		expect(await watch.exit).toEqual({exitCode: 124, signal: undefined});
		expect(watch.screen().join('\n').trim()).toBe(
			'tapewatch: --until was not met in the time of --for: last > 1000000000',
		);
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([false, true]);
	});

	test('needs no keyboard and ends on SIGTERM', async () => {
		const watch = openScript(`exec ${command} watch </dev/null`, size);
		await watch.waitFor(/^ live · DEMO/m);
		watch.kill('SIGTERM');
		expect(await watch.exit).toEqual({exitCode: 143, signal: undefined});
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([false, true]);
	});
});

/** Reads lines until there are as many as asked for. */
async function firstLines(output: Readable | null, count: number): Promise<string[]> {
	const lines: string[] = [];
	if (output) {
		for await (const line of createInterface({input: output})) {
			lines.push(line);
			if (lines.length === count) break;
		}
	}

	return lines;
}

describe('watch without a terminal', () => {
	test('prints aligned lines until it is told to end', async () => {
		const {child} = startProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--interval', '0.2']);
		const ended = once(child, 'exit');
		const [demo, header, ...rows] = await firstLines(child.stdout, 6);
		expect(demo).toBe('DEMO data of the embedded exchange');
		expect(header).toMatch(/^time \(UTC\) +market +last +change % +bid +ask +spread/);
		const line = (symbol: string) =>
			expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +${symbol} +[\\d,.]+ `));
		expect(rows).toEqual(['BTCUSDT', 'ETHUSDT', 'BTCUSDT', 'ETHUSDT'].map(line));
		child.kill('SIGTERM');
		expect(await ended).toEqual([143, null]);
	});

	test('--json prints an event a line', async () => {
		const {child} = startProgram(['watch', 'BTCUSDT', '--json']);
		const ended = once(child, 'exit');
		const events = (await firstLines(child.stdout, 8)).map(line => JSON.parse(line));
		expect(events.map(({symbol}) => symbol)).toEqual(events.map(() => 'BTCUSDT'));
		expect(events.filter(({type, time}) => typeof type === 'string' && Number.isInteger(time))).toHaveLength(8);
		expect(new Set(events.map(({type}) => type))).toEqual(new Set(['ticker', 'depth', 'trade', 'candle']));
		child.kill('SIGINT');
		expect(await ended).toEqual([130, null]);
	});

	test.each(['', '--json'])('ends quietly when its reader has had enough: watch %s | head -2', async option => {
		const script = `{ ${command} watch ${option} --interval 0.2; echo "status $?" >&2; } | head -2 | wc -l`;
		const terminal = openScript(script, size);
		await terminal.exit;
		const said = terminal.screen().filter(row => row !== '' && !row.includes('DEMO'));
		expect(said.map(row => row.trim()).toSorted()).toEqual(['2', 'status 0']);
	});
});
