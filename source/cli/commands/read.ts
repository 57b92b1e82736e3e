import {candleCount, type PageOptions, readCandleRange} from '../../client/candle-range.ts';
import type {Answer, CallOptions} from '../../client/exchange.ts';
import type {MarketId, QuestionOf} from '../../client/question.ts';
import {formatCount, formatExact} from '../../format/number.ts';
import {formatDateTime, formatPeriod} from '../../format/time.ts';
import {groupCandles, startsOfGaps} from '../../market/candle-groups.ts';
import {isOtherPeriod} from '../../market/candles.ts';
import {findMarket, isNumbered, marketsNamed, pairName, sharedName, symbolKey} from '../../market/symbol.ts';
import {largestPage, type Market, mostRangeCandles, type Ticker, type Trade} from '../../market/types.ts';
import type {Recorded} from '../../recording/recorded-exchange.ts';
import type {Table} from '../../view/kit/table.ts';
import {type Context, viewerLimits} from '../context.ts';
import {exitStatus, UsageError} from '../exit.ts';
import type {OutputFormat} from '../options/option-table.ts';
import {
	demoTitle,
	failureText,
	insteadText,
	isTableFormat,
	misdatedText,
	printTable,
	roundedText,
	tableWidth,
} from '../output.ts';
import {type RequestedTimes, recordedTitle} from '../recorded.ts';
import {type Arrangement, arranged, arrangedLevels, quotedIn, unsortedTexts} from './arrange.ts';
import * as documents from './documents.ts';
import {readable} from './documents.ts';
import {tradeEventId} from './event-lines.ts';
import {
	type Asking,
	listNaming,
	type MarketList,
	marketByBase,
	marketNamed,
	readMarket,
	readMarketWithId,
	readQuotedMarket,
} from './lookup.ts';
import {readHeld} from './read-holdings.ts';
import {
	buildCandles,
	type CandleRead,
	candlesOfParts,
	countTapeGaps,
	hasCandles,
	missingTexts,
	rangeTitle,
	readOfParts,
	readTrades,
	refuseTooManyCandles,
	unrecordedTexts,
} from './read-range.ts';
import {rowLines} from './row-lines.ts';
import * as tables from './tables.ts';

type Arranged = {readonly arrangement: Arrangement};

/** What one of the read commands requests. */
export type ReadRequest =
	| QuestionOf<'info'>
	| (QuestionOf<'markets'> & Arranged)
	/** `markets` in any spelling; none: all. */
	| (QuestionOf<'tickers'> & Arranged & {readonly markets: readonly string[]})
	/** Each side is arranged by itself. With a quote asset, `market` may be a base asset alone. */
	| (QuestionOf<'depth'> & Arranged)
	/** The times are those of a recording, inclusive. */
	| (QuestionOf<'trades'> & RequestedTimes)
	/** The period is a fraction of a minute only of a recording. */
	| QuestionOf<'candles'>
	/** The user's, valued at tickers. */
	| {readonly ask: 'holdings'};

/** One answer, for programs and for people. */
type Reply = {
	readonly answer: Answer<unknown>;
	readonly document: object;
	table(style: tables.TableStyle): Table;
	/** Of what time of a recording it is. Default: of its moment. */
	readonly recorded?: string | undefined;
	/** Notes about the answer that are no failures. */
	readonly remarks?: readonly string[] | undefined;
	/** What `ndjson` alone has of each entry. */
	lineFields?(): readonly object[];
	/** What a title says and rows cannot. */
	readonly titleOnly?: string | undefined;
	/** What the answer should have and does not, and why; absent: it is complete. */
	readonly missing?: string | undefined;
};

/** Reads the exchange and prints the answer. Settles with the exit status; rejects with a `UsageError` or an `ExchangeError`. */
export async function runRead(
	request: ReadRequest,
	context: Context,
	signal: AbortSignal,
	format: OutputFormat = 'table',
): Promise<number> {
	const {options, demo, output} = context;
	const {print, note} = output;
	const isTable = isTableFormat(format);
	const priority = context.viewer ? 2 : undefined;
	const read = await reply(request, context, {signal, use: options.choice, priority});
	const {answer, document, table, recorded = momentTitle(context), remarks = [], titleOnly, missing} = read;
	if (!isTable && demo) note(demoTitle);
	if (!isTable && recorded !== undefined) note(recorded);
	if (answer.preferredFailure) note(insteadText(answer.preferredFailure, answer.interface));
	for (const remark of remarks) note(remark);
	if (titleOnly !== undefined && !isTable && format !== 'json') note(titleOnly);
	if (answer.rounded) note(roundedText(answer.rounded));
	if (answer.misdated) note(misdatedText(answer.misdated, request.ask === 'candles' ? 'candle' : 'trade'));
	const origin = {...documents.originOf(context), ...documents.recordedOf(context)};
	const whole = {...document, ...origin};
	if (isTable) {
		const {ascii, zone} = options;
		const width = tableWidth(format, output);
		await printTable(table({demo, ascii, recorded, zone, width}), output);
	} else if (format === 'json') await print(textOf([JSON.stringify(whole)]));
	else await print(textOf(rowLines(request.ask, whole, format, format === 'ndjson' ? read.lineFields?.() : [])));
	if (missing !== undefined) throw new Error(missing);
	return exitStatus.done;
}

