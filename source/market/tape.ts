import type {Trade} from './types.ts';

/** The trades seen of one market. */
export type Tape = {
	/** Newest first: by time, then id. */
	readonly trades: readonly Trade[];
	/** Ids of trades after (below) which older trades may be missing. */
	readonly gaps: ReadonlySet<string>;
};
