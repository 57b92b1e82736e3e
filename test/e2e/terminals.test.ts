import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {command, openScript, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};

/** The kinds of colour among the SGR parameters of all output. */
function colorKinds(raw: string): string[] {
	const kinds = [...raw.matchAll(/\u001B\[([\d;]*)m/g)].flatMap(([, codes = '']) => [
		...(/(?:^|;)[34]8;2;/.test(codes) ? ['truecolor'] : []),
		...(/(?:^|;)[34]8;5;/.test(codes) ? ['256 colours'] : []),
		...(/^(?:[\d;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|10[0-7])(?:;|$)/.test(codes) && !/[34]8;/.test(codes)
			? ['16 colours']
			: []),
	]);
	return [...new Set(kinds)].sort();
}

async function openLive(variables: string): Promise<Session> {
	const monitor = openScript(`${variables} exec ${command}`, size);
	await monitor.waitFor(isLive);
	monitor.press('n');
	await monitor.waitFor(text => isLive(text) && (text[0] ?? '').startsWith(' ETH/USDT '));
	return monitor;
}

/** All that was shown were whole frames, and q leaves them as ever. */
async function expectSound(monitor: Session): Promise<void> {
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	const painted = await monitor.painted();
	const shown = painted.filter(({text}) => text.some(row => row !== ''));
	expect(shown.length).toBeGreaterThan(1);
	expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
}

test.each([
	['TERM=xterm-256color COLORTERM=truecolor', ['truecolor']],
	['TERM=xterm-256color COLORTERM=', ['256 colours']],
	['TERM=screen-256color COLORTERM=', ['256 colours']],
	['TERM=xterm COLORTERM=', ['16 colours']],
	['TERM= COLORTERM=', []],
	['CI=true TERM=xterm-256color COLORTERM=', ['256 colours']],
	['NO_COLOR=1', []],
])('with %s it draws whole frames in %j', async (variables, kinds) => {
	const monitor = await openLive(variables);
	expect(colorKinds(monitor.raw())).toEqual(kinds);
	await expectSound(monitor);
});

test.each(['LANG=C', 'LANG=de_DE.ISO-8859-1', 'LANG=en_US.UTF-8 LC_ALL=C'])(
	'with %s it draws in ASCII',
	async variables => {
		const monitor = await openLive(variables);
		await expectSound(monitor);
		expect(monitor.raw()).toMatch(/^[\u0000-\u007F]+$/);
	},
);
