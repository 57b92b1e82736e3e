/// <reference lib="esnext.disposable" preserve="true" />
/** What `import 'tapewatch'` gives to other programs. docs/library.md. */
import {connect as openClient} from './client/connect.ts';
import {
	AbortedError,
	ExchangeError,
	HttpStatusError,
	NetworkError,
	RefusedError,
	SchemaError,
	TimeoutError,
	TooLargeError,
	UnavailableError,
} from './client/errors.ts';
import type {Exchange as Client, ConnectOptions} from './client/exchange.ts';
import {withWholeRanges} from './client/whole-ranges.ts';
import {systemClock} from './market/clock.ts';

/**
 * A spot exchange, read-only. Every read rejects with an `ExchangeError` and nothing else. A `symbol` is any spelling of the
 * pair: `BTCUSDT`, `BTC_USDT`, `btc-usdt`.
 */
export type Exchange = Client & {
	/** Closes the exchange at the end of a block that declares it with `await using`. */
	[Symbol.asyncDispose](): Promise<void>;
};

/**
 * Creates an exchange over HTTP, through the proxies that the environment names. No request is made before the first read, and
 * no read is retried. Throws a TypeError if there is no address, an address is not http(s) or carries credentials, or a number
 * is not positive and finite.
 */
export function connect(options: ConnectOptions): Exchange {
	const {baseUrl, legacyBaseUrl, timeoutMs, rate, maxRate, maxBytes, observe} = options;
	const client = withWholeRanges(
		openClient({baseUrl, legacyBaseUrl, timeoutMs, rate, maxRate, maxBytes, observe}),
		systemClock,
	);
	return {...client, [Symbol.asyncDispose]: client.close};
}

const errors = {
	...{AbortedError, ExchangeError, HttpStatusError, NetworkError, RefusedError},
	...{SchemaError, TimeoutError, TooLargeError, UnavailableError},
};
// The bundle minifies the names of classes, which Node shows in front of an error.
for (const [name, value] of Object.entries(errors)) Object.defineProperty(value, 'name', {value: name});

export type {ErrorKind, Operation} from './client/errors.ts';
export type {
	Answer,
	Budget,
	CacheUse,
	CallOptions,
	CandlesOptions,
	ConnectOptions,
	InterfaceChoice,
	Observe,
	Outcome,
	Read,
	TradesOptions,
} from './client/exchange.ts';
export type {Answers, CandleSelection, MarketId, Question} from './client/question.ts';
export type {
	Candle,
	CapabilityFlag,
	DepthBook,
	ExchangeInfo,
	Interface,
	Level,
	Market,
	Period,
	ReadFailure,
	Side,
	Ticker,
	Trade,
} from './market/types.ts';
export {
	AbortedError,
	ExchangeError,
	HttpStatusError,
	NetworkError,
	RefusedError,
	SchemaError,
	TimeoutError,
	TooLargeError,
	UnavailableError,
};
