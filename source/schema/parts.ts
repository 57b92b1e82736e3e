import * as z from 'zod';
import {errorKinds, operations} from '../client/errors.ts';

/**
 * What the program prints for programs, as the one source of its types and of `schema/*.json`. The program imports only the types:
 * nothing here is loaded when it runs.
 */

/** Deeply read-only, as what is printed is made of data that others share. */
type Frozen<T> = T extends object ? {readonly [Key in keyof T]: Frozen<T[Key]>} : T;

type Fields<Shape extends z.ZodRawShape> = Frozen<z.infer<z.ZodObject<Shape>>>;

export type Origin = Fields<typeof origin>;
export type Recorded = Fields<typeof recorded>;
export type Provenance = Fields<typeof provenance>;
export type Counts = Fields<typeof counts>;
export type TickerEntry = Fields<typeof tickerFields>;
export type BookEntry = Fields<typeof bookFields>;
export type FailureEntry = Fields<typeof failureFields>;
export type TradeEntry = Fields<typeof tradeFields>;
export type CandleEntry = Fields<typeof candleFields>;
export type ReadCandleEntry = Fields<typeof readCandleFields>;

/** For each form of a union. */
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** A document or an event of this form, without what is added when it is printed: its origin, and the id of an event. */
export type Of<Schema extends z.ZodType> = Without<Frozen<z.infer<Schema>>, keyof Origin | keyof Recorded | 'eventId'>;

export const time = z.number().meta({id: 'time', description: 'Epoch milliseconds, UTC.'});
export const milliseconds = z.number().meta({id: 'milliseconds', description: 'A duration in milliseconds.'});
export const count = z.int().min(0);

/** null: unknown, or there is none. */
export const amount = z.number().nullable();
export const text = z.string().nullable();

export const interfaceName = z
	.enum(['v2', 'legacy'])
	.meta({id: 'interface', description: 'One of the two versions of the interface of an exchange.'});

export const period = z
	.union([z.number(), z.string().regex(/^\d+M$/)])
	.meta({id: 'period', description: 'Minutes; calendar months as text, such as 1M.'});

/** The name of a read, which may be one that is added later. */
export const operation = z.string().meta({id: 'operation', examples: [...operations]});

const failureKind = z
	.string()
	.meta({id: 'failureKind', examples: [...errorKinds, 'absent'], description: 'What kind of failure it is.'});

export const stretch = z.object({from: time, to: time}).meta({id: 'stretch', description: 'Both ends are included.'});

/** Part of every document and event. */
export const origin = {
	exchange: z
		.string()
		.describe('Name of the exchange in the config file, else its host; `demo`: the embedded demo exchange.'),
	demo: z.boolean().describe('Whether the data is invented: that of the embedded demo exchange.'),
	schemaVersion: z
		.literal(1)
		.describe('Rises when a field is removed or changes its type or meaning, not when something is added.'),
};

/** Part of the documents of reads. */
export const recorded = {
	recorded: z.object({at: time}).optional().describe('Present of a recording: the moment that it was read at.'),
};

/** Where and when an answer came from. */
export const provenance = {
	interface: interfaceName,
	receivedAt: time.describe(
		"When the exchange answered, by this computer's clock: on receipt, or before if a cache had kept the answer. Epoch milliseconds, UTC.",
	),
	serverTime: time.nullable().describe("When the answer was made, by the exchange's clock."),
	serverTimeAhead: milliseconds
		.optional()
		.describe(
			"How far serverTime is ahead of the trades' own times (below 0: behind). Absent: by less than 2 s, or not known; only what has trades shows it.",
		),
};

export const eventId = z.string().meta({
	id: 'eventId',
	description: 'The same event has the same id in every run and process; no two events share one.',
});

/** Of the entries of an answer. */
export const counts = {
	dropped: count.describe(
		'Entries that were left out: invalid, with a time that cannot be right, or contradicting another one.',
	),
	rounded: count.describe('Entries with a number of more digits than a double holds, which was rounded.'),
	cut: count.optional().describe('Entries beyond the most that are read; absent: none.'),
	misdated: count
		.optional()
		.describe('Entries with a time that is implausible or later than the answer, which were kept; absent: none.'),
	offPeriod: count
		.optional()
		.describe('Candles that do not follow the one before at a multiple of the period; absent: none.'),
};

export const marketFields = {
	id: text.describe('Decimal digits; null: the interface has none.'),
	symbol: z.string().describe('Names the market in all documents and events, e.g. BTCUSDT.'),
	base: text.describe('Base asset.'),
	quote: text.describe('Quote asset.'),
	state: z.string().describe("The exchange's own word, e.g. active; on legacy active, or frozen N."),
	type: text.describe("The exchange's own word, e.g. Spot."),
};

/** Of 24 hours; the exchange itself calls it delayed. */
export const tickerFields = {
	symbol: z.string(),
	last: amount,
	change: amount.describe('Of 24 hours, in quote asset.'),
	changePercent: amount,
	...{open: amount, high: amount, low: amount},
	...{bid: amount, bidQuantity: amount, ask: amount, askQuantity: amount},
	volume: amount.describe('Of 24 hours, in base asset.'),
	quoteVolume: amount.describe('Of 24 hours; only legacy has it, and does not say in which unit.'),
	state: z.string().describe("The exchange's own word, e.g. active."),
	type: text.describe("The exchange's own word, e.g. spot."),
};

export const levelFields = {
	price: z.number().describe('In quote asset.'),
	quantity: z.number().describe('In base asset.'),
};

const level = z
	.tuple([levelFields.price, levelFields.quantity])
	.meta({id: 'level', description: 'Price in quote asset, quantity in base asset.'});

export const failureFields = {
	interface: interfaceName,
	operation,
	kind: failureKind,
	message: z.string().describe('What failed, which read of which interface, and where, in one line.'),
	status: z.int().nullable().describe('HTTP status, where that or the answer is the failure.'),
	retryAfter: milliseconds.nullable().describe('How long the exchange asks to wait, in milliseconds.'),
};

export const bookFields = {
	asks: z.array(level).describe('Best first: ascending. Of depth with --sort, as that says.'),
	bids: z
		.array(level)
		.nullable()
		.describe('Best first: descending. Of depth with --sort, as that says. null: the interface shows none.'),
	bidsFailure: z
		.object(failureFields)
		.nullable()
		.describe('How the interface that has bids failed; null: it did not, or there is none.'),
};

export const tradeFields = {
	id: z.string().describe('Decimal digits. On legacy the id is that of an order, whose fills share it.'),
	time,
	...levelFields,
	side: z.enum(['buy', 'sell']).nullable().describe("The taker's; null: unknown, as on legacy."),
	sideText: text.describe("The exchange's own word for the side."),
};

export const candleFields = {
	time: time.describe('Start of the candle. Epoch milliseconds, UTC.'),
	...{open: z.number(), high: z.number(), low: z.number(), close: z.number()},
	volume: z.number().describe('In base asset.'),
};

/** A candle of a document, with how it was made. */
export const readCandleFields = {
	...candleFields,
	forming: z
		.boolean()
		.describe(
			'Whether it is the newest and ends after the answer was made, by the earlier of serverTime and receivedAt.',
		),
	partial: z.boolean().describe('Whether trades may be missing from it.'),
	builtFrom: z
		.union([z.enum(['exchange', 'trades']), z.number()])
		.describe('`exchange`: the exchange sent it. A number: it was built from candles of so many minutes.'),
};

/** By the texts of quantities of a condition. */
export const values = z
	.record(z.string(), amount)
	.describe('The quantities of the rule or condition by their text; null: unknown.');
