/** `npm run first-frame`: whether `npm start` opens the monitor in a terminal and q ends it. Prints the frame. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isLive} from './e2e/frame.ts';
import {openTerminal} from './helpers/terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'tapewatch-first-frame-'));
process.on('exit', () => rmSync(home, {recursive: true, force: true}));
const [file, run] = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c'];
const terminal = openTerminal({
	...{file, args: [run, 'npm start'], columns: 100, rows: 30},
	env: {...process.env, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home},
});
// It builds the program first.
await terminal.waitFor(isLive, 300_000);
console.log(terminal.screen().join('\n'));
terminal.write('q');
const {exitCode} = await terminal.exit;
process.exit(exitCode);
