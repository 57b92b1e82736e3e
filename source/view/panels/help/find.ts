import {promptKeys} from '../../keys.ts';
import {editedAtEnd} from '../../text-edit.ts';

/** The text that the rows of the help are searched for. */
export type HelpFind = {
	readonly text: string;
	/** Keys are text for it. */
	readonly editing: boolean;
};

export const noFind: HelpFind = {text: '', editing: false};

/** Whether the help shows matches only, or what is being typed. */
export const isFinding = ({text, editing}: HelpFind): boolean => editing || text !== '';

/** The search after a key; undefined: the key acts as a command. */
export function findTyped({text, editing}: HelpFind, key: string): HelpFind | undefined {
	if (!editing) return undefined;
	if (key === promptKeys.accept) return {text, editing: false};
	const edited = editedAtEnd(text, key);
	return edited === undefined ? undefined : {text: edited, editing};
}

/** Whether a text contains all words that are searched for, in any case. */
export const isFound = ({text}: HelpFind, within: string): boolean =>
	text
		.toLowerCase()
		.split(' ')
		.every(word => within.toLowerCase().includes(word));
