import type {Operation} from '../client/errors.ts';
import type {CallOptions, InterfaceChoice} from '../client/exchange.ts';
import {keyOf, type Question} from '../client/question.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import type {Interface} from '../market/types.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import {createOutage} from './outage.ts';
import type {AnswerDate} from './resource.ts';
import {createSharedRead, type Reader, type SharedRead} from './shared-read.ts';

/** All shared reads of an exchange. */
export type SharedReads = ReturnType<typeof createSharedReads>;

/** Finds the read that answers this question, by this interface. */
export type SharedReadOf<Wanted extends Question, T> = (question: Wanted, use?: InterfaceChoice) => SharedRead<T>;

type ReadsOptions<Wanted extends Question, T> = {
	readonly operation: Operation;
	/** See `createSharedRead`, as for all below. */
	readonly leastMs: number;
	readonly keptMs: number;
	/** Default: never sooner. */
	readonly wantedMs?: ((answer: T) => number) | undefined;
	readonly dated: (answer: T) => AnswerDate;
	/** Default: every answer is enough. */
	readonly sizeOf?: ((answer: T) => number) | undefined;
	/** How many entries of a list are kept with it. Default: none that count. */
	readonly entriesOf?: ((answer: T) => number) | undefined;
	readonly request: (question: Wanted, call: CallOptions, last: T | undefined, size: number) => Promise<T>;
};

type SharedReadsOptions = {
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
	/** The interface that an aborted read names. */
	readonly preferred: Interface;
};

type AnyRead = Omit<SharedRead<unknown>, 'read' | 'extend' | 'last'>;

type Kept = {
	/** In the order of their creation. */
	readonly number: number;
	entries(): number;
	forget(): void;
};

/** What nobody has read for as long as its answer serves and this, is forgotten. */
const forgottenMs = minuteMs;
/** Where very many reads come and go, some answer after others have failed, also when none does any more. */
const silentMs = 10 * secondMs;
const sweepGapMs = 5 * secondMs;
/** Of more, those that nobody follows are forgotten, beginning with the one that nobody has read for longest. */
export const mostReads = 256;
export const mostEntries = 500_000;

/**
 * Creates an empty set of reads. When one of them is answered after a failure, the others that fail are tried again at once;
 * as long as nothing answers, the most frequent one is tried for all, and the others wait longer (`createOutage`).
 */
export function createSharedReads({clock, random, preferred}: SharedReadsOptions) {
	const now = steadyNow(clock);
	/** Those that were read last come last. */
	const all = new Map<AnyRead, Kept>();
	let created = 0;
	const outage = createOutage<AnyRead>({
		intervalOf: ({leastMs}) => leastMs,
		polled: () =>
			[...all]
				.filter(([read]) => read.isFollowed())
				.toSorted(([, a], [, b]) => a.number - b.number)
				.map(([read]) => read),
		isSilent: () => now() - answeredAt > silentMs,
	});
	let answeredAt = now();
	let sweptAt = now();

	function sweep() {
		sweptAt = now();
		let entries = [...all.values()].reduce((sum, each) => sum + each.entries(), 0);
		for (const [read, kept] of all) {
			const isOver = all.size >= mostReads || entries > mostEntries;
			if (read.idleMs() <= forgottenMs + read.keptMs && (!isOver || read.isFollowed())) continue;
			entries -= kept.entries();
			kept.forget();
		}
	}

	return {
		/** Adds what some questions are answered with. */
		add<Wanted extends Question, T>({request, ...how}: ReadsOptions<Wanted, T>): SharedReadOf<Wanted, T> {
			const {wantedMs = () => Infinity, sizeOf = () => Infinity, entriesOf = () => 0} = how;
			const own = new Map<string, SharedRead<T>>();
			return (question: Wanted, use: InterfaceChoice = 'auto') => {
				if (now() - sweptAt >= sweepGapMs || all.size >= mostReads) sweep();
				const key = `${use} ${keyOf(question)}`;
				let begun = 0;
				const read: SharedRead<T> =
					own.get(key) ??
					createSharedRead<T>({
						...{...how, clock, random, preferred, wantedMs, sizeOf},
						request(call, last, size) {
							begun = outage.begin();
							return request(question, {...call, use}, last, size);
						},
						hasProbe: () => outage.hasProbe(read),
						onEnd(outcome) {
							if (outcome === 'answered') answeredAt = now();
							if (outage.record(read, outcome, begun)) for (const other of all.keys()) other.recover();
						},
					});
				own.set(key, read);
				const number = all.get(read)?.number ?? created++;
				all.delete(read);
				all.set(read, {
					number,
					entries() {
						const last = read.last();
						return last === undefined ? 0 : entriesOf(last);
					},
					forget() {
						own.delete(key);
						all.delete(read);
						outage.forget(read);
					},
				});
				return read;
			};
		},
		/** Ends what this reader waits for. */
		leave(reader: Reader): void {
			for (const read of all.keys()) read.leave(reader);
		},
		/** Ends the waits after failures, also those that the exchange asked for. */
		retryNow(): void {
			for (const read of all.keys()) read.retryNow();
		},
		/** How many are known. */
		count: (): number => all.size,
	};
}
