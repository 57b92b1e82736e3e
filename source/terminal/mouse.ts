/** What a terminal reports of the mouse: buttons, the wheel, and moves with a button held (DEC mode 1002, SGR form 1006). */
export type MouseReport = {
	readonly kind: 'press' | 'release' | 'drag' | 'wheel-up' | 'wheel-down';
	/** Of the wheel: undefined. */
	readonly button: 'left' | 'middle' | 'right' | undefined;
	/** From 0, as is `row`. */
	readonly column: number;
	readonly row: number;
	readonly shift: boolean;
	readonly alt: boolean;
	readonly ctrl: boolean;
};

export const mouseOn = '\u001B[?1002h\u001B[?1006h';
export const mouseOff = '\u001B[?1006l\u001B[?1002l';

const buttons = ['left', 'middle', 'right'] as const;
const shiftBit = 4;
const altBit = 8;
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
		...{shift: (code & shiftBit) !== 0, alt: (code & altBit) !== 0, ctrl: (code & ctrlBit) !== 0},
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

/** A report that has begun, and what may be the beginning of one. */
const sequences = /\u001B\[<[ -?]*([@-~])?/g;
const beginning = /\u001B(?:\[(?:<[ -?]*)?)?$/;
/** The longest beginning that can be keys, Esc and Alt-[. */
const mostKeyUnits = 2;
/** No report is longer. */
const mostHeld = 24;
/** Stands for a report that was too long, which is none. */
const overlong = '\u001B[<?';

/**
 * Separates the reports of the mouse from the keys in a terminal's input, also if they arrive in pieces. Whatever begins like
 * a report is no key, malformed or not.
 */
export class MouseSieve {
	#held = '';
	/** How much of `#held` was passed on as keys by `release`. */
	#released = 0;

	/** Whether keys are held back that may be the beginning of a report. */
	get holdsKeys(): boolean {
		return this.#held.length <= mostKeyUnits && this.#released < this.#held.length;
	}

	/** Keys and reports in their order. Of several drags in a row only the last is kept. */
	sift(input: string): readonly (string | MouseReport)[] {
		const text = this.#held + input;
		const items: (string | MouseReport)[] = [];
		let end = 0;
		const passKeys = (to: number): void => {
			const keys = text.slice(Math.max(end, this.#released), to);
			if (keys !== '') items.push(keys);
		};
		for (const {0: sequence, 1: final, index} of text.matchAll(sequences)) {
			const isUnfinished = final === undefined && index + sequence.length === text.length;
			if (isUnfinished) break;
			passKeys(index);
			end = index + sequence.length;
			const report = decodeMouse(sequence);
			if (report) addReport(items, report);
		}

		const [held = ''] = beginning.exec(text.slice(end)) ?? [];
		const heldFrom = text.length - held.length;
		passKeys(heldFrom);
		this.#held = held.length > mostHeld ? overlong : held;
		this.#released = Math.min(Math.max(0, this.#released - heldFrom), this.#held.length);
		return items;
	}

	/** Returns held keys. If the rest of a report still arrives, it does not count as keys. */
	release(): string {
		if (!this.holdsKeys) return '';
		const keys = this.#held.slice(this.#released);
		this.#released = this.#held.length;
		return keys;
	}
}

function addReport(items: (string | MouseReport)[], report: MouseReport): void {
	const last = items.at(-1);
	if (typeof last === 'object' && last.kind === 'drag' && report.kind === 'drag' && last.button === report.button)
		items.pop();
	items.push(report);
}
