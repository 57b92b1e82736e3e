import {UnavailableError} from '../client/errors.ts';
import type {Ask} from '../client/question.ts';
import {buildingPeriods} from '../market/candle-groups.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {type CreatePolling, resourceNames} from '../store/polling.ts';
import {isUnanswered} from '../store/resource.ts';
import {answerKnownMs, knownMs, notRecordedBrief} from './known-time.ts';
import type {Channel, FailedChannelRead, PlaybackReader, RecordedRead} from './playback-reader.ts';
import type {Place} from './player.ts';
import {createRecordedAnswers} from './recorded-answers.ts';
import {RecordedError} from './recorded-error.ts';

type PlaybackOptions = {
	readonly reader: PlaybackReader;
	readonly clock: Clock;
	/** Where the clock is in the recording. */
	readonly place: () => Place;
	/** What is brought of it. Default: all. */
	readonly names?: readonly Ask[];
	/** How far a tape must reach back, ms. Default: as far as that of the screen. */
	readonly tapeMs?: () => number;
};

/** A channel that is followed from what is known of it at first. */
type Followed = {
	/** Oldest first. */
	readonly known: readonly RecordedRead[];
	show(read: RecordedRead): void;
	/** Waits for the next read. */
	begin(): void;
	stop(): void;
};

type Repeated = {readonly count: number; readonly ms: number};

/**
 * The reads that a seek repeats: as much as fills histories, of the tape those that show whether the exchange's clock runs, and of
 * candles those that show which trades the last one has. Of others only the last answer counts, and how often it failed since.
 */
const repeated: Partial<Readonly<Record<Ask, Repeated>>> = {
	depth: {count: 240, ms: 240_000},
	tickers: {count: 24, ms: Infinity},
	trades: {count: 240, ms: 20_000},
	candles: {count: 6, ms: 60_000},
};
const mostFailures = 240;
/** In the lists that a seek repeats, together: more take longer than a key may. */
const mostTickers = 30_000;

/** A request is reported as pending when it was checked for the second time, which happens each second. */
const pendingMs = 2000;

/**
 * Brings each recorded read to its source at its time, and at the start those that were known then. What was not recorded is
 * forgotten: it must not look like the present. No request is sent.
 */