const textOf = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

const momentTitle = ({recorded, options}: Context): string | undefined =>
	recorded && recordedTitle(recorded, options.zone);

async function reply(request: ReadRequest, context: Context, call: CallOptions): Promise<Reply> {
	const {exchange} = context;
	switch (request.ask) {
		case 'info': {
			const answer = await exchange.info(call);
			return {answer, document: documents.infoDocument(answer), table: style => tables.infoTable(answer, style)};
		}

		case 'markets': {
			const list = await exchange.markets(call);
			const {quote} = request.arrangement;
			const chosen = quote === undefined ? list.data : quotedIn(list.data, quote);
			const answer = {...list, data: arranged(readable(chosen), request.arrangement)};
			const table = (style: tables.TableStyle) => tables.marketsTable(answer, style);
			const remarks = unsortedTexts(answer.data, request.arrangement, 'market');
			return {answer, document: documents.marketsDocument(answer), table, remarks};
		}

		case 'tickers': {
			const {answer, absent} = await readTickers(request.markets, request.arrangement, context, call);
			const table = (style: tables.TableStyle) => tables.tickerTable(answer, style);
			const none = answer.dropped > 0 ? 'no readable ticker' : 'no ticker';
			const names = absent.map(({symbol}) => symbol).join(', ');
			const shared = absent.find(isNumbered);
			const problem = context.recorded
				? `the recording has no ticker of ${names} at that time`
				: shared
					? `the tickers named ${sharedName(shared)} cannot be told apart: none is known to be of ${pairName(shared)}`
					: `the exchange has ${none} for ${names}; try again later`;
			const missing = absent.length > 0 ? problem : undefined;
			const remarks = unsortedTexts(answer.data, request.arrangement, 'ticker');
			return {answer, document: documents.tickerDocument(answer), table, remarks, missing};
		}

		case 'depth': {
			const read = (symbol: string) => exchange.depth(symbol, call);
			const {arrangement} = request;
			const {quote} = arrangement;
			const {market, answer: whole} =
				quote === undefined
					? await readMarket(context, request.market, call, read)
					: await readQuotedMarket(context, {text: request.market, quote}, call, read);
			const {asks, bids} = whole.data;
			const sides = {asks: arrangedLevels(asks, arrangement), bids: bids && arrangedLevels(bids, arrangement)};
			const answer = {...whole, data: {...whole.data, ...sides}};
			const table = (style: tables.TableStyle) => tables.depthTable(market, answer, style);
			const {bidsFailure} = answer.data;
			const missing = bidsFailure && `the book has no bids: ${failureText(bidsFailure)}`;
			const titleOnly = bids ? undefined : 'bids not shown by this interface';
			return {answer, document: documents.depthDocument(market.symbol, answer), table, titleOnly, missing};
		}

		case 'trades':
			return tradesReply(request, context, call);
		case 'candles':
			return candlesReply(request, context, call);
		case 'holdings':
			return readHeld(context, call);
	}
}

const otherPeriod = 'the exchange sends candles of another period';
const ignoredLimit = 'limit ignored by the exchange';
const shortText = (received: number, limit: number, noun: string) =>
	`${formatExact(received)} of ${formatExact(limit)} ${noun} received`;

type TradesRequest = Extract<ReadRequest, {ask: 'trades'}>;

