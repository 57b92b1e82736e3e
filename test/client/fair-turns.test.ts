import {expect, test} from 'vitest';
import {createFairTurns} from '../../source/client/fair-turns.ts';

type Waiting = {readonly name: string; readonly owners?: () => readonly object[]};

/** In what order those who wait come, when nobody else does. */
function orderOf(waiting: readonly Waiting[], turns = createFairTurns()): string {
	let left = [...waiting];
	let order = '';
	for (let next = turns.firstOf(left); next; next = turns.firstOf(left)) {
		turns.take(next);
		order += next.name;
		left = left.filter(each => each !== next);
	}

	return order;
}

/** Each letter waits for an owner of its name; a capital and a small letter are of one. */
function waitingOf(names: string): readonly Waiting[] {
	const owners = new Map([...names.toLowerCase()].map(name => [name, {}]));
	return [...names].map(name => ({name, owners: () => [owners.get(name.toLowerCase()) ?? {}]}));
}

test('without owners, they come as they wait', () => {
	expect(orderOf([{name: 'b'}, {name: 'a'}, {name: 'c', owners: () => []}])).toBe('bac');
});

test.each([
	['who wants much waits behind the others', 'aaaaaab', 'abaaaaa'],
	['each has as many turns as any other, as long as it wants them', 'aaaabbbc', 'abcababa'],
	['of one owner, the first comes first', 'aAaBbAb', 'aBAbabA'],
])('%s', (_, waiting, order) => {
	expect(orderOf(waitingOf(waiting))).toBe(order);
});

test('who was away comes next, and has saved nothing up', () => {
	const turns = createFairTurns();
	const [much, little] = [waitingOf('aaaaaaaa'), waitingOf('bbb')];
	expect(orderOf(much.slice(0, 4), turns)).toBe('aaaa');
	expect(orderOf([...much.slice(4), ...little], turns)).toBe('bababaa');
});

test('it is the turn of the owner who has had the fewest, who alone pays for it', () => {
	const turns = createFairTurns();
	const [one, other] = [{}, {}];
	const ofOne = (name: string) => ({name, owners: () => [one]});
	expect(orderOf([ofOne('a'), ofOne('b'), ofOne('c'), {name: 'd', owners: () => [one, other]}], turns)).toBe('adbc');
});

test('who joins one that waits brings it forward', () => {
	const turns = createFairTurns();
	const [one, other] = [{}, {}];
	const owners = [one];
	const all = ['a', 'b', 'c'].map((name): Waiting => ({name, owners: () => (name === 'c' ? owners : [one])}));
	const first = turns.firstOf(all);
	if (first) turns.take(first);
	owners.push(other);
	expect([first?.name, orderOf(all.slice(1), turns)]).toEqual(['a', 'cb']);
});
