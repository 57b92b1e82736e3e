/** The command line while it is open. */
export type CommandLine = {
	/** Without the colon. */
	readonly text: string;
	/** What Tab completes, and which of its candidates `text` is; absent: nothing was completed since the last character. */
	readonly completing?: {readonly from: string; readonly index: number} | undefined;
	/** What was wrong with the command when Enter was pressed. */
	readonly fault?: string | undefined;
};

export const emptyCommand: CommandLine = {text: ''};
