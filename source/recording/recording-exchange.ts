import {AbortedError, ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {arrivedAt} from '../store/resource.ts';
import {type AnsweredRead, type Question, type ReadOutcome, recordedFailure} from './read-outcome.ts';

/** Takes how the reads of an exchange end. Must not throw. */
export type OutcomeSink = {add(outcome: ReadOutcome): void};

/** Passes each read on to `exchange`, and adds how it ended, unless it was aborted. Trades by a market's id are not added. */
export function recordingExchange(exchange: Exchange, clock: Clock, sink: OutcomeSink): Exchange {
	async function recorded<T, Options extends CallOptions>(
		question: Question,
		options: Options | undefined,
		read: (options: Options & CallOptions) => Promise<Answer<T>>,
		outcomeOf: (answer: Answer<T>, sentAt: number) => AnsweredRead,
	): Promise<Answer<T>> {
		let sentAt: number | undefined;
		const onSent = () => {
			sentAt ??= clock.now();
			options?.onSent?.();
		};
		try {
			const answer = await read({...(options as Options), onSent});
			sink.add(outcomeOf(answer, sentAt ?? arrivedAt(answer)));
			return answer;
		} catch (error) {
			if (error instanceof ExchangeError && !(error instanceof AbortedError)) {
				const failedAt = clock.now();
				sink.add({...question, sentAt: sentAt ?? failedAt, failedAt, failure: recordedFailure(error)});
			}

			throw error;
		}
	}

	return {
		...exchange,
		info: options =>
			recorded({operation: 'info'}, options, exchange.info, (answer, sentAt) => ({operation: 'info', sentAt, answer})),
		markets: options =>
			recorded({operation: 'markets'}, options, exchange.markets, (answer, sentAt) => ({
				...{operation: 'markets', sentAt, answer},
			})),
		tickers: options =>
			recorded({operation: 'ticker'}, options, exchange.tickers, (answer, sentAt) => ({
				...{operation: 'ticker', sentAt, answer},
			})),
		depth(symbol, options) {
			const read = (call: CallOptions) => exchange.depth(symbol, call);
			return recorded({operation: 'depth', symbol}, options, read, (answer, sentAt) => ({
				...{operation: 'depth', symbol, sentAt, answer},
			}));
		},
		trades(market, options) {
			if (typeof market !== 'string') return exchange.trades(market, options);
			const read = (call: CallOptions) => exchange.trades(market, call);
			return recorded({operation: 'trades', symbol: market}, options, read, (answer, sentAt) => ({
				...{operation: 'trades', symbol: market, sentAt, answer},
			}));
		},
		candles(symbol, options) {
			const {period} = options;
			const read = (call: typeof options) => exchange.candles(symbol, call);
			return recorded({operation: 'candles', symbol, period}, options, read, (answer, sentAt) => ({
				...{operation: 'candles', symbol, period, sentAt, answer},
			}));
		},
	};
}
