import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openAudience} from '../../helpers/audience.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {createScreen} from '../../helpers/screen.ts';
import {newEd25519} from '../../serve/key-files.ts';
import {market, timeout} from '../../store/samples.ts';

const start = Date.UTC(2026, 10, 20, 12);

type Case = {
	readonly command?: string;
	readonly term?: string | undefined;
	/** Before its key. */
	readonly how?: string;
	/** Default: the list has two markets. */
	readonly markets?: () => readonly ReturnType<typeof market>[];
};

/** Of two markets. */
const listed = () => ['BTCUSDT', 'ETHUSDT'].map(symbol => market(symbol));
const size = {columns: 100, rows: 100};

/** The screen of a viewer who has typed this. */
async function say(typed: string, how: string, command?: string): Promise<readonly string[]> {
	const clock = createFakeClock(start);
	const audience = await openAudience({exchange: createFakeExchange(clock, {markets: listed}), clock, size});
	const {terminal, type, vanish, ended} = audience.seat(command, {key: `${how} ${newEd25519()}`.trim()});
	terminal.pieces = [];
	// Its file is read in real time.
	while (terminal.frames === 0) await setImmediate();
	await clock.advance(1000);
	type(typed);
	await clock.advance(1000);
	const screen = createScreen(size.columns, size.rows);
	await screen.write(terminal.pieces.join(''));
	vanish();
	await ended;
	return screen.text();
}

/** What a viewer reads to whom nothing else is shown. */
async function read({
	command,
	how,
	markets = () => ['BTCUSDT', 'ETHUSDT'].map(symbol => market(symbol)),
	...rest
}: Case) {
	const clock = createFakeClock(start);
	const audience = await openAudience({
		...{exchange: createFakeExchange(clock, {markets}), clock, size: {columns: 80, rows: 24}},
	});
	const key = how === undefined ? {} : {key: `${how} ${newEd25519()}`};
	const {terminal, ended} = audience.seat(command, {...rest, ...key});
	terminal.pieces = [];
	await clock.advance(100);
	return {status: await ended, text: terminal.pieces.join(''), ...audience};
}

const noTerminal = {term: undefined};

test.each<[string, Case, string]>([
	[
		'asks for no terminal',
		noTerminal,
		'the monitor needs a terminal: none was requested; ssh -t requests one, and watch prints lines',
	],
	[
		'has a key that allows none',
		{how: 'no-pty'},
		'the monitor needs a terminal: your key allows none; watch prints lines',
	],
	[
		'has a key without the monitor, and asks for it',
		{how: 'watch-only', command: 'monitor'},
		'your key is for tiles, lines and reads (watch-only); watch shows tiles',
	],
	[
		'asks for what is on other servers',
		{...noTerminal, command: 'uname'},
		'uname is neither a command nor a market; ssh HOST help lists the commands, ssh HOST markets the markets',
	],
	[
		'mistypes a market',
		{...noTerminal, command: 'BTCUSD'},
		'BTCUSD is neither a command nor a market; did you mean BTCUSDT or ETHUSDT?',
	],
	[
		'types what would act on the terminal',
		{command: 'help x\u001B[2J\u0007'},
		'no such command: x (see ssh HOST help)',
	],
	['gives an option that there is not', {command: 'monitor --nope'}, "unknown option '--nope' (see ssh HOST help)"],
	[
		'wants more candles than viewers get',
		{command: 'candles BTCUSDT --limit 20001'},
		'--limit must be a whole number from 1 to 20000 (see ssh HOST candles --help)',
	],
	[
		'has a key for markets that are not listed',
		{how: 'market="NOSUCH,GONEUSDT"', command: 'watch'},
		'your key has market="NOSUCH,GONEUSDT", which the exchange does not list; please tell the owner of the server',
	],
	[
		'names two markets',
		{...noTerminal, command: 'btcusdt ethusdt'},
		'the monitor shows one market at a time; ssh HOST watch btcusdt ethusdt shows all',
	],
])('a viewer who %s reads why, with status 2', async (_, asked, sentence) => {
	expect(await read(asked)).toMatchObject({status: 2, text: `tapewatch: ${sentence}\n`});
});

