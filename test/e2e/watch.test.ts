import {expect, test} from 'vitest';
import {command, groupLives, openProgram, openScript, overwrite, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const clock = /UTC \d\d:\d\d:\d\d$/m;

/** Settles when the program has ended; the terminal is the shell's again. */
async function expectEnd(watch: Session, exitCode: number): Promise<void> {
	expect(await watch.exit).toEqual({exitCode, signal: undefined});
	expect([watch.alternate(), watch.cursorVisible(), groupLives(watch.pid)]).toEqual([false, true, false]);
}

test('watch fills the screen with one tile per market, draws it again on SIGWINCH, and ends on q with 130 before a condition is met', async () => {
	const until = 'BTCUSDT.last > 1000000000';
	const watch = openProgram(['watch', 'BTCUSDT', 'eth-usdt', 'SOL/USDT', '--until', until], size);
	const shown = (text: readonly string[]) =>
		text.flatMap(row => [...row.matchAll(/╭─ ([A-Z]+\/[A-Z]+) ─+ (?:v2|legacy) ·/g)].map(([, pair]) => pair));
	await watch.waitFor(
		text =>
			shown(text).join() === 'BTC/USDT,ETH/USDT,SOL/USDT' &&
			!text.some(row => /waiting|loading/.test(row)) &&
			/^ live · DEMO · until .* > 1000000000 +UTC \d\d:\d\d:\d\d$/.test(text.at(-1) ?? ''),
	);
	expect([watch.alternate(), watch.cursorVisible()]).toEqual([true, false]);
	const overflowing = (await watch.painted()).filter(({text}) => !clock.test(text.at(-1) ?? '') || !text[0]);
	expect(overflowing).toEqual([]);
	await overwrite(watch);
	watch.kill('SIGWINCH');
	await watch.waitFor(
		text => shown(text).length === 3 && clock.test(text.at(-1) ?? '') && !/message/.test(text.join()),
	);
	watch.press('q');
	await expectEnd(watch, 130);
});

test('watch shows the markets that do not fit on pages in turn', async () => {
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--rotate', '1', '--interval', '0.5'], {
		columns: 40,
		rows: 12,
	});
	await watch.waitFor(text => /─ BTC\/USDT ─/.test(text[0] ?? '') && / page 1\/2 /.test(text.at(-1) ?? ''));
	await watch.waitFor(text => /─ ETH\/USDT ─+ v2 ·/.test(text[0] ?? '') && / page 2\/2 /.test(text.at(-1) ?? ''));
	await watch.waitFor(text => /─ BTC\/USDT ─+ v2 ·/.test(text[0] ?? ''));
	watch.press('q');
	await expectEnd(watch, 0);
});

test('watch draws at once, and refuses an unknown market when the list arrives', async () => {
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDX'], size);
	await expectEnd(watch, 2);
	const painted = await watch.painted();
	expect(painted.filter(({text}) => text.some(row => /─ ETHUSDX ─+ \w+ ─/.test(row)))).not.toEqual([]);
	expect(watch.screen().join('\n').trim()).toBe(
		'tapewatch: no market ETHUSDX; did you mean ETHUSDT, ETCUSDT or BTCUSDT?',
	);
});

test('watch --until ends with 0 when the condition is met, and prints what met it', async () => {
	const condition = 'ETHUSDT.last > 1 and ETHUSDT.spread >= 0';
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--until', condition], size);
	await watch.waitFor(text => text.some(row => row.includes(` · DEMO · until ${condition} `)));
	await expectEnd(watch, 0);
	expect(watch.screen().filter(row => row !== '')).toEqual([
		'DEMO data of the embedded exchange',
		expect.stringMatching(/^time \(UTC\) +market +last /),
		expect.stringMatching(/^2026-11-20 12:\d\d:\d\d +ETHUSDT +[\d,.]+ /),
	]);
});

test('watch needs no keyboard, and prints the alerts when a signal ends it', async () => {
	const rules = '--alert "last > 1 note one" --alert "BTCUSDT.bid > 1"';
	const watch = openScript(`exec ${command} watch BTCUSDT ${rules} </dev/null`, size);
	await watch.waitFor(text => /BTCUSDT bid > 1: bid [\d,.]+/.test(text.at(-1) ?? ''));
	watch.kill('SIGTERM');
	await expectEnd(watch, 143);
	const lines = watch.screen().filter(row => row !== '');
	expect(lines.toSorted((a, b) => a.length - b.length)).toEqual([
		expect.stringMatching(/^2026-11-20 12:\d\d:\d\d {2}ALERT BTCUSDT bid > 1: bid [\d,.]+ \(book [\d.]+ m?s\)$/),
		expect.stringMatching(
			/^2026-11-20 12:\d\d:\d\d {2}ALERT BTCUSDT last > 1: last [\d,.]+ \(trades [\d.]+ m?s\), one$/,
		),
	]);
});

test('watch --until ends with 124 when --for runs out first', async () => {
	const watch = openProgram(['watch', 'BTCUSDT', '--until', 'last > 1000000000', '--for', '1'], size);
	await expectEnd(watch, 124);
	expect(watch.screen().join('\n')).toMatch(/^tapewatch: .*: last > 1000000000$/m);
});
