import type {Interface} from '../market/types.ts';
import type {ExchangeError, Operation} from './errors.ts';

/** How one request ended; aborted ones have no outcome. */
export type Outcome = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Absent where the operation is about no market, or the market was named by its id. */
	readonly symbol?: string | undefined;
	/** Without credentials. */
	readonly url: string;
	/** When the request left, epoch ms. */
	readonly startedAt: number;
	/** From then to the decoded answer or the failure. */
	readonly durationMs: number;
	/** HTTP status; absent without a head, and where the answer is unreadable. */
	readonly status?: number | undefined;
	/** Of the body, as sent; absent where it is incomplete. */
	readonly bytes?: number | undefined;
	/** Entries of a list that could not be read. */
	readonly dropped: number;
	/** Absent after a success. */
	readonly error?: ExchangeError | undefined;
};

/** Called at the end of every request, for a log. Must not throw. */
export type Observe = (outcome: Outcome) => void;
