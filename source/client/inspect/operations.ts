import type {Interface, Period} from '../../market/types.ts';
import type {ExchangeError, Operation} from '../errors.ts';
import type {Answer} from '../exchange.ts';
import type {Headers} from '../transport.ts';
import type {Decoder} from '../wire/decode.ts';
import {decodeBook} from '../wire/lists.ts';
import type {Request} from '../wire/read.ts';
import {v1Paths} from '../wire/v1/client.ts';
import * as v1 from '../wire/v1/schemas.ts';
import {v2Paths} from '../wire/v2/client.ts';
import * as v2 from '../wire/v2/schemas.ts';
import type {Shape} from './shape.ts';
import {v1Shapes, v2Shapes} from './specification.ts';

/** One request and its outcome, from the wire to the decoded answer. */
export type Probe<T = unknown> = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** When the request was sent, epoch ms. */
	readonly startedAt: number;
	/** From `startedAt` to the last byte or the failure. */
	readonly durationMs: number;
	/** HTTP status; absent if no head arrived. */
	readonly status?: number | undefined;
	readonly headers: Headers;
	/** Whether a new connection was opened for it. */
	readonly connected: boolean;
	/** Size of the body as sent and decompressed; absent if it is incomplete or not JSON. */
	readonly sentBytes?: number | undefined;
	readonly bytes?: number | undefined;
	/** The whole answer as JSON.parse reads it. */
	readonly json?: unknown;
	/** Present unless `error` is. */
	readonly answer?: Answer<T> | undefined;
	readonly error?: ExchangeError | undefined;
};

/** One of the ten operations of exchange-api.md. */
export type InspectedOperation<T = unknown> = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** The request, for `symbol` if the operation has a market. */
	request(symbol: string, query?: Request['query']): Request;
	readonly decode: Decoder<T>;
	readonly shape: Shape;
	/** The probes of one inspection, in order. */
	readonly samples: Probe<T>[];
};

/** Period of the inspected candles, in minutes. */
export const inspectedPeriod: Period = 60;

function operation<T>(
	source: Interface,
	name: Operation,
	path: string,
	decode: Decoder<T>,
	shape: Shape,
	query: (symbol: string) => NonNullable<Request['query']> = () => ({}),
): InspectedOperation<T> {
	// The specification requires it on these GETs.
	const jsonContentType = source === 'v1' || name === 'ticker';
	return {
		operation: name,
		interface: source,
		request: (symbol, more = {}) => ({operation: name, path, jsonContentType, query: {...query(symbol), ...more}}),
		decode,
		shape,
		samples: [],
	};
}

const ofMarket = (symbol: string) => ({symbol});

export const createV2Operations = () => ({
	info: operation('v2', 'info', v2Paths.info, v2.decodeInfo, v2Shapes.info),
	markets: operation('v2', 'markets', v2Paths.markets, v2.decodeMarkets, v2Shapes.markets),
	ticker: operation('v2', 'ticker', v2Paths.ticker, v2.decodeTickers, v2Shapes.ticker),
	summary: operation('v2', 'summary', v2Paths.summary, v2.decodeSummary, v2Shapes.summary),
	depth: operation('v2', 'depth', v2Paths.depth, v2.decodeDepth, v2Shapes.depth, ofMarket),
	trades: operation('v2', 'trades', v2Paths.trades, v2.decodeTrades, v2Shapes.trades, ofMarket),
	candles: operation('v2', 'candles', v2Paths.candles, v2.decodeCandles, v2Shapes.candles, symbol => ({
		symbol,
		period: inspectedPeriod,
	})),
});

export const createV1Operations = () => ({
	ticker: operation('v1', 'ticker', v1Paths.ticker, v1.decodeTickers, v1Shapes.ticker),
	depth: operation('v1', 'depth', v1Paths.depth, decodeBook, v1Shapes.depth, ofMarket),
	trades: operation('v1', 'trades', v1Paths.trades, v1.decodeTrades, v1Shapes.trades, ofMarket),
});
