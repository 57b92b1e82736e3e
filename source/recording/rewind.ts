import {formatElapsed} from '../format/time.ts';
import type {Clock} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {createStore} from '../store/create-store.ts';
import type {MarketStore} from '../store/state.ts';
import type {RecordedGap} from './answer-gaps.ts';
import {createReplayControls} from './file-replay.ts';
import {openReplay, type Replay} from './open-replay.ts';
import type {PlaybackReader} from './playback-reader.ts';
import type {Session} from './player.ts';
import {RecordingError} from './recording-file.ts';
import type {ReplayControls, ReplayStatus} from './replay-controls.ts';

/** What was recorded of a live session so far. */
type RewindReader = PlaybackReader & {
	sessions(): readonly Session[];
	gaps(): readonly RecordedGap[];
	close(): void;
};

type RewindOptions = {
	readonly live: MarketStore;
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets promises settle. */
	readonly settle: () => Promise<unknown>;
	/** Undefined: nothing is recorded yet. Throws if that cannot be read. */
	open(): RewindReader | undefined;
	/** When alerts called, epoch ms. */
	alerts(): readonly number[];
};

/** Steps a live session back. While a recorded moment is shown, the live store goes on. */
export type Rewind = {
	/** Shows the present, or the recorded moment. What a user chooses there is chosen for the present on return. */
	readonly store: MarketStore;
	readonly controls: ReplayControls;
	/** The time that is shown, epoch ms. */
	now(): number;
	stop(): void;
};

type Past = {
	readonly reader: RewindReader;
	readonly replay: Replay;
	readonly store: MarketStore;
	readonly controls: ReplayControls;
	stop(): void;
};

/** What was received so recently may not be on disk yet. */
const writtenAfterMs = 2500;

export function createRewind({live, clock, settle, open, alerts}: RewindOptions): Rewind {
	let past: Past | undefined;
	const shown = createStore(live.getSnapshot());
	const status = createStore<ReplayStatus | undefined>(undefined);
	const stopLive = live.subscribe(() => {
		if (!past) shown.set(live.getSnapshot());
	});

	/** The newest moment that can be shown. */
	const newest = () => clock.now() - writtenAfterMs;

	function publish(): void {
		if (!past) return;
		const now = past.controls.getSnapshot();
		if (now && now.time >= newest()) return end();
		shown.set(past.store.getSnapshot());
		status.set(
			now && {
				...{...now, to: newest(), note: 'live goes on'},
				label: `REWOUND ${formatElapsed(clock.now() - now.time)}`,
			},
		);
	}

	/** Shows the moment to which `act` moves from the present: what is known of it is read once. False if there is none. */
	function begin(act: (controls: ReplayControls) => boolean): boolean {
		const reader = open();
		if (!reader) return false;
		try {
			past = pastOf(reader, act);
		} finally {
			if (!past) reader.close();
		}

		return past !== undefined;
	}

	/** Undefined if `act` moves nowhere: the present stays. */
	function pastOf(reader: RewindReader, act: (controls: ReplayControls) => boolean): Past | undefined {
		const recorded = reader.sessions();
		const last = recorded.at(-1);
		if (!last) return undefined;
		const sessions = recorded.map(session =>
			session.id === last.id
				? {
						...session,
						get to() {
							return newest();
						},
					}
				: session,
		);
		const replay = openReplay({reader, sessions, clock, settle, from: newest(), onError: end});
		const {symbol, period, choice} = live.getSnapshot();
		const store = replay.storeOf({symbol, period, choice});
		const stops = [replay.player.stop, store.stop];
		const stop = () => {
			for (const each of stops) each();
		};

		try {
			const controls = createReplayControls(replay.player, store, {
				gaps: createStore(reader.gaps()),
				alerts: alerts(),
				changeAt: by => replay.changeAt(store.getSnapshot().symbol, by),
			});
			if (!act(controls)) {
				stop();
				return undefined;
			}

			store.start();
			stops.unshift(controls.subscribe(publish), store.subscribe(publish));
			// The distance to the present grows while a moment is shown.
			let cancelTick = clock.after(secondMs, function again() {
				cancelTick = clock.after(secondMs, again);
				publish();
			});
			stops.unshift(() => cancelTick());
			return {reader, replay, store, controls, stop};
		} catch (error) {
			stop();
			throw error;
		}
	}

	/** Moves the recorded moment; from the present, only back. */
	function move(act: (controls: ReplayControls) => boolean): boolean {
		try {
			const moved = past ? act(past.controls) : begin(act);
			publish();
			return moved;
		} catch (error) {
			end();
			// What was kept cannot be read, as its disk fails. All else is a defect.
			if (error instanceof RecordingError) return false;
			throw error;
		}
	}

	function leave(): void {
		const left = past;
		past = undefined;
		try {
			left?.stop();
		} finally {
			left?.reader.close();
		}
	}

	function end(): void {
		if (!past) return;
		const {symbol, period, choice} = past.store.getSnapshot();
		leave();
		if (symbol !== undefined) live.select(symbol);
		live.setPeriod(period);
		live.setChoice(choice);
		shown.set(live.getSnapshot());
		status.set(undefined);
	}

	const acting = () => past?.store ?? live;
	return {
		store: {
			getSnapshot: shown.getSnapshot,
			subscribe: shown.subscribe,
			select: symbol => acting().select(symbol),
			setPeriod: period => acting().setPeriod(period),
			setChoice: choice => acting().setChoice(choice),
			show: live.show,
			polls: live.polls,
			setPaused: live.setPaused,
			loadOlder: () => acting().loadOlder(),
			refresh: () => acting().refresh(),
			relist: () => acting().relist(),
			start: live.start,
			stop: live.stop,
		},
		controls: {
			getSnapshot: status.getSnapshot,
			subscribe: status.subscribe,
			hasPresent: true,
			togglePlaying: () => past?.controls.togglePlaying() ?? false,
			setSpeed: speed => past?.controls.setSpeed(speed),
			skip: ms => (past || ms < 0) && move(controls => controls.skip(ms)),
			step: by => (past || by < 0) && move(controls => controls.step(by)),
			goTo(time) {
				move(controls => {
					controls.goTo(time);
					return true;
				});
			},
			end() {
				const wasPast = past !== undefined;
				end();
				return wasPast;
			},
		},
		now: () => past?.replay.clock.now() ?? clock.now(),
		stop() {
			leave();
			stopLive();
		},
	};
}
