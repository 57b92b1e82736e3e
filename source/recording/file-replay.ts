import {createStore} from '../store/create-store.ts';
import type {Player} from './player.ts';
import type {ReplayControls, ReplayStatus, Stretch} from './replay-controls.ts';

/** Answers about a recording that controls need. */
export type ReplayFacts = {
	readonly gaps: readonly Stretch[];
	readonly alerts: readonly number[];
	/** The time of the next (1) or previous (-1) change of the market on screen. */
	changeAt(by: 1 | -1): number | undefined;
};

/** Controls of a recording that is shown from beginning to end. */
export function createReplayControls(player: Player, facts: ReplayFacts): ReplayControls {
	const status = (): ReplayStatus => {
		const {time, isPlaying, speed, sessions} = player.getSnapshot();
		const {gaps, alerts} = facts;
		const [from = time, to = time] = [sessions[0]?.from, sessions.at(-1)?.to];
		return {label: 'REPLAY', time, isPlaying, speed, from, to, gaps, alerts};
	};
	const store = createStore<ReplayStatus | undefined>(status());
	player.subscribe(() => store.set(status()));

	function moveTo(time: number): boolean {
		const before = player.getSnapshot().time;
		player.goTo(time);
		return player.getSnapshot().time !== before;
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		togglePlaying() {
			if (player.getSnapshot().isPlaying) player.pause();
			else player.play();
			return true;
		},
		setSpeed: player.setSpeed,
		skip: ms => moveTo(player.getSnapshot().time + ms),
		step(by) {
			player.pause();
			const time = facts.changeAt(by);
			return time !== undefined && moveTo(time);
		},
		goTo: player.goTo,
		end: () => false,
	};
}
