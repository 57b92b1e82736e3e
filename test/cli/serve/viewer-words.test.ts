import {expect, test} from 'vitest';
import {openAudience} from '../../helpers/audience.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
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
	return {status: await ended, text: terminal.pieces.join(''), notes: audience.notes};
}

const noTerminal = {term: undefined};

test.each<[string, Case, string]>([
	[
		'asks for no terminal',
		noTerminal,
		'the monitor needs a terminal: none was asked for; ssh -t asks for one, and watch prints lines',
	],
	[
		'asks for no terminal, with a market',
		{...noTerminal, command: 'eth/usdt'},
		'the monitor of eth/usdt needs a terminal: none was asked for; ssh -t asks for one, and watch prints lines',
	],
	[
		'has a key that allows none',
		{how: 'no-pty'},
		'the monitor needs a terminal: your key allows none; watch prints lines',
	],
	[
		'has a terminal without a cursor',
		{term: 'dumb', command: 'BTCUSDT'},
		'the monitor of BTCUSDT needs a terminal: TERM=dumb has no cursor to place; watch prints lines',
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
		'names a market while the list fails',
		{
			...noTerminal,
			command: 'FOOUSDT',
			markets() {
				throw timeout('markets');
			},
		},
		'the monitor of FOOUSDT needs a terminal: none was asked for; ssh -t asks for one, and watch prints lines',
	],
	[
		'asks for trades of nothing',
		{command: 'trades'},
		"missing required argument 'MARKET' (see ssh HOST trades --help)",
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

test('a viewer sees those markets of its key that are listed, and the owner reads of the others', async () => {
	const key = {...noTerminal, how: 'market="GONEUSDT,ETHUSDT"'};
	const {status, text, notes} = await read({...key, command: 'markets --json'});
	expect([status, ...text.matchAll(/"symbol":"\w+"/g)].map(String)).toEqual(['0', '"symbol":"ETHUSDT"']);
	expect(notes).toEqual([
		expect.stringMatching(/^the key SHA256:\S{43} has market="GONEUSDT", which the exchange does not list$/),
	]);
	const failing = {
		markets() {
			throw timeout('markets');
		},
	};
	expect(await read({...key, ...failing, command: 'sh'})).toMatchObject({status: 2, notes: []});
});
