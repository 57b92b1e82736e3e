import {minuteMs, secondMs} from '../../market/units.ts';
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

/** Clocks drift apart, and small changes of them are not noticed: a least time counts so long, or twice. */
const stretchMs = 2 * minuteMs;
/** A cache may give the old answer for so long while it fetches the new one. */
const tolerableMs = secondMs / 2;
/** A single answer that contradicts by more proves that a clock was set. */
const leastCertainMs = 10 * secondMs;
/** Answers in a row that prove it: two caches beside each other may contradict now and then. */
const leastContradictions = 3;

/**
 * Finds how old the answers of one interface are when they arrive.
 *
 * An answer arrives after it was written, whatever the exchange's clock shows. The least time from the writing, by that clock,
 * to the arrival, by ours, is therefore that of a fresh answer, and what another one took longer is its age. So a wrong clock
 * makes no answer old, no age is negative or too high, and ages are true as soon as one answer was fresh.
 *
 * The least time is that of all operations, as they come from one exchange, unless an operation is proven to have a clock of
 * its own. It is counted anew when a clock was set: if answers seem to be written before they can have been, or one seems to
 * be as old as the time, by our clock, since an answer was fresh.
 */
export function createWrittenAges() {
	const writers = new Map<Operation, Writer>();
	let lastFreshAt = Number.NEGATIVE_INFINITY;

	function writerOf(operation: Operation): Writer {
		const writer = writers.get(operation) ?? {...newWriter};
		writers.set(operation, writer);
		return writer;
	}

	function countAnew(): void {
		for (const writer of writers.values()) Object.assign(writer, newWriter);
	}

	/** How long a fresh answer takes. */
	function freshMs(writer: Writer, now: number): number {
		const alike = writer.isApart ? [writer] : [...writers.values()].filter(({isApart}) => !isApart);
		return Math.min(...alike.map(each => leastOf(each, now)));
	}

	/** Finds out whether a clock was set, or is another one, where answers are proven to take longer than the least time. */
	function checkBound(writer: Writer, boundMs: number, {receivedAt, isCertain}: Written): void {
		const contradictionMs = boundMs - freshMs(writer, receivedAt);
		writer.contradictions = contradictionMs > 0 ? writer.contradictions + 1 : 0;
		const isProven = isCertain || contradictionMs >= leastCertainMs || writer.contradictions >= leastContradictions;
		if (contradictionMs <= 0 || !isProven) return;
		if (leastOf(writer, receivedAt) < boundMs) countAnew();
		else Object.assign(writer, {isApart: true, contradictions: 0});
	}

	function ageOf(writer: Writer, {writtenAt, receivedAt, stepMs}: Written): number {
		const tookMs = receivedAt - writtenAt;
		takeNote(writer, tookMs, receivedAt);
		return Math.max(tookMs - freshMs(writer, receivedAt) - (stepMs - 1), 0);
	}

	return {
		/** Ms from the writing of the answer to its arrival, without the time that a fresh one takes. */
		of(written: Written): number {
			const {operation, writtenAt, writtenAfter, receivedAt, stepMs, isCertain} = written;
			const writer = writerOf(operation);
			if (writtenAfter !== undefined) {
				// Our own times are rounded down, too.
				const boundMs = writtenAfter - writtenAt - stepMs - 1;
				checkBound(writer, isCertain ? boundMs : boundMs - tolerableMs, written);
			}

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

/** The clock that writes the answers to one operation. */
const newWriter = {
	/** The least time from the writing of an answer, by this clock, to its arrival, by ours, in this stretch of time and the last. */
	stretch: {from: 0, leastMs: Infinity},
	lastLeastMs: Infinity,
	/** It is another one than that of the other operations. */
	isApart: false,
	/** Answers in a row that showed the least time to be too short. */
	contradictions: 0,
};

type Writer = typeof newWriter;

function leastOf({stretch, lastLeastMs}: Writer, now: number): number {
	const sinceMs = Math.abs(now - stretch.from);
	if (sinceMs >= 2 * stretchMs) return Infinity;
	return sinceMs < stretchMs ? Math.min(stretch.leastMs, lastLeastMs) : stretch.leastMs;
}

function takeNote(writer: Writer, tookMs: number, now: number): void {
	const {from} = writer.stretch;
	if (Math.abs(now - from) < stretchMs) {
		writer.stretch = {from, leastMs: Math.min(writer.stretch.leastMs, tookMs)};
	} else {
		writer.lastLeastMs = leastOf(writer, now);
		writer.stretch = {from: now, leastMs: tookMs};
	}
}
