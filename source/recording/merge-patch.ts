export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A market may have the name of something that every object has. */
const own = (fields: JsonObject, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** What turns `before` into `after`, as a JSON merge patch (RFC 7396): null removes a field. Lists are replaced unless they are the same. */
export function patchOf(before: JsonObject, after: JsonObject): JsonObject {
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	const changes: [name: string, change: unknown][] = [];
	for (const name of names) {
		const [old, value] = [own(before, name), own(after, name)];
		if (old === value) continue;
		const change = isObject(old) && isObject(value) ? patchOf(old, value) : (value ?? null);
		if (!isObject(change) || !isObject(old) || Object.keys(change).length > 0) changes.push([name, change]);
	}

	return Object.fromEntries(changes);
}

/** JsonObject that do not change keep their identity. */
export function patched(before: JsonObject, patch: JsonObject): JsonObject {
	let removes = false;
	const changes = Object.entries(patch).map(([name, change]) => {
		removes ||= change === null;
		const old = isObject(change) ? own(before, name) : undefined;
		return [name, isObject(old) && isObject(change) ? patched(old, change) : change];
	});
	const after = {...before, ...Object.fromEntries(changes)};
	return removes ? Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)) : after;
}
