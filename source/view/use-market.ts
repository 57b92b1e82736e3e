import {createContext, use, useEffect, useMemo, useState, useSyncExternalStore} from 'react';
import type {AlertsState} from '../alerts/alerts.ts';
import type {Place, Size} from '../format/cells.ts';
import type {Rgb, Run} from '../format/style.ts';
import {utc, type Zone} from '../format/zone.ts';
import {latest} from '../market/memo.ts';
import type {RecordingControls, ReplayControls} from '../recording/replay-controls.ts';
import {createStore, type Store} from '../store/create-store.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import type {Tick} from './clock-stores.ts';
import {type KeyHint, noKeyHint} from './keys.ts';
import type {OverlayView} from './resource-panel.ts';
import type {LookChanges, Theme} from './theme/theme.ts';

/** Shows rows of styled text, each pane at its own place. */
type Surface = {
	/** Shows `lines` at `place` instead of what `pane` showed. `place` is called for each frame. */
	put(pane: object, place: () => Place, lines: ReadonlyArray<readonly Run[]>): void;
	remove(pane: object): void;
	/** What the panes show at a place, row by row. */
	textAt(place: Place): readonly string[];
};

/** What every panel needs to draw. One object for the life of the program, so it never causes a render. */
export type Screen = {
	readonly store: MarketStore;
	readonly tick: Tick;
	readonly theme: Theme;
	readonly surface: Surface;
	/** The terminal's background; undefined: it is not known. */
	readonly background?: Store<Rgb | undefined> | undefined;
	/** Asks the terminal for it, unless that has been done. Absent: it cannot be asked. */
	readonly askBackground?: (() => void) | undefined;
	readonly ascii: boolean;
	/** How many frames a slow terminal missed; absent: never any. */
	readonly slowLink?: Store<number> | undefined;
	/** Shows recorded moments; absent: only the present. */
	readonly replay?: ReplayControls | undefined;
	/** What goes on while a recorded moment is shown; absent: what is shown. */
	readonly present?: Pick<Screen, 'store' | 'tick'> | undefined;
	/** Records what is polled; absent: this screen is not recorded. */
	readonly recording?: RecordingControls | undefined;
};

export const ScreenContext = createContext<Screen | undefined>(undefined);

/** Names keys in hints; without a keyboard, hints are empty. */
export const KeyHintContext = createContext<KeyHint>(noKeyHint);

export function useScreen(): Screen {
	const screen = use(ScreenContext);
	if (!screen) throw new Error('A panel was drawn outside ScreenContext');
	return screen;
}

/** The time zone of every time that is shown; unlike the screen, the user can change it. */
export const ZoneContext = createContext<Zone>(utc);

export const useZone = (): Zone => use(ZoneContext);

/** The same object again while none of its fields changes. */
export function useSame<Fields extends object>(fields: Fields): Fields {
	const [same] = useState(() => latest((next: Fields) => next));
	return same(fields);
}

/** What a panel is drawn with in its place; the same object while it is the same. */
export function usePanelView({
	columns,
	rows,
	focused = false,
}: Size & {readonly focused?: boolean}): OverlayView & {readonly focused: boolean} {
	const {ascii} = useScreen();
	const [keyHint, zone] = [use(KeyHintContext), useZone()];
	const size = useSame({columns, rows});
	return useSame({keyHint, focused, size, ascii, zone});
}

type Parts<Name extends keyof MarketState> = Pick<MarketState, Name>;

/** Creates a selector of these parts of the state. It returns the same object until one changes, and keeps only that, unlike `memo`. */
export function partsSelector<Name extends keyof MarketState>(
	names: readonly Name[],
): (state: MarketState) => Parts<Name> {
	let parts: Parts<Name> | undefined;
	return state => {
		if (!parts || names.some(name => parts?.[name] !== state[name])) {
			parts = Object.fromEntries(names.map(name => [name, state[name]])) as Parts<Name>;
		}

		return parts;
	};
}

/** These parts of the market's state (the names of the first render count). Renders again only when one of them changes. */
export function useMarket<Name extends keyof MarketState>(...names: readonly Name[]): Parts<Name> {
	const {store} = useScreen();
	const [select] = useState(() => partsSelector(names));
	return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

const withoutAlerts: Store<AlertsState> = createStore({entries: [], unseen: []});

/** The user's alerts; none on a screen without them. */
export const AlertsContext = createContext<Store<AlertsState>>(withoutAlerts);

const never = () => () => {};

/** The value of a store; undefined: there is no store. Renders again when it changes. */
export function useStore<Value>(store: Store<Value>): Value;
export function useStore<Value>(store: Store<Value> | undefined): Value | undefined;
export function useStore<Value>(store: Store<Value> | undefined): Value | undefined {
	return useSyncExternalStore(store?.subscribe ?? never, () => store?.getSnapshot());
}

/** Epoch ms of the last full second. */
export const useNow = (): number => useStore(useScreen().tick);

/** Renders again when a recorded moment takes the place of the present or the other way round, and when it begins or ends to play. */
export function useReplayPhase(replay: ReplayControls | undefined): void {
	useSyncExternalStore(replay?.subscribe ?? never, () => replay?.getSnapshot()?.isPlaying);
}

/** The screens, all of one terminal, in the chosen colours, as they suit its background. Absent choices change nothing. */
export function useLook(screens: readonly Screen[], chosen: Pick<LookChanges, 'theme' | 'palette'>): readonly Screen[] {
	const {theme, palette} = chosen;
	const background = useStore(screens[0]?.background);
	const ask = screens[0]?.askBackground;
	useEffect(() => {
		if (theme === 'auto') ask?.();
	}, [theme, ask]);
	return useMemo(
		() =>
			screens.map(screen => {
				const drawn = screen.theme.with({theme, palette, background});
				return drawn === screen.theme ? screen : {...screen, theme: drawn};
			}),
		[screens, theme, palette, background],
	);
}
