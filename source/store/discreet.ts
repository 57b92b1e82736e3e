import {ExchangeError} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import {remedies} from '../client/messages.ts';
import type {Middleware} from '../client/middleware.ts';
import {memo} from '../market/memo.ts';
import type {ReadFailure} from '../market/types.ts';

/**
 * For those who must not learn where the exchange is: failures name no address and no proxy, quote nothing that was sent, and
 * advise only what a reader can do.
 */
export const discreet: Middleware = next => async (question, call) => {
	try {
		return answerWithout(await next(question, call));
	} catch (error) {
		throw error instanceof ExchangeError ? withoutAddress(error) : error;
	}
};

const failureWithout = (failure: ReadFailure): ReadFailure =>
	failure instanceof ExchangeError ? withoutAddress(failure) : failure;

function answerWithout<T extends object>(answer: Answer<T>): Answer<T> {
	const {preferredFailure} = answer;
	const {bidsFailure}: {readonly bidsFailure?: ReadFailure | undefined} = answer.data;
	const data = bidsFailure ? {...answer.data, bidsFailure: failureWithout(bidsFailure)} : answer.data;
	if (!preferredFailure && !bidsFailure) return answer;
	return {...answer, data, preferredFailure: preferredFailure && failureWithout(preferredFailure)};
}

const withoutAddresses = new WeakSet<ExchangeError>();

/** Whether an error is one of a discreet exchange. */
export const isDiscreet = (error: ExchangeError): boolean => withoutAddresses.has(error);

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
	withoutAddresses.add(same);
	return same;
});

const isForReaders = (advice: string): boolean => advice === remedies.allowBoth || advice.startsWith('choose ');