export const createPlayback =
	({reader, clock, place, names = resourceNames, tapeMs}: PlaybackOptions): CreatePolling =>
	({sources, state, onChange, onPending, forget}) => {
		const followed = new Map<Ask, {readonly key: string} & Followed>();
		let started = false;

		function channelOf(name: Ask): Channel | undefined {
			const {symbol, period} = state();
			if (name === 'info' || name === 'markets') return {operation: name};
			if (name === 'tickers') return {operation: 'ticker'};
			if (symbol === undefined) return undefined;
			if (name === 'candles') return {operation: name, symbol, period: recordedPeriod(symbol, period)};
			return {operation: name, symbol};
		}

		/** The period itself or, if it was not recorded, the longest that it can be built from. */
		function recordedPeriod(symbol: string, period: Period): Period {
			const {session} = place();
			return [period, ...buildingPeriods(period)].find(each => reader.hasCandles(session.id, symbol, each)) ?? period;
		}

		function unfollow(name: Ask) {
			followed.get(name)?.stop();
			followed.delete(name);
		}

		/** Follows what the state now asks for: first what is known of it, in the order in which it was received. */
		function sync() {
			const begun: Followed[] = [];
			const {session, time} = place();
			let id: number | undefined;
			for (const name of names) {
				const channel = started ? channelOf(name) : undefined;
				const key = channel && Object.values(channel).join(' ');
				if (followed.get(name)?.key === key) continue;
				unfollow(name);
				if (!channel || key === undefined) continue;
				id ??= reader.idAt(session.id, time);
				const each = follow(name, channel, id);
				followed.set(name, {key, ...each});
				begun.push(each);
			}

			const known = begun.flatMap(({known: reads, show}) => reads.map(read => ({read, show})));
			for (const {read, show} of known.sort((one, other) => one.read.id - other.read.id)) show(read);
			for (const {begin} of begun) begin();
		}

		function knownReads(name: Ask, channel: Channel, id: number): readonly RecordedRead[] {
			const {session, time} = place();
			const lastReads = ({count, ms}: Repeated) => reader.last(session.id, channel, id, {from: time - ms, count});
			const reads = repeated[name] && lastReads(repeated[name]);
			const newest = name === 'tickers' ? reads?.at(-1) : undefined;
			const most = newest ? Math.ceil(mostTickers / reader.tickers(newest.id).length) : Infinity;
			const history = reads?.slice(-most);
			if (history?.some(read => 'answer' in read)) return history;
			// It was polled rarely, or has failed for long.
			const rare = lastReads({count: mostFailures, ms: Infinity});
			return rare.slice(
				Math.max(
					rare.findLastIndex(read => 'answer' in read),
					0,
				),
			);
		}

		/** `id`: the newest answer that is known. */
		function follow(name: Ask, channel: Channel, id: number): Followed {
			const {session} = place();
			const intervalMs = reader.intervals(session.id)[name];
			const answers = createRecordedAnswers(reader, sources, tapeMs);
			let timers: (() => void)[] = [];
			const at = (when: number, act: () => void) => timers.push(clock.after(when - clock.now(), act));
			const stop = () => {
				for (const cancel of timers) cancel();
				timers = [];
			};

			/** When the first request was sent that no answer came to, nor to one after it. */
			let unansweredSince: number | undefined;

			function fail(read: FailedChannelRead, next: RecordedRead | undefined) {
				const {failure, id, sentAt} = read;
				const error = new RecordedError(failure);
				const since = reader.failingSince(session.id, channel, id);
				if (name === 'candles' && failure.kind === 'unavailable') sources.candles.onAnswer('unavailable');
				else sources[name].onFailure({error, since, retryAt: next?.sentAt});
				unansweredSince = isUnanswered(error) ? (unansweredSince ?? sentAt) : undefined;
			}

			function show(read: RecordedRead, next: RecordedRead | undefined) {
				if ('failure' in read) fail(read, next);
				else {
					unansweredSince = undefined;
					answers[name](channel, read);
				}

				if (state().pending[name] !== unansweredSince) onPending(name, unansweredSince);
			}

			function lose(since: number) {
				forget(name);
				const {operation} = channel;
				const why = {brief: notRecordedBrief, remedy: 'go to another time'};
				sources[name].onFailure({error: new UnavailableError({operation, interface: 'v2', url: '', ...why}), since});
				onChange();
			}

			/** Waits for the next read. */
			function expect(last: RecordedRead | undefined, next: RecordedRead | undefined) {
				// At the beginning, what was not read yet was waited for.
				const knownUntil = last
					? Math.min(last.endedAt + knownMs(last, intervalMs), session.to)
					: session.from + answerKnownMs(intervalMs);
				if (!next || next.sentAt > knownUntil) {
					const isLost = clock.now() > knownUntil || last === undefined;
					if (isLost) lose(knownUntil);
					else at(knownUntil + 1, () => lose(knownUntil));
				}

				if (!next) return;
				const reportAt = next.sentAt + pendingMs;
				const report = () => onPending(name, unansweredSince ?? next.sentAt);
				if (reportAt <= clock.now()) report();
				else if (reportAt < next.endedAt) at(reportAt, report);
				at(next.endedAt, () => {
					stop();
					const following = reader.next(session.id, channel, next.id);
					show(next, following);
					expect(next, following);
					sync();
					onChange();
				});
			}

			const known = knownReads(name, channel, id);
			const next = reader.next(session.id, channel, id);
			return {known, show: read => show(read, next), begin: () => expect(known.at(-1), next), stop};
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
			restart(restarted) {
				for (const name of restarted) unfollow(name);
				sync();
			},
			refresh() {},
			relist: () => false,
		};
	};
