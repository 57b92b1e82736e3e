/**
 * `compute`, whose answer is kept for as long as its list is in use: lists are immutable, so an equal question has an
 * equal answer. One answer per list and further arguments.
 */
export function remembered<List extends object, More extends ReadonlyArray<string | number>, Answer>(
	compute: (list: List, ...more: More) => Answer,
): (list: List, ...more: More) => Answer {
	const known = new WeakMap<List, Map<string, Answer>>();
	return (list, ...more) => {
		const answers = known.get(list) ?? new Map<string, Answer>();
		known.set(list, answers);
		const key = more.join(' ');
		const kept = answers.get(key);
		if (kept !== undefined) return kept;
		const answer = compute(list, ...more);
		answers.set(key, answer);
		return answer;
	};
}
