import {UnavailableError} from '../client/errors.ts';
import {buildingPeriods} from '../market/candle-groups.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {type CreatePolling, pollIntervals, resourceNames} from '../store/polling.ts';
import {leastPendingMs, type ResourceName} from '../store/state.ts';
import type {Channel, PlaybackReader, RecordedRead} from './playback-reader.ts';
import type {Place} from './player.ts';
import {createRecordedAnswers} from './recorded-answers.ts';
import {RecordedError} from './recorded-error.ts';

type PlaybackOptions = {
	readonly reader: PlaybackReader;
	readonly clock: Clock;
	/** Where the clock is in the recording. */
	readonly place: () => Place;
	/** Ms between two polls of the recorder, where they are not the defaults. */
	readonly intervals?: Partial<Readonly<Record<ResourceName, number>>> | undefined;
};

/** The reads that a seek repeats: as many as histories hold at full detail. */
const repeated: Readonly<Record<ResourceName, {readonly count: number; readonly ms: number}>> = {
	depth: {count: 240, ms: 240_000},
	tickers: {count: 64, ms: Infinity},
	...({tape: {count: 1, ms: Infinity}, candles: {count: 1, ms: Infinity}} as const),
	...({markets: {count: 1, ms: Infinity}, info: {count: 1, ms: Infinity}} as const),
};

/** After so many intervals without a read, nothing is known. */
const missedIntervals = 3;
const leastGapMs = 10_000;
/** While an exchange fails, it is asked rarely. */
const failingGapMs = 330_000;

/**
 * Brings each recorded read to its source at its time, and at the start those that were known then. What was not recorded is
 * forgotten: it must not look like the present. No request is sent.
 */
export const createPlayback =
	({reader, clock, place, intervals}: PlaybackOptions): CreatePolling =>
	({sources, state, onChange, onPending, forget}) => {
		const normalMs = {...pollIntervals(), ...intervals};
		const followed = new Map<ResourceName, {readonly key: string; readonly stop: () => void}>();
		const answers = createRecordedAnswers(reader, sources);
		let started = false;

		function channelOf(name: ResourceName): Channel | undefined {
			const {symbol, period} = state();
			if (name === 'info' || name === 'markets') return {operation: name};
			if (name === 'tickers') return {operation: 'ticker'};
			if (symbol === undefined) return undefined;
			if (name === 'candles') return {operation: name, symbol, period: recordedPeriod(symbol, period)};
			return {operation: name === 'tape' ? 'trades' : name, symbol};
		}

		/** The period itself or, if it was not recorded, the longest that it can be built from. */
		function recordedPeriod(symbol: string, period: Period): Period {
			const recorded = reader.periods(place().session.id, symbol);
			return [period, ...buildingPeriods(period)].find(each => recorded.includes(each)) ?? period;
		}

		function unfollow(name: ResourceName) {
			followed.get(name)?.stop();
			followed.delete(name);
		}

		/** Follows what the state now asks for. */
		function sync() {
			for (const name of resourceNames) {
				const channel = started ? channelOf(name) : undefined;
				const key = channel && Object.values(channel).join(' ');
				if (followed.get(name)?.key === key) continue;
				unfollow(name);
				if (channel && key !== undefined) followed.set(name, {key, stop: follow(name, channel)});
			}
		}

		function knownMs(name: ResourceName, read: RecordedRead): number {
			return 'failure' in read ? failingGapMs : Math.max(missedIntervals * normalMs[name], leastGapMs);
		}

		function follow(name: ResourceName, channel: Channel): () => void {
			const {session, time} = place();
			let timers: (() => void)[] = [];
			const at = (when: number, act: () => void) => timers.push(clock.after(when - clock.now(), act));
			const stop = () => {
				for (const cancel of timers) cancel();
				timers = [];
			};

			function fail(read: RecordedRead, next: RecordedRead | undefined) {
				if (!('failure' in read)) return;
				const {failure, id} = read;
				const since = reader.failingSince(session.id, channel, id);
				if (name === 'candles' && failure.kind === 'unavailable') sources.candles.onAnswer('unavailable');
				else sources[name].onFailure({error: new RecordedError(failure), since, retryAt: next?.sentAt});
			}

			function show(read: RecordedRead, next: RecordedRead | undefined) {
				if ('failure' in read) fail(read, next);
				else answers[name](channel, read);
			}

			function lose(since: number) {
				forget(name);
				const {operation} = channel;
				const why = {brief: 'not recorded', remedy: 'go to another time'};
				sources[name].onFailure({error: new UnavailableError({operation, interface: 'v2', url: '', ...why}), since});
				onChange();
			}

			/** Waits for the next read. */
			function expect(last: RecordedRead | undefined, next: RecordedRead | undefined) {
				const knownUntil = last ? Math.min(last.endedAt + knownMs(name, last), session.to) : session.from;
				if (!next || next.sentAt > knownUntil) {
					const isLost = clock.now() > knownUntil || last === undefined;
					if (isLost) lose(knownUntil);
					else at(knownUntil + 1, () => lose(knownUntil));
				}

				if (!next) return;
				const reportAt = next.sentAt + leastPendingMs;
				if (next.endedAt > reportAt) at(reportAt, () => onPending(name, next.sentAt));
				at(next.endedAt, () => {
					stop();
					onPending(name, undefined);
					const following = reader.next(session.id, channel, next.id);
					show(next, following);
					expect(next, following);
					sync();
					onChange();
				});
			}

			const id = reader.idAt(session.id, time);
			const {count, ms} = repeated[name];
			const known = reader.last(session.id, channel, id, {from: time - ms, count});
			const newest = known.at(-1);
			const next = reader.next(session.id, channel, id);
			for (const read of known) if (read === newest || !('failure' in read)) show(read, next);
			expect(newest, next);
			return stop;
		}

		return {
			isStarted: () => started,
			polls: name => followed.has(name),
			start() {
				started = true;
				sync();
				// The market list may have named a market.
				sync();
				onChange();
			},
			stop() {
				started = false;
				sync();
			},
			show() {},
			sync,
			restart(names) {
				for (const name of names) unfollow(name);
				sync();
			},
			refresh() {},
		};
	};
