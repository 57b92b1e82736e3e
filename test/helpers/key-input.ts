/** What a terminal sends for the keys that are no characters, by their names in the keymap. */
export const keyInputs: Readonly<Record<string, string>> = {
	enter: '\r',
	esc: '\u001B',
	tab: '\t',
	'shift+tab': '\u001B[Z',
	space: ' ',
	backspace: '\u007F',
	up: '\u001B[A',
	down: '\u001B[B',
	right: '\u001B[C',
	left: '\u001B[D',
	pgup: '\u001B[5~',
	pgdn: '\u001B[6~',
	home: '\u001B[H',
	end: '\u001B[F',
	'ctrl+c': '\u0003',
	'ctrl+z': '\u001A',
};
