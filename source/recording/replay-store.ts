import {createStore} from '../store/create-store.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import type {Player} from './player.ts';

/** Creates a store of what is known at the replay clock's time. */
type Create = (shown: Pick<MarketState, 'period' | 'choice'> & {readonly symbol?: string | undefined}) => MarketStore;

/**
 * A market store whose time is the player's. After a seek it knows what was known at that moment, and nothing later. `create` is
 * called at first, and again at each seek. Listeners are called when the player shows another moment, not for each answer.
 */
export function createReplayStore(player: Player, create: Create, first: Parameters<Create>[0]): MarketStore {
	let inner = create(first);
	let started = false;
	let stopFollowing = () => {};
	const store = createStore(inner.getSnapshot());
	const publish = () => store.set(inner.getSnapshot());
	/** Does what the user asked for, and shows it at once. */
	const acting =
		<Arguments extends readonly unknown[]>(act: (...given: Arguments) => void) =>
		(...given: Arguments) => {
			act(...given);
			publish();
		};

	function begin() {
		if (started) inner.start();
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		select: acting(symbol => inner.select(symbol)),
		setPeriod: acting(period => inner.setPeriod(period)),
		setChoice: acting(choice => inner.setChoice(choice)),
		// Whatever was recorded is known, shown or not.
		show() {},
		polls: name => inner.polls(name),
		setPaused() {},
		loadOlder: acting(() => inner.loadOlder()),
		refresh() {},
		relist: () => false,
		start() {
			if (started) return;
			started = true;
			const stopSeeks = player.onSeek(() => {
				const {symbol, period, choice} = inner.getSnapshot();
				inner.stop();
				inner = create({symbol, period, choice});
				begin();
			});
			const stopMoments = player.subscribe(publish);
			stopFollowing = () => {
				stopSeeks();
				stopMoments();
			};
			begin();
			publish();
		},
		stop() {
			started = false;
			stopFollowing();
			inner.stop();
		},
	};
}
