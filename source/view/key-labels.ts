import type {Binding} from './keymap.ts';
import {keymap as defaultKeymap} from './keymap.ts';

const labels: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	pgup: 'PgUp',
	pgdn: 'PgDn',
};

/** A key as the user reads it: `Ctrl-Z`, `PgUp`, `n`. */
export function keyLabel(key: string): string {
	const known = labels[key];
	if (known !== undefined || key.length === 1) return known ?? key;
	const control = /^ctrl\+(.)$/.exec(key)?.[1];
	if (control !== undefined) return `Ctrl-${control.toUpperCase()}`;
	return key
		.split('+')
		.map(part => (part[0] ?? '').toUpperCase() + part.slice(1))
		.join('-');
}

/** A binding with those after it that its help and its hint speak of too. */
export type KeyGroup = {readonly first: Binding; readonly all: readonly Binding[]};

export function keyGroups(keymap: readonly Binding[]): readonly KeyGroup[] {
	const groups: {first: Binding; all: Binding[]}[] = [];
	for (const binding of keymap) {
		const group = groups.at(-1);
		if (binding.help || !group) groups.push({first: binding, all: [binding]});
		else group.all.push(binding);
	}

	return groups;
}

/** Whether the keys are the ones that `shown` and the hint are written for. */
const isDefault = ({all}: KeyGroup): boolean =>
	all.every(({name, keys}) => defaultKeymap.some(known => known.name === name && known.keys.join() === keys.join()));

/** All keys of the group, for the help; empty where none are left. */
export function helpKeys(group: KeyGroup): string {
	const {shown} = group.first;
	if (shown !== undefined && isDefault(group)) return shown;
	return group.all.flatMap(({keys}) => keys.map(keyLabel)).join(' ');
}

/** One key of each, for the status line; empty where none are left. */
export function hintKeys(group: KeyGroup): string {
	const {hint} = group.first;
	if (hint && isDefault(group)) return hint.keys;
	return group.all.flatMap(({keys: [key]}) => (key === undefined ? [] : keyLabel(key))).join('/');
}
