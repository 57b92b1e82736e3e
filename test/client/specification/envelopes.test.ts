/** Envelopes and times. */
import {expect} from 'vitest';
import type {Exchange} from '../../../source/client/exchange.ts';
import {paths, sends, serverTime, v2} from '../../helpers/exchange-server.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';
import {failureOf} from '../fixture.ts';
import {statement} from './statement.ts';

const asks = [[11, 1]];
const bids = [[9, 1]];
const only = {use: 'legacy'} as const;

type Operation = {
	readonly path: string;
	/** In the envelope, and whether it is a list. */
	readonly data: unknown;
	readonly read: (exchange: Exchange) => Promise<unknown>;
};

const v2Operations: readonly Operation[] = [
	{path: paths.info, data: {name: 'Loop'}, read: exchange => exchange.info()},
	{path: paths.markets, data: [market('BTC')], read: exchange => exchange.markets({use: 'v2'})},
	{path: paths.ticker, data: [ticker()], read: exchange => exchange.tickers({use: 'v2'})},
	{path: paths.depth, data: {asks}, read: exchange => exchange.depth('BTCUSDT', {use: 'v2'})},
	{path: paths.trades, data: [trade(1)], read: exchange => exchange.trades('BTCUSDT', {use: 'v2'})},
	{path: paths.candles, data: [candle(3600)], read: exchange => exchange.candles('BTCUSDT', {period: 60})},
];
const legacyOperations: readonly Operation[] = [
	{path: paths.legacyTicker, data: {BTCUSDT: legacyTicker()}, read: exchange => exchange.tickers(only)},
	{path: paths.legacyDepth, data: {asks, bids}, read: exchange => exchange.depth('BTCUSDT', only)},
	{
		path: paths.legacyTrades,
		data: [legacyTrade(1, '1970-01-01T00:00:01Z')],
		read: exchange => exchange.trades('BTCUSDT', only),
	},
];

/** How the read of each operation fails where its answer is made of `body`. */
function statementOfAll(
	words: string,
	operations: readonly Operation[],
	bodyOf: (operation: Operation) => readonly unknown[],
	expected: object,
): void {
	statement(words, async ({server, open}) => {
		const exchange = open();
		for (const operation of operations) {
			for (const body of bodyOf(operation)) {
				server.answer(operation.path, sends(body));
				expect(await failureOf(operation.read(exchange)), JSON.stringify(body)).toMatchObject(expected);
			}
		}
	});
}

const good = {success: true, message: '', timestamp: serverTime};
const goodLegacy = {message: '', status: 200, timestamp: '2024-08-08T23:54:59+0000', isSuccess: true};
const wrongData = ({data}: Operation): readonly unknown[] => [
	undefined,
	null,
	5,
	'text',
	Array.isArray(data) ? {} : [],
];

statementOfAll(
	'v2: an answer is a JSON object',
	v2Operations,
	({data}) => [Array.isArray(data) ? data : [data], [], null, 5, true, '"text"'],
	{kind: 'schema', path: ''},
);
statementOfAll(
	'v2 data: an object or a list, as the operation has it',
	v2Operations,
	operation => wrongData(operation).map(data => ({...good, data})),
	{kind: 'schema', path: 'data'},
);
statementOfAll(
	'v2 success: true of a success, so that false is a failure whatever the data is',
	v2Operations,
	({data}) => [
		{...good, data, success: false},
		{...good, data: null, success: false},
	],
	{kind: 'refused', status: 200},
);
statementOfAll(
	'legacy data: an object or a list, as the operation has it',
	legacyOperations,
	operation => wrongData(operation).map(data => ({...goodLegacy, data})),
	{kind: 'schema', path: 'data'},
);
statementOfAll(
	'legacy isSuccess: false is a failure, whatever the data is and also where that is null',
	legacyOperations,
	({data}) => [
		{...goodLegacy, data, isSuccess: false},
		{...goodLegacy, data: null, isSuccess: false},
	],
	{kind: 'refused', status: 200},
);

statement('v2 message: text about the result, quoted of a failure', async ({server, open}) => {
	server.answer(paths.trades, sends({...good, data: null, success: false, message: 'no such pair'}));
	const {message} = await failureOf(open().trades('BTCUSDT', {use: 'v2'}));
	expect(message).toBe(
		`refused by the exchange: no such pair (v2 trades at ${server.url}${paths.trades}?symbol=BTCUSDT)`,
	);
});

