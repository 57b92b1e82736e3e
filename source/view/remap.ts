import {keyLabel} from './key-labels.ts';
import {type Binding, keymap} from './keymap.ts';
import {type PanelName, panelNames} from './layout.ts';
import {nearestWord} from './nearest.ts';

/** Keys by the binding's name; none: nothing does it but the command line. */
export type Remapping = Readonly<Record<string, readonly string[]>>;

const namedKeys = new Set([
	...['up', 'down', 'left', 'right', 'pgup', 'pgdn', 'home', 'end'],
	...['enter', 'esc', 'backspace', 'tab', 'shift+tab', 'space'],
]);
/** A terminal sends the same for Ctrl with these as for Backspace, Tab and Enter. */
const sameAsOthers = /^ctrl\+[hijm]$/;

const isKey = (key: string): boolean =>
	namedKeys.has(key) ||
	([...key].length === 1 && /^\P{C}$/u.test(key) && key !== ' ') ||
	(/^ctrl\+[a-z]$/.test(key) && !sameAsOthers.test(key));

/** The default keymap with these keys in place of its own. */
export const remapped = (changes: Remapping): readonly Binding[] =>
	keymap.map(binding =>
		Object.hasOwn(changes, binding.name) ? {...binding, keys: changes[binding.name] ?? []} : binding,
	);

/** The first thing that is wrong with these keys: which binding, and what to do. Undefined: nothing is. */
export function remapFault(changes: Remapping): {readonly name: string; readonly message: string} | undefined {
	for (const [name, keys] of Object.entries(changes)) {
		const message = nameFault(name) ?? keys.map(keyFault).find(fault => fault !== undefined);
		if (message !== undefined) return {name, message};
	}

	const bindings = remapped(changes);
	for (const name of Object.keys(changes)) {
		const changed = bindings.find(binding => binding.name === name);
		for (const key of changed?.keys ?? []) {
			const other = bindings.find(
				each => each.name !== name && each.keys.includes(key) && changed && shared(each, changed).length > 0,
			);
			if (!changed || !other) continue;
			const taken = `${keyLabel(key)}, which is the key of ${other.name} ${placeOf(shared(other, changed))}`;
			return {name, message: `takes ${taken}: give that another`};
		}
	}

	return undefined;
}

function nameFault(name: string): string | undefined {
	// Whatever else goes wrong, one key must always end the program.
	if (name === 'interrupt') return 'cannot be changed: Ctrl-C always quits';
	if (keymap.some(binding => binding.name === name)) return undefined;
	const names = keymap.map(binding => binding.name);
	const nearest = nearestWord(name, names);
	const known = nearest === undefined ? `known are ${names.join(', ')}` : `did you mean ${nearest}?`;
	return `is not known; ${known}`;
}

function keyFault(key: string): string | undefined {
	if (isKey(key)) return undefined;
	if (sameAsOthers.test(key)) return `cannot take ${key}: a terminal sends the same for another key`;
	return `must be keys such as n, G, ctrl+n, space, tab or pgdn, not ${JSON.stringify(key)}`;
}

/** The panels in which both act. */
const shared = (a: Binding, b: Binding): readonly PanelName[] =>
	panelNames.filter(panel => [a, b].every(({panels}) => panels?.includes(panel) ?? true));

const placeOf = (panels: readonly PanelName[]): string =>
	panels.length === panelNames.length ? 'everywhere' : `in the panel ${panels.join(', ')}`;
