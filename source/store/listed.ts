import {UnavailableError} from '../client/errors.ts';
import type {Answer, CallOptions, Read} from '../client/exchange.ts';
import {type Middleware, unsentContext} from '../client/middleware.ts';
import type {Clock} from '../market/clock.ts';
import {marketSuggestion, marketsNamed} from '../market/symbol.ts';
import type {Market} from '../market/types.ts';
import {secondMs} from '../market/units.ts';

/** A market may have been listed since a list of this age. */
export const recentListMs = 5 * secondMs;

type Asking = {readonly read: Read; readonly clock: Clock};

/**
 * `list`, or, where it lacks one of `texts` and is older than five seconds, a new one: the market may have been
 * listed since. If that cannot be read, `list`.
 */
export async function listWith(
	texts: readonly string[],
	list: Answer<readonly Market[]>,
	{read, clock}: Asking,
	call: CallOptions,
): Promise<Answer<readonly Market[]>> {
	const isWhole = texts.every(text => marketsNamed(list.data, text).length > 0);
	if (isWhole || list.data.length === 0 || clock.now() - list.receivedAt < recentListMs) return list;
	return read({ask: 'markets'}, {...call, fresh: true}).catch(() => list);
}

/**
 * For a viewer, who can make names up: reads of a market that the list of markets lacks (`listWith`) reject with an
 * `UnavailableError` without a request. A list that fails, is empty or has entries without a readable name proves nothing. A market
 * that was read once is read whatever later lists say.
 */
export const listedOnly =
	(clock: Clock): Middleware =>
	next => {
		const allowed = new Set<string>();

		/** Of the list that lacks it; undefined: no list is known to. */
		async function marketsWithout(text: string, {signal, use}: CallOptions) {
			const call = {signal, use};
			const cached = await next({ask: 'markets'}, call).catch(() => undefined);
			const list = cached && (await listWith([text], cached, {read: next, clock}, call));
			return list && isUnlisted(list, text) ? list.data : undefined;
		}

		return async (question, call = {}) => {
			if (!('market' in question) || typeof question.market !== 'string') return next(question, call);
			const {market} = question;
			const others = allowed.has(market) ? undefined : await marketsWithout(market, call);
			if (!others) {
				allowed.add(market);
				return next(question, call);
			}

			const remedy = marketSuggestion(others, market) || 'choose another market';
			throw new UnavailableError({...unsentContext(question, call), brief: `no market ${market}`, remedy});
		};
	};

function isUnlisted({data, dropped}: Answer<readonly Market[]>, text: string): boolean {
	const isWhole = dropped <= data.filter(({unreadable}) => unreadable).length;
	return isWhole && data.length > 0 && marketsNamed(data, text).length === 0;
}
