import {type Clock, steadyNow} from '../market/clock.ts';
import {createChanges, createStore} from '../store/create-store.ts';
import type {Moment, Session} from './outcome-log.ts';
import {fastest, type Speed, slowest} from './replay-controls.ts';

type PlayerState = {
	readonly sessions: readonly Session[];
	/** The session that is shown; after its end, what follows was not recorded. */
	readonly session: Session;
	/** The recorded time that is shown, epoch ms. */
	readonly time: number;
	readonly isPlaying: boolean;
	readonly speed: Speed;
};

/** Plays a recording: moves the replay clock, and says when what is shown has changed. */
export type Player = ReturnType<typeof createPlayer>;

export type PlayerOptions = {
	/** Oldest first, at least one. */
	readonly sessions: readonly Session[];
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets promises settle. */
	readonly settle: () => Promise<unknown>;
	/** Where to begin, epoch ms, or a moment. Default: the beginning. */
	readonly from?: number | Moment | undefined;
	readonly speed?: Speed | undefined;
	/** Called when what comes next cannot be shown. Default: throws. */
	readonly onError?: ((error: unknown) => void) | undefined;
};

/** Real time between two moments that are shown. */
const stepMs = 50;
/** So long a step works at most before its moment is shown. */
const mostWorkMs = 100;
/** More real time than this has not passed between two steps: the computer slept, or is too slow for the speed. */
const mostElapsedMs = 250;
/** Recorded time that passes at once. */
const leapMs = 1000;

export function createPlayer(options: PlayerOptions) {
	const {clock, settle, speed = 1, onError} = options;
	const now = steadyNow(clock);
	const seeks = createChanges();
	const [first] = options.sessions;
	if (!first) throw new Error('a recording without sessions');
	const {from = first.from} = options;
	const store = createStore<PlayerState>({
		...(typeof from === 'number' ? placed(options.sessions, from, first) : from),
		...{sessions: options.sessions, isPlaying: false, speed},
	});
	const replayClock = createReplayClock(store.getSnapshot().time, settle);
	let moment: Moment = store.getSnapshot();
	let cancel = () => {};
	let isStepping = false;
	/** Of what is shown: a step that was overtaken by a seek ends. */
	let generation = 0;

	function put(change: Partial<PlayerState>) {
		const next = {...store.getSnapshot(), ...change};
		moment = next;
		store.set(next);
	}

	function seek(to: Moment) {
		generation++;
		moment = to;
		replayClock.set(to.time);
		seeks.changed();
		put(to);
	}

	/** Shows what follows after the end of a session: the next one, or nothing more. */
	function endSession() {
		const {sessions, session} = store.getSnapshot();
		const next = sessions[sessions.indexOf(session) + 1];
		if (next) seek({session: next, time: next.from});
		else put({isPlaying: false});
	}

	/** Plays what `elapsedMs` of real time are worth, as far as there is time for it. */
	async function advance(elapsedMs: number) {
		const own = generation;
		const {session, time, speed: pace} = store.getSnapshot();
		if (time >= session.to) return endSession();
		const until = pace === 'max' ? session.to : Math.min(time + elapsedMs * pace, session.to);
		const startedAt = now();
		let reached = time;
		while (reached < until && generation === own && now() - startedAt < mostWorkMs) {
			reached = Math.min(reached + leapMs, until);
			await replayClock.advanceTo(reached);
		}

		if (generation === own) put({time: reached});
	}

	/** Takes the next step in a while. `from`: the real time until which was played. */
	function wait(from: number) {
		cancel = clock.after(store.getSnapshot().speed === 'max' ? 0 : stepMs, async () => {
			const startedAt = now();
			isStepping = true;
			try {
				await advance(Math.min(startedAt - from, mostElapsedMs));
			} catch (error) {
				put({isPlaying: false});
				if (!onError) throw error;
				onError(error);
			} finally {
				isStepping = false;
			}

			if (store.getSnapshot().isPlaying) wait(startedAt);
		});
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		/** Its time is the recorded one that is shown. */
		clock: replayClock,
		play(): void {
			const {isPlaying, sessions, session, time} = store.getSnapshot();
			if (isPlaying) return;
			if (session === sessions.at(-1) && time >= session.to) seek({session: first, time: first.from});
			put({isPlaying: true});
			// A step that is under way waits for the next one itself.
			if (!isStepping) wait(now());
		},
		pause(): void {
			cancel();
			put({isPlaying: false});
		},
		setSpeed(next: Speed): void {
			put({speed: next === 'max' ? next : Math.min(Math.max(next, slowest), fastest)});
		},
		/**
		 * Shows that moment. A time (epoch ms) between two sessions is shown as not known; before the first and after the last one it is
		 * their first or last moment.
		 */
		goTo(to: number | Moment): void {
			const {sessions, session} = store.getSnapshot();
			seek(typeof to === 'number' ? placed(sessions, to, session) : {session: to.session, time: to.time});
		},
		/** Calls `listener` when the time was moved other than by playing, before other listeners. */
		onSeek: seeks.subscribe,
		/** Where the replay clock is: as the state, but up to date while a seek is under way. */
		moment: (): Moment => moment,
		/** Pauses, also a step that is under way. */
		stop(): void {
			generation++;
			cancel();
			put({isPlaying: false});
		},
	};
}

/** The session of a time: the one that is shown if it is in it, else the first one that has it, else the one that ended last before it. */
function placed(sessions: readonly Session[], time: number, shown: Session): Moment {
	const has = ({from, to}: Session) => from <= time && time <= to;
	const byEnd = sessions.toSorted((one, other) => one.to - other.to);
	const [first = shown] = sessions.toSorted((one, other) => one.from - other.from);
	const session = [shown, ...sessions].find(has) ?? byEnd.findLast(({to}) => to <= time) ?? first;
	const last = byEnd.at(-1) ?? session;
	return {session, time: Math.max(session.from, session === last ? Math.min(time, session.to) : time)};
}

/** A clock that stands still until it is moved: its time is that of a recording. */
export type ReplayClock = Clock & {
	/** Lets time pass until `time` (epoch ms): timers run in the order of their times, and promises settle after each. */
	advanceTo(time: number): Promise<void>;
	/** Moves the time, also back, and drops all timers. */
	set(time: number): void;
};

/** `start`: epoch ms. `settle` lets promises settle. */
export function createReplayClock(start: number, settle: () => Promise<unknown>): ReplayClock {
	type Timer = {readonly at: number; readonly callback: () => void};
	let timers = new Set<Timer>();
	let now = start;

	function takeDue(until: number): Timer | undefined {
		let due: Timer | undefined;
		for (const timer of timers) if (timer.at <= until && (!due || timer.at < due.at)) due = timer;
		if (due) timers.delete(due);
		return due;
	}

	return {
		now: () => now,
		after(ms, callback) {
			const timer = {at: now + Math.max(ms, 0), callback};
			const owner = timers;
			owner.add(timer);
			return () => {
				owner.delete(timer);
			};
		},
		async advanceTo(time) {
			const owner = timers;
			for (let timer = takeDue(time); timer; timer = takeDue(time)) {
				now = Math.max(now, timer.at);
				timer.callback();
				await settle();
				// It was set meanwhile.
				if (timers !== owner) return;
			}

			now = Math.max(now, time);
		},
		set(time) {
			timers = new Set();
			now = time;
		},
	};
}
