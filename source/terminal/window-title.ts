/** The title of the terminal's window. */
export type WindowTitle = {
	/** `text` has no control characters. */
	show(text: string): void;
	/** Gives back the title that the window had before. */
	clear(): void;
	/** Gives back the title for the time that another program has the terminal. The returned function shows it again. */
	lend(): () => void;
};

/** Terminals that keep no titles get an empty one, which most replace by their own. */
const saveTitle = '\u001B[22;2t';
const restoreTitle = '\u001B]2;\u0007\u001B[23;2t';

export function createWindowTitle(write: (text: string) => void): WindowTitle {
	let shown: string | undefined;

	function show(text: string): void {
		write(`${shown === undefined ? saveTitle : ''}\u001B]2;${text}\u0007`);
		shown = text;
	}

	function clear(): void {
		if (shown !== undefined) write(restoreTitle);
		shown = undefined;
	}

	return {
		show,
		clear,
		lend() {
			const lent = shown;
			clear();
			return () => {
				if (lent !== undefined) show(lent);
			};
		},
	};
}
