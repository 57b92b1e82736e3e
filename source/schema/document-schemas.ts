import * as z from 'zod';
import {type CapabilityFlag, capabilityFlags} from '../market/types.ts';
import {
	bookFields,
	count,
	counts,
	eventId,
	levelFields,
	marketFields,
	milliseconds,
	origin,
	period,
	provenance,
	readCandleFields,
	recorded,
	stretch,
	text,
	tickerFields,
	time,
	tradeFields,
	values,
} from './parts.ts';

/** The documents that commands print with `--json`, and the lines of `--output ndjson`. */

const symbol = z.string();

const read = <Fields extends z.ZodRawShape>(fields: Fields) =>
	z.object({...fields, ...provenance, ...origin, ...recorded});

const list = <Entry extends z.ZodType>(entry: Entry, description: string) => z.array(entry).describe(description);

const flag = z.boolean().nullable();
const flags = Object.fromEntries(capabilityFlags.map(name => [name, flag])) as Record<CapabilityFlag, typeof flag>;

export const info = read({
	...{name: text, description: text, location: text, logo: text, website: text, twitter: text, version: text},
	capability: z.object(flags).describe('null: the exchange gives the flag no value.'),
});

export const markets = read({markets: z.array(z.object(marketFields).meta({id: 'market'})), ...counts});

const worth = (description: string) => z.number().nullable().describe(description);
const inCurrency = 'In `currency`; null: no market converts it.';

const holdingFields = {
	asset: z.string(),
	amount: z.number(),
	cost: worth('What one unit cost, in `costQuote`; null: unknown.'),
	costQuote: text,
	price: worth(`Of one unit. ${inCurrency}`),
	value: worth(inCurrency),
	share: worth('Of `total`, 0 to 1; null: it has no value.'),
	profit: worth('`value` minus its cost at the price of `costQuote` now; null: unknown.'),
	profitPercent: worth('`profit` in percent of the cost.'),
	markets: text.describe('Symbols of the markets that convert it, in order, with blanks between; null: none does.'),
	origin: z.enum(['user', 'config']),
};

export const holdings = read({
	holdings: list(z.object(holdingFields).meta({id: 'holding'}), 'Highest value first.'),
	currency: z.string(),
	total: worth('The sum of the values; null: there is none.'),
	profit: worth('The sum of the profits; null: there is none.'),
	uncounted: z.array(z.string()).describe('Assets that no market converts.'),
	...counts,
});

export const ticker = read({tickers: z.array(z.object(tickerFields).meta({id: 'ticker'})), ...counts});

export const depth = read({symbol, ...bookFields, ...counts});

const ofTrades = {
	symbol: symbol.nullable().describe('null: the market was read by its id and is not in the list of markets.'),
	trades: list(z.object(tradeFields).meta({id: 'trade'}), 'Oldest first.'),
	...counts,
};

/** Of a stretch of a recording. */
const ofRange = {...stretch.shape, missing: list(stretch, 'Where trades may be missing, in order of time.')};

export const newestTrades = read(ofTrades);
const recordedTrades = read({...ofTrades, ...ofRange});
export const trades = z.union([recordedTrades, newestTrades]);

const ofCandles = {
	symbol,
	period,
	candles: list(z.object(readCandleFields).meta({id: 'candle'}), 'Oldest first.'),
	...counts,
};

export const readCandles = read({
	...ofCandles,
	builtFrom: z
		.union([z.literal('trades'), z.number()])
		.optional()
		.describe(
			'`trades`: all candles were built from trades. A number: from candles of so many minutes. Absent: the exchange has these; those that were built from trades say so.',
		),
	gaps: z
		.array(stretch)
		.nullable()
		.describe('The first and last start of each run without candles; null: the candles are of another period.'),
	complete: z
		.boolean()
		.nullable()
		.describe(
			'Whether all candles are there that were asked for and that the exchange has; null: with no range or limit.',
		),
	incomplete: text.describe('Why candles may be missing.'),
});
export const builtCandles = read({
	...ofCandles,
	partial: list(time, 'The starts of candles that trades may be missing from.'),
	...ofRange,
});
export const candles = z.union([readCandles, builtCandles]);

