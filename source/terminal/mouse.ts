/** What a terminal reports of the mouse: buttons, the wheel, and moves with a button held (DEC mode 1002, SGR form 1006). */
export type MouseReport = {
	readonly kind: 'press' | 'release' | 'drag' | 'wheel-up' | 'wheel-down';
	/** Of the wheel: undefined. */
	readonly button: 'left' | 'middle' | 'right' | undefined;
	/** From 0, as is `row`. */
	readonly column: number;
	readonly row: number;
	readonly shift: boolean;
	readonly ctrl: boolean;
};

export const mouseOn = '\u001B[?1002h\u001B[?1006h';
export const mouseOff = '\u001B[?1006l\u001B[?1002l';

const buttons = ['left', 'middle', 'right'] as const;
const shiftBit = 4;
const ctrlBit = 16;
const moveBit = 32;
const wheelBit = 64;
/** The second set of extra buttons. */
const extraBit = 128;

/** Decodes one whole sequence `ESC [ < code ; column ; row M` (`m`: released). Undefined: it is no report of what is known here. */
export function decodeMouse(sequence: string): MouseReport | undefined {
	const [, codeText, columnText, rowText, final] =
		/^\u001B\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(sequence) ?? [];
	const [code, column, row] = [Number(codeText), Number(columnText) - 1, Number(rowText) - 1];
	if (final === undefined || column < 0 || row < 0 || code >= extraBit) return undefined;
	const place = {
		...{column, row},
		...{shift: (code & shiftBit) !== 0, ctrl: (code & ctrlBit) !== 0},
	};
	const low = code & 3;
	if (code & wheelBit) {
		// 2 and 3 are of a wheel that tilts.
		if (low > 1 || final === 'm' || code & moveBit) return undefined;
		return {kind: low === 0 ? 'wheel-up' : 'wheel-down', button: undefined, ...place};
	}

	const button = buttons[low];
	if (button === undefined) return undefined;
	return {kind: final === 'm' ? 'release' : code & moveBit ? 'drag' : 'press', button, ...place};
}
