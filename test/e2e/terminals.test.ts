import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {command, openScript, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};

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

async function openLive(variables: string): Promise<Session> {
	const monitor = openScript(`${variables} exec ${command}`, size);
	await monitor.waitFor(isLive);
	monitor.press('n');
	await monitor.waitFor(text => isLive(text) && (text[0] ?? '').startsWith(' ETH/USDT '));
	return monitor;
}

/** Only whole frames were shown, and q leaves them. */
async function expectWholeFrames(monitor: Session): Promise<void> {
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	const painted = await monitor.painted();
	const shown = painted.filter(({text}) => text.some(row => row !== ''));
	expect(shown.length).toBeGreaterThan(1);
	expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
}

test.each([
	['CI=true TERM=xterm-256color COLORTERM=', ['256 colours']],
	['TERM=xterm COLORTERM=', ['16 colours']],
])('with %s the monitor draws whole frames in %j', async (variables, kinds) => {
	const monitor = await openLive(variables);
	expect(colorKinds(monitor.raw())).toEqual(kinds);
	await expectWholeFrames(monitor);
});

test('with NO_COLOR the monitor draws in bold, dim and inverse', async () => {
	const monitor = await openLive('NO_COLOR=1');
	await expectWholeFrames(monitor);
	const used = styles(monitor.raw());
	expect(used.has('1') && used.has('7')).toBe(true);
	expect([...used].filter(code => !['', '0', '1', '2', '7', '22', '27'].includes(code))).toEqual([]);
});

test('without UTF-8 the monitor draws every panel in ASCII', async () => {
	const monitor = await openLive('LANG=en_US.UTF-8 LC_ALL=C');
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

	monitor.resize(30, 5);
	await monitor.waitFor(/^tapewatch needs 40x12$/m);
	expect(monitor.raw()).toMatch(/^[\u0000-\u007F]+$/);
});
