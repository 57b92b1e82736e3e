import {f1Character} from '../format/control.ts';
import {decodeMouse, type MouseReport} from './mouse.ts';
import {endMark, interrupt, keptText, mostUnits, startMark} from './pastes.ts';

/** What a terminal sends. `keys`: in Ink's words, several in a row; `cursor`: its position in the second row, which flow-control.ts asks for. */
export type Token =
	| {readonly kind: 'keys'; readonly text: string}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'mouse'; readonly report: MouseReport}
	| {readonly kind: 'cursor'; readonly column: number}
	| {readonly kind: 'background'; readonly color: string};

const esc = '\u001B';
/** Esc in kitty's form, which Ink neither holds back nor joins with the next key. */
export const escKey = '\u001B[27u';
/** A string or paste that has not ended, or what was taken for keys, waits for its rest until a silence of this length. */
const silenceMs = 1000;
/** Enough for every key and every answer that is used; the rest of a longer sequence is not kept. */
const mostHeld = 80;

/**
 * Whole sequences: X10 mouse reports, keys of rxvt, CSI (with the Linux console's second bracket), SS3, and DCS, SOS, OSC, PM
 * and APC strings up to BEL, CAN, SUB or ST.
 */
const whole =
	/\u001B(?:\[M[^\0-\u001F]{3}|\[[235678]\$|\[(?!M)\[?[0-?]*[ -/]*[@-Z\\-~]|O[\d;]*[@-~]|[PX\]^_][^\u0003\u0007\u0018\u001A\u001B\u009C]*(?:[\u0007\u0018\u001A\u009C]|\u001B\\))/y;
/** As much of a sequence as there is. */
const beginning =
	/\u001B(?:\[(?:M[^\0-\u001F]{0,2}|\[?[0-?]*[ -/]*)|O[\d;]*|[PX\]^_][^\u0003\u0007\u0018\u001A\u001B\u009C]*(?:\u001B$)?)?/y;
/** Beginnings that a person may have typed, and with which no answer begins, except within the first two characters. */
const typed = /^\u001B(?:\[{0,2}|O[\d;]{0,6}|\](?!\d).{0,6}|P(?![\d>!=]).{0,6}|_(?!G).{0,6}|[X^].{0,6})$/s;
/** Beginnings that were passed on as keys, and whose rest may come late. */
const mayFollow = /^\u001B(?:\[.{0,6}|\](?:\d.{0,5})?|P(?:[\d>!=].{0,5})?|_(?:G.{0,5})?)?$/s;
/** No more than this is typed at once. */
const mostTyped = 2;

const f1 = /^\u001B(?:OP|\[P|\[11~|\[\[A)$/;
/** Sequences of keys: no answer ends like one, but for the cursor's position, which can look like F3 only in the first row. */
const keySequence =
	/^\u001B(?:\[[235678]\$|\[\[?(?:\d[\d:;]*)?[A-HPQSZ~u^@]|\[[a-e]|\[\[[a-e]|\[(?:1;\d+)?R|O[\d;]*[@-~])$/;
const cursorReport = /^\u001B\[2;(\d{1,5})R$/;
const backgroundReport = /^\u001B\]11;([ -~]{0,64})(?:[\u0007\u009C]|\u001B\\)$/;

/** What is no text in a paste: its marks, answers, and reports of the mouse, as the end of a paste can be lost. */
const marks = /\u001B\[(?:20[01]~|2;\d{1,5}R|<[\d;]{1,17}[Mm])/g;
const markBeginning = /\u001B(?:\[(?:2(?:0[01]?|;\d{0,5})?|<[\d;]{0,17})?)?$/;
const longestMark = 21;
/** Answers by themselves neither interrupt a sequence nor show that a paste goes on. */
const answersOnly = /^(?:\u001B\[2;\d{1,5}R)+$/;

/**
 * Splits a terminal's input into keys, pasted texts, reports of the mouse and answers, the same however it is split into
 * pieces, in linear time. Answers and reports that nobody asked for, whole or broken, are nothing. Times are epoch ms.
 */
export class InputTokenizer {
	/** A sequence that has not ended, from its Esc on, or the beginning of a paste's end mark. */
	#held = '';
	/** How much of it was passed on as keys, because its rest did not come. */
	#released = 0;
	/** The kept part of a paste that has not ended; undefined: there is none. */
	#paste: string | undefined;
	#lastAt = Number.NEGATIVE_INFINITY;
	#pendingUntil: number | undefined;

	/** When to call `expire` if no input comes before; undefined: nothing is held back. */
	get pendingUntil(): number | undefined {
		return this.#pendingUntil;
	}

	/** Whether a paste has begun and not ended. */
	get isPasting(): boolean {
		return this.#paste !== undefined;
	}

	/**
	 * The tokens of `input`. What may be typed, as Esc, waits `waitMs` for its rest. In a paste, Ctrl-C is a key if it comes alone
	 * after a second of silence, as the end of a paste can be lost.
	 */
	take(input: string, now: number, waitMs: number): readonly Token[] {
		const [held, released] = [this.#held, this.#released];
		if (answersOnly.test(input)) {
			const tokens = this.#split(input, 0);
			this.#hold(held, released);
			return tokens;
		}

		const isSilent = now - this.#lastAt >= silenceMs;
		if (this.isPasting && input === interrupt) {
			if (!isSilent) return [];
			this.#paste = undefined;
			this.#hold('', 0);
		}

		if (isSilent && this.#released > 0) this.#hold('', 0);
		this.#lastAt = now;
		const tokens = this.#split(this.#held + input, this.#released);
		if (this.isPasting) this.#pendingUntil = now + silenceMs;
		else if (this.#held.length === this.#released) this.#pendingUntil = undefined;
		else this.#pendingUntil = now + (this.#isTyped ? waitMs : silenceMs);
		return tokens;
	}

	/** What was held back as keys if it can be; else it is dropped. If its rest still comes within a second, that is none. */
	expire(): readonly Token[] {
		this.#pendingUntil = undefined;
		if (this.isPasting) return [];
		const [held, released] = [this.#held, this.#released];
		const isTyped = this.#isTyped;
		const remains = isTyped && mayFollow.test(held);
		this.#hold(remains ? held : '', remains ? held.length : 0);
		return isTyped && held.length > released ? [keys(typedKeys(held.slice(released)))] : [];
	}

	get #isTyped(): boolean {
		const isContinued = this.#released > 0 && this.#held.length - this.#released <= mostTyped;
		return isContinued || typed.test(this.#held);
	}

	/** A longer sequence is cut, but not the Esc of its end. */
	#hold(sequence: string, released: number): void {
		const isLong = sequence.length > mostHeld;
		this.#held = isLong ? sequence.slice(0, mostHeld) + (sequence.endsWith(esc) ? esc : '') : sequence;
		this.#released = Math.min(released, this.#held.length);
	}

	/** `released`: of the sequence that `text` begins with. */
	#split(text: string, released: number): readonly Token[] {
		this.#hold('', 0);
		const tokens: Token[] = [];
		for (let at = 0; at < text.length; ) {
			if (this.#paste !== undefined) at = this.#takePaste(tokens, text, at, this.#paste);
			else if (text.startsWith(esc, at)) at = this.#takeSequence(tokens, text, at, at === 0 ? released : 0);
			else {
				const next = text.indexOf(esc, at);
				const end = next === -1 ? text.length : next;
				add(tokens, keys(text.slice(at, end)));
				at = end;
			}
		}

		return tokens;
	}

	/** Returns where the paste, or the input, ends. */
	#takePaste(tokens: Token[], text: string, at: number, before: string): number {
		marks.lastIndex = at;
		const found = marks.exec(text);
		const [held = ''] = found ? [] : (markBeginning.exec(text.slice(Math.max(at, text.length - longestMark))) ?? []);
		const end = found?.index ?? text.length - held.length;
		const pasted = (before + text.slice(at, Math.min(end, at + mostUnits))).slice(0, mostUnits);
		const mark = found?.[0] ?? held;
		this.#hold(held, 0);
		// If the first of two has no end, only the second is known to be whole.
		this.#paste = mark === startMark ? '' : mark === endMark ? undefined : pasted;
		if (mark === endMark && pasted !== '') add(tokens, {kind: 'paste', text: keptText(pasted)});
		const column = cursorReport.exec(mark)?.[1];
		if (column !== undefined) add(tokens, {kind: 'cursor', column: Number(column)});
		return end + mark.length;
	}

	/** Returns where the sequence, or the input, ends. */
	#takeSequence(tokens: Token[], text: string, at: number, released: number): number {
		const sequence = matchAt(whole, text, at);
		if (sequence !== undefined) {
			if (sequence === startMark) this.#paste = '';
			else if (sequence !== endMark) add(tokens, tokenOf(sequence, released));
			return at + sequence.length;
		}

		const begun = matchAt(beginning, text, at) ?? esc;
		const end = at + begun.length;
		const isAltBackspace = begun === esc && /[\b\u007F]/.test(text.charAt(end));
		if (end === text.length) this.#hold(begun, released);
		else if (!isAltBackspace && (released > 0 || typed.test(begun)))
			add(tokens, keys(typedKeys(begun.slice(released))));
		return end;
	}
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0];
}

const keys = (text: string): Token => ({kind: 'keys', text});

const typedKeys = (text: string): string => text.replaceAll(esc, escKey);

/** Undefined: it is nothing that is used. */
function tokenOf(sequence: string, released: number): Token | undefined {
	const token = meaningOf(sequence);
	const rest = sequence.slice(released);
	// Where more than Esc was passed on, what is no answer was typed.
	return released > 1 && (token?.kind === 'keys' || rest.length === 1) ? keys(rest) : token;
}

function meaningOf(sequence: string): Token | undefined {
	if (f1.test(sequence)) return keys(f1Character);
	if (keySequence.test(sequence)) return keys(sequence);
	const column = cursorReport.exec(sequence)?.[1];
	if (column !== undefined) return {kind: 'cursor', column: Number(column)};
	const color = backgroundReport.exec(sequence)?.[1];
	if (color !== undefined) return {kind: 'background', color};
	const report = decodeMouse(sequence);
	return report && {kind: 'mouse', report};
}

/** Joins keys, and of several drags in a row keeps the last. */
function add(tokens: Token[], token: Token | undefined): void {
	const last = tokens.at(-1);
	if (token?.kind === 'keys' && token.text === '') return;
	if (last?.kind === 'keys' && token?.kind === 'keys') tokens[tokens.length - 1] = keys(last.text + token.text);
	else if (last?.kind === 'mouse' && token?.kind === 'mouse' && continuesDrag(last.report, token.report))
		tokens[tokens.length - 1] = token;
	else if (token) tokens.push(token);
}

const continuesDrag = (before: MouseReport, after: MouseReport): boolean =>
	before.kind === 'drag' && after.kind === 'drag' && before.button === after.button;
