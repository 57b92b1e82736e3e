export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A market may have the name of something that every object has. */
const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** What turns `before` into `after`, as a JSON merge patch (RFC 7396): null removes a field. Lists are replaced unless they are the same. */
export function patchOf(before: Fields, after: Fields): Fields {
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	const changes: [name: string, change: unknown][] = [];
	for (const name of names) {
		const [old, value] = [own(before, name), own(after, name)];
		if (old === value) continue;
		const change = isFields(old) && isFields(value) ? patchOf(old, value) : (value ?? null);
		if (!isFields(change) || !isFields(old) || Object.keys(change).length > 0) changes.push([name, change]);
	}

	return Object.fromEntries(changes);
}

/** Fields that do not change keep their identity. */
export function patched(before: Fields, patch: Fields): Fields {
	const after = new Map(Object.entries(before));
	for (const [name, change] of Object.entries(patch)) {
		const old = own(before, name);
		if (change === null) after.delete(name);
		else after.set(name, isFields(old) && isFields(change) ? patched(old, change) : change);
	}

	return Object.fromEntries(after);
}
