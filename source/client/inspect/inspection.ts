import type {Interface} from '../../market/types.ts';
import type {Operation} from '../errors.ts';
import type {BookAgreement, TickerAgreement} from './agreement.ts';
import type {LimitBounds, RangeUnit} from './limits.ts';
import type {Deviation} from './shape.ts';
import type {ClockSkew, TickerDelay} from './timing.ts';

/** What the probes of an exchange found. Absent fields could not be found, see the operations' errors. */
export type Inspection = {
	/** The inspected market. */
	readonly symbol: string;
	/** In all. */
	readonly requests: number;
	readonly operations: readonly OperationReport[];
	/** Whether the v2 book shows bids. */
	readonly v2Bids?: boolean | undefined;
	readonly clocks: ReadonlyArray<ClockSkew & {readonly interface: Interface}>;
	readonly limits: ReadonlyArray<LimitBounds & {readonly interface: Interface; readonly operation: Operation}>;
	readonly rangeUnit?: RangeUnit | undefined;
	readonly tickerDelays: ReadonlyArray<TickerDelay & {readonly interface: Interface; readonly operation: Operation}>;
	/** Only where both interfaces answer. */
	readonly agreement: {readonly tickers?: TickerAgreement | undefined; readonly book?: BookAgreement | undefined};
	readonly connections: ReadonlyArray<{
		readonly interface: Interface;
		readonly requests: number;
		/** Connections opened for them. */
		readonly opened: number;
	}>;
	readonly rateLimit: {
		/** Requests answered 429. */
		readonly refusals: number;
		/** Requests a second that the budget allowed in the end. */
		readonly allowed: number;
		/** With their last values. */
		readonly headers: ReadonlyArray<{readonly interface: Interface; readonly name: string; readonly value: string}>;
	};
};

export type OperationReport = {
	readonly operation: Operation;
	readonly interface: Interface;
	readonly requests: number;
	readonly failures: number;
	/** HTTP status of the last answer; absent without one. */
	readonly status?: number | undefined;
	/** Of the last failure. */
	readonly error?: {readonly brief: string; readonly message: string; readonly advice: string} | undefined;
	/** Of good answers, to the last byte; of those on kept-alive connections where there are any. */
	readonly p50Ms?: number | undefined;
	readonly p95Ms?: number | undefined;
	/** Of the last good answer, as sent and decompressed. */
	readonly sentBytes?: number | undefined;
	readonly bytes?: number | undefined;
	/** The `Content-Encoding` of the last good answer. */
	readonly encoding?: string | undefined;
	/** Of the last good answer: entries or levels, and those that could not be read. */
	readonly entries?: number | undefined;
	readonly dropped: number;
	readonly deviations: readonly Deviation[];
};
