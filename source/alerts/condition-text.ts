import {textWidth} from '../format/cells.ts';
import {stripControl} from '../format/control.ts';

/** What is wrong with a condition that was typed, and where. */
export class ConditionError extends Error {
	override readonly name = 'ConditionError';
	/** The text around the fault without control characters, and below it a caret; empty for an empty text. */
	readonly lines: readonly string[];
	/** Index of the fault in the text. */
	readonly at: number;

	constructor(message: string, text: string, at: number) {
		super(message);
		this.at = at;
		this.lines = caretUnder(text, at);
	}
}

/** Characters of a long text that are shown on either side of the fault. */
const mostBefore = 120;
const mostAfter = 60;

function caretUnder(text: string, at: number): readonly string[] {
	if (text.trim() === '') return [];
	const from = at > mostBefore + 1 ? at - mostBefore : 0;
	const before = `${from > 0 ? '…' : ''}${stripControl(text.slice(from, at))}`;
	const after = text.length > at + mostAfter + 1 ? `${text.slice(at, at + mostAfter)}…` : text.slice(at);
	return [`${before}${stripControl(after)}`, `${' '.repeat(textWidth(before))}^`];
}

export type Token = {
	readonly text: string;
	/** Index of its first character. */
	readonly at: number;
};

export const longestText = 2000;
/** Bounds the parser's recursion. */
const deepestNesting = 50;

/** Reads a text from left to right. Spaces before what it reads are left out. */
export type Scanner = ReturnType<typeof scan>;

export function scan(text: string) {
	let next = skipSpaces(0);
	let last: Token | undefined;
	let depth = 0;

	function skipSpaces(from: number): number {
		const spaces = /\s*/y;
		spaces.lastIndex = from;
		return from + (spaces.exec(text)?.[0].length ?? 0);
	}

	function peek(pattern: RegExp): Token | undefined {
		pattern.lastIndex = next;
		const match = pattern.exec(text);
		return match?.[0] ? {text: match[0], at: next} : undefined;
	}

	function fail(message: string, at = next): never {
		throw new ConditionError(message, text, at);
	}

	if (text.length > longestText) fail(`a condition has at most ${longestText} characters`, text.length);
	return {
		/** Index of the next character that is no space. */
		at: (): number => next,
		isAtEnd: (): boolean => next >= text.length,
		/** The text that `pattern` (sticky) matches here, which is not read; undefined: it does not match. */
		peek,
		/** The text that `pattern` (sticky) matches here, which is read; undefined: it does not match. */
		accept(pattern: RegExp): Token | undefined {
			const token = peek(pattern);
			if (!token) return undefined;
			next = skipSpaces(token.at + token.text.length);
			last = token;
			return token;
		},
		/** The last token that was accepted; undefined: none was. */
		last: (): Token | undefined => last,
		/** Reads with `read` what is in parentheses that were opened before. */
		nested<Read>(read: () => Read): Read {
			if (depth >= deepestNesting) fail(`more than ${deepestNesting} parentheses are open`);
			depth += 1;
			const result = read();
			depth -= 1;
			return result;
		},
		/** Default place: here. */
		fail,
		/** Says what was expected here, and after what. */
		failExpecting: (what: string): never => fail(`expected ${what}${last ? ` after ${last.text}` : ''}`),
	};
}
