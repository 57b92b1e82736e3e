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

/** Maximum answers kept about one object. More would be of one screen that keeps changing, not of several. */
const mostInputs = 64;

/**
 * Caches the answers of `compute` for all who ask, as long as the object that `about` takes from the input is alive. An input
 * gets the answer of an earlier one whose fields are all the same: it must not depend on anything else.
 */
export function shared<Input extends object, Answer>(
	about: (input: Input) => object,
	compute: (input: Input) => Answer,
): (input: Input) => Answer {
	const answersAbout = memo((_: object): {readonly isOf: (input: Input) => boolean; readonly answer: Answer}[] => []);
	return input => {
		const answers = answersAbout(about(input));
		const same = answers.find(({isOf}) => isOf(input));
		if (same) return same.answer;
		if (answers.length === mostInputs) answers.shift();
		const answer = compute(input);
		answers.push({isOf: sameAs(input), answer});
		return answer;
	};
}

/** Whether another input has the same fields. Weak references, as a book would keep the previous one alive, and so on without end. */
function sameAs<Input extends object>(input: Input): (other: Input) => boolean {
	const fields = Object.entries(input).map(([name, value]: [string, unknown]) => {
		const isObject = typeof value === 'object' && value !== null;
		return [name, isObject ? new WeakRef(value) : value] as const;
	});
	return other =>
		Object.keys(other).length === fields.length &&
		fields.every(([name, value]) => {
			const field: unknown = Reflect.get(other, name);
			return (
				Object.is(field, value instanceof WeakRef ? value.deref() : value) && (field !== undefined || name in other)
			);
		});
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
	if (names.length !== Object.keys(one).length) return false;
	for (const name of names) if (!Object.is(Reflect.get(one, name), Reflect.get(other, name))) return false;
	return true;
}

/** Sets an entry of a map that keeps the last `most` that were set. */
export function setLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
	map.delete(key);
	map.set(key, value);
	const [oldest = key] = map.keys();
	if (map.size > most) map.delete(oldest);
}
