import {createContext, use, useSyncExternalStore} from 'react';
import type {Compared, Comparison} from '../store/comparison.ts';
import type {Diagnosis, DiagnosisStore} from '../store/diagnosis.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import type {Theme} from './theme.ts';
import type {Tick} from './tick.ts';

/** What every panel draws with. One object for the life of the program: it never causes a render. */
export type Screen = {
	readonly store: MarketStore;
	readonly tick: Tick;
	readonly theme: Theme;
	readonly ascii: boolean;
	/** How many frames a slow terminal has lost of late; absent: none ever. */
	readonly slowLink?: {getSnapshot(): number; subscribe(listener: () => void): () => void} | undefined;
};

export const ScreenContext = createContext<Screen | undefined>(undefined);

export function useScreen(): Screen {
	const screen = use(ScreenContext);
	if (!screen) throw new Error('A panel was drawn outside ScreenContext');
	return screen;
}

/** A part of what is known; renders again only when that part changes identity. */
export function useMarket<Part>(select: (state: MarketState) => Part): Part {
	const {store} = useScreen();
	return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

/** How the exchange's operations do; renders again once a second. */
export function useDiagnosis(diagnosis: DiagnosisStore): Diagnosis {
	const {tick} = useScreen();
	return useSyncExternalStore(tick.subscribe, diagnosis.getSnapshot);
}

/** What is known of the markets that are compared. */
export function useComparison(comparison: Comparison): readonly Compared[] {
	return useSyncExternalStore(comparison.subscribe, comparison.getSnapshot);
}

/** Epoch ms of the last full second. */
export function useNow(): number {
	const {tick} = useScreen();
	return useSyncExternalStore(tick.subscribe, tick.getSnapshot);
}

const never = () => () => {};

/** Frames that a slow terminal has lost of late. */
export function useDroppedFrames(): number {
	const {slowLink} = useScreen();
	return useSyncExternalStore(slowLink?.subscribe ?? never, () => slowLink?.getSnapshot() ?? 0);
}
