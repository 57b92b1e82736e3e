import type {Condition} from '../../source/alerts/condition.ts';
import {heldIn, judge, type Side} from '../../source/alerts/judge.ts';
import {createNews, type KnownMarkets} from '../../source/alerts/known.ts';

/** Judges a condition for BTCUSDT on all that becomes known, in order. */
export function judgeOf(condition: Condition) {
	const newsOf = createNews();
	let sides: readonly Side[] | undefined;
	return (known: KnownMarkets, now: number) => {
		const judgement = judge(condition, newsOf(known, now), {own: 'BTCUSDT', sides});
		sides = judgement.sides;
		return {...judgement, held: heldIn(judgement)};
	};
}
