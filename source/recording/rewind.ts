import {formatElapsed} from '../format/time.ts';
import {type Clock, every} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {createStore} from '../store/create-store.ts';
import type {MarketStore} from '../store/state.ts';
import {createReplayControls, openReplay, type Replay} from './open-replay.ts';
import type {Log} from './outcome-log.ts';
import type {ReplayControls, ReplayStatus} from './replay-controls.ts';

type RewindOptions = {
	readonly live: MarketStore;
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets promises settle. */
	readonly settle: () => Promise<unknown>;
	/** What was read of the exchange. */
	readonly log: Log;
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
	readonly replay: Replay;
	readonly store: MarketStore;
	readonly controls: ReplayControls;
	stop(): void;
};

export function createRewind({live, clock, settle, log, alerts}: RewindOptions): Rewind {
	let past: Past | undefined;
	const shown = createStore(live.getSnapshot());
	const status = createStore<ReplayStatus | undefined>(undefined);
	const stopLive = live.subscribe(() => {
		if (!past) shown.set(live.getSnapshot());
	});

	function publish(): void {
		if (!past) return;
		const now = past.controls.getSnapshot();
		if (now && now.time >= clock.now()) return end();
		shown.set(past.store.getSnapshot());
		status.set(
			now && {
				...{...now, to: clock.now(), note: 'live goes on'},
				label: `REWOUND ${formatElapsed(clock.now() - now.time)}`,
			},
		);
	}

	/** The moment to which `act` moves from the present: what is known of it is read once. Undefined: there is none. */
	function pastOf(act: (controls: ReplayControls) => boolean): Past | undefined {
		const session = log.sessions().at(-1);
		if (!session) return undefined;
		// If the clock was set back, sessions before have this time too.
		const from = {session, time: clock.now()};
		const replay = openReplay({log, clock, settle, from, onError: end});
		const {symbol, period, choice} = live.getSnapshot();
		const store = replay.storeOf({symbol, period, choice});
		const stops = [replay.player.stop, store.stop];
		const stop = () => {
			for (const each of stops) each();
		};

		try {
			const controls = createReplayControls(replay, store, {gaps: createStore(log.gaps()), alerts: alerts()});
			if (!act(controls)) {
				stop();
				return undefined;
			}

			store.start();
			stops.unshift(controls.subscribe(publish), store.subscribe(publish));
			// The distance to the present grows while a moment is shown.
			stops.unshift(every(clock, secondMs, publish));
			return {replay, store, controls, stop};
		} catch (error) {
			stop();
			throw error;
		}
	}

	/** Moves the recorded moment; from the present, only back. */
	function move(act: (controls: ReplayControls) => boolean): boolean {
		try {
			if (past) {
				const moved = act(past.controls);
				publish();
				return moved;
			}

			past = pastOf(act);
			publish();
			return past !== undefined;
		} catch (error) {
			end();
			throw error;
		}
	}

	function leave(): void {
		const left = past;
		past = undefined;
		left?.stop();
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
