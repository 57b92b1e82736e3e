/** The item `by` places after `current`, round and round; `current` itself where it is not in the list. */
export function turned<Item>(items: readonly Item[], current: Item, by: 1 | -1): Item {
	return items[(items.indexOf(current) + by + items.length) % items.length] ?? current;
}