statement('legacy message: text about the result, quoted of a failure', async ({server, open}) => {
	server.answer(paths.legacyTrades, sends({...goodLegacy, data: null, isSuccess: false, message: 'no such pair'}));
	const {message} = await failureOf(open().trades('BTCUSDT', only));
	expect(message).toBe(
		`refused by the exchange: no such pair (legacy trades at ${server.url}${paths.legacyTrades}?symbol=BTCUSDT)`,
	);
});

statement('v2 timestamp: the server time in epoch ms', async ({server, open}) => {
	const exchange = open();
	for (const timestamp of [serverTime, 1_723_161_299_123]) {
		server.answer(paths.trades, sends({...good, data: [], timestamp}));
		expect((await exchange.trades('BTCUSDT')).serverTime).toBe(timestamp);
	}
});

statement(
	'legacy timestamp: the server time as text, ISO 8601 with an offset, and not as epoch ms',
	async ({server, open}) => {
		const exchange = open();
		const times = ['2024-08-08T23:54:59+0000', '2024-08-08T19:54:59.000-04:00', '2024-08-09T05:39:59+0545', serverTime];
		for (const timestamp of times) {
			server.answer(paths.legacyTrades, sends({...goodLegacy, data: [], timestamp}));
			expect((await exchange.trades('BTCUSDT', only)).serverTime, String(timestamp)).toBe(serverTime);
		}
	},
);

statement(
	'legacy status: an information code that repeats the HTTP status, which is what decides',
	async ({server, open}) => {
		const exchange = open();
		const data = {asks, bids};
		server.answer(paths.legacyDepth, sends({...goodLegacy, data, status: 201}));
		expect((await exchange.depth('BTCUSDT', only)).data).toEqual(data);
		server.answer(paths.legacyDepth, sends({...goodLegacy, data, status: 200}, {status: 422}));
		expect(await failureOf(exchange.depth('BTCUSDT', only))).toMatchObject({kind: 'http', status: 422});
	},
);

const zones = ['UTC', 'America/St_Johns', 'Pacific/Chatham'];

/** Reads in zones whose offsets from UTC would show in what is read. */
async function inZones<T>(read: () => Promise<T>): Promise<readonly T[]> {
	const own = process.env.TZ;
	const results: T[] = [];
	try {
		for (const zone of zones) {
			process.env.TZ = zone;
			results.push(await read());
		}
	} finally {
		process.env.TZ = own;
	}

	return results;
}

statement('v2: times are UTC, wherever the client runs', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.trades, v2([trade(1, {time: 1_723_161_298_123})]));
	server.answer(paths.candles, v2([candle(1_723_158_000)]));
	const read = async () => {
		const [trades, candles] = [await exchange.trades('BTCUSDT'), await exchange.candles('BTCUSDT', {period: 60})];
		return [trades.data[0]?.time, candles.data[0]?.time, trades.serverTime].map(time => new Date(time ?? 0).toJSON());
	};
	const utc = ['2024-08-08T23:54:58.123Z', '2024-08-08T23:00:00.000Z', '2024-08-08T23:54:59.000Z'];
	expect(await inZones(read)).toEqual(zones.map(() => utc));
});

statement('legacy: times are UTC, wherever the client runs, also one without an offset', async ({server, open}) => {
	const exchange = open();
	const read = async () => {
		const times: unknown[] = [];
		for (const written of ['2024-08-08T23:54:58+0000', '2024-08-08T23:54:58Z', '2024-08-08T23:54:58']) {
			server.answer(paths.legacyTrades, sends({...goodLegacy, timestamp: written, data: [legacyTrade(1, written)]}));
			const {data, serverTime: at} = await exchange.trades('BTCUSDT', only);
			times.push(data[0]?.time, at);
		}

		return times;
	};
	expect(await inZones(read)).toEqual(zones.map(() => Array(6).fill(Date.UTC(2024, 7, 8, 23, 54, 58))));
});

statement('legacy data can be null: of a failure it says so, of a success it is unreadable', async ({server, open}) => {
	const exchange = open();
	const kinds: string[] = [];
	for (const isSuccess of [false, true]) {
		server.answer(paths.legacyDepth, sends({...goodLegacy, data: null, isSuccess}));
		kinds.push((await failureOf(exchange.depth('BTCUSDT', only))).kind);
	}

	expect(kinds).toEqual(['refused', 'schema']);
});
