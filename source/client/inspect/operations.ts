import {formatAge} from '../../format/time.ts';
import {isOffPeriod} from '../../market/candles.ts';
import {
	activeState,
	type Candle,
	type DepthBook,
	type Interface,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';
import type {ExchangeError, Operation} from '../errors.ts';
import type {Answer} from '../exchange.ts';
import type {Headers} from '../transport.ts';
import type {Decoder} from '../wire/decode.ts';
import {isRecord} from '../wire/fields.ts';
import {decodeBook} from '../wire/lists.ts';
import type {Request} from '../wire/read.ts';
import {v1Paths} from '../wire/v1/client.ts';
import * as v1 from '../wire/v1/schemas.ts';
import {v2Paths} from '../wire/v2/client.ts';
import * as v2 from '../wire/v2/schemas.ts';
import type {Flaw} from './inspection.ts';
import type {Shape} from './shape.ts';
import {type DocumentedLimit, documentedLimit, v1Shapes, v2Shapes} from './specification.ts';

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

/** One of the ten operations of exchange-api.md. */
export type InspectedOperation<T = unknown> = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** The request, for `symbol` if the operation has a market. */
	request(symbol: string, query?: Request['query']): Request;
	readonly decode: Decoder<T>;
	readonly shape: Shape;
	/** Absent: it takes none. Without `documented`: its bounds are not shown. */
	readonly limit?: {readonly documented?: DocumentedLimit} | undefined;
	// A method, so that operations of all kinds fit in one list.
	examine(...arguments_: Parameters<Examine<T>>): ReturnType<Examine<T>>;
	/** The probes of one inspection, in order. */
	readonly samples: Probe<T>[];
};

/** Period of the inspected candles, in minutes. */
export const inspectedPeriod: Period = 60;

type Definition<T> = Pick<InspectedOperation<T>, 'decode' | 'limit'> & {
	/** Default: finds nothing. */
	readonly examine?: Examine<T>;
	/** The parameters that the operation requires. */
	readonly query?: (symbol: string) => NonNullable<Request['query']>;
};

function operation<T>(
	{path, shape, ...of}: Pick<InspectedOperation, 'interface' | 'operation' | 'shape'> & {readonly path: string},
	{decode, limit, examine = () => [], query = () => ({})}: Definition<T>,
): InspectedOperation<T> {
	// The specification requires it on these GETs.
	const jsonContentType = of.interface === 'legacy' || of.operation === 'ticker';
	const request = (symbol: string, more?: Request['query']) => ({
		...{operation: of.operation, path, jsonContentType, query: {...query(symbol), ...more}},
	});
	return {...of, request, decode, shape, limit, examine, samples: []};
}

const ofV2 = <T>(name: keyof typeof v2Paths, definition: Definition<T>) =>
	operation({interface: 'v2', operation: name, path: v2Paths[name], shape: v2Shapes[name]}, definition);
const ofV1 = <T>(name: keyof typeof v1Paths, definition: Definition<T>) =>
	operation({interface: 'legacy', operation: name, path: v1Paths[name], shape: v1Shapes[name]}, definition);

const ofMarket = (symbol: string) => ({symbol});
const ofCandles = (symbol: string) => ({symbol, period: inspectedPeriod});
const documented = documentedLimit;

export const createV2Operations = () => ({
	info: ofV2('info', {decode: v2.decodeInfo}),
	markets: ofV2('markets', {decode: v2.decodeMarkets, examine: examineMarkets}),
	ticker: ofV2('ticker', {decode: v2.decodeTickers, examine: examineTickers}),
	summary: ofV2('summary', {decode: v2.decodeSummary, examine: examineTickers}),
	depth: ofV2('depth', {decode: v2.decodeDepth, examine: examineBook, query: ofMarket}),
	trades: ofV2('trades', {decode: v2.decodeTrades, examine: examineTrades(true), query: ofMarket, limit: {}}),
	candles: ofV2('candles', {
		...{decode: v2.decodeCandles, examine: examineCandles(inspectedPeriod), query: ofCandles, limit: {documented}},
	}),
});

export const createV1Operations = () => ({
	ticker: ofV1('ticker', {decode: v1.decodeTickers, examine: examineTickers}),
	depth: ofV1('depth', {decode: decodeBook, examine: examineBook, query: ofMarket}),
	trades: ofV1('trades', {
		...{decode: v1.decodeTrades, examine: examineTrades(false), query: ofMarket, limit: {documented}},
	}),
});

