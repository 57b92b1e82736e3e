import type {Readable, Writable} from 'node:stream';
import type {AuthorizedKey} from './authorized-keys.ts';

/** The terminal of a viewer, as asked for before anything ran on it; its size now is that of `Viewer.output`. */
type ViewerTerminal = {
	/** `TERM`. */
	readonly type: string;
	/** 0: not told. */
	readonly columns: number;
	readonly rows: number;
};

/**
 * What a viewer sees. A write calls back once its bytes have left the process, which a stalled viewer puts off for as long as
 * it stalls: whoever waits for that keeps nothing for it. So do the limits of bytes and of frames (writes) a second.
 */
type ViewerOutput = Writable & {
	/** Whether there is a terminal; only then is the size told. */
	readonly isTTY: boolean;
	/** Of the terminal now; 0: not told. The event `resize` follows a change, at most ten times a second. */
	readonly columns: number;
	readonly rows: number;
};

/** The variables of its environment that a viewer can pass on. */
export type ViewerVariable = 'TERM' | 'COLORTERM' | 'LANG' | 'NO_COLOR';

/** One who is logged in and has asked for the monitor or for a command. */
export type Viewer = {
	/** Undefined: an anonymous one. */
	readonly key: AuthorizedKey | undefined;
	/** The IP address that the connection comes from. */
	readonly address: string;
	/** What `ssh HOST words…` asked for, without control characters; undefined: a shell was asked for. */
	readonly command: string | undefined;
	/** Undefined: none was asked for, or the key forbids it. */
	readonly terminal: ViewerTerminal | undefined;
	/** Of at most 256 characters each, without control characters. `TERM` comes from the terminal that was asked for. */
	readonly env: Readonly<Partial<Record<ViewerVariable, string>>>;
	/** What the viewer types, slowed where it is more than a person's. */
	readonly input: Readable;
	readonly output: ViewerOutput;
	/** Standard error of `ssh`. */
	readonly errors: Writable;
	/**
	 * Sends the exit status after all that was written, and closes the session; settles when the viewer has done so, too. A terminal
	 * gets a second for that, or the connection is closed; anything else as long as it takes to read, so that nothing is cut off.
	 */
	end(status: number): Promise<void>;
	/** Call with why it gets nothing of what its key is for: that is counted and logged as a refusal, and as why it leaves. */
	reportRefusal(sentence: string): void;
	/**
	 * Aborted when the viewer has to leave: the program ends, its key is gone, it was idle for too long. The reason is the sentence
	 * that it reads once its screen is restored. Whoever runs it then calls `end`; four seconds later it is disconnected.
	 */
	readonly leave: AbortSignal;
	/** Aborted when the viewer is gone, or has closed what it reads by. */
	readonly gone: AbortSignal;
};
