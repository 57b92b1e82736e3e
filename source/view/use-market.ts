import {createContext, use, useCallback, useEffect, useMemo, useState, useSyncExternalStore} from 'react';
import type {AlertsState} from '../alerts/alerts.ts';
import {armedLevels} from '../alerts/levels.ts';
import type {Place} from '../format/cells.ts';
import type {Rgb, Run} from '../format/style.ts';
import {utc, type Zone} from '../format/zone.ts';
import {latest} from '../market/memo.ts';
import type {RecordingControls, RecordingMark, ReplayControls, ReplayStatus} from '../recording/replay-controls.ts';
import type {Compared, Comparison} from '../store/comparison.ts';
import {createStore, type Store} from '../store/create-store.ts';
import type {Diagnosis, DiagnosisStore} from '../store/diagnosis.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import type {Tick} from './clock-stores.ts';
import {type KeyHint, noKeyHint} from './keys.ts';
import type {OverlayView, PanelProps} from './resource-panel.ts';
import type {Theme} from './theme/theme.ts';

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

export const useKeyHint = (): KeyHint => use(KeyHintContext);

/** The time zone of every time that is shown; unlike the screen, the user can change it. */
export const ZoneContext = createContext<Zone>(utc);

export const useZone = (): Zone => use(ZoneContext);

/** The same object again while none of its fields changes. */
export function useSame<Fields extends object>(fields: Fields): Fields {
	const [same] = useState(() => latest((next: Fields) => next));
	return same(fields);
}

/** What a panel is drawn with in its place; the same object while it is the same. */
export function usePanelView({columns, rows, focused}: PanelProps): OverlayView & {readonly focused: boolean} {
	const {ascii} = useScreen();
	const [keyHint, zone] = [useKeyHint(), useZone()];
	const size = useSame({columns, rows});
	return useSame({keyHint, focused, size, ascii, zone});
}

type Parts<Name extends keyof MarketState> = Pick<MarketState, Name>;

/** Creates a selector of these parts of the state. It returns the same object until one changes, and keeps only that, unlike `memo`. */
function partsSelector<Name extends keyof MarketState>(names: readonly Name[]): (state: MarketState) => Parts<Name> {
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
	const [select] = useState(() => partsSelector(names));
	return useMarketValue(select);
}

/** The value that `select` returns for the market's state. Renders again only when it changes by `Object.is`. */
export function useMarketValue<Value>(select: (state: MarketState) => Value): Value {
	const {store} = useScreen();
	return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

/** The health of the exchange's operations. Renders again once per second. */
export function useDiagnosis(diagnosis: DiagnosisStore): Diagnosis {
	const {tick} = useScreen();
	return useSyncExternalStore(tick.subscribe, diagnosis.getSnapshot);
}

const withoutAlerts: Store<AlertsState> = createStore({entries: [], unseen: []});

/** The user's alerts; none on a screen without them. */
export const AlertsContext = createContext<Store<AlertsState>>(withoutAlerts);

/** The user's alerts. Renders again at least once per second while there are some. */
export function useAlerts(): AlertsState {
	const alerts = use(AlertsContext);
	return useSyncExternalStore(alerts.subscribe, alerts.getSnapshot);
}

/** A part of the alerts, by a function that stays the same. Renders again only when the content of the part changes. */
export function useAlertsPart<Part>(select: (alerts: AlertsState) => Part): Part {
	const alerts = use(AlertsContext);
	const stable = useMemo(() => byContent(select), [select]);
	return useSyncExternalStore(alerts.subscribe, () => stable(alerts.getSnapshot()));
}

/** `select` with the same part again while its content, as JSON, does not change. */
function byContent<Part>(select: (alerts: AlertsState) => Part): (alerts: AlertsState) => Part {
	let last: {readonly alerts: AlertsState; readonly part: Part; readonly text: string} | undefined;
	return alerts => {
		if (last?.alerts === alerts) return last.part;
		const part = select(alerts);
		const text = JSON.stringify(part);
		last = {alerts, part: last?.text === text ? last.part : part, text};
		return last.part;
	};
}

/** The prices in the selected market at which armed alerts have levels, ascending. */
export function useAlertLevels(): readonly number[] {
	const symbol = useMarketValue(state => state.symbol);
	const select = useCallback(
		({entries}: AlertsState) => (symbol === undefined ? [] : armedLevels(entries, symbol)),
		[symbol],
	);
	return useAlertsPart(select);
}

/** The value of a store. Renders again when it changes. */
export const useStore = <Value>({subscribe, getSnapshot}: Store<Value>): Value =>
	useSyncExternalStore(subscribe, getSnapshot);

/** The compared markets with their candles. */
export function useComparison(comparison: Comparison): readonly Compared[] {
	return useSyncExternalStore(comparison.subscribe, comparison.getSnapshot);
}

/** The other interface's tickers as of its last answer; undefined: this screen cannot ask for them. */
export function useSecondTicker(ticker: MarketStore | undefined): MarketState['tickers'] | undefined {
	return useSyncExternalStore(ticker?.subscribe ?? never, () => ticker?.getSnapshot().tickers);
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

/** The recorded moment that is shown; undefined: it is the present. */
export function useReplay(): ReplayStatus | undefined {
	const {replay} = useScreen();
	return useSyncExternalStore(replay?.subscribe ?? never, () => replay?.getSnapshot());
}

/** Renders again when a recorded moment takes the place of the present or the other way round, and when it begins or ends to play. */
export function useReplayPhase(replay: ReplayControls | undefined): void {
	useSyncExternalStore(replay?.subscribe ?? never, () => replay?.getSnapshot()?.isPlaying);
}

/** The recording that runs; undefined: there is none. */
export function useRecording(): RecordingMark | undefined {
	const {recording} = useScreen();
	return useSyncExternalStore(recording?.subscribe ?? never, () => recording?.getSnapshot());
}

/** The duration of a flash. */
const flashMs = 1000;

/** Whether a change at `at` (epoch ms; undefined: none) still flashes. Renders again when the flash ends. */
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
