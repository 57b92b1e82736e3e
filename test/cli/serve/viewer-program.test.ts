import {expect, test} from 'vitest';
import {runViewerLine} from '../../../source/cli/serve/viewer-program.ts';
import {inViewersWords} from '../../../source/cli/serve/viewer-session.ts';

const type = (...words: readonly string[]) => typeWith({isWatchOnly: false}, ...words);

/** What a viewer who types these words is told, and what runs. */
async function typeWith({isWatchOnly}: {readonly isWatchOnly: boolean}, ...words: readonly string[]) {
	let out = '';
	const runs: unknown[] = [];
	const record =
		(name: string) =>
		async (_: unknown, what: unknown): Promise<number> => {
			runs.push([name, typeof what === 'function' ? 'read' : what]);
			return 7;
		};
	const failure = await runViewerLine({
		words,
		isWatchOnly,
		columns: 80,
		run: {monitor: record('monitor'), watch: record('watch'), read: record('read')},
		async print(text) {
			out += inViewersWords(text);
		},
	}).catch((thrown: Error) => thrown.message);
	return {out, runs, failure};
}

const flagsIn = (help: string): readonly string[] =>
	[...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
const commands = ['monitor', 'watch', 'info', 'markets', 'ticker', 'depth', 'trades', 'candles'];

test.each([
	[['BTCUSDT'], ['monitor', 'BTCUSDT']],
	[
		['watch', 'BTCUSDT', 'ETHUSDT'],
		['watch', ['BTCUSDT', 'ETHUSDT']],
	],
	[
		['candles', 'BTCUSDT', '--from', '-2d', '--period', '1h'],
		['read', 'read'],
	],
])('%j runs', async (words, run) => {
	expect(await type(...words)).toEqual({out: '', runs: [run], failure: 7});
});

const ofOwner =
	/base-url|exchange|log-file|debug|rate|max-|timeout|record|alert|notify|retry|at|blind|play|speed|--file|market-id/;

test.each(['', ...commands])('the help of viewers has nothing of the owner: %j', async command => {
	const {out, failure} = await type(...(command === '' ? [] : [command]), '--help');
	expect(failure).toBe(0);
	expect(out).toMatch(/^Usage: ssh HOST /);
	expect(out).not.toMatch(/tapewatch (?!--)[a-z[]/);
	const owners = flagsIn(out).filter(flag => ofOwner.test(flag) && !['--rotate', '--quote-currency'].includes(flag));
	expect(owners).toEqual([]);
	expect(flagsIn(out).includes('--from')).toBe(command === 'candles');
	expect(out).not.toMatch(/recording|100000|2222/);
});

test.each([
	...[
		'--base-url=http://x',
		'--log-file=/tmp/x',
		'--recording=/tmp/x',
		'--on-alert=x',
		'--alert=x',
		'--debug',
		'--rate=9',
	],
])('%s is unknown to viewers', async flag => {
	for (const command of ['watch', 'ticker']) {
		const {failure, runs} = await type(command, 'BTCUSDT', flag);
		expect([failure, runs]).toEqual([expect.stringMatching(/^unknown option .* \(see tapewatch [a-z]+ --help\)$/), []]);
	}
});

const have = 'you can use monitor, watch, info, markets, ticker, depth, trades and candles';

test.each([
	['record', `record is not for viewers; ${have}`],
	['serve', `serve is not for viewers; ${have}`],
	['sh', `there is no sh, no shell and no file transfer here; ${have}`],
	['scp', `there is no scp, no shell and no file transfer here; ${have}`],
])('%s is refused with what there is', async (word, message) => {
	expect(await type(word, '-f', 'x')).toEqual({out: '', runs: [], failure: message});
});

test.each([[['monitor']], [['monitor', 'BTCUSDT', '--theme', 'light']], [['--theme', 'light', 'monitor']]])(
	'a watch-only key is refused the monitor that it asks for by name: %j',
	async words => {
		expect(await typeWith({isWatchOnly: true}, ...words)).toEqual({
			...{out: '', runs: []},
			failure: 'your key is for tiles, lines and reads (watch-only); watch shows tiles',
		});
	},
);

test('a watch-only key has tiles without a command, and reads what it can use', async () => {
	const tiles = (...words: readonly string[]) => typeWith({isWatchOnly: true}, ...words);
	expect([(await tiles()).runs, (await tiles('BTCUSDT')).runs]).toEqual([
		[['monitor', undefined]],
		[['monitor', 'BTCUSDT']],
	]);
	expect((await tiles('record')).failure).toBe(
		'record is not for viewers; you can use watch, info, markets, ticker, depth, trades and candles',
	);
});
