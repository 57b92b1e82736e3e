const noon = Date.UTC(2026, 10, 20, 12);
const aheadMs = noon - Date.now();

/**
 * The time of every program that a test starts, and of the demo exchange in it: noon of one certain day when the first
 * test of the file began. Programs that are started later start later.
 */
export const demoNow = (): number => Date.now() + aheadMs;

/** `demoNow` for a shell that knows only the computer's time. */
export const demoNowInShell = `$(($(date +%s%3N) + ${aheadMs}))`;

/** Of the environment of the tests: where programs are, and what shifts the time of all processes. */
const inherited = Object.entries(process.env).filter(([name]) => /^(?:PATH|HOME|TZ|LD_PRELOAD|FAKETIME.*)$/.test(name));

/** The environment in which tests start programs: nothing that is set for Tapewatch outside of the tests. */
export const programEnvironment = (): Record<string, string> => ({
	...Object.fromEntries(inherited),
	LANG: 'C.UTF-8',
	TAPEWATCH_DEMO_AT: String(demoNow()),
});
