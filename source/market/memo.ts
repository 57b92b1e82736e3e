/** Objects are compared by identity, everything else by value. */
type Key = object | string | number | boolean | undefined;

type Branch<Answer> = {
	answer?: {readonly value: Answer};
	readonly objects: WeakMap<object, Branch<Answer>>;
	readonly values: Map<Key, Branch<Answer>>;
};

/**
 * Caches the answers of `compute`: equal arguments get the identical answer again. Arguments must be immutable, or their
 * changes must not affect the answer. The first argument is an object; its answers are freed with it.
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
