import type {TypedText} from '../text-edit.ts';

/** The command line while it is open; its text is without the colon. */
export type CommandLine = TypedText & {
	/** What Tab completes, and which of its candidates `text` is; absent: nothing was completed since the last character. */
	readonly completing?: {readonly from: string; readonly index: number} | undefined;
	/** What was typed before an earlier line was taken back, and which of those that begin with it `text` is, 0 the newest. */
	readonly recalled?: {readonly from: string; readonly index: number} | undefined;
	/** What was wrong with the command when Enter was pressed. */
	readonly fault?: string | undefined;
};

export const emptyCommand: CommandLine = {text: ''};

const mostEarlier = 100;

/** The lines that were entered, oldest first, with another one. None is in it twice. */
export const withLine = (lines: readonly string[], line: string): readonly string[] =>
	[...lines.filter(each => each !== line), line].slice(-mostEarlier);
