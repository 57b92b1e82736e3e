import type {Look} from './look.ts';

/** How far the exchange's clock is ahead of ours: between `skewMs` − `uncertaintyMs` and `skewMs` + `uncertaintyMs`. */
export type ClockSkew = {readonly skewMs: number; readonly uncertaintyMs: number};

const secondMs = 1000;

/**
 * The server wrote its time at some moment between our request and its answer: every answer bounds the skew from both
 * sides, half a round trip around the middle. All together bound it more closely. Undefined: no answer named a time.
 */
export function clockSkew(looks: readonly Look[]): ClockSkew | undefined {
	const stamps = looks.flatMap(({startedAt, answer}) =>
		answer?.serverTime === undefined ? [] : [{startedAt, receivedAt: answer.receivedAt, serverTime: answer.serverTime}],
	);
	if (stamps.length === 0) return undefined;
	// Whole seconds, as ISO 8601 is often written, are cut.
	const cutMs = stamps.every(({serverTime}) => serverTime % secondMs === 0) ? secondMs : 1;
	const bounds = stamps.map(({startedAt, receivedAt, serverTime}) => ({
		// Our own readings are cut to the millisecond, too.
		least: serverTime - receivedAt - 1,
		most: serverTime + cutMs - startedAt,
	}));
	const least = Math.max(...bounds.map(bound => bound.least));
	const most = Math.min(...bounds.map(bound => bound.most));
	if (least <= most) return middle(least, most);
	// A clock was set, or drifts: only the closest pair of bounds is worth something.
	const [closest] = bounds.toSorted((a, b) => a.most - a.least - (b.most - b.least));
	return closest && middle(closest.least, closest.most);
}

const middle = (least: number, most: number): ClockSkew => ({
	skewMs: (least + most) / 2,
	uncertaintyMs: (most - least) / 2,
});
