import {AbortedError, type ErrorContext, type Operation} from './errors.ts';
import type {Answer, CallOptions, Exchange, Read} from './exchange.ts';
import type {Answers, Ask, Question, QuestionOf} from './question.ts';

/** A function for each kind of question. */
export type Handlers = {
	readonly [Kind in Ask]: (question: QuestionOf<Kind>, call: CallOptions) => Promise<Answer<Answers[Kind]>>;
};

/** A read with a function for each kind of question; where one is absent, `next` answers. */
export function readBy(handlers: Handlers): Read;
export function readBy(handlers: Partial<Handlers>, next: Read): Read;
export function readBy(handlers: Partial<Handlers>, next?: Read): Read {
	return ((question: Question, call: CallOptions = {}) => {
		const handler = handlers[question.ask] ?? next;
		return handler?.(question as never, call);
	}) as Read;
}

/** Adds one concern to all reads of an exchange. */
export type Middleware = (next: Read) => Read;

/** What an exchange has besides its reads. */
type Controls = Pick<Exchange, 'interfaces' | 'budget' | 'retryNow' | 'close'>;

/** The exchange that reads by `read`. */
export function exchangeOf(read: Read, {interfaces, budget, retryNow, close}: Controls): Exchange {
	return {
		read,
		info: call => read({ask: 'info'}, call),
		markets: call => read({ask: 'markets'}, call),
		tickers: call => read({ask: 'tickers'}, call),
		depth: (market, call) => read({ask: 'depth', market}, call),
		trades: (market, {limit, ...call} = {}) => read({ask: 'trades', market, limit}, call),
		candles: (market, {period, limit, from, to, ...call}) =>
			read({ask: 'candles', market, period, limit, from, to}, call),
		...{interfaces, budget, retryNow, close},
	};
}

/** The exchange whose reads pass through these concerns, the last of them first. */
export const withMiddleware = (exchange: Exchange, ...concerns: readonly Middleware[]): Exchange =>
	exchangeOf(
		concerns.reduce((read, concern) => concern(read), exchange.read),
		exchange,
	);

/** The operation that failures of this question name. */
export const operationOf = (ask: Ask): Operation => (ask === 'tickers' ? 'ticker' : ask);

/** The context of a failure before any request was sent. */
export const unsentContext = ({ask}: Question, {use}: CallOptions = {}): ErrorContext => ({
	...{operation: operationOf(ask), interface: use === 'legacy' ? use : 'v2', url: ''},
});

/** The failure of a read that was aborted before a request for it was sent. */
export const abortedRead = (question: Question, call?: CallOptions): AbortedError =>
	new AbortedError(unsentContext(question, call));
