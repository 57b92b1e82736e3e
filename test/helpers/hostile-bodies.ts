import {gzipSync} from 'node:zlib';
import {type BodyLimit, createBodyLimits} from '../../source/client/body-limits.ts';
import type {Operation} from '../../source/client/errors.ts';
import {type ExchangeServer, paths, sends, startExchangeServer} from './exchange-server.ts';

const envelope = (data: string): string =>
	`{"success":true,"isSuccess":true,"message":"OK","timestamp":1723161600000,"data":${data}}`;

/** As many of a unit as the limit allows, in which it counts as `values`; `#` in it is its index. */
function many(limit: BodyLimit, unit: string, values: number, open = '[', close = ']'): string {
	const length = Math.floor(Math.min((limit.bytes - 500) / (unit.length + 6), (limit.values - 20) / values));
	const units = Array.from({length}, (_, index) => unit.replace('#', String(index)));
	return envelope(open + units.join(',') + close);
}

/** One text of this content, as long as the limit allows. */
const text = ({bytes}: BodyLimit, unit: string, open: string, close: string): string =>
	envelope(open + unit.repeat(Math.floor((bytes - 500 - open.length) / Buffer.byteLength(unit))) + close);

const tickerFields =
	'"symbol":"A","priceChange":1,"priceChangePercent":1,"lastPrice":1,"bidPrice":1,"bidQuantity":1,"askPrice":1,"askQuantity":1,"openPrice":1,"highPrice":1,"lowPrice":1,"volume":1,"state":"x"';
const marketFields = '"id":1,"marketName":"A","base":"A","quote":"B","state":"x","marketType":"s"';
const tradeFields = '"id":1,"quantity":1,"price":1,"time":1723161600000,"side":"buy"';
const legacyFields =
	'"percentChange":1,"high24hr":1,"higestBid":1,"last":1,"quoteVolume":1,"isFrozen":0,"low24hr":1,"lowestAsk":1';
const timeText = '"2024-08-09T00:00:00.123456+00:00"';
const long = '1.00000000000000000000000000001';

/** The costliest bodies within the limit, by name. */
const hostileBodies = (limit: BodyLimit): Readonly<Record<string, string>> => ({
	numbers: many(limit, '1', 1),
	'empty objects': many(limit, '{}', 2),
	'empty lists': many(limit, '[]', 2),
	'long numbers': many(limit, long, 1),
	'numbers of 17 digits': many(limit, '0.30000000000000001', 1),
	'large numbers of 17 digits': many(limit, '1.2345678901234567e307', 1),
	'numbers smaller than a double': many(limit, '1e-400', 1),
	'long numbers in a refusal': many(limit, long, 1).replaceAll('uccess":true', 'uccess":false'),
	'long ids in trades': many(limit, `{${tradeFields.replace('1,', '12345678901234567890,')}}`, 6),
	'levels of long numbers': many(limit, `[${long},${long}]`, 3, '{"asks":[', ']}'),
	'levels of one price': many(limit, '[1,1]', 3, '{"asks":[', ']}'),
	'levels of texts': many(limit, '["1","1"]', 3, '{"asks":[', ']}'),
	'tickers of one market': many(limit, `{${tickerFields}}`, 14),
	'tickers of long numbers': many(limit, `{${tickerFields.replace('A', 'A#').replaceAll(':1,', `:${long},`)}}`, 14),
	'tickers of wrong fields': many(limit, `{${tickerFields.replaceAll(':1,', ':{},')}}`, 27),
	'markets of one name': many(limit, `{${marketFields}}`, 7),
	'markets with escape sequences': many(limit, `{${marketFields.replace('"x"', `"${'\\u001b]'.repeat(9)}"`)}}`, 7),
	'trades of one id': many(limit, `{${tradeFields}}`, 6),
	'trades of wrong fields': many(limit, `{${tradeFields.replaceAll(/:[\d"]\w*"?/g, ':[]')}}`, 11),
	'trades of texts of times': many(limit, `{"time":${timeText},"createdOn":${timeText}}`, 3),
	'candles of one time': many(limit, '{"id":1723161600,"open":1,"close":1,"low":1,"high":1,"volume":1}', 7),
	'distinct keys': many(limit, '"M#":1', 1, '{', '}'),
	'legacy tickers': many(limit, '"M#":{"last":1,"isFrozen":0}', 3, '{', '}'),
	'legacy tickers of long numbers': many(limit, `"M#":{${legacyFields.replaceAll(':1', `:${long}`)}}`, 9, '{', '}'),
	'legacy markets of long numbers': many(limit, `"M#":{"isFrozen":${long}}`, 2, '{', '}'),
	'an object of one key': many(limit, '"__proto__":1', 1, '{', '}'),
	'objects of a key each': many(limit, '{"M#":1}', 2),
	'a text of escape sequences': text(limit, '\\u001b[', '{"name":"', '"}'),
	'a text of unfinished escape sequences': text(limit, '\\u001b]', '{"name":"', '"}'),
	'a text of joiners': text(limit, '\\u200d', '{"name":"', '"}'),
	'a text of emoji': text(limit, '👩\u200D', '{"name":"', '"}'),
	'a text of small numbers': text(limit, '1e-400,', `[${long},"`, '"]'),
	'a text of commas before blanks': text(limit, ' ', `["${',['.repeat(limit.values)}"`, ']'),
	'a text of backslashes': text(limit, '\\\\', '{"description":"', '"}'),
	'a number of two million digits': text(limit, '1', '[', ']'),
	'points and digits': text(limit, '1.', '[', ']'),
	blanks: text(limit, ' ', '[', ']'),
	'lists in lists': envelope('['.repeat(limit.bytes / 4) + ']'.repeat(limit.bytes / 4)),
	'no JSON': 'x'.repeat(limit.bytes - 10),
});

const operations: Readonly<Record<string, Operation>> = {
	[paths.info]: 'info',
	[paths.markets]: 'markets',
	[paths.ticker]: 'ticker',
	[paths.depth]: 'depth',
	[paths.trades]: 'trades',
	[paths.candles]: 'candles',
	[paths.legacyTicker]: 'ticker',
	[paths.legacyDepth]: 'depth',
	[paths.legacyTrades]: 'trades',
};

/** An exchange that answers every request with the next of these bodies, at the limit of its operation or a share of it. */
export async function startHostileExchange(share = 1): Promise<ExchangeServer> {
	const server = await startExchangeServer();
	const limits = createBodyLimits();
	let turn = 0;
	const zipped = new Map<string, readonly Buffer[]>();
	for (const [path, operation] of Object.entries(operations)) {
		const {bytes, values} = limits.of(operation);
		const limit = {bytes: bytes * share, values: values * share};
		const key = JSON.stringify(limit);
		const bodies = zipped.get(key) ?? Object.values(hostileBodies(limit)).map(body => gzipSync(body, {level: 1}));
		zipped.set(key, bodies);
		server.answer(path, (response, request) => {
			const reply = sends(bodies[turn++ % bodies.length], {headers: {'content-encoding': 'gzip'}});
			reply(response, request);
		});
	}

	return server;
}
