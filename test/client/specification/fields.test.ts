/** The fields of every entry: their names, types and meanings, and what becomes of an entry with another type. */
import {expect} from 'vitest';
import type {Answer, Exchange} from '../../../source/client/exchange.ts';
import {legacy, paths, type Reply, v2} from '../../helpers/exchange-server.ts';
import {heart, statement} from './statement.ts';

type Entry = Readonly<Record<string, unknown>>;

type Entries = {
	readonly path: string;
	readonly reply: (data: unknown) => Reply;
	readonly wrap: (entries: readonly Entry[]) => unknown;
	readonly read: (exchange: Exchange) => Promise<Answer<readonly object[]>>;
	readonly entry: Entry;
	/** What makes it another entry. */
	readonly other: Entry;
	/** What the client makes of it. */
	readonly shown: Entry;
};

type Field = {
	/** What the exchange sends instead, and what the client makes of that. */
	readonly sent: unknown;
	readonly shown: Entry;
	/** Values that drop the entry, and not the list; undefined: none at all. */
	readonly wrong: readonly unknown[];
};

function fieldStatement(words: string, of: Entries, name: string, {sent, shown, wrong}: Field): void {
	statement(words, async ({server, open}) => {
		const exchange = open();
		const read = async (...entries: readonly Entry[]) => {
			server.answer(of.path, of.reply(of.wrap(entries)));
			const {data, dropped} = await of.read(exchange);
			// A market whose entry is dropped can still be named.
			return {data: data.filter(entry => !('unreadable' in entry)), dropped};
		};
		expect(await read({...of.entry, [name]: sent})).toEqual({data: [{...of.shown, ...shown}], dropped: 0});
		for (const value of wrong) {
			const broken = {...of.entry, ...of.other, [name]: value};
			expect(await read(of.entry, broken), JSON.stringify(value)).toEqual({data: [of.shown], dropped: 1});
		}
	});
}

const noText = [undefined, null, 5, ['text'], {}];
const noNumber = ['1.5', true, [1], {}];
const noPrice = [undefined, null, 0, -1, ...noNumber];
const noId = [undefined, null, 1.5, -1, 'x', true];

const markets: Entries = {
	path: paths.markets,
	reply: v2,
	wrap: entries => entries,
	read: exchange => exchange.markets(),
	entry: {id: 7, marketName: 'ABCXYZ', base: 'ABC', quote: 'XYZ', state: 'active', marketType: 'Spot'},
	other: {id: 8, marketName: 'DEFXYZ', base: 'DEF'},
	shown: {symbol: 'ABCXYZ', id: '7', base: 'ABC', quote: 'XYZ', state: 'active', type: 'Spot'},
};
fieldStatement('market id: an integer', markets, 'id', {sent: 12, shown: {id: '12'}, wrong: noId});
fieldStatement('market name: text, base and quote in one word', markets, 'marketName', {
	...{sent: 'GHIXYZ', shown: {symbol: 'GHIXYZ'}, wrong: noText},
});
fieldStatement('market base: text', markets, 'base', {sent: 'GHI', shown: {base: 'GHI'}, wrong: [...noText, '']});
fieldStatement('market quote: text', markets, 'quote', {sent: 'GHI', shown: {quote: 'GHI'}, wrong: [...noText, '']});
fieldStatement('market state: text', markets, 'state', {sent: 'halted', shown: {state: 'halted'}, wrong: noText});
fieldStatement('market type: text, with a capital', markets, 'marketType', {
	...{sent: 'Margin', shown: {type: 'Margin'}, wrong: noText},
});

