import {createContext, use, useEffect, useState, useSyncExternalStore} from 'react';
import type {Place} from '../format/cells.ts';
import type {Run} from '../format/style.ts';
import type {Compared, Comparison} from '../store/comparison.ts';
import type {Store} from '../store/create-store.ts';
import type {Diagnosis, DiagnosisStore} from '../store/diagnosis.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import {type KeyHint, noKeyHint} from './keys.ts';
import type {Theme} from './theme.ts';
import type {Tick} from './tick.ts';

/** Shows rows of styled text, each pane's at a place of its own. */
type Surface = {
	/** Shows `lines` where `place` says, instead of what `pane` showed. The place is read for each frame. */
	put(pane: object, place: () => Place, lines: ReadonlyArray<readonly Run[]>): void;
	remove(pane: object): void;
};

/** What every panel draws with. One object for the life of the program: it never causes a render. */
export type Screen = {
	readonly store: MarketStore;
	readonly tick: Tick;
	readonly theme: Theme;
	readonly surface: Surface;
	readonly ascii: boolean;
	/** How many frames a slow terminal has lost; absent: none ever. */
	readonly slowLink?: Store<number> | undefined;
};

export const ScreenContext = createContext<Screen | undefined>(undefined);

/** Names keys in hints; without a keyboard none. */
export const KeyHintContext = createContext<KeyHint>(noKeyHint);

export function useScreen(): Screen {
	const screen = use(ScreenContext);
	if (!screen) throw new Error('A panel was drawn outside ScreenContext');
	return screen;
}

export const useKeyHint = (): KeyHint => use(KeyHintContext);

type Parts<Name extends keyof MarketState> = Pick<MarketState, Name>;

/** A selector of these parts of the state: the same object until one of them changes. */
function partsSelector<Name extends keyof MarketState>(names: readonly Name[]): (state: MarketState) => Parts<Name> {
	let parts: Parts<Name> | undefined;
	return state => {
		if (!parts || names.some(name => parts?.[name] !== state[name])) {
			parts = Object.fromEntries(names.map(name => [name, state[name]])) as Parts<Name>;
		}

		return parts;
	};
}

/** These parts of the market's state, by the names of the first render; renders again only when one of them changes. */
export function useMarket<Name extends keyof MarketState>(...names: readonly Name[]): Parts<Name> {
	const [select] = useState(() => partsSelector(names));
	return useMarketValue(select);
}

/** What `select` makes of the market's state; renders again only when that changes by `Object.is`. */
export function useMarketValue<Value>(select: (state: MarketState) => Value): Value {
	const {store} = useScreen();
	return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

/** The health of the exchange's operations; renders again once a second. */
export function useDiagnosis(diagnosis: DiagnosisStore): Diagnosis {
	const {tick} = useScreen();
	return useSyncExternalStore(tick.subscribe, diagnosis.getSnapshot);
}

/** The compared markets with their candles. */
export function useComparison(comparison: Comparison): readonly Compared[] {
	return useSyncExternalStore(comparison.subscribe, comparison.getSnapshot);
}

/** Epoch ms of the last full second. */
export function useNow(): number {
	const {tick} = useScreen();
	return useSyncExternalStore(tick.subscribe, tick.getSnapshot);
}

const never = () => () => {};

/** Frames dropped for a slow terminal recently. */
export function useDroppedFrames(): number {
	const {slowLink} = useScreen();
	return useSyncExternalStore(slowLink?.subscribe ?? never, () => slowLink?.getSnapshot() ?? 0);
}

/** Nothing flashes for longer. */
const flashMs = 1000;

/** Whether what changed at `at` (epoch ms; absent: nothing did) still flashes; renders again when the flash ends. */
export function useFlash(at: number | undefined): boolean {
	const {clock} = useScreen().tick;
	const [ended, setEnded] = useState<number>();
	const age = at === undefined ? flashMs : clock.now() - at;
	const flashes = age < flashMs && ended !== at;
	useEffect(() => {
		if (at === undefined || !flashes) return;
		// A clock that was set back must not lengthen the flash.
		const left = Math.min(at + flashMs - clock.now(), flashMs);
		return clock.after(left, () => setEnded(at));
	}, [at, flashes, clock]);
	return flashes;
}
