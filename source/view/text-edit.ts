import {segmenter, textWidth} from '../format/cells.ts';

/** A text that is being typed. */
export type TypedText = {
	readonly text: string;
	/** The part of `text` right of the cursor; absent: none. */
	readonly after?: string | undefined;
};

/** A prompt whose cursor stays at the end. */
export type Prompt = {
	/** As typed. */
	readonly text: string;
	/** What was wrong with the text when Enter was pressed. */
	readonly fault?: string | undefined;
};

/** The folders of a path. */
const folders = /(?<=^|: |, )[~.]*\/(?:[^:,]*\/)?/g;

/**
 * What is wrong with a typed text, from long to short: without the folders of a file, without what is accepted instead, what is
 * meant instead, the reason that a file cannot be used, without examples and choices.
 */
export function faultTexts(fault: string): readonly string[] {
	const named = fault.replace(folders, '');
	const [reason = '', advice = ''] = named.split('; ');
	const meant = advice.startsWith('did you mean') && advice.length < reason.length ? [advice] : [];
	const parts = [reason.indexOf(': '), reason.lastIndexOf(': ')].map(place => reason.slice(place + 2));
	// A name alone says nothing.
	const why = named === fault ? [] : parts.filter(part => part.includes(' '));
	return [fault, named, reason, ...meant, ...why, reason.replace(/(?: \(|: ).*/, '')];
}

/** The longest text of a prompt, in UTF-16 units. */
export const mostCharacters = 500;

const printable = /^\P{Cc}$/u;
const isCharacter = (key: string): boolean => key === 'space' || printable.test(key);
const characterOf = (key: string): string => (key === 'space' ? ' ' : key);
const isFull = (text: string): boolean => text.length >= mostCharacters;
/** Whether a prompt with this text takes no more of what is typed or pasted. */
export const isLeftOut = (text: string, key: string): boolean => isCharacter(key) && isFull(text);
// Backspace takes a mark from its letter.
const lastCodePoint = /.$/su;
const lastWord = /\S*\s*$/;

/** The characters as the user sees them: a letter with its marks is one. */
export const charactersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({segment}) => segment);

/** The text after a key, edited as in a shell; undefined: the key does not edit. */
export function edited({text, after = ''}: TypedText, key: string): TypedText | undefined {
	const before = text.slice(0, text.length - after.length);
	switch (key) {
		case 'left':
		case 'ctrl+b': {
			const moved = charactersOf(before).at(-1) ?? '';
			return typedText(before.slice(0, before.length - moved.length), moved + after);
		}

		case 'right':
		case 'ctrl+f': {
			const [moved = ''] = charactersOf(after);
			return typedText(before + moved, after.slice(moved.length));
		}

		case 'home':
		case 'ctrl+a':
			return typedText('', text);
		case 'end':
		case 'ctrl+e':
			return typedText(text, '');
		case 'backspace':
			return typedText(before.replace(lastCodePoint, ''), after);
		case 'ctrl+d':
			return typedText(before, charactersOf(after).slice(1).join(''));
		case 'ctrl+w':
			return typedText(before.replace(lastWord, ''), after);
		case 'ctrl+u':
			return typedText('', after);
		case 'ctrl+k':
			return typedText(before, '');
		default:
			return isCharacter(key) ? typedText(before + (isFull(text) ? '' : characterOf(key)), after) : undefined;
	}
}

const typedText = (before: string, after: string): TypedText =>
	after === '' ? {text: before} : {text: before + after, after};

/** The text after a key, for a prompt whose cursor stays at the end; undefined: the key does not edit. */
export function editedAtEnd(text: string, key: string): string | undefined {
	const next = edited({text}, key)?.text;
	// A full prompt still takes characters, and an empty one the keys of a shell, which would otherwise act as commands.
	return next === text && !isCharacter(key) && !key.startsWith('ctrl+') ? undefined : next;
}

/** The text, at most `columns` wide: of a longer one the end, where it is typed, after a sign that it was cut. */
export function endOf(text: string, columns: number, ascii: boolean): string {
	if (textWidth(text) <= columns) return text;
	const characters = charactersOf(text);
	let start = characters.length;
	for (let room = columns - 1; start > 0; start--) {
		room -= textWidth(characters[start - 1] ?? '');
		if (room < 0) break;
	}

	return (ascii ? '<' : '…') + characters.slice(start).join('');
}
