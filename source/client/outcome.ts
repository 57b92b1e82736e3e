import type {Interface} from '../market/types.ts';
import type {ExchangeError, Operation} from './errors.ts';

/** How one request ended; aborted ones are not told of. */
export type Outcome = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Absent where the operation is about no market, or the market was named by its id. */
	readonly symbol?: string | undefined;
	/** Without credentials. */
	readonly url: string;
	/** When the budget let it go, epoch ms. */
	readonly startedAt: number;
	/** From then to the decoded answer or the failure. */
	readonly durationMs: number;
	/** HTTP status; absent where no head came, or the answer could not be read. */
	readonly status?: number | undefined;
	/** Of the body, as sent; absent where it did not come whole. */
	readonly bytes?: number | undefined;
	/** Entries of a list that were refused. */
	readonly dropped: number;
	/** Absent: it succeeded. */
	readonly error?: ExchangeError | undefined;
};

/** Told of every request once it has ended: the seam for a log. Must not throw. */
export type Observe = (outcome: Outcome) => void;