const tickers: Entries = {
	path: paths.ticker,
	reply: v2,
	wrap: entries => entries,
	read: exchange => exchange.tickers(),
	entry: {
		...{symbol: 'ABCXYZ', priceChange: -1.25, priceChangePercent: -2.5, lastPrice: 48.75, bidPrice: 48.5},
		...{bidQuantity: 3, askPrice: 49, askQuantity: 4, openPrice: 50, highPrice: 52, lowPrice: 47, volume: 900},
		...{state: 'active', type: 'spot'},
	},
	other: {symbol: 'DEFXYZ'},
	shown: {
		...{symbol: 'ABCXYZ', change: -1.25, changePercent: -2.5, last: 48.75, bid: 48.5, bidQuantity: 3, ask: 49},
		...{askQuantity: 4, open: 50, high: 52, low: 47, volume: 900, state: 'active', type: 'spot'},
	},
};
fieldStatement('summary symbol: text, base and quote in one word', tickers, 'symbol', {
	...{sent: 'GHIXYZ', shown: {symbol: 'GHIXYZ'}, wrong: noText},
});
const numbers: ReadonlyArray<readonly [string, string, string]> = [
	['price change of 24 hours', 'priceChange', 'change'],
	['percentage change of 24 hours', 'priceChangePercent', 'changePercent'],
	['price of the last trade', 'lastPrice', 'last'],
	['best bid', 'bidPrice', 'bid'],
	['quantity at the best bid', 'bidQuantity', 'bidQuantity'],
	['best ask', 'askPrice', 'ask'],
	['quantity at the best ask', 'askQuantity', 'askQuantity'],
	['price when the 24 hours began', 'openPrice', 'open'],
	['highest price of 24 hours', 'highPrice', 'high'],
	['lowest price of 24 hours', 'lowPrice', 'low'],
	['volume of 24 hours', 'volume', 'volume'],
];
for (const [words, name, shownAs] of numbers) {
	fieldStatement(`summary ${name}: a number, the ${words}`, tickers, name, {
		...{sent: 51.125, shown: {[shownAs]: 51.125}, wrong: noNumber},
	});
}

fieldStatement('summary state: text', tickers, 'state', {sent: 'halted', shown: {state: 'halted'}, wrong: noText});
fieldStatement('summary type: text, in small letters', tickers, 'type', {
	...{sent: 'margin', shown: {type: 'margin'}, wrong: [5, ['text'], {}]},
});

statement('numbers of the summary can be written with an exponent', async ({server, open}) => {
	const fields = numbers.map(([, name]) => `"${name}":4.2E-9`).join();
	server.answer(paths.ticker, v2(`[{"symbol":"ABCXYZ",${fields},"state":"active","type":"spot"}]`));
	const shown = Object.fromEntries(numbers.map(([, , shownAs]) => [shownAs, 0.000_000_004_2]));
	expect((await open().tickers()).data).toEqual([{symbol: 'ABCXYZ', ...shown, state: 'active', type: 'spot'}]);
});

const trades: Entries = {
	path: paths.trades,
	reply: v2,
	wrap: entries => entries,
	read: exchange => exchange.trades('ABCXYZ'),
	entry: {id: 41, quantity: 0.25, price: 48.75, time: 1_723_161_298_123, side: 'buy'},
	other: {id: 42},
	shown: {id: '41', quantity: 0.25, price: 48.75, time: 1_723_161_298_123, side: 'buy', sideText: 'buy'},
};
fieldStatement('trade id: an integer', trades, 'id', {sent: 43, shown: {id: '43'}, wrong: noId});
fieldStatement('trade quantity: a number, in base asset', trades, 'quantity', {
	...{sent: 1e-8, shown: {quantity: 1e-8}, wrong: [undefined, null, -1, ...noNumber]},
});
fieldStatement('trade price: a number', trades, 'price', {sent: 49.5, shown: {price: 49.5}, wrong: noPrice});
fieldStatement('trade time: an integer, epoch ms', trades, 'time', {
	...{sent: 1_723_161_297_001, shown: {time: 1_723_161_297_001}, wrong: [undefined, null, 0, -1, 'x', true, [1]]},
});
fieldStatement('trade side: text, of which only buy is written down', trades, 'side', {
	...{sent: 'buy', shown: {side: 'buy', sideText: 'buy'}, wrong: [['buy'], {}]},
});
statement('other sides of a trade are not written down: sell is one, and any other is none', async ({server, open}) => {
	const sides = ['sell', 'SELL', 'short', 'Auction\u001b[2J', 7, '', null, undefined];
	server.answer(paths.trades, v2(sides.map((side, index) => ({...trades.entry, id: 50 - index, side}))));
	expect((await open().trades('ABCXYZ')).data.map(({side, sideText}) => [side, sideText])).toEqual([
		...[
			['sell', 'sell'],
			['sell', 'SELL'],
			[undefined, 'short'],
			[undefined, 'Auction'],
			[undefined, '7'],
			[undefined, ''],
			[undefined, undefined],
			[undefined, undefined],
		],
	]);
});

