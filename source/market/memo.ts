/** Objects are compared by identity, everything else by value. */
type Key = object | string | number | boolean | undefined;

type Branch<Answer> = {
	answer?: {readonly value: Answer};
	objects?: WeakMap<object, Branch<Answer>>;
	values?: Map<Key, Branch<Answer>>;
};

/**
 * Caches the answers of `compute`: equal arguments get the identical answer again. Arguments must be immutable, or their
 * changes must not affect the answer. The first argument is an object; its answers are freed with it.
 */
export function memo<Keys extends readonly [object, ...Key[]], Answer>(
	compute: (...keys: Keys) => Answer,
): (...keys: Keys) => Answer {
	const root: Branch<Answer> = {};
	return (...keys) => {
		let branch = root;
		for (const key of keys) branch = branchAt(branch, key);
		branch.answer ??= {value: compute(...keys)};
		return branch.answer.value;
	};
}

function branchAt<Answer>(from: Branch<Answer>, key: Key): Branch<Answer> {
	const existing = typeof key === 'object' ? from.objects?.get(key) : from.values?.get(key);
	if (existing) return existing;
	const branch: Branch<Answer> = {};
	if (typeof key === 'object') {
		from.objects ??= new WeakMap();
		from.objects.set(key, branch);
	} else {
		from.values ??= new Map();
		from.values.set(key, branch);
	}

	return branch;
}

/** Caches the last result of `compute`, which runs again only when a field of its input is another one. */
export function latest<Input extends object, Answer>(compute: (input: Input) => Answer): (input: Input) => Answer {
	let last: {readonly input: Input; readonly answer: Answer} | undefined;
	return input => {
		if (!last || !haveSameFields(last.input, input)) last = {input, answer: compute(input)};
		return last.answer;
	};
}

/** Caches the last result of `compute`, which runs again only when the time or a field of its input is another one. */
export function latestAt<Input extends object, Answer>(
	compute: (input: Input, now: number) => Answer,
): (input: Input, now: number) => Answer {
	const same = latest((input: Input) => input);
	const answer = latest(({input, now}: {readonly input: Input; readonly now: number}) => compute(input, now));
	return (input, now) => answer({input: same(input), now});
}

/** The result of `compute`: the same object as before while its content, as JSON, is the same. */
export function sameContent<Input extends object, Answer>(compute: (input: Input) => Answer): (input: Input) => Answer {
	let last: {readonly answer: Answer; readonly text: string} | undefined;
	return latest(input => {
		const answer = compute(input);
		const text = JSON.stringify(answer);
		if (last?.text !== text) last = {answer, text};
		return last.answer;
	});
}

function haveSameFields(one: object, other: object): boolean {
	const names = Object.keys(other);
	return (
		names.length === Object.keys(one).length &&
		names.every(name => Object.is(Reflect.get(one, name), Reflect.get(other, name)))
	);
}