async function tradesReply(request: TradesRequest, context: Context, call: CallOptions): Promise<Reply> {
	const {market: named, limit} = request;
	const {recorded} = context;
	if (recorded && (request.from ?? request.to) !== undefined) return tradesOfRange(request, context, recorded, call);
	const read = (of: string | MarketId) => context.exchange.trades(of, {...call, limit});
	const {market, answer: whole} =
		typeof named === 'string'
			? await readMarket(context, named, call, read)
			: await readMarketWithId(context, named.id, call, () => read(named));
	const received = whole.data.length;
	const answer = limit !== undefined && received > limit ? {...whole, data: whole.data.slice(0, limit)} : whole;
	const gaps = recorded && market ? countTapeGaps(recorded, market.symbol, answer.data) : 0;
	const remarks = [
		...(limit === undefined || received === limit
			? []
			: [received > limit ? ignoredLimit : shortText(received, limit, 'trades')]),
		...(gaps > 0 ? [`trades may be missing in ${formatCount(gaps, 'gap')}`] : []),
	];
	const shown = market ?? {symbol: `market ${typeof named === 'string' ? named : named.id}`, state: ''};
	const table = (style: tables.TableStyle) => tables.tradesTable(shown, answer, style, remarks);
	const lineFields = () => eventIds(answer, market?.symbol, context);
	return {answer, document: documents.tradesDocument(market?.symbol ?? null, answer), lineFields, table, remarks};
}

/** The ids that the trades have as events of a watch, oldest first. */
const eventIds = (answer: Answer<readonly Trade[]>, symbol: string | undefined, context: Context) =>
	answer.data.toReversed().map(trade => ({
		eventId: symbol === undefined ? null : tradeEventId(documents.originOf(context), {...answer, symbol, trade}),
	}));

/** The trades of a stretch of a recording. */
async function tradesOfRange(
	{market: named, from, to, limit}: TradesRequest,
	context: Context,
	recorded: Recorded,
	call: CallOptions,
): Promise<Reply> {
	if (typeof named !== 'string') throw new UsageError('--from and --to need MARKET, not --market-id');
	const {market, answer: range} = await readMarket(context, named, call, async symbol =>
		readTrades(recorded, symbol, {from, to}, limit),
	);
	const {answer} = range;
	return {
		answer,
		document: {...documents.tradesDocument(market.symbol, answer), ...range.range, missing: range.missing},
		lineFields: () => eventIds(answer, market.symbol, context),
		table: style => tables.tradesTable(market, answer, style),
		recorded: rangeTitle(range.range, context.options.zone),
		remarks: missingTexts(range.missing),
	};
}

/** Candles of a recording that are built from its trades. */
async function builtCandlesReply(
	request: QuestionOf<'candles'>,
	context: Context,
	recorded: Recorded,
	call: CallOptions,
): Promise<Reply> {
	const {period} = request;
	const {market, answer: built} = await readMarket(context, request.market, call, async symbol =>
		buildCandles(recorded, symbol, request),
	);
	const {answer} = built;
	return {
		answer,
		document: documents.builtCandlesDocument(market.symbol, period, built),
		table: style => tables.candlesTable(market, period, answer, style, ['built from trades']),
		recorded: rangeTitle(built.range, context.options.zone),
		remarks: missingTexts(built.missing),
	};
}

async function candlesReply(request: QuestionOf<'candles'>, context: Context, call: CallOptions): Promise<Reply> {
	const {period, limit, from, to} = request;
	const {recorded, output} = context;
	const now = context.clock.now();
	const parts = readOfParts(request, now);
	if (recorded && !hasCandles(recorded, {...request, period: parts.period}))
		return builtCandlesReply(request, context, recorded, call);
	const most = context.viewer ? viewerLimits.candles : mostRangeCandles;
	refuseTooManyCandles(partCount(parts, now), parts.period, most);
	const onPage = (page: number, of: number) => of > 1 && output.showProgress(`page ${page} of ${of}`);
	const read = async (symbol: string) => {
		const readPage = (page: PageOptions) => context.exchange.candles(symbol, {...call, ...page, period: parts.period});
		const readTrades = () => context.exchange.trades(symbol, {...call, limit: largestPage});
		const checks = recorded ? {} : {readTrades};
		return readCandleRange(readPage, {...parts, now, onPage, ...checks}).finally(output.clearProgress);
	};
	const {market, answer: range} = await readMarket(context, request.market, call, read);
	const partsRead = range.answer.data;
	const answer = {...range.answer, data: candlesOfParts(partsRead, request, parts)};
	if (!recorded && answer.data.length === 0) refuseFuture(from, Math.max(now, answer.serverTime ?? now));
	const {failure, limitIgnored} = range;
	const incomplete = range.incomplete ?? (isOtherPeriod(partsRead, parts.period) ? otherPeriod : undefined);
	const received = answer.data.length;
	const unrecorded = recorded ? unrecordedTexts(recorded, parts, partsRead) : [];
	const isShort = from === undefined && limit !== undefined && received < limit;
	const subject = isShort ? shortText(received, limit, 'candles') : 'candles may be missing';
	const builtFrom = parts.period === period ? undefined : parts.period;
	const remarks = [
		...(limitIgnored ? [ignoredLimit] : []),
		...(isShort && !incomplete ? [`${subject}: the ${recorded ? 'recording' : 'exchange'} has no more`] : []),
		...(received > 0 ? unrecorded : []),
	];
	const [first] = answer.data;
	const used = partsRead.filter(({time}) => first !== undefined && time >= first.time);
	const lacking = builtFrom === undefined ? undefined : startsOfGaps(groupCandles(used, builtFrom, period));
	const isBounded = (from ?? to ?? limit) !== undefined;
	// What ignores a limit may leave out something else.
	const doubt = incomplete ?? (limitIgnored ? ignoredLimit : undefined);
	const lacks = doubt ?? unrecorded[0];
	const extent = {complete: lacks === undefined ? isBounded || null : false, incomplete: lacks ?? null};
	const title = [
		...(builtFrom === undefined ? [] : [`built from ${formatPeriod(builtFrom)}`]),
		...remarks,
		...(incomplete ? [`incomplete: ${incomplete}`] : []),
	];
	return {
		answer,
		document: documents.candlesDocument(market.symbol, {period, builtFrom, parts: used, lacking}, answer, extent),
		table: style => tables.candlesTable(market, period, answer, style, title, lacking),
		remarks,
		missing:
			recorded && received === 0 ? unrecorded[0] : incomplete && `${subject}: ${failureText(failure ?? incomplete)}`,
	};
}

