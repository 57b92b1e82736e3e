import {createStore, type Store} from '../store/create-store.ts';
import type {MarketStore} from '../store/state.ts';
import type {RecordedGap} from './answer-gaps.ts';
import type {Place, Player, Session} from './player.ts';
import type {ReplayControls, ReplayStatus, Stretch} from './replay-controls.ts';

/** What the status line shows of a recording. */
export type ReplayFacts = {
	/** What is known of them so far. */
	readonly gaps: Store<readonly RecordedGap[]>;
	/** When alerts called, epoch ms. */
	readonly alerts: readonly number[];
	/** The next (1) or previous (-1) change of the market on screen. */
	changeAt(by: 1 | -1): Place | undefined;
};

/** Controls of a recording that is shown from beginning to end. `shown`: the market on screen. */
export function createReplayControls(
	player: Player,
	shown: Pick<MarketStore, 'getSnapshot' | 'subscribe'>,
	{gaps, alerts, changeAt}: ReplayFacts,
): ReplayControls {
	const {sessions} = player.getSnapshot();
	const from = Math.min(...sessions.map(session => session.from));
	const to = Math.max(...sessions.map(session => session.to));
	const between = betweenSessions(sessions);
	let {symbol} = shown.getSnapshot();
	const unrecorded = () => [...between, ...gaps.getSnapshot().filter(gap => gap.symbol === symbol)];
	let stretches = unrecorded();
	const status = (): ReplayStatus => {
		const {time, isPlaying, speed} = player.getSnapshot();
		return {label: 'REPLAY', time, isPlaying, speed, from, to, gaps: stretches, alerts};
	};
	const store = createStore<ReplayStatus | undefined>(status());
	const update = () => store.set(status());
	player.subscribe(update);
	const updateGaps = () => {
		({symbol} = shown.getSnapshot());
		stretches = unrecorded();
		update();
	};
	gaps.subscribe(updateGaps);
	shown.subscribe(() => {
		if (shown.getSnapshot().symbol !== symbol) updateGaps();
	});

	function moveTo(to: number | Place): boolean {
		const before = player.getSnapshot();
		player.goTo(to);
		const {session, time} = player.getSnapshot();
		return time !== before.time || session !== before.session;
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		hasPresent: false,
		togglePlaying() {
			if (player.getSnapshot().isPlaying) player.pause();
			else player.play();
			return true;
		},
		setSpeed: player.setSpeed,
		skip: ms => moveTo(player.getSnapshot().time + ms),
		step(by) {
			player.pause();
			const change = changeAt(by);
			return change !== undefined && moveTo(change);
		},
		goTo: player.goTo,
		end: () => false,
	};
}

/** What no recorder was there for: the stretches between sessions in order of time, as sessions overlap if a clock was set back. */
function betweenSessions(sessions: readonly Session[]): readonly Stretch[] {
	const ordered = sessions.toSorted((one, other) => one.from - other.from);
	let end = ordered[0]?.to ?? 0;
	return ordered.flatMap(({from, to}) => {
		const stretch = {from: end, to: from};
		end = Math.max(end, to);
		return from > stretch.from ? [stretch] : [];
	});
}
