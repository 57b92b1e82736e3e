import type {Clock} from '../../market/clock.ts';
import {answerKnownMs} from '../../recording/known-time.ts';
import {endOf, type ReadOutcome} from '../../recording/read-outcome.ts';
import {type IntervalChoices, pollIntervals} from '../../store/polling.ts';

/** Counts the stretches without data of trades and books, those that last among them, where these intervals are chosen. */
export function createRecordedGaps(
	clock: Clock,
	choices: IntervalChoices,
): {add(outcome: ReadOutcome): void; count(): number} {
	const {depth, trades} = pollIntervals(choices);
	const mostMs = {depth: answerKnownMs(depth), trades: answerKnownMs(trades)};
	type Last = {readonly operation: 'depth' | 'trades'; readonly at: number};
	const lastAnswers = new Map<string, Last>();
	const isGap = ({operation, at}: Last, until: number): boolean => until - at > mostMs[operation];
	let ended = 0;
	return {
		add(outcome) {
			if ('failure' in outcome || (outcome.operation !== 'depth' && outcome.operation !== 'trades')) return;
			const {operation, symbol} = outcome;
			const at = endOf(outcome);
			const key = `${operation} ${symbol}`;
			const last = lastAnswers.get(key);
			if (last && isGap(last, at)) ended++;
			lastAnswers.set(key, {operation, at});
		},
		count() {
			const now = clock.now();
			return ended + [...lastAnswers.values()].filter(last => isGap(last, now)).length;
		},
	};
}
