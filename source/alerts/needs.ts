import type {Needed} from './alert-event.ts';
import {answerIn, failureIn} from './answers.ts';
import type {KnownMarkets} from './news.ts';
import type {Data} from './quantity-values.ts';

/** The data of markets that is needed, by their keys. */
export type Needs = ReadonlyMap<string, ReadonlySet<Data>>;

/** The keys of the markets of which there is news that is needed. */
export function changedMarkets(needs: Needs, before: KnownMarkets, after: KnownMarkets): ReadonlySet<string> {
	const isSame = (market: string, data: Data) => {
		const [old, current] = [answerIn(before, market, data), answerIn(after, market, data)];
		return (
			old?.data === current?.data &&
			old?.receivedAt === current?.receivedAt &&
			failureIn(before, market, data) === failureIn(after, market, data)
		);
	};
	const changed = [...needs].filter(([market, all]) => ![...all].every(data => isSame(market, data)));
	return new Set(changed.map(([market]) => market));
}

/** Calculates what rules need when that of any has changed, or there are others. */
export function createNeeds(): (rules: ReadonlyArray<{readonly needs: readonly Needed[]}>) => Needs {
	let last: ReadonlyArray<readonly Needed[]> = [];
	let all = new Map<string, Set<Data>>();
	return rules => {
		const each = rules.map(({needs}) => needs);
		if (each.length === last.length && each.every((needs, index) => needs === last[index])) return all;
		last = each;
		all = new Map();
		for (const {market, data} of each.flat()) all.set(market, (all.get(market) ?? new Set()).add(data));
		return all;
	};
}
