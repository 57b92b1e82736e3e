/** JSON of an answer as the faults change it. */

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapFields = (fields: Fields, change: (value: unknown, name: string) => unknown): Fields =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));

/** Everything that is no list and no object. */
export function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map(item => mapLeaves(item, change));
	return isFields(value) ? mapFields(value, item => mapLeaves(item, change)) : change(value);
}

/** An entry of a list, or of an object that is one by its keys, as the legacy ticker. */
type Entry = readonly [key: string, value: unknown];

/** Changes the entries of every list in `data`: the list that it is, or those that it holds. Others are left alone. */
export function mapLists(data: unknown, change: (entries: readonly Entry[]) => readonly Entry[]): unknown {
	if (Array.isArray(data)) return change(Object.entries(data)).map(([, value]) => value);
	if (!isFields(data)) return data;
	if (isKeyed(data)) return Object.fromEntries(change(Object.entries(data)));
	return mapFields(data, value => (Array.isArray(value) ? mapLists(value, change) : value));
}

/** Changes every entry of every list in `data`; data without a list is its one entry. */
export function mapEntries(data: unknown, change: (entry: unknown, index: number) => unknown): unknown {
	const listed = isFields(data) && (isKeyed(data) || Object.values(data).some(Array.isArray));
	if (!Array.isArray(data) && !listed) return change(data, 0);
	return mapLists(data, entries => entries.map(([key, value], index) => [key, change(value, index)]));
}

/** Every list of a `data` is of the same kind: objects by a key of theirs. */
export function isKeyed(data: Fields): boolean {
	const values = Object.values(data);
	return values.length > 0 && values.every(isFields);
}
