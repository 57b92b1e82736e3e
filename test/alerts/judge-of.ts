import type {Condition} from '../../source/alerts/condition.ts';
import {judge, type Side} from '../../source/alerts/judge.ts';
import {createNews, type MarketsData} from '../../source/alerts/market-data.ts';

/** Judges a condition for BTCUSDT on all that becomes known, in order. */
export function judgeOf(condition: Condition) {
	const of = {condition, own: 'BTCUSDT', byTicker: false};
	const newsOf = createNews();
	let sides: readonly Side[] | undefined;
	return (known: MarketsData, now: number) => {
		const judgement = judge(of, newsOf(known, now), sides);
		sides = judgement.sides;
		return {...judgement, held: judgement.moments.find(({holding}) => holding)?.holding};
	};
}
