import type {Clock} from '../../market/clock.ts';
import {defaultSymbol} from '../../market/symbol.ts';
import type {DepthBook, Interface, Market, Ticker, Trade} from '../../market/types.ts';
import {quoteLine} from '../body.ts';
import {AbortedError, ExchangeError, HttpStatusError, type Operation, RefusedError, SchemaError} from '../errors.ts';
import type {Answer} from '../exchange.ts';
import {createHttp, type Head, type Http} from '../http.ts';
import {createPaces} from '../pace.ts';
import {createV1Client, v1Paths} from '../wire/v1/client.ts';
import {createV2Client, v2Paths} from '../wire/v2/client.ts';
import {inspectedPeriod} from './operations.ts';
import {tapHttp} from './session.ts';

/** One probe of every operation of one interface. */
export type Survey = {
	readonly interface: Interface;
	/** Whether it lists a market or a ticker: the address has this interface. */
	readonly isFound: boolean;
	/** Number of markets, or where the list cannot be read, of tickers. */
	readonly markets: number;
	/** The market that was read; absent without a market. */
	readonly symbol?: string | undefined;
	/** How long the first read took, in ms. */
	readonly durationMs: number;
	/** Of the book that was read; absent: it failed. */
	readonly book?: DepthBook | undefined;
	/** How operations failed. */
	readonly failures: ReadonlyMap<Operation, ExchangeError>;
	/** What answered instead; absent if the interface is found or nothing answered. */
	readonly instead?: Instead | undefined;
};

/** An answer that is not this interface's. */
export type Instead = {
	/** HTTP status. */
	readonly status: number;
	/** Without parameters, such as `text/html`; absent: the answer has none. */
	readonly contentType?: string | undefined;
	/** Title of a web page. */
	readonly title?: string | undefined;
	/** The start of the body in one line of at most 200 characters, without control characters; empty: there is none. */
	readonly start: string;
};

type SurveyOptions = {
	/** Has been validated. */
	readonly url: URL;
	/** Limit for a request. */
	readonly timeoutMs: number;
	/** Requests per second. */
	readonly rate: number;
	readonly clock: Clock;
	/** In [0, 1), for jitter. */
	readonly random: () => number;
	readonly signal: AbortSignal;
};

/**
 * Reads each operation of `interfaces` at one address once, to learn which of them it has. After a failure without an
 * answer nothing else is sent to it. Rejects only with an AbortedError.
 */
export async function surveyAddress(
	interfaces: readonly Interface[],
	{url, timeoutMs, rate, clock, random, signal}: SurveyOptions,
): Promise<readonly Survey[]> {
	const paces = createPaces([url], {rate, maxRate: rate, clock, random});
	const http = createHttp({timeoutMs, paceOf: paces.of, clock});
	try {
		const surveys: Survey[] = [];
		for (const source of interfaces) {
			const survey = await surveyInterface(source, {http, url, clock, signal});
			surveys.push(survey);
			const [failure] = survey.failures.values();
			if (failure && !survey.isFound && !survey.instead) break;
		}

		return surveys;
	} finally {
		await http.close();
	}
}

type Surroundings = {readonly http: Http; readonly url: URL; readonly clock: Clock; readonly signal: AbortSignal};

async function surveyInterface(source: Interface, {http, url, clock, signal}: Surroundings): Promise<Survey> {
	const failures = new Map<Operation, ExchangeError>();
	const tapped = tapHttp(http);
	async function read<T>(operation: Operation, reading: () => Promise<Answer<T>>): Promise<T | undefined> {
		try {
			return (await reading()).data;
		} catch (error) {
			if (!(error instanceof ExchangeError) || error instanceof AbortedError) throw error;
			failures.set(operation, error);
			return undefined;
		}
	}

	const v2 = source === 'v2' ? createV2Client(tapped.http, url, {clock}) : undefined;
	const client = v2 ?? createV1Client(tapped.http, url, {clock});
	let startedAt = clock.now();
	const onSent = () => {
		startedAt = clock.now();
	};
	const list = await read<readonly Market[]>('markets', () =>
		client.answers.markets({ask: 'markets'}, {signal, onSent}),
	);
	const durationMs = Math.max(clock.now() - startedAt, 0);
	const {head, raw} = tapped.last();
	const nothing = {interface: source, isFound: false, markets: 0, durationMs, failures};
	if (!head) return nothing;
	const start = startOf(failures.get('markets'), raw?.text ?? '');
	const tickers = await read<readonly Ticker[]>('ticker', () => client.answers.tickers({ask: 'tickers'}, {signal}));
	const markets = list?.length || tickers?.length || 0;
	if (markets === 0) return {...nothing, instead: insteadOf(head, start)};
	const symbol = defaultSymbol(list ?? []) ?? tickers?.[0]?.symbol ?? '';
	const name = list?.find(market => market.symbol === symbol)?.name ?? symbol;
	const book = await read<DepthBook>('depth', () => client.answers.depth({ask: 'depth', market: name}, {signal}));
	await read<readonly Trade[]>('trades', () =>
		client.answers.trades({ask: 'trades', market: name, limit: 1}, {signal}),
	);
	if (v2)
		await read('candles', () =>
			v2.answers.candles({ask: 'candles', market: name, period: inspectedPeriod, limit: 1}, {signal}),
		);

	return {...nothing, isFound: true, markets, symbol, book};
}

/** What a failure quotes of the answer, else the start of `text`, which was read without a failure. */
function startOf(failure: ExchangeError | undefined, text: string): string {
	if (failure instanceof HttpStatusError || failure instanceof RefusedError) return failure.body;
	if (failure instanceof SchemaError && failure.quoted !== undefined) return failure.quoted;
	return quoteLine(text);
}

function insteadOf({status, headers}: Head, start: string): Instead {
	const contentType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
	const title = /<title[^>]*>([^<]+)/i.exec(start)?.[1]?.trim();
	return {status, start, ...(contentType && {contentType: quoteLine(contentType)}), ...(title && {title})};
}

/** The address without the path of an operation, with which it may have been copied, and without a slash at its end. */
export function baseAddressOf(url: string): string {
	const paths = [...Object.values(v2Paths), ...Object.values(v1Paths)];
	const bare = url.replace(/\/+$/, '');
	const path = paths.find(each => bare.endsWith(each));
	return path === undefined ? bare : bare.slice(0, -path.length);
}