test('a viewer whose key has no listed market is reported as turned away, with the sentence that it reads', async () => {
	const [nowhere, mistyped] = [
		await read({how: 'market="NOPE"', command: 'watch'}),
		await read({how: 'market="BTCUSDT"', command: 'depth'}),
	];
	expect(nowhere.refusals).toEqual([
		'your key has market="NOPE", which the exchange does not list; please tell the owner of the server',
	]);
	expect([mistyped.status, mistyped.refusals]).toEqual([2, []]);
});

test('a viewer sees those markets of its key that are listed, and the owner reads of the others', async () => {
	const key = {...noTerminal, how: 'market="GONEUSDT,ETHUSDT"'};
	const {status, text, notes, refusals} = await read({...key, command: 'markets --json'});
	expect([status, ...text.matchAll(/"symbol":"\w+"/g)].map(String)).toEqual(['0', '"symbol":"ETHUSDT"']);
	expect(notes).toEqual([
		expect.stringMatching(/^the key SHA256:\S{43} has market="GONEUSDT", which the exchange does not list$/),
	]);
	expect(refusals).toEqual([]);
	const failing = {
		markets() {
			throw timeout('markets');
		},
	};
	expect(await read({...key, ...failing, command: 'sh'})).toMatchObject({status: 2, notes: []});
});

test('a table fits the terminal of its viewer, and has all columns without one', async () => {
	const long = {...market('A'.repeat(40)), base: 'A'.repeat(36), quote: 'AAAA', type: 'Spot', id: '17'};
	const shown = async (term: {readonly term?: undefined}) =>
		(await read({command: 'markets', markets: () => [long], ...term})).text.split('\n').slice(1);
	expect(await shown({})).toEqual([
		'symbol',
		'A'.repeat(40),
		'tapewatch: 4 columns hidden: market, state, type, id (-o wide shows all)',
		'',
	]);
	expect(await shown(noTerminal)).toEqual([
		`symbol${' '.repeat(36)}market${' '.repeat(37)}state   type  id`,
		`${'A'.repeat(40)}  ${'A'.repeat(36)}/AAAA  active  Spot  17`,
		'',
	]);
});

const noRewind = 'the rewind is for keys without market=';

test.each([
	['d', '', 'the diagnosis is for keys with owner'],
	[':diag\r', 'market="BTCUSDT"', 'the diagnosis is for keys with owner'],
	['\u001A', 'owner', 'there is no shell here to suspend to'],
	[':suspend\r', '', 'there is no shell here to suspend to'],
	['R', 'owner', 'viewers cannot record'],
	[':record /tmp/x\r', 'owner', 'viewers cannot record'],
	[':alert last > 1 call bell,"touch x"\r', 'owner', 'no program can be run here; call bell, terminal or title'],
	['<', 'market="BTCUSDT"', noRewind],
	[',', 'market="BTCUSDT"', noRewind],
	[':speed 10\r', 'market="BTCUSDT"', noRewind],
	['<', '', 'nothing is recorded here'],
])('%j with the key option %j is answered in the monitor', async (typed, how, sentence) => {
	expect((await say(typed, how)).at(-1)).toContain(sentence);
});

test('Ctrl-Z is answered on the tiles', async () => {
	const screen = await say('\u001A', '', 'watch BTCUSDT ETHUSDT');
	expect(screen.at(-1)).toContain('there is no shell here to suspend to');
});

test('help and completion have nothing of what is withheld', async () => {
	const withheld = /diagnosis|suspend|:record|stop recording|go 10 s back/;
	expect((await say('?', 'market="BTCUSDT"')).join('\n')).not.toMatch(withheld);
	expect((await say('?', 'market="BTCUSDT"', 'watch BTCUSDT ETHUSDT')).join('\n')).not.toMatch(withheld);
	expect((await say('?', 'owner')).join('\n')).toMatch(/show diagnosis.*\n(?:.*\n)*.*go 10 s back/);
	expect((await say(':diag\t', '')).at(-1)).toMatch(/^ :diag▏/);
	expect((await say(':diag\t', 'owner')).at(-1)).toMatch(/^ :diagnosis▏/);
});