const second = 1_723_158_000;
const candles: Entries = {
	path: paths.candles,
	reply: v2,
	wrap: entries => entries,
	read: exchange => exchange.candles('ABCXYZ', {period: 60}),
	entry: {id: second, open: 48, close: 50, low: 46, high: 54, volume: 9.5},
	other: {id: second - 3600},
	shown: {time: second * 1000, open: 48, close: 50, low: 46, high: 54, volume: 9.5},
};
fieldStatement('candle id: an integer, its start in epoch seconds', candles, 'id', {
	...{sent: second - 7200, shown: {time: (second - 7200) * 1000}, wrong: [...noId, 0]},
});
/** With values that only a reader of text, or one that takes any order of prices, would take. */
const prices: ReadonlyArray<readonly [string, string, number, readonly unknown[]]> = [
	['open', 'the first price', 47, ['48', 45, 55]],
	['close', 'the last price', 53, ['50', 45, 55]],
	['low', 'the lowest price', 45, ['46', 49]],
	['high', 'the highest price', 55, ['54', 49]],
];
for (const [name, words, sent, wrong] of prices) {
	fieldStatement(`candle ${name}: a number, ${words}`, candles, name, {
		...{sent, shown: {[name]: sent}, wrong: [...noPrice, ...wrong]},
	});
}

fieldStatement('candle volume: a number', candles, 'volume', {
	...{sent: 0, shown: {volume: 0}, wrong: [undefined, null, -1, ...noNumber]},
});

const legacyTickers: Entries = {
	path: paths.legacyTicker,
	reply: legacy,
	wrap: entries => Object.fromEntries(entries.map(({key, ...entry}) => [key, entry])),
	read: exchange => exchange.tickers({use: 'legacy'}),
	entry: {
		...{key: 'ABCUSDT', percentChange: -2.5, high24hr: 52, higestBid: 48.5, last: 48.75, id: null, quoteVolume: 900},
		...{isFrozen: 0, low24hr: 47, lowestAsk: 49},
	},
	other: {key: 'DEFUSDT'},
	shown: {
		...{symbol: 'ABCUSDT', changePercent: -2.5, high: 52, bid: 48.5, last: 48.75, quoteVolume: 900, state: 'active'},
		...{low: 47, ask: 49},
	},
};
fieldStatement('legacy ticker: an object with an entry for each symbol', legacyTickers, 'key', {
	...{sent: 'GHIUSDT', shown: {symbol: 'GHIUSDT'}, wrong: ['', '_']},
});
const legacyNumbers: ReadonlyArray<readonly [string, string, string]> = [
	['percentChange', 'percentage change of 24 hours', 'changePercent'],
	['high24hr', 'highest price of 24 hours', 'high'],
	['higestBid', 'best bid, spelled without an h', 'bid'],
	['last', 'last price', 'last'],
	['quoteVolume', 'volume of 24 hours', 'quoteVolume'],
	['low24hr', 'lowest price of 24 hours', 'low'],
	['lowestAsk', 'best ask', 'ask'],
];
for (const [name, words, shownAs] of legacyNumbers) {
	fieldStatement(`legacy ticker ${name}: a number, the ${words}`, legacyTickers, name, {
		...{sent: 51.125, shown: {[shownAs]: 51.125}, wrong: noNumber},
	});
}