/** Finds the flaws of an answer about `symbol`. */
type Examine<T> = (data: T, symbol: string) => readonly Flaw[];

export const examineMarkets: Examine<readonly Market[]> = (markets, symbol) =>
	nonEmpty('markets', markets, () => inspectedEntry('markets', markets, symbol));

export const examineTickers: Examine<readonly Ticker[]> = (tickers, symbol) =>
	nonEmpty('tickers', tickers, () => [
		...inspectedEntry('tickers', tickers, symbol),
		...flawed('crossed', 'tickers', tickers, {
			isFlawed: ({bid, ask}) => bid !== undefined && ask !== undefined && bid > ask,
			describe: ticker => `${ticker.symbol} bid ${ticker.bid}, ask ${ticker.ask}`,
		}),
		...flawed('unpriced', 'tickers', tickers, {
			isFlawed: ({last, volume, quoteVolume}) => last === undefined && ((volume ?? 0) > 0 || (quoteVolume ?? 0) > 0),
			describe: ticker => ticker.symbol,
		}),
	]);

export const examineBook: Examine<DepthBook> = book => {
	const {asks, bids} = book;
	return [
		...nonEmpty('asks', asks),
		...(bids ? nonEmpty('bids', bids) : []),
		...flawed('crossed', 'book', [book], {
			isFlawed: () => (bids?.[0]?.[0] ?? -Infinity) >= (asks[0]?.[0] ?? Infinity),
			describe: () => `bid ${bids?.[0]?.[0]}, ask ${asks[0]?.[0]}`,
		}),
	];
};

/** `sided`: whether the interface has the sides of trades. */
export const examineTrades =
	(sided: boolean): Examine<readonly Trade[]> =>
	trades =>
		nonEmpty('trades', trades, () =>
			flawed('sideless', 'trades', trades, {isFlawed: ({side}) => sided && side === undefined}),
		);

/** `period` in minutes. */
export const examineCandles =
	(period: Period): Examine<readonly Candle[]> =>
	candles =>
		nonEmpty('candles', candles, () => {
			const gapsMs = candles.slice(1).map(({time}, index) => time - (candles[index]?.time ?? time));
			return flawed('spacing', 'candles', gapsMs, {
				isFlawed: ms => isOffPeriod(ms, period),
				describe: formatAge,
			});
		});

/** The flaws of the `part` whose entries these are, if it has any. */
const nonEmpty = (
	part: string,
	entries: readonly unknown[],
	flaws: () => readonly Flaw[] = () => [],
): readonly Flaw[] => (entries.length === 0 ? [{kind: 'empty', part, example: undefined, count: 1, of: 1}] : flaws());

type Suspicion<T> = {readonly isFlawed: (entry: T) => boolean; readonly describe?: (entry: T) => string};

function flawed<T>(
	kind: Flaw['kind'],
	part: string,
	entries: readonly T[],
	{isFlawed, describe}: Suspicion<T>,
): readonly Flaw[] {
	const found = entries.filter(isFlawed);
	const [first] = found;
	if (first === undefined) return [];
	return [{kind, part, example: describe?.(first), count: found.length, of: entries.length}];
}

function inspectedEntry(
	part: string,
	entries: ReadonlyArray<Pick<Market, 'symbol' | 'state' | 'unreadable'>>,
	symbol: string,
): readonly Flaw[] {
	const entry = entries.find(each => each.symbol === symbol);
	if (!entry) return [{kind: 'absent', part, example: symbol, count: 1, of: entries.length}];
	if (entry.unreadable) return [{kind: 'unreadable', part, example: symbol, count: 1, of: entries.length}];
	const isActive = entry.state.toLowerCase() === activeState;
	return isActive ? [] : [{kind: 'inactive', part, example: entry.state, count: 1, of: 1}];
}

/** The entries of an answer as sent: of its list, its map, or the lists in it; undefined if it has none. */
export function sentEntries({json, answer}: Probe): readonly unknown[] | undefined {
	const data = answer && isRecord(json) ? json.data : undefined;
	if (Array.isArray(data)) return data;
	const parts = isRecord(data) ? Object.values(data) : undefined;
	if (parts?.some(part => Array.isArray(part))) return parts.filter(part => Array.isArray(part)).flat();
	return parts?.every(isRecord) ? parts : undefined;
}
