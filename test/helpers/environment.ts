import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const noon = Date.UTC(2026, 10, 20, 12);
const aheadMs = noon - Date.now();

/**
 * The time of every program that a test starts, and of the demo exchange in it: noon of one certain day when the first
 * test of the file began. Programs that are started later start later.
 */
export const demoNow = (): number => Date.now() + aheadMs;

/** `demoNow` for a shell that knows only the computer's time. */
export const demoNowInShell = `$(($(date +%s%3N) + ${aheadMs}))`;

/** Of the environment of the tests: where programs and their compiled code are, and what shifts the time of all processes. */
const inherited = Object.entries(process.env).filter(([name]) =>
	/^(?:PATH|TZ|NODE_COMPILE_CACHE|LD_PRELOAD|FAKETIME.*)$/.test(name),
);

const home = mkdtempSync(join(tmpdir(), 'tapewatch-home-'));
process.on('exit', () => rmSync(home, {recursive: true, force: true}));

/**
 * The environment in which tests start programs: nothing that is set for Tapewatch outside of the tests, a home of their own,
 * and time for an exchange that answers late on a busy machine.
 */
export const programEnvironment = (): Record<string, string> => ({
	...Object.fromEntries(inherited),
	HOME: home,
	LANG: 'C.UTF-8',
	TAPEWATCH_DEMO_AT: String(demoNow()),
	TAPEWATCH_TIMEOUT: '60000',
});
