/** Objects are compared by identity, everything else by value. */
type Key = object | string | number | boolean | undefined;

type Branch<Answer> = {
	answer?: {readonly value: Answer};
	readonly objects: WeakMap<object, Branch<Answer>>;
	readonly values: Map<Key, Branch<Answer>>;
};

/**
 * `compute` with its answers kept: equal arguments get the same answer again, the identical object. Arguments must be
 * immutable, or have an answer that does not depend on what changes in them. The first one is an object, and all answers
 * for it go when nothing else refers to it.
 */
export function memo<Keys extends readonly [object, ...Key[]], Answer>(
	compute: (...keys: Keys) => Answer,
): (...keys: Keys) => Answer {
	const root = createBranch<Answer>();
	return (...keys) => {
		let branch = root;
		for (const key of keys) branch = branchAt(branch, key);
		branch.answer ??= {value: compute(...keys)};
		return branch.answer.value;
	};
}

const createBranch = <Answer>(): Branch<Answer> => ({objects: new WeakMap(), values: new Map()});

function branchAt<Answer>({objects, values}: Branch<Answer>, key: Key): Branch<Answer> {
	const existing = typeof key === 'object' ? objects.get(key) : values.get(key);
	if (existing) return existing;
	const branch = createBranch<Answer>();
	if (typeof key === 'object') objects.set(key, branch);
	else values.set(key, branch);
	return branch;
}
