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
import {type Examine, examineBook, examineCandles, examineMarkets, examineTickers, examineTrades} from './flaws.ts';
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
	/** The whole answer as parseJson reads it. */
	readonly json?: unknown;
	/** Whether it failed and was sent again. */
	readonly repeated?: boolean | undefined;
	/** Present unless `error` is. */
	readonly answer?: Answer<T> | undefined;
	readonly error?: ExchangeError | undefined;
};

/**
 * Why a check could not be made. `failed`: an operation that it needs. `unreadable`: entries of such a list were dropped.
 * `crossed`: bids and asks are.
 * `no-time`: answers have no plausible time. `bad-times`: the trades have none. `clocks-differ`: the two operations have
 * different clocks. `no-price`: the ticker has no last price. `no-trades`: none in the time in question. `no-such-trade`:
 * none has the ticker's price. `trades-differ`: between the interfaces, so that the trades may lag and not the ticker.
 * `changing`: every value changed meanwhile. `too-few`: entries.
 */
export type Obstacle = (typeof obstacles)[number];

const obstacles = [
	...(['failed', 'unreadable', 'crossed', 'no-time', 'bad-times', 'clocks-differ', 'no-price'] as const),
	...(['no-trades', 'no-such-trade', 'trades-differ', 'changing', 'too-few'] as const),
] as const;

export const isObstacle = (result: unknown): result is Obstacle => obstacles.some(obstacle => obstacle === result);

/** One of the ten operations of exchange-api.md. */
export type InspectedOperation<T = unknown> = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** The request, for `symbol` if the operation has a market. */
	request(symbol: string, query?: Request['query']): Request;
	readonly decode: Decoder<T>;
	readonly shape: Shape;
	// A method, so that operations of all kinds fit in one list.
	examine(...arguments_: Parameters<Examine<T>>): ReturnType<Examine<T>>;
	/** The probes of one inspection, in order. */
	readonly samples: Probe<T>[];
};

/** Period of the inspected candles, in minutes. */
export const inspectedPeriod: Period = 60;

type Definition<T> = {
	readonly path: string;
	readonly decode: Decoder<T>;
	readonly shape: Shape;
	/** Default: finds nothing. */
	readonly examine?: Examine<T> | undefined;
	/** The parameters that the operation requires. */
	readonly query?: (symbol: string) => NonNullable<Request['query']>;
};

function operation<T>(source: Interface, name: Operation, definition: Definition<T>): InspectedOperation<T> {
	const {path, decode, shape, examine = () => [], query = () => ({})} = definition;
	// The specification requires it on these GETs.
	const jsonContentType = source === 'v1' || name === 'ticker';
	return {
		operation: name,
		interface: source,
		request: (symbol, more = {}) => ({operation: name, path, jsonContentType, query: {...query(symbol), ...more}}),
		decode,
		shape,
		examine,
		samples: [],
	};
}

const ofMarket = (symbol: string) => ({symbol});
const ofCandles = (symbol: string) => ({symbol, period: inspectedPeriod});

export const createV2Operations = () => ({
	info: operation('v2', 'info', {path: v2Paths.info, decode: v2.decodeInfo, shape: v2Shapes.info}),
	markets: operation('v2', 'markets', {
		...{path: v2Paths.markets, decode: v2.decodeMarkets, shape: v2Shapes.markets, examine: examineMarkets},
	}),
	ticker: operation('v2', 'ticker', {
		...{path: v2Paths.ticker, decode: v2.decodeTickers, shape: v2Shapes.ticker, examine: examineTickers},
	}),
	summary: operation('v2', 'summary', {
		...{path: v2Paths.summary, decode: v2.decodeSummary, shape: v2Shapes.summary, examine: examineTickers},
	}),
	depth: operation('v2', 'depth', {
		...{path: v2Paths.depth, decode: v2.decodeDepth, shape: v2Shapes.depth, examine: examineBook, query: ofMarket},
	}),
	trades: operation('v2', 'trades', {
		...{path: v2Paths.trades, decode: v2.decodeTrades, shape: v2Shapes.trades, query: ofMarket},
		examine: examineTrades(true),
	}),
	candles: operation('v2', 'candles', {
		...{path: v2Paths.candles, decode: v2.decodeCandles, shape: v2Shapes.candles, query: ofCandles},
		examine: examineCandles(inspectedPeriod),
	}),
});

export const createV1Operations = () => ({
	ticker: operation('v1', 'ticker', {
		...{path: v1Paths.ticker, decode: v1.decodeTickers, shape: v1Shapes.ticker, examine: examineTickers},
	}),
	depth: operation('v1', 'depth', {
		...{path: v1Paths.depth, decode: decodeBook, shape: v1Shapes.depth, examine: examineBook, query: ofMarket},
	}),
	trades: operation('v1', 'trades', {
		...{path: v1Paths.trades, decode: v1.decodeTrades, shape: v1Shapes.trades, query: ofMarket},
		examine: examineTrades(false),
	}),
});