fieldStatement('legacy ticker id: null', legacyTickers, 'id', {sent: null, shown: {}, wrong: []});
fieldStatement('legacy ticker isFrozen: an integer', legacyTickers, 'isFrozen', {
	...{sent: 0, shown: {state: 'active'}, wrong: [undefined, null, '0', false, [0]]},
});

const legacyTrades: Entries = {
	path: paths.legacyTrades,
	reply: legacy,
	wrap: entries => entries,
	read: async exchange => {
		const answer = await exchange.trades('ABCXYZ', {use: 'legacy'});
		return {...answer, data: answer.data.map(({key: _, ...trade}) => trade)};
	},
	entry: {tradeId: 41, quantity: 0.25, price: 48.75, createdOn: '2024-08-08T23:54:58+0000'},
	other: {tradeId: 42},
	shown: {id: '41', quantity: 0.25, price: 48.75, time: 1_723_161_298_000},
};
fieldStatement('legacy trade tradeId: an integer', legacyTrades, 'tradeId', {sent: 43, shown: {id: '43'}, wrong: noId});
fieldStatement('legacy trade quantity: a number', legacyTrades, 'quantity', {
	...{sent: 1e-8, shown: {quantity: 1e-8}, wrong: [undefined, null, -1, ...noNumber]},
});
fieldStatement('legacy trade price: a number', legacyTrades, 'price', {
	sent: 49.5,
	shown: {price: 49.5},
	wrong: noPrice,
});
fieldStatement('legacy trade createdOn: ISO 8601 with an offset', legacyTrades, 'createdOn', {
	sent: '2024-08-09T03:24:57.25+0330',
	shown: {time: 1_723_161_297_250},
	wrong: [undefined, null, '', 'yesterday', '2024-02-30T00:00:00+0000', '2024-08-08T25:00:00Z', true],
});

const texts = ['name', 'description', 'location', 'logo', 'website', 'twitter', 'version'];
const flags = ['markets', 'trades', 'tradesByTimestamp', 'tradesSocket', 'orders', 'ordersSocket'];
const allFlags = [...flags, 'ordersSnapshot', 'candles'];
const capability: Entry = Object.fromEntries(allFlags.map((name, index) => [name, [true, false, null][index % 3]]));
const info: Entry = {...Object.fromEntries(texts.map(name => [name, `its ${name}`])), capability};

for (const name of texts) {
	statement(`exchange info ${name}: text`, async ({server, open}) => {
		const exchange = open();
		server.answer(paths.info, v2({...info, [name]: 'other'}));
		expect(heart(await exchange.info())).toEqual({data: {...info, [name]: 'other'}, source: 'v2', dropped: 0});
		server.answer(paths.info, v2({...info, [name]: 5}));
		await expect(exchange.info()).rejects.toMatchObject({kind: 'schema', path: `data.${name}`});
	});
}

statement('exchange info capability: an object', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.info, v2(info));
	expect((await exchange.info()).data.capability).toEqual(capability);
	server.answer(paths.info, v2({...info, capability: 'all'}));
	await expect(exchange.info()).rejects.toMatchObject({kind: 'schema', path: 'data.capability'});
});

for (const name of allFlags) {
	statement(`capability ${name}: true, false, or null for no value`, async ({server, open}) => {
		const exchange = open();
		for (const value of [true, false, null]) {
			server.answer(paths.info, v2({...info, capability: {...capability, [name]: value}}));
			expect((await exchange.info()).data).toEqual({...info, capability: {...capability, [name]: value}});
		}

		for (const value of [0, 'true', []]) {
			server.answer(paths.info, v2({...info, capability: {...capability, [name]: value}}));
			await expect(exchange.info()).rejects.toMatchObject({kind: 'schema', path: `data.capability.${name}`});
		}
	});
}
