import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram} from './program.ts';

test.each([
	{columns: 160, rows: 45, panels: ['1 Markets 48', '2 Chart · 1h · candles', '3 Book 0.01', '4 Tape']},
	{columns: 120, rows: 40, panels: ['1 Markets 48', '2 Chart · 1h · candles', '3 Book 0.01', '4 Tape']},
	{columns: 80, rows: 24, panels: ['2 Chart · 1h · candles', '3 Book 0.01', '4 Tape']},
	{columns: 40, rows: 12, panels: ['2 1h · candles']},
])(
	'fills $columns×$rows with the panels $panels and the demo exchange, never more than that',
	async ({panels, ...size}) => {
		const monitor = openProgram([], {...size, env: {CI: 'true'}});
		await monitor.waitFor(text => isLive(text) && frameFault(text, size) === undefined);
		const text = monitor.screen();
		const titles = text.flatMap(row => [...row.matchAll(/[╭┏][─━] (\d .+?) [─━]/g)].map(([, title]) => title));
		expect(titles).toEqual(panels);
		expect(text[0]).toMatch(/^ BTC\/USDT {2}\d\d,\d{3}\.\d\d [▲▼]/);
		expect(text.join('\n')).toMatch(/^ live · DEMO /m);

		// Several polls of every panel: no frame in between is another one.
		await monitor.waitFor(() => monitor.raw().split('\u001B[?2026l').length > 9);
		const painted = await monitor.painted();
		expect(painted.length).toBeGreaterThan(7);
		expect(painted.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
	},
);

test('says on a terminal that is too small which size it needs, and nothing else', async () => {
	const monitor = openProgram([], {columns: 39, rows: 11});
	await monitor.waitFor(/^tapewatch needs 40×12, this is 39×11$/m);
	expect(monitor.screen().join('\n').trim()).toBe('tapewatch needs 40×12, this is 39×11');
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});
