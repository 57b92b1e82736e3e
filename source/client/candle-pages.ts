import type {Candle} from '../market/types.ts';
import {ExchangeError} from './errors.ts';
import type {Answer, CandlesOptions} from './exchange.ts';

/** Candle starts, epoch ms, inclusive. */
export type StartRange = {readonly from: number; readonly to: number};

export type CandlePage = Answer<readonly Candle[]>;

export type PageOptions = Pick<CandlesOptions, 'from' | 'to' | 'limit'>;

type PageCandles = {
	readonly candles: readonly Candle[];
	/** There are none, and the exchange sent candles of other times. */
	readonly isElsewhere: boolean;
};

const nothing: PageCandles = {candles: [], isElsewhere: false};

export const ignoredRange = 'the exchange ignores the range';

/**
 * Creates the request of a page, which settles with the candles of the page that are in the range and keeps them. The
 * request after `most` is not made, and stops all.
 */
export function createRequest(readPage: (options: PageOptions) => Promise<CandlePage>, most: number) {
	/** What the requests so far have brought. */
	const received = {
		...{byTime: new Map<number, Candle>(), newest: undefined as CandlePage | undefined},
		...{dropped: 0, rounded: 0, misdated: 0},
		...{incomplete: undefined as string | undefined, failure: undefined as ExchangeError | undefined},
		/** Nothing more is requested. */
		isStopped: false,
	};
	let requests = 0;

	function stop(reason: string): void {
		received.incomplete ??= reason;
		received.isStopped = true;
	}

	function keep(answer: CandlePage, {from, to}: StartRange): PageCandles {
		const candles = answer.data.filter(({time}) => time >= from && time <= to);
		for (const candle of candles) received.byTime.set(candle.time, candle);
		received.newest ??= answer;
		// Without candles, possibly the same entries as in the answer before.
		const isNew = candles.length > 0;
		received.dropped = isNew ? received.dropped + answer.dropped : Math.max(received.dropped, answer.dropped);
		received.rounded += isNew ? (answer.rounded ?? 0) : 0;
		received.misdated += isNew ? (answer.misdated ?? 0) : 0;
		return {candles, isElsewhere: candles.length === 0 && isElsewhere(answer, from)};
	}

	async function request(options: PageOptions, range: StartRange): Promise<PageCandles> {
		if (requests++ === most) {
			stop('the exchange sends too few candles at a time');
			return nothing;
		}

		try {
			return keep(await readPage(options), range);
		} catch (error) {
			if (!(error instanceof ExchangeError) || error.kind === 'aborted') throw error;
			received.failure ??= error;
			received.incomplete ??= error.brief;
			received.isStopped = error.kind !== 'schema';
			return nothing;
		}
	}

	return {received, request, stop};
}

/**
 * Whether an answer without candles of a range, which starts at `from`, is about other times: it lies on one side of the
 * range. An answer on both sides shows that the exchange has none between them.
 */
function isElsewhere({data, outside}: CandlePage, from: number): boolean {
	if (!outside) return false;
	const before = outside.before || data.some(({time}) => time < from);
	const after = outside.after || data.some(({time}) => time > from);
	return before !== after;
}
