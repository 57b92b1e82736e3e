type JsonRecord = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !isList(value);

/** Whether two values of JSON say the same; a key whose value is undefined counts as absent. */
export function isEqual(a: unknown, b: unknown): boolean {
	if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
	if (!isRecord(a) || !isRecord(b)) return a === b;
	return [...Object.keys(a), ...Object.keys(b)].every(key => isEqual(own(a, key), own(b, key)));
}

const own = (record: JsonRecord, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);

/**
 * `theirs` with what was done to `base` to make it `mine`: what was left alone stays theirs. Records are merged key by
 * key, lists as sets: what came in is appended, what went out is taken out. Else the change wins.
 */
export function merged(base: unknown, mine: unknown, theirs: unknown): unknown {
	if (isEqual(base, mine)) return theirs;
	if (isList(mine) && isList(theirs)) {
		const before = isList(base) ? base : [];
		const removed = before.filter(item => !mine.includes(item));
		const added = mine.filter(item => !before.includes(item) && !theirs.includes(item));
		return [...theirs.filter(item => !removed.includes(item)), ...added];
	}

	if (isRecord(mine) && isRecord(theirs)) {
		const before = isRecord(base) ? base : {};
		const keys = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(before)]);
		const pairs = [...keys].map(key => [key, merged(own(before, key), own(mine, key), own(theirs, key))] as const);
		return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
	}

	return mine;
}
