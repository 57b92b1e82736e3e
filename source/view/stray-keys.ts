import {keyFault, keyLabel} from './keys.ts';

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
