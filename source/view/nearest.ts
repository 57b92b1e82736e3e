import {editDistance} from '../market/symbol.ts';

/** The one of `words` that `text` was meant to be, if that looks like a slip of the fingers: a third of it at most is wrong. */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
	const wanted = text.toLowerCase();
	const distance = (word: string) => editDistance(wanted, word.toLowerCase());
	const [nearest] = words.toSorted((a, b) => distance(a) - distance(b));
	return nearest !== undefined && distance(nearest) <= nearest.length / 3 ? nearest : undefined;
}
