import {secondMs} from '../../market/units.ts';
import type {Operation} from '../errors.ts';

/** When an answer was written, by the exchange's clock, and what our clock says about that. Times are epoch ms. */
type Written = {
	readonly operation: Operation;
	readonly writtenAt: number;
	/** The steps of the clock that wrote it, at least 1. */
	readonly stepMs: number;
	readonly receivedAt: number;
	/** The last known time at which it was not written yet, where there is one. */
	readonly writtenAfter?: number | undefined;
	/** `writtenAfter` is no conclusion from another answer. */
	readonly isCertain: boolean;
};

/** Finds how old the answers of one interface are when they arrive. */
export type WrittenAges = {
	/** Ms from the writing of the answer to its arrival. */
	of(written: Written): number;
};

/** The clock that writes the answers to one operation. */
type Writer = {
	/** The least time from the writing of an answer, by this clock, to its arrival, by ours; `at`: when that was seen. */
	least: {readonly ms: number; readonly at: number};
	/** The last answer shows that this time is longer. */
	boundMs: number;
	/** Answers in a row that showed `least` to be too short. */
	contradictions: number;
};

/** What two clocks drift apart at most, of the time that passes. */
const drift = 1e-4;
/** A single answer that contradicts by more proves that a clock was set. */
const leastCertainMs = 10 * secondMs;
/** Answers in a row that prove it: two caches beside each other may contradict now and then. */
const leastContradictions = 3;

/**
 * An answer arrives after it was written, whatever the exchange's clock shows. The least time from the writing, by that clock,
 * to the arrival, by ours, is therefore that of a fresh answer, and what another one took longer is its age. So a wrong clock
 * makes no answer old, no age is negative or too high, and ages are true as soon as one answer was fresh.
 *
 * The least time is counted anew when a clock was set: if an answer seems to be written before it can have been, or to be
 * as old as the time, by our clock, since an answer was fresh.
 */
export function createWrittenAges(): WrittenAges {
	const writers = new Map<Operation, Writer>();
	let lastFreshAt = Number.NEGATIVE_INFINITY;

	function writerOf(operation: Operation): Writer {
		const writer = writers.get(operation) ?? {...nothingSeen};
		writers.set(operation, writer);
		return writer;
	}

	function countAnew(): void {
		for (const writer of writers.values()) Object.assign(writer, nothingSeen);
	}

	/** Counts anew if an answer is proven to take more than the least time so far. */
	function checkBound(writer: Writer, boundMs: number, {receivedAt, isCertain}: Written): void {
		const contradictionMs = boundMs - leastOf(writer, receivedAt);
		writer.contradictions = contradictionMs > 0 ? writer.contradictions + 1 : 0;
		const isProven = isCertain || contradictionMs >= leastCertainMs || writer.contradictions >= leastContradictions;
		if (contradictionMs > 0 && isProven) countAnew();
		writer.boundMs = boundMs;
	}

	function ageOf(writer: Writer, {writtenAt, receivedAt, stepMs}: Written): number {
		const tookMs = receivedAt - writtenAt;
		if (tookMs <= leastOf(writer, receivedAt)) writer.least = {ms: tookMs, at: receivedAt};
		const leastOfAll = Math.min(...[...writers.values()].map(each => leastOf(each, receivedAt)));
		// An operation may have a clock of its own.
		const freshMs = leastOfAll > writer.boundMs ? leastOfAll : leastOf(writer, receivedAt);
		return Math.floor(Math.max(tookMs - freshMs - (stepMs - 1), 0));
	}

	return {
		of(written) {
			const {operation, writtenAt, writtenAfter, receivedAt, stepMs} = written;
			const writer = writerOf(operation);
			// Our own times are rounded down, too.
			if (writtenAfter !== undefined) checkBound(writer, writtenAfter - writtenAt - stepMs - 1, written);
			let ageMs = ageOf(writer, written);
			const isLeap = ageMs >= leastCertainMs && writtenAfter !== undefined && ageMs <= receivedAt - lastFreshAt;
			if (isLeap) {
				countAnew();
				ageMs = ageOf(writer, written);
			}

			if (ageMs < secondMs) lastFreshAt = receivedAt;
			return ageMs;
		},
	};
}

const nothingSeen = {least: {ms: Infinity, at: 0}, boundMs: -Infinity, contradictions: 0} satisfies Writer;

/** The least time as it may be now. */
const leastOf = ({least}: Writer, now: number): number => least.ms + Math.max(now - least.at, 0) * drift;
