import type {Clock} from '../../market/clock.ts';
import type {ReadOutcome} from '../../recording/read-outcome.ts';
import {leastGapMs} from '../../recording/schema.ts';

/** Counts the stretches without data of trades and books, those that last among them. */
export function createRecordedGaps(clock: Clock): {add(outcome: ReadOutcome): void; count(): number} {
	const lastAnswers = new Map<string, number>();
	let ended = 0;
	return {
		add(outcome) {
			if ('failure' in outcome || (outcome.operation !== 'depth' && outcome.operation !== 'trades')) return;
			const {operation, symbol, answer} = outcome;
			const key = `${operation} ${symbol}`;
			const last = lastAnswers.get(key) ?? answer.receivedAt;
			if (answer.receivedAt - last > leastGapMs) ended++;
			lastAnswers.set(key, answer.receivedAt);
		},
		count() {
			const now = clock.now();
			return ended + [...lastAnswers.values()].filter(last => now - last > leastGapMs).length;
		},
	};
}
