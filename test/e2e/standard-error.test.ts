import {readlinkSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

/** Node warns while the screen is on. */
const warnsOnSignal = `data:text/javascript,process.on('SIGURG',()=>process.emitWarning('something%20is%20deprecated'))`;

test('a warning of Node waits until the screen is left', async () => {
	const monitor = openProgram([], {...size, env: {NODE_OPTIONS: `--import=${warnsOnSignal}`}});
	await monitor.waitFor(isLive);
	monitor.kill('SIGURG');
	monitor.press('?');
	await monitor.waitFor(/ Keys ━/);
	expect(frameFault(monitor.screen(), size)).toBeUndefined();
	monitor.press('q');
	await monitor.exit;
	expect(monitor.screen().filter(row => row !== '')).toEqual(['tapewatch: warning: something is deprecated']);
});

test('Ctrl-L, and a change to the same size, draw what another program overwrote', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	const repairs = [() => monitor.press('<ctrl-l>'), () => monitor.kill('SIGWINCH')];
	for (const repair of repairs) {
		writeFileSync(readlinkSync(`/proc/${monitor.pid}/fd/1`), `${'\r\n'.repeat(30)}Broadcast message`);
		await monitor.waitFor(/Broadcast message/);
		repair();
		await monitor.waitFor(text => frameFault(text, size) === undefined && isLive(text));
		expect(monitor.screen().join('\n')).not.toContain('Broadcast');
	}
});
