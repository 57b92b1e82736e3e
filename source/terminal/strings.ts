import {interrupt} from './pastes.ts';

const esc = '\u001B';
/** DCS, SOS, OSC, PM and APC. */
const introducers = /[PX\]^_]/;
/** BEL, CAN, SUB and the one-character ST. */
const terminators = /[\u0007\u0018\u001A\u009C]/;
const backgroundReport = ']11;';
/** Longer strings are not kept: no report of the background is. */
const mostKept = 80;
const mouseBytes = 3;

/**
 * Drops control strings (OSC, DCS, APC, PM, SOS) and X10 mouse reports (`ESC [ M` and three bytes) from a terminal's input, once
 * their introducer has arrived in one piece. Reports of the background pass, whole. Ctrl-C and the Esc of another sequence end a string.
 */
export class StringSieve {
	/** The beginning of the string that has not ended, without its Esc; undefined: there is none. */
	#text: string | undefined;
	/** The last character of the string was Esc. */
	#escaped = false;
	/** How many characters of a mouse report have not arrived. */
	#mouseLeft = 0;

	/** Whether a string or mouse report has begun and not ended. */
	get isOpen(): boolean {
		return this.#text !== undefined || this.#mouseLeft > 0;
	}

	sift(input: string): string {
		const passed: string[] = [];
		for (const character of input) this.#next(passed, character);
		return passed.join('');
	}

	/** Forgets what has not ended. */
	drop(): void {
		this.#text = undefined;
		this.#escaped = false;
		this.#mouseLeft = 0;
	}

	/** Takes `character` after the characters that are passed on so far: adds it, or takes an introducer back. */
	#next(passed: string[], character: string): void {
		if (this.#text !== undefined) {
			passed.push(...this.#within(this.#text, character));
			return;
		}

		if (this.#mouseLeft > 0) {
			this.#mouseLeft = character < ' ' ? 0 : this.#mouseLeft - 1;
			if (character >= ' ') return;
		}

		const [before, last] = [passed.at(-2), passed.at(-1)];
		if (last === esc && introducers.test(character)) {
			passed.pop();
			this.#text = character;
		} else if (before === esc && last === '[' && character === 'M') {
			passed.splice(-2);
			this.#mouseLeft = mouseBytes;
		} else passed.push(character);
	}

	/** What is passed on for a character of a string. */
	#within(text: string, character: string): string {
		if (this.#escaped) {
			this.drop();
			if (character === '\\') return ended(text);
			if (introducers.test(character)) this.#text = character;
			return this.#text === undefined ? esc + character : '';
		}

		if (character === esc) this.#escaped = true;
		else if (terminators.test(character) || character === interrupt) {
			this.drop();
			return character === interrupt ? interrupt : ended(text);
		} else if (text.length < mostKept) this.#text = text + character;
		return '';
	}
}

const ended = (text: string): string => (text.startsWith(backgroundReport) ? `${esc}${text}\u0007` : '');
