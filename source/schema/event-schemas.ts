import * as z from 'zod';
import {
	amount,
	bookFields,
	candleFields,
	count,
	counts,
	eventId,
	failureFields,
	interfaceName,
	milliseconds,
	operation,
	origin,
	period,
	provenance,
	text,
	tickerFields,
	time,
	tradeFields,
	values,
} from './parts.ts';

/** The lines of `watch --json` and of `replay --alert … --json`, also what the program of `on-alert` reads. */

const symbol = z.string().nullable().describe('null: the market is not known yet, or the event is of no single one.');

const answer = {
	interface: interfaceName.nullable().describe('null: the event is of no single answer.'),
	receivedAt: time
		.nullable()
		.describe("When the answer was received, by this computer's clock; null: of no single answer."),
	serverTime: time
		.nullable()
		.describe("When the answer was made, by the exchange's clock; null: unknown, or no answer."),
};

const gap = z
	.boolean()
	.describe(
		'Whether events of this type and market may be missing before this one: it is the first of the run, events were left out for a slow reader, a request failed, or trades may be missing.',
	);

const event = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
	z
		.object({
			type: z.literal(type),
			eventId,
			symbol,
			time: time.describe(
				"A trade's own time, a candle's start, else when it was received or happened. Epoch milliseconds.",
			),
			...answer,
			gap,
		})
		.extend(fields)
		.extend(origin)
		.meta({id: `${type}Event`});

const {symbol: _symbol, type: tickerType, ...ofTicker} = tickerFields;

const lastTradeAt = time
	.nullable()
	.describe("Time of the last trade, by the exchange's clock, in epoch milliseconds; null: no trade is known.");

const tickerEvent = event('ticker', {...ofTicker, tickerType, lastTradeAt, ...provenance, ...counts});

const depthEvent = event('depth', {...bookFields, ...provenance, ...counts});

const trade = z.object(tradeFields).meta({id: 'trade'});

const tradeEvent = event('trade', {
	...tradeFields,
	...provenance,
	...counts,
});

export const candleEvent = event('candle', {
	period,
	...candleFields,
	builtFrom: z
		.union([
			z.enum(['exchange', 'trades', 'exchange+trades']),
			z.number().describe('Minutes of the shorter candles that it was built from.'),
			z.templateLiteral([z.number(), '+trades']),
		])
		.describe('What it consists of; with +trades, later trades were added.'),
	interface: z.enum(['v2', 'legacy', 'v2+legacy', 'legacy+v2']),
	receivedAt: time.describe('Of its newest part. Epoch milliseconds, UTC.'),
	serverTime: time.nullable().describe('Of its newest part.'),
	...counts,
	partial: z.boolean().describe('Whether trades may be missing from it.'),
	closed: z.boolean().describe('Whether all trades up to its end are known.'),
});

const errorEvent = event('error', {
	...failureFields,
	retryAt: time.nullable().describe('When the next try is due; null: the poll itself did not fail.'),
});

const failing = {
	operation,
	interface: interfaceName.nullable().describe('That failed, or that the data is from.'),
	since: time.describe('When the first wait or failure began. Epoch milliseconds, UTC.'),
	receivedAt: time.nullable().describe('Of the data.'),
	serverTime: time.nullable().describe('Of the data.'),
};

const staleEvent = event('stale', {
	...failing,
	cause: z.string().describe('`waiting` for an answer, or the kind of the failure.'),
	waiting: milliseconds.nullable().describe('How long there has been no answer, in milliseconds.'),
});

const recoveredEvent = event('recovered', failing);

const metEvent = event('met', {
	condition: z.string(),
	...{last: amount, bid: amount, ask: amount, mid: amount, spread: amount, spreadPercent: amount},
	...{open: amount, high: amount, low: amount, change: amount, changePercent: amount, volume: amount},
	...{age: amount.describe('Seconds since the oldest answer.'), imbalance: amount},
	lastTradeAt,
	values,
	trade: trade.optional().describe('That met it, if the condition is judged on each trade.'),
});

const stretch = z
	.object({from: time, to: time, high: amount, low: amount})
	.meta({id: 'tradedStretch', description: 'A time in which trades are missing, and the prices in it by the candles.'});

const ofRule = {rule: z.string(), delayed: z.boolean().describe('Whether it is judged by the delayed 24 h ticker.')};

const judgedOn = {symbol: z.string(), receivedAt: time.nullable()};

const alertEvent = event('alert', {
	...ofRule,
	note: text,
	values,
	trade: trade.nullable().describe('That made it hold.'),
	delay: milliseconds.nullable().describe("From that trade to now by the exchange's clock, in milliseconds."),
	blindSince: time.nullable().describe('Since when the rule could not be judged, where that was so when it happened.'),
	gap: stretch.nullable().describe('When it began to hold, where trades are missing.'),
	judgedOn: z
		.array(
			z.union([
				z.object({data: z.literal('trades'), ...judgedOn, lastTradeAt}),
				z.object({data: z.enum(['depth', 'ticker']), ...judgedOn}),
				z.object({data: z.literal('candles'), period: z.number().describe('In minutes.'), ...judgedOn}),
			]),
		)
		.describe('The answers that it was judged on.'),
	test: z.literal(true).optional().describe('Nothing has happened: it is a test call.'),
});

const blindEvent = event('blind', {
	...ofRule,
	since: time,
	why: z.string(),
	ended: z.boolean().describe('Whether the rule can be judged again, or has ended.'),
	lookedUp: z
		.enum(['trades', 'candles', 'nothing'])
		.nullable()
		.describe('What tells what happened meanwhile; null: the rule is still blind.'),
	possible: stretch.nullable().describe('When it may have held meanwhile, by the candles.'),
});

const watched = [
	...[tickerEvent, depthEvent, tradeEvent, candleEvent, errorEvent, staleEvent, recoveredEvent],
	...[metEvent, alertEvent, blindEvent],
] as const;

const eventTypes = watched.map(({shape}) => shape.type.value);

const droppedEvent = event('dropped', {
	dropped: z.partialRecord(z.enum(eventTypes), count).describe('How many events of each type were left out.'),
});

/** What a watch finds. */
export const found = z.discriminatedUnion('type', [...watched]);

export const watchEvent = z.discriminatedUnion('type', [...watched, droppedEvent]);

/** The lines of `record --json`. */
const ofFile = {time, file: z.string()};

const recorded = {
	answers: count,
	failures: count,
	trades: count,
	books: count,
	gaps: count.describe('Stretches without trades or books of a market, or in which trades may be missing.'),
	bytes: count,
};

export const recordEvent = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('recording').describe('The recording has begun.'),
		...ofFile,
		symbols: z.array(z.string()),
		parts: z.array(z.enum(['trades', 'books', 'candles', 'tickers'])),
		allTickers: z.boolean(),
		keepMs: milliseconds.nullable(),
		...origin,
	}),
	z.object({type: z.literal('progress').describe('Once a minute.'), ...ofFile, ...recorded, ...origin}),
	z.object({
		type: z.literal('ended'),
		...ofFile,
		...recorded,
		reason: text.describe('Why it ended by itself.'),
		...origin,
	}),
]);
