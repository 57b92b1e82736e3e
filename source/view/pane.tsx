import {Box, type DOMElement, measureElement} from 'ink';
import {memo, type ReactNode, type RefObject, use, useCallback, useLayoutEffect, useRef, useState} from 'react';
import type {AlertsState} from '../alerts/alerts.ts';
import type {Place, Size} from '../format/cells.ts';
import type {Run} from '../format/style.ts';
import {latest} from '../market/memo.ts';
import type {RecordingMark, ReplayStatus} from '../recording/replay-controls.ts';
import type {MarketState} from '../store/state.ts';
import {createFlash} from './clock-stores.ts';
import type {Line} from './line.ts';
import type {OverlayView, PanelProps} from './resource-panel.ts';
import type {Theme} from './theme/theme.ts';
import {AlertsContext, partsSelector, type Screen, usePanelView, useSame, useScreen} from './use-market.ts';

/** Lines and what the theme made of them. */
type Painted = {
	readonly lines: readonly Line[];
	readonly stale?: boolean | undefined;
	/** Absent: nothing was painted yet. */
	readonly theme?: Theme | undefined;
	readonly runs: ReadonlyArray<readonly Run[]>;
};

/** Rows, and whether they are drawn dimmed. */
type Shown = {readonly lines: readonly Line[]; readonly stale?: boolean | undefined};

const nowhere: Place = {x: 0, y: 0, width: 0, height: 0};

/** A box for Ink to lay out, and what puts rows on the surface at its place. Lines that are the same again are not painted again. */
function useSurface(): {readonly box: RefObject<DOMElement | null>; put(shown: Shown): void} {
	const {theme, surface} = useScreen();
	const box = useRef<DOMElement>(null);
	const last = useRef<Painted>({lines: [], runs: []});
	const put = useCallback(
		({lines, stale}: Shown) => {
			// Measured for each frame, as a pane can move without being rendered.
			const place = () => (box.current ? measureElement(box.current) : nowhere);
			const isSame = last.current.stale === stale && last.current.theme === theme;
			const before = isSame ? last.current : undefined;
			const runs = lines.map((line, index) => {
				const painted = before?.lines[index] === line ? before.runs[index] : undefined;
				return painted ?? theme.paint(line, stale);
			});
			last.current = {lines, stale, theme, runs};
			surface.put(box, place, runs);
		},
		[surface, theme],
	);
	useLayoutEffect(() => () => surface.remove(box), [surface]);
	return {box, put};
}

/** Puts rows on the surface at the place where Ink lays out an empty box of their size. */
export function Pane({lines, size, stale}: Shown & {readonly size: Size}): ReactNode {
	const {box, put} = useSurface();
	const {columns, rows} = size;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another size is drawn again
	useLayoutEffect(() => put({lines, stale}), [put, lines, stale, columns, rows]);
	return <Box ref={box} width={columns} height={rows} flexShrink={0} />;
}

/** What a pane is drawn from besides the state of the view. */
export type Live = {
	readonly state: MarketState;
	/** Epoch ms of the last full second. */
	readonly now: number;
	readonly alerts: AlertsState;
	/** The recording that runs; undefined: there is none. */
	readonly recording: RecordingMark | undefined;
	/** The recorded moment that is shown; undefined: it is the present. */
	readonly replay: ReplayStatus | undefined;
	/** Whether the theme shows heat. */
	readonly hasHeat: boolean;
	/** Frames dropped for a slow terminal recently. */
	readonly droppedFrames: number;
	/** Whether a change at `at` (epoch ms; undefined: none) still flashes. The pane is drawn again when the flash ends. */
	flashes(at: number | undefined): boolean;
};

type LiveRows<Input> = (
	input: Input,
	live: Live,
) => Shown & {
	/** Called once the rows are shown. */
	readonly after?: (() => void) | undefined;
};

/** Makes what draws a panel, which may keep what it computed. Called once for each panel, with what it is drawn from at first. */
type CreateRows<Input> = (first: Input, screen: Screen) => LiveRows<Input>;

/**
 * A panel that is drawn again when what it shows may have changed, without a render by React. What throws is thrown in a render,
 * for the boundary around the panel.
 */
export const livePanel = <Props extends Placed>(create: CreateRows<Props & PlacedView>) =>
	memo((props: Props) => <LivePane create={create} input={useSame({...props, ...usePanelView(props)})} />);

type Placed = Omit<PanelProps, 'focused'> & Partial<Pick<PanelProps, 'focused'>>;
type PlacedView = OverlayView & {readonly focused: boolean};

type LivePaneProps<Input> = {readonly create: CreateRows<Input>; readonly input: Input};

function LivePane<Input extends PlacedView>({create, input}: LivePaneProps<Input>): ReactNode {
	const screen = useScreen();
	const alerts = use(AlertsContext);
	const {box, put} = useSurface();
	const [draw] = useState(() => create(input, screen));
	const [, fail] = useState<never>();
	useLayoutEffect(() => {
		const {store, tick, recording, replay, slowLink, theme} = screen;
		const flash = createFlash(tick.clock, update);
		let shown: Shown | undefined;
		let isDue = false;
		let hasEnded = false;
		function update(): void {
			isDue = false;
			if (hasEnded) return;
			const {flashes} = flash;
			const times = {now: tick.getSnapshot(), droppedFrames: slowLink?.getSnapshot() ?? 0, flashes};
			const recorded = {recording: recording?.getSnapshot(), replay: replay?.getSnapshot(), hasHeat: theme.hasHeat};
			try {
				const next = draw(input, {...times, ...recorded, state: store.getSnapshot(), alerts: alerts.getSnapshot()});
				if (next.lines !== shown?.lines || next.stale !== shown.stale) put(next);
				shown = next;
				next.after?.();
			} catch (error) {
				fail(() => {
					throw error;
				});
			}
		}

		// What changes at the same time is drawn at once.
		const soon = () => {
			if (!isDue) queueMicrotask(update);
			isDue = true;
		};
		const sources = [store, tick, alerts, recording, replay, slowLink];
		const ends = sources.map(source => source?.subscribe(soon));
		update();
		return () => {
			hasEnded = true;
			flash.stop();
			for (const end of ends) end?.();
		};
	}, [screen, alerts, put, draw, input]);
	const {columns, rows} = input.size;
	return <Box ref={box} width={columns} height={rows} flexShrink={0} />;
}

/** Draws from these parts of the state, and again only when one of them or a field of the view is another one. */
export function drawnFrom<Name extends keyof MarketState, View extends object>(
	names: readonly Name[],
	draw: (state: Pick<MarketState, Name>, view: View) => readonly Line[],
): (state: MarketState, view: View) => readonly Line[] {
	const [partsOf, viewOf] = [partsSelector(names), latest((view: View) => view)];
	const lines = latest((input: {readonly parts: Pick<MarketState, Name>; readonly view: View}) =>
		draw(input.parts, input.view),
	);
	return (state, view) => lines({parts: partsOf(state), view: viewOf(view)});
}