type Fields = Readonly<Record<string, z.ZodType>>;

/** An entry with what its document says of all entries, but no lists. */
function line<Entry extends Fields>(entry: Entry, {shape}: {readonly shape: Fields}) {
	const ofAll = Object.entries(shape).filter(([, field]) => !isList(field));
	return z.object({...entry, ...Object.fromEntries(ofAll), ...entry});
}

const isList = (field: z.ZodType): boolean =>
	field instanceof z.ZodArray || (field instanceof z.ZodNullable && field.unwrap() instanceof z.ZodArray);

export const marketsLine = line(marketFields, markets);
export const tickerLine = line(tickerFields, ticker);
export const holdingsLine = line(holdingFields, holdings);
export const depthLine = line({side: z.enum(['ask', 'bid']), ...levelFields}, depth);
const tradeLineFields = {
	...tradeFields,
	eventId: eventId.nullable().describe('Of the event trade of this trade; null: the market is not known.'),
};
export const tradesLine = z.union([line(tradeLineFields, recordedTrades), line(tradeLineFields, newestTrades)]);
export const candlesLine = z.union([line(readCandleFields, readCandles), line(readCandleFields, builtCandles)]);

const local = <Own extends z.ZodRawShape>(fields: Own) => z.object({...fields, ...origin});

export const demo = local({url: z.string().describe('The address of both interfaces.'), port: z.int()});

export const alerts = local({
	rules: z.array(
		z.object({
			rule: z.string(),
			origin: z.enum(['config', 'user']).describe('Whether it is stated in the config file, or in the monitor.'),
			market: text.describe('null: the rule names none, and was not judged on any yet.'),
			delayed: z.boolean().describe('Whether it is judged by the delayed 24 h ticker.'),
			state: z.enum(['armed', 'fired', 'off', 'ended']),
			fired: z
				.object({
					time,
					values,
					gap: z
						.object({...stretch.shape, high: z.number().optional(), low: z.number().optional()})
						.optional()
						.describe('When it began to hold, where trades are missing, and the prices that were traded then.'),
				})
				.nullable()
				.describe('The last time that it fired.'),
			judgedAt: time.nullable(),
		}),
	),
});

export const alertsTest = local({
	ways: z.array(
		z.object({
			way: z.enum(['bell', 'terminal', 'title', 'command']),
			called: z.boolean(),
			result: z.string().describe('What became of the call, for people.'),
		}),
	),
});

export const recording = local({
	file: z.string(),
	bytes: count,
	...{baseUrl: text, legacyBaseUrl: text, from: time.nullable(), to: time.nullable()},
	sessions: list(
		z.object({
			...{from: time, to: time, reads: count},
			clockSkew: milliseconds
				.nullable()
				.describe("How far the exchange's clock was ahead of the recorder's, in milliseconds."),
			version: z.string().describe('Of the Tapewatch that recorded it.'),
			options: z.record(z.string(), z.unknown()).describe('What was recorded, for people.'),
			ended: z.boolean().describe('false: it is recorded now, or its recorder was killed.'),
		}),
		'Each from the start of a recorder to its last write.',
	),
	markets: z.array(
		z.object({
			...{symbol, books: count, pagesOfTrades: count, failures: count, gaps: count},
			candlePeriods: list(z.number(), 'In minutes.'),
		}),
	),
	...{tickerLists: count, marketLists: count, failures: count},
	gaps: z.array(
		z.object({
			...{symbol, operation: z.enum(['depth', 'trades']), ...stretch.shape},
			reason: z
				.string()
				.describe('The kind of the first failure in it, or `not recorded`; of trades that may be missing, why.'),
		}),
	),
	alerts: count,
});