/** Throws a `UsageError` if the range begins later than `now`, by the clock that is ahead: ours or the exchange's. */
function refuseFuture(from: number | undefined, now: number): void {
	if (from !== undefined && from > now)
		throw new UsageError(`--from is in the future: it is ${formatDateTime(now)} UTC`);
}

/** How many candles are read at most; 0: as many as the exchange sends. */
function partCount({from, to, period, limit = Infinity}: CandleRead, now: number): number {
	const count = from === undefined ? limit : Math.min(candleCount({from, to: to ?? now}, period), limit);
	return Number.isFinite(count) ? count : 0;
}

type Tickers = {
	readonly answer: Answer<readonly Ticker[]>;
	/** Markets that exist, but have no ticker in the answer. */
	readonly absent: ReadonlyArray<Pick<Market, 'symbol' | 'id' | 'base' | 'quote'>>;
};

/** Reads the tickers of the markets in `texts`, in that order, or of all markets, then arranges them. */
async function readTickers(
	texts: readonly string[],
	arrangement: Arrangement,
	context: Asking,
	call: CallOptions,
): Promise<Tickers> {
	const {exchange} = context;
	const {quote} = arrangement;
	if (texts.length === 0 && quote === undefined) {
		const all = await exchange.tickers(call);
		return {answer: {...all, data: arranged(all.data, arrangement)}, absent: []};
	}

	const [list, tickers] = await Promise.allSettled([listNaming(texts, context, call), exchange.tickers(call)]);
	if (tickers.status === 'rejected') throw tickers.reason;
	// The list tells apart the tickers that are read after it.
	const isUnambiguous = list.status === 'rejected' || !list.value.data.some(isNumbered);
	const answer = isUnambiguous ? tickers.value : await exchange.tickers(call);
	// Only the list of markets tells the quote asset.
	if (quote !== undefined && list.status === 'rejected') throw list.reason;
	const quoted = quote !== undefined && list.status === 'fulfilled' ? quotedIn(list.value.data, quote) : undefined;
	const ofQuote = quoted && new Set(quoted.map(({symbol}) => symbol));
	const isChosen = (symbol: string) => ofQuote?.has(symbol) ?? true;
	// The tickers name the markets too.
	const markets: MarketList = list.status === 'fulfilled' && list.value.data.length > 0 ? list.value : answer;
	// An empty list is no evidence of which markets there are.
	const symbolOf = (text: string) => {
		if (markets.data.length === 0) return symbolKey(text);
		const isListed = marketsNamed(markets.data, text).length > 0;
		const unlisted = isListed || quoted ? undefined : findMarket(answer.data, text);
		return (marketByBase(quoted ?? [], text) ?? unlisted ?? marketNamed(markets.data, text, markets.dropped)).symbol;
	};
	const named = texts.length > 0 ? texts.map(symbolOf) : answer.data.map(({symbol}) => symbol);
	const wanted = [...new Set(named)].filter(isChosen);
	const bySymbol = new Map(answer.data.map(ticker => [ticker.symbol, ticker]));
	return {
		answer: {
			...answer,
			data: arranged(
				wanted.flatMap(symbol => bySymbol.get(symbol) ?? []),
				arrangement,
			),
		},
		absent: wanted
			.filter(symbol => !bySymbol.has(symbol))
			.map(symbol => markets.data.find(market => market.symbol === symbol) ?? {symbol}),
	};
}
