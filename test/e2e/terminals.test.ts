import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {command, openScript, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
/** Room for every panel. */
const wide: Size = {columns: 120, rows: 40};

/** The parameters of all styles in the output, without those of a colour's value. */
const styles = (raw: string): Set<string> =>
	new Set(
		[...raw.matchAll(/\u001B\[([\d;]*)m/g)].flatMap(([, codes = '']) =>
			codes.replaceAll(/([34]8;(?:2|5))(?:;\d+)+/g, '$1').split(/(?<![34]8);/),
		),
	);

/** The kinds of colour among the styles. */
function colorKinds(raw: string): string[] {
	const used = [...styles(raw)];
	return [
		...(used.some(code => /^[34]8;2$/.test(code)) ? ['truecolor'] : []),
		...(used.some(code => /^[34]8;5$/.test(code)) ? ['256 colours'] : []),
		...(used.some(code => /^(?:3|4|9|10)[0-7]$/.test(code)) ? ['16 colours'] : []),
	];
}

async function openLive(variables: string, size: Size): Promise<Session> {
	const monitor = openScript(`${variables} exec ${command}`, size);
	await monitor.waitFor(isLive);
	monitor.press('n');
	await monitor.waitFor(text => isLive(text) && (text[0] ?? '').startsWith(' ETH/USDT '));
	return monitor;
}

async function expectWholeFrames(monitor: Session, size: Size): Promise<void> {
	const painted = await monitor.painted();
	const shown = painted.filter(({text}) => text.some(row => row !== ''));
	expect(shown.length).toBeGreaterThan(1);
	expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
}

async function expectLeavesAfterQ(monitor: Session): Promise<void> {
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
}

test('in CI with a terminal of 256 colours the monitor draws whole frames in these', async () => {
	const monitor = await openLive('CI=true TERM=xterm-256color COLORTERM=', size);
	expect(colorKinds(monitor.raw())).toEqual(['256 colours']);
	await expectLeavesAfterQ(monitor);
	await expectWholeFrames(monitor, size);
});

test('with NO_COLOR the monitor draws in bold, dim, inverse and underlined', async () => {
	const monitor = await openLive('NO_COLOR=1', size);
	await expectLeavesAfterQ(monitor);
	await expectWholeFrames(monitor, size);
	const used = styles(monitor.raw());
	expect(used.has('1') && used.has('7')).toBe(true);
	expect([...used].filter(code => !['', '0', '1', '2', '4', '7', '22', '24', '27'].includes(code))).toEqual([]);
});

test('on a terminal of 16 colours without UTF-8 the monitor draws every panel in these and in ASCII', async () => {
	const monitor = await openLive('TERM=xterm COLORTERM= LANG=en_US.UTF-8 LC_ALL=C', wide);
	for (const [keys, expected] of [
		['2c', /2 Chart - 1h - bars/],
		['?', /\? Keys/],
		['i', /i Exchange/],
		['i3z', /^#= 3 Book/m],
		['/', /^#\/_/m],
	] as const) {
		monitor.press(keys);
		await monitor.waitFor(expected);
	}

	expect(colorKinds(monitor.raw())).toEqual(['16 colours']);
	await expectWholeFrames(monitor, wide);
	monitor.resize(30, 5);
	await monitor.waitFor(/^tapewatch needs 40x12$/m);
	expect(monitor.raw()).toMatch(/^[\u0000-\u007F]+$/);
});
