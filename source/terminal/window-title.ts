import {firstUnits} from '../format/control.ts';

/** The title of the terminal's window. No text has control characters; a longer one than `longestTitle` is cut. */
export type WindowTitle = ReturnType<typeof createWindowTitle>;

/** Terminals that keep no titles get an empty one, which most replace by their own. */
const saveTitle = '\u001B[22;2t';
const restoreTitle = '\u001B]2;\u0007\u001B[23;2t';
const titled = (text: string): string => `\u001B]2;${firstUnits(text, longestTitle)}\u0007`;

/** Maximum length of a title, in UTF-16 units. */
export const longestTitle = 100;

/** `writeSoon`: for the usual title, which may wait; a later text replaces one that waits, and an empty one cancels it. */
export function createWindowTitle(write: (text: string) => void, writeSoon = write) {
	let usual: string | undefined;
	let special: string | undefined;
	/** The window's own title was saved and is to be restored. */
	let isTaken = false;
	let isLent = false;

	/** False: another program has the terminal. */
	function take(first: string): boolean {
		if (isLent) return false;
		const text = (isTaken ? '' : saveTitle) + first;
		isTaken = true;
		if (text !== '') write(text);
		return true;
	}

	function cancelWaiting(): void {
		if (usual !== undefined) writeSoon('');
	}

	function giveBack(): void {
		if (isTaken) write(restoreTitle);
		isTaken = false;
	}

	function retake(): void {
		isLent = false;
		const text = special ?? usual;
		if (text !== undefined) take(titled(text));
	}

	return {
		/** Shows `text` in place of the usual title until `clear`. */
		show(text: string): void {
			special = text;
			cancelWaiting();
			take(titled(text));
		},
		/** Shows the usual title again; without one, gives back the title that the window had before. */
		clear(): void {
			if (special === undefined) return;
			special = undefined;
			if (usual === undefined) giveBack();
			else take(titled(usual));
		},
		/** What is shown from now on while nothing else is. */
		setUsual(text: string): void {
			if (text === usual) return;
			usual = text;
			if (special === undefined && take('')) writeSoon(titled(text));
		},
		/** Gives back the title that the window had before, for the time that another program has the terminal, or for good. The returned function takes it again. */
		lend(): () => void {
			cancelWaiting();
			giveBack();
			isLent = true;
			return retake;
		},
	};
}
