import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {systemClock} from '../../../source/market/clock.ts';
import {sends, startExchangeServer} from '../../helpers/exchange-server.ts';
import {temporaryFolder} from '../../helpers/folders.ts';
import {answerByName, sharedNames} from '../../helpers/named-markets.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

let home = '';
beforeEach(() => {
	home = temporaryFolder();
});

/** The candidates at the end of a line, without the program's name. */
async function candidates(...words: readonly string[]): Promise<readonly string[]> {
	return at(words.length - 1, ...words);
}

async function at(index: number, ...words: readonly string[]): Promise<readonly string[]> {
	const env = {XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home};
	const {stdout, stderr, status} = await inProcess(['complete', '--', String(index), ...words], {env});
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	return stdout.split('\n').flatMap(line => line.replace(/\t.*$/, '') || []);
}

describe('completes', () => {
	test.each([
		[['tic'], ['ticker']],
		[['btcu'], ['BTCUSDT']],
		[['depth', 'btc_u'], ['BTC_USDT']],
		[['ticker', 'BTCUSDT', 'btcu'], []],
		[['watch', 'ETHUSDT,btcu'], ['ETHUSDT,BTCUSDT']],
		[['--ascii', '--theme', 'light', 'tick'], ['ticker']],
		[
			['candles', 'BTCUSDT', '--period', '1'],
			['1m', '15m', '1h', '12h', '1d', '1w', '1M'],
		],
		[
			['ticker', '--l'],
			['--legacy-base-url', '--limit', '--log-file'],
		],
		[
			['depth', 'ltc'],
			['LTCBTC', 'LTCUSDT'],
		],
		[['alerts', ''], ['test']],
		[['ticker', '--pal'], []],
		[['watch', '--alert', 'last > 1', '--aler'], ['--alert']],
		[['watch', '--', '--onc'], []],
		[
			['watch', '--color', ''],
			['auto', 'never', 'always'],
		],
		[['watch', '--color=n'], ['--color=never']],
		[
			['watch', '--notify', 'bell,t'],
			['bell,terminal', 'bell,title'],
		],
		[['watch', '--timezone', 'europe/berl'], ['Europe/Berlin']],
		[['watch', '--exchange', ''], ['demo']],
		[['demo', '--fault', 'v2.depth=ha'], ['v2.depth=hang']],
		[['record', '--out', 'da'], [':files']],
		[
			['completion', ''],
			['bash', 'zsh', 'fish'],
		],
		[
			['watch', '-o', ''],
			['table', 'json', 'ndjson'],
		],
		[['ticker', '--sort', '-quoteV'], ['-quoteVolume']],
		[
			['ticker', '--sort=l'],
			['--sort=last', '--sort=low'],
		],
	])('%j', async (words, expected) => {
		expect(await candidates(...words)).toEqual(expected);
	});

	test('in the middle of a line, without the options behind it', async () => {
		expect(await at(1, 'watch', '--onc', '--once')).toEqual([]);
		expect(await at(1, 'depth', 'btcu', '--json')).toEqual(['BTCUSDT']);
	});
});

/** Placeholders of options whose values only the user knows. */
const free = ['URL', 'ADDRESS', 'MS', 'N', 'MB', 'SECONDS', 'DURATION', 'TIME', 'CONDITION', 'RULE'];

test('every option with a value completes to something, unless only the user knows it', async () => {
	const {stdout} = await inProcess(['--help']);
	const names =
		stdout
			.split('\nCommands:\n')[1]
			?.match(/^ {2}[a-z]+/gm)
			?.map(name => name.trim()) ?? [];
	expect(names.length).toBeGreaterThan(10);
	const silent = new Set<string>();
	for (const name of names.filter(name => name !== 'help')) {
		const help = (await inProcess([name, '--help'])).stdout;
		for (const [, flag = '', placeholder = ''] of help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+) <(\w+)>/gm)) {
			const found = free.includes(placeholder) ? [''] : await candidates(name, flag, '');
			if (found.length === 0) silent.add(`${name} ${flag} ${placeholder}`);
		}
	}

	expect([...silent]).toEqual([]);
});

test('markets are those of the exchange on the line, read once', async () => {
	// Who completes waits for a second at most, which a busy machine may need.
	vi.spyOn(systemClock, 'after').mockReturnValue(() => {});
	onTestFinished(() => void vi.restoreAllMocks());
	const exchange = await startSmallExchange();
	try {
		expect(await candidates('depth', '--base-url', exchange.url, '')).toEqual(['BTCUSDT', 'ETHUSDT', 'PEPEBTC']);
		expect(await candidates('depth', '--base-url', exchange.url, 'pe')).toEqual(['PEPEBTC']);
		expect(exchange.requests.length).toBe(1);
	} finally {
		await exchange.close();
	}
});

test('an exchange that fails completes nothing and is not asked again at once', async () => {
	const exchange = await startExchangeServer();
	exchange.answer('/engine/v2/public/markets', sends('no', {status: 500}));
	try {
		expect(await candidates('depth', '--base-url', exchange.url, '')).toEqual([]);
		const {length} = exchange.requests;
		expect(await candidates('depth', '--base-url', exchange.url, '')).toEqual([]);
		expect(exchange.requests.length).toBe(length);
	} finally {
		await exchange.close();
	}
});

test('markets that share a name are completed with their ids', async () => {
	const exchange = await startExchangeServer();
	answerByName(exchange, () => sharedNames);
	try {
		const completed = (word: string) => candidates('depth', '--base-url', exchange.url, word);
		expect(await completed('ab')).toEqual(['ABUSD#2', 'ABUSD#3']);
		expect(await completed('ab/')).toEqual(['AB/USD#3']);
		expect(await completed('luna_')).toEqual(['LUNA_USDT#4', 'LUNA_USDT#5']);
	} finally {
		await exchange.close();
	}
});

test('names that a shell could take for more than a name are left out', async () => {
	const exchange = await startExchangeServer();
	const names = ['$(id)', '`id`', 'A;B', '-rf', 'BTCUSDT'];
	const market = (marketName: string, id: number) => ({
		id,
		marketName,
		base: 'BTC',
		quote: '$(id)',
		state: 'active',
		marketType: 'Spot',
	});
	exchange.answer('/engine/v2/public/markets', v2(names.map(market)));
	try {
		expect(await candidates('depth', '--base-url', exchange.url, '')).toEqual(['BTCUSDT', 'RF']);
	} finally {
		await exchange.close();
	}
});
