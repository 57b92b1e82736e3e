import {UsageError} from '../exit.ts';

/** A quoted text, an escaped character, or a run of others. */
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/sy;
/** What a shell would act on. `>` and `<` with a blank on both sides are comparisons of a condition whose quotes the client's shell took. */
const operator = /[|&;`]|\$[({]/;

/**
 * The words of what `ssh HOST WORDS…` sends, which joins them with blanks: quotes and backslashes act as in a shell, nothing else
 * does. Throws a `UsageError` for an open quote, and for what only a shell can do.
 */
export function splitWords(text: string): readonly string[] {
	const words: string[] = [];
	let word: string | undefined;
	let at = 0;
	while (at < text.length) {
		const blank = /\s+/y;
		blank.lastIndex = at;
		if (blank.test(text)) {
			if (word !== undefined) words.push(word);
			word = undefined;
			at = blank.lastIndex;
			continue;
		}

		part.lastIndex = at;
		const found = part.exec(text);
		if (!found) throw new UsageError('a quote is not closed');
		const [, single, double, escaped, plain] = found;
		if (plain !== undefined && operator.test(plain)) {
			throw new UsageError(`there is no shell here: ${plain} cannot be used; put it in quotes if it belongs to a word`);
		}

		word = (word ?? '') + (single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? plain ?? '');
		at = part.lastIndex;
	}

	if (word !== undefined) words.push(word);
	return words;
}
