import type {Candle, DepthBook, ExchangeInfo, Market, Period, Ticker, Trade} from '../market/types.ts';

/** The number of a market in the list of v2, as decimal text. */
export type MarketId = {readonly id: string};

/**
 * What an exchange can be asked. A `market` is a symbol in any spelling: `BTCUSDT`, `BTC_USDT`, `btc-usdt`. Only v2 reads trades by a
 * market's id.
 */
export type Question =
	| {readonly ask: 'info'}
	| {readonly ask: 'markets'}
	| {readonly ask: 'tickers'}
	| {readonly ask: 'depth'; readonly market: string}
	| {
			readonly ask: 'trades';
			readonly market: string | MarketId;
			/** 1 to 1000; absent: the exchange's default. */
			readonly limit?: number | undefined;
	  }
	| ({readonly ask: 'candles'; readonly market: string} & CandleSelection);

/** Which candles. */
export type CandleSelection = {
	/** In minutes, sent as it is. The exchange may refuse some: its specification lists none. */
	readonly period: Period;
	/** 1 to 1000; absent: the exchange's default, 500. */
	readonly limit?: number | undefined;
	/** The earliest start of a candle, epoch ms, inclusive; absent: the exchange decides. */
	readonly from?: number | undefined;
	/** The latest start of a candle, epoch ms, inclusive; absent: the newest. */
	readonly to?: number | undefined;
};

export type Ask = Question['ask'];

export type QuestionOf<Kind extends Ask> = Extract<Question, {readonly ask: Kind}>;

/** What each question is answered with. */
export type Answers = {
	readonly info: ExchangeInfo;
	readonly markets: readonly Market[];
	readonly tickers: readonly Ticker[];
	readonly depth: DepthBook;
	readonly trades: readonly Trade[];
	readonly candles: readonly Candle[];
};

/** The market that a question names; undefined: it names none, or the market's id. */
export const marketOf = (question: Question): string | undefined =>
	'market' in question && typeof question.market === 'string' ? question.market : undefined;

/** Equal for equal questions. */
export const keyOf = (question: Question): string =>
	JSON.stringify(
		Object.entries(question)
			.filter(([, value]) => value !== undefined)
			.toSorted(),
	);
