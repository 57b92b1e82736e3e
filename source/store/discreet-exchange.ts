import {ExchangeError} from '../client/errors.ts';
import type {Answer, Exchange} from '../client/exchange.ts';
import {remedies} from '../client/messages.ts';
import {memo} from '../market/memo.ts';
import type {DepthBook, ReadFailure} from '../market/types.ts';

/**
 * The exchange for those who must not learn where it is: failures name no address and no proxy, quote nothing that was sent, and
 * advise only what a reader can do.
 */
export function discreetExchange(exchange: Exchange): Exchange {
	async function discreetly<T>(read: Promise<Answer<T>>, withoutAddresses = answerWithout<T>): Promise<Answer<T>> {
		try {
			return withoutAddresses(await read);
		} catch (error) {
			throw error instanceof ExchangeError ? withoutAddress(error) : error;
		}
	}

	return {
		...exchange,
		info: call => discreetly(exchange.info(call)),
		markets: call => discreetly(exchange.markets(call)),
		tickers: call => discreetly(exchange.tickers(call)),
		depth: (symbol, call) => discreetly(exchange.depth(symbol, call), bookWithout),
		trades: (market, call) => discreetly(exchange.trades(market, call)),
		candles: (symbol, call) => discreetly(exchange.candles(symbol, call)),
	};
}

const failureWithout = (failure: ReadFailure): ReadFailure =>
	failure instanceof ExchangeError ? withoutAddress(failure) : failure;

function answerWithout<T>(answer: Answer<T>): Answer<T> {
	const {preferredFailure} = answer;
	return preferredFailure ? {...answer, preferredFailure: failureWithout(preferredFailure)} : answer;
}

function bookWithout(answer: Answer<DepthBook>): Answer<DepthBook> {
	const {bidsFailure} = answer.data;
	const data = bidsFailure ? {...answer.data, bidsFailure: failureWithout(bidsFailure)} : answer.data;
	return answerWithout({...answer, data});
}

const discreet = new WeakSet<ExchangeError>();

/** Whether an error is one of a `discreetExchange`. */
export const isDiscreet = (error: ExchangeError): boolean => discreet.has(error);

const withoutAddress = memo((error: ExchangeError): ExchangeError => {
	const {operation, interface: source, kind, status = 0, words, other} = error;
	// What these say of others is where they are.
	const isOwn = kind === 'network' || kind === 'timeout' || (status >= 300 && status < 400);
	const brief = isOwn ? words.own : words.brief;
	const advice = isForReaders(words.advice) ? words.advice : '';
	const changes = {
		...{url: '', words: {...words, brief, text: isOwn ? brief : words.text, advice}},
		other: other && withoutAddress(other),
	};
	// It stays one of its class. What an exchange sent may repeat the address.
	const same: ExchangeError = Object.assign(Object.create(Object.getPrototypeOf(error)), error, changes);
	for (const [name, value] of Object.entries({
		message: `${brief} (${source} ${operation})`,
		stack: '',
		cause: undefined,
	}))
		Object.defineProperty(same, name, {value, configurable: true, writable: true});
	discreet.add(same);
	return same;
});

const isForReaders = (advice: string): boolean => advice === remedies.allowBoth || advice.startsWith('choose ');
