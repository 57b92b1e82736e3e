import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {frameFault} from './frame.ts';
import {command, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

/** Node and a library warn while the screen is on, over and over; the process then has another title. */
const warnings = `for(let i=0;i<1000;i++){process.stderr.write('x'.repeat(9999));process.emitWarning('deprecated')}
setImmediate(()=>{process.title='warned'})`;
const warnsOnSignal = `data:text/javascript,${encodeURIComponent(`process.on('SIGURG',()=>{${warnings}})`)}`;

test('warnings, a failed log write and what is written to standard error wait until the screen is left, and are counted and cut', async () => {
	const args = '--base-url https://127.0.0.1:1 --log-file $XDG_STATE_HOME/log';
	const env = {NODE_OPTIONS: `--import=${warnsOnSignal}`, NODE_TLS_REJECT_UNAUTHORIZED: '0'};
	// No file may grow.
	const monitor = openScript(`ulimit -f 0; exec ${command} ${args}`, {...size, env});
	await monitor.waitFor(rows => /connection refused/.test(rows.join('\n')) && /nothing is saved/.test(rows.join('\n')));
	monitor.kill('SIGURG');
	monitor.press('?');
	await monitor.waitFor(/ Keys and commands ━/);
	// A busy machine may take keys before the signal.
	await expect.poll(() => readFileSync(`/proc/${monitor.pid}/cmdline`, 'utf8')).toMatch(/^warned/);
	// A key takes the notice away, and saves that fail again do not bring it back in the place of the clock.
	await monitor.waitFor(text => frameFault(text, size) === undefined);
	monitor.press('q');
	await monitor.exit;
	expect(monitor.screen().join('').replaceAll(' ', '')).toMatch(
		new RegExp(
			[
				"^tapewatch:warning:SettingtheNODE_TLS_REJECT_UNAUTHORIZEDenvironmentvariableto'0'[^:]+",
				'tapewatch:cannotwritethelogfile/[^:]+:itwouldexceedthelimitoffilesizes;linesarelost',
				'x{1000}\\(1000times\\)',
				'tapewatch:warning:deprecated',
				'tapewatch:cannotusethestatefile/[^:]+:itwouldexceedthelimitoffilesizes;[^:]+$',
			].join(''),
		),
	);
});
