import type {Key} from 'ink';
import {f1Character} from '../format/control.ts';

const flagNames: ReadonlyArray<readonly [keyof Key, string]> = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pgup'],
	['pageDown', 'pgdn'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'esc'],
	['backspace', 'backspace'],
	['delete', 'backspace'],
];

/**
 * The keys in one piece of terminal input, by the names that commands use. On a slow link one piece can hold several
 * plain characters; each is a key of its own.
 */
export function keyNames(input: string, key: Key): readonly string[] {
	if (key.tab) return [key.shift ? 'shift+tab' : 'tab'];
	const name = flagNames.find(([flag]) => key[flag])?.[1];
	if (name) return [name];
	if (key.ctrl) return [`ctrl+${input}`];
	// On a slow link Esc and the next key can arrive in one piece, which reads as Alt and that key.
	const before = key.meta ? ['esc'] : [];
	return [...before, ...Array.from(input, characterName)];
}

const characterNames = new Map([
	[' ', 'space'],
	['\r', 'enter'],
	['\n', 'enter'],
	['\t', 'tab'],
	['\b', 'backspace'],
	['\u007F', 'backspace'],
	['\u001B', 'esc'],
	[f1Character, 'f1'],
]);

/** The name of a key that sends one character. Ctrl and a letter send the letter's place in the alphabet. */
function characterName(character: string): string {
	const code = character.charCodeAt(0);
	const name = characterNames.get(character);
	return name ?? (code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 0x60)}` : character);
}

/** Every key that has a name rather than a character. */
const namedKeys = new Set([...flagNames.map(([, name]) => name), 'tab', 'shift+tab', 'space', 'f1']);
/** With Ctrl, these send the same as Backspace, Tab and Enter. */
const indistinct = /^ctrl\+[hijm]$/;

const isKey = (key: string): boolean =>
	namedKeys.has(key) || (/^\P{C}$/u.test(key) && key !== ' ') || /^ctrl\+[a-z]$/.test(key);

/** What is wrong with the name of a key in a config file; undefined: nothing. */
export function keyFault(key: string): string | undefined {
	if (indistinct.test(key)) return `cannot take ${key}: a terminal sends the same for another key`;
	return isKey(key) ? undefined : `must be keys such as n, G, ctrl+n, space, tab or pgdn, not ${JSON.stringify(key)}`;
}

const labels: Readonly<Record<string, string>> = {pgup: 'PgUp', pgdn: 'PgDn'};
const arrows: Readonly<Record<string, string>> = {up: '↑', down: '↓', left: '←', right: '→'};

/** A key as the user reads it: `Ctrl-Z`, `PgUp`, `n`, `↑` (in ASCII `Up`). */
export function keyLabel(key: string, ascii = false): string {
	const label = labels[key] ?? (ascii ? undefined : arrows[key]);
	if (label !== undefined || key.length === 1) return label ?? key;
	const letter = /^ctrl\+(.)$/.exec(key)?.[1];
	if (letter !== undefined) return `Ctrl-${letter.toUpperCase()}`;
	return key.split('+').map(capitalised).join('-');
}

/** The keys of prompts and menus. The config file does not change them. */
export const promptKeys = {
	accept: 'enter',
	cancel: 'esc',
	toggle: 'space',
	complete: 'tab',
	completeBack: 'shift+tab',
	recallOlder: 'up',
	recallNewer: 'down',
} as const;

/** A command and its keys. */
type Keyed = {readonly name: string; readonly keys: readonly string[]};

/** A hint with the first keys of these commands, such as `Esc closes`, or the keys alone for an empty word; empty if they have no keys. */
export type KeyHint = (word: string, ...commands: readonly string[]) => string;

export const keyHintOf =
	(commands: readonly Keyed[], ascii: boolean): KeyHint =>
	(word, ...names) => {
		const keys = joinedKeys(
			names.flatMap(name => commands.find(command => command.name === name)?.keys[0] ?? []),
			ascii,
		);
		return [keys, word].every(Boolean) ? `${keys} ${word}` : keys;
	};

/** For a screen without a keyboard. */
export const noKeyHint: KeyHint = () => '';

/** Keys side by side: `↑↓`, `+ -`, `n/p`. */
export function joinedKeys(keys: readonly string[], ascii: boolean): string {
	// `Tab` stands for Shift-Tab as well.
	const labels = keys.filter(key => !keys.some(other => key === `shift+${other}`)).map(key => keyLabel(key, ascii));
	if (labels.every(label => /^[↑↓←→]$/.test(label))) return labels.join('');
	return labels.join(labels.every(label => /^[^\w\s]$/.test(label)) ? ' ' : '/');
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The keys that did nothing, of which each is mentioned once. */
export type StrayKeys = {
	readonly keys: ReadonlySet<string>;
	/** What is said of the last one, and up to when, epoch ms; absent: nothing. */
	readonly shown?: {readonly text: string; readonly until: number} | undefined;
};

export const noStrayKeys: StrayKeys = {keys: new Set()};

const shownMs = 3000;

type Saying = {
	/** What helps; empty: nothing. */
	readonly advice: string;
	readonly ascii: boolean;
	/** Epoch ms. */
	readonly now: number;
};

/** After one more key that does nothing. Keys without a name are not mentioned. */
export function withStrayKey(stray: StrayKeys, key: string, {advice, ascii, now}: Saying): StrayKeys {
	if (stray.keys.has(key) || keyFault(key) !== undefined) return stray;
	const text = [`${keyLabel(key, ascii)} does nothing here`, advice].filter(Boolean).join('; ');
	return {keys: stray.keys.union(new Set([key])), shown: {text, until: now + shownMs}};
}

/** What to say now; undefined: nothing. */
export const strayText = ({shown}: StrayKeys, now: number): string | undefined =>
	shown && now < shown.until ? shown.text : undefined;
