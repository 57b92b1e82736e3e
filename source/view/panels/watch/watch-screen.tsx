import {Box, useInput, usePaste, useWindowSize} from 'ink';
import {type ReactNode, useEffect, useMemo, useRef, useState} from 'react';
import type {Ask} from '../../../client/question.ts';
import type {Size} from '../../../format/cells.ts';
import {utc, type Zone} from '../../../format/zone.ts';
import {createStore, type Store} from '../../../store/create-store.ts';
import type {Command} from '../../commands/command.ts';
import {interruptStatus} from '../../commands/general-commands.ts';
import {commands as delivered} from '../../commands/table.ts';
import {keyNames} from '../../keys.ts';
import {tooSmall} from '../../layout.ts';
import {MarketTitle} from '../../market-title.ts';
import {drawnFrom, livePanel, Pane} from '../../pane.tsx';
import {PanelBoundary} from '../../panel-boundary.tsx';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import {LendTerminal, type TerminalLoan} from '../../terminal-loan.tsx';
import type {PaletteName, ThemeName} from '../../theme/names.ts';
import {
	type Screen,
	ScreenContext,
	useLook,
	useNow,
	useScreen,
	useStore,
	useZone,
	ZoneContext,
} from '../../use-market.ts';
import {findTyped} from '../help/find.ts';
import {worstFeed} from '../status/rows.ts';
import {StatusLine} from '../status/status-line.tsx';
import {smallestWatch, tileSizeAt, type WatchPage, watchPage, watchStatus} from './model.ts';
import {tileLines, tileParts} from './rows.ts';
import {marketToOpen, pressedInTiles, strayPressed, tileCommands, tileHints, tilesHelpPanel} from './tiles-keys.ts';
import {initialTiles, type TilesState} from './tiles-state.ts';

export type WatchProps = {
	/** One per market; at least one. */
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	readonly exchangeName: string;
	readonly demo: boolean;
	/** Whether there is a keyboard, for the keys that quit or suspend. */
	readonly keyboard: boolean;
	/** All commands, with the keys of the config file. Default: with their default keys. */
	readonly commands?: readonly Command[] | undefined;
	/** Of the times that are shown. Default UTC. */
	readonly zone?: Zone | undefined;
	/** How long each page is shown if the markets do not fit on one. Default 10 s. */
	readonly rotateMs?: number | undefined;
	/** Polls markets on hidden pages too, as a condition or a rule is judged for them. Default false. */
	readonly pollHidden?: boolean | undefined;
	/** What the watch waits for, or what has happened, with times in this zone. Asked once a second. */
	readonly status?: ((zone: Zone) => string | undefined) | undefined;
	/** Draws a monitor on the market of a tile in place of the tiles, until `leave` is called. Absent: there is none. */
	readonly openMonitor?: ((tile: TileToOpen) => Promise<OpenedMonitor>) | undefined;
	quit(status: number): void;
	suspend(): void;
	redraw(): void;
	/** Shows a title of the terminal's window. Absent: it has none, or keeps its own. */
	setTitle?: ((text: string) => void) | undefined;
};

/** A tile whose market the monitor is to show. */
export type TileToOpen = {
	readonly symbol: string;
	readonly screen: Screen;
	/** Returns to the tiles. */
	leave(): void;
	/** Shows a notice below the tiles, until a key is pressed. */
	say(notice: string): void;
};

/** A monitor in place of the tiles. */
export type OpenedMonitor = {
	readonly view: ReactNode;
	/** Called when it is no longer drawn. Returns how the tiles then look; absent: as before. */
	close(): TilesLook | undefined;
};

type TilesLook = {readonly zone?: Zone | undefined; readonly theme: ThemeName; readonly palette: PaletteName};

/** The screen that needs no keys: one tile per market, on rotating pages if they do not fit. */
export function Watch(props: WatchProps): ReactNode {
	const {loan, keyboard, rotateMs} = props;
	const [{zone = utc, ...colors}, setLook] = useState<Partial<TilesLook>>({zone: props.zone});
	const screens = useLook(props.screens, colors);
	const size = useWindowSize();
	const [first] = screens;
	const now = () => first?.tick.getSnapshot() ?? 0;
	const [tiles] = useState(() => createStore(initialTiles(now())));
	const [opened, setOpened] = useState<OpenedMonitor>();
	const pageNow = () => watchPage({size, count: screens.length, tiles: tiles.getSnapshot(), now: now(), rotateMs});
	const change = (to: (state: TilesState, page: WatchPage) => TilesState) => {
		const {notice: _, ...state} = tiles.getSnapshot();
		tiles.set(to(state, pageNow()));
	};
	const open = useOpening(props, setOpened, {
		onLeave(look) {
			if (look) setLook(look);
			// The page is shown for its whole time.
			change(state => ({...state, since: now()}));
		},
		say: notice => change(state => ({...state, notice})),
	});
	if (opened) return opened.view;
	return (
		<ScreenContext value={first}>
			<LendTerminal loan={loan} size={size} />
			<ZoneContext value={zone}>
				{keyboard && <WatchKeys {...props} {...{tiles, change, open, pageNow, now}} />}
				<Page {...props} {...{screens, size, tiles}} />
			</ZoneContext>
		</ScreenContext>
	);
}

/** What a monitor does to the tiles. */
type Returning = Pick<TileToOpen, 'say'> & {
	/** Called when they are shown again, with how they look then. */
	onLeave(look: TilesLook | undefined): void;
};

/** Opens the monitor on a market, one at a time. */
function useOpening(
	{screens, openMonitor}: WatchProps,
	setOpened: (monitor: OpenedMonitor | undefined) => void,
	{onLeave, say}: Returning,
): (market: number) => void {
	const isOpen = useRef(false);
	return market => {
		const screen = screens[market];
		const symbol = screen?.store.getSnapshot().symbol;
		if (!screen || symbol === undefined || !openMonitor || isOpen.current) return;
		isOpen.current = true;
		const leave = () => {
			isOpen.current = false;
			setOpened(undefined);
			void opening.then(monitor => onLeave(monitor.close()));
		};
		const opening = openMonitor({symbol, screen, leave, say});
		void opening.then(setOpened);
	};
}

const watched: ReadonlySet<Ask> = new Set(['markets', 'tickers', 'depth', 'trades']);
const nothing: ReadonlySet<Ask> = new Set();

/** Lets the stores poll what the page shows, and what is hidden only if it is judged. */
function usePolledPage({screens, pollHidden = false}: WatchProps, {first, end}: WatchPage): void {
	useEffect(() => {
		for (const [index, {store}] of screens.entries()) {
			const isShown = index >= first && index < end;
			store.show(isShown || pollHidden ? watched : nothing);
		}
	}, [screens, first, end, pollHidden]);
	useEffect(
		() => () => {
			if (!pollHidden) for (const {store} of screens) store.show(nothing);
		},
		[screens, pollHidden],
	);
}

type PageProps = WatchProps & {readonly size: Size; readonly tiles: Store<TilesState>};

function Page(props: PageProps): ReactNode {
	const {screens, rotateMs, status, exchangeName, demo, size, tiles, keyboard, commands = delivered} = props;
	const now = useNow();
	const {ascii} = useScreen();
	const zone = useZone();
	const state = useStore(tiles);
	const page = watchPage({size, count: screens.length, tiles: state, now, rotateMs});
	const canOpen = props.openMonitor !== undefined;
	const hinted = useMemo(() => (keyboard ? tileCommands(commands, canOpen) : undefined), [keyboard, commands, canOpen]);
	usePolledPage(props, page);
	const {area, first, end} = page;
	const shown = screens.slice(first, end);
	if (first === end) return <Pane lines={[[{text: tooSmall(size, ascii, smallestWatch)}]]} size={size} />;
	return (
		<Box position="absolute" flexDirection="column" width={size.columns} height={size.rows}>
			<ScreenContext value={shown[0]}>
				<MarketTitle setTitle={props.setTitle} demo={demo} others={screens.length - 1} />
			</ScreenContext>
			{state.help === undefined ? (
				<Box flexWrap="wrap" alignContent="flex-start" width={area.columns} height={area.rows}>
					{shown.map((screen, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a tile's market is its place
						<ScreenContext key={index} value={screen}>
							<PanelBoundary title="Tile" {...tileSizeAt(page, index)} focused={first + index === state.focus}>
								<Tile {...tileSizeAt(page, index)} leastRows={page.tile.rows} focused={first + index === state.focus} />
							</PanelBoundary>
						</ScreenContext>
					))}
				</Box>
			) : (
				<Pane lines={tilesHelpPanel({commands: hinted ?? [], size: area, ascii, ...state.help})} size={area} />
			)}
			<ScreenContext value={worstFeed(shown, now)}>
				<StatusLine
					columns={size.columns}
					rows={1}
					exchangeName={exchangeName}
					demo={demo}
					more={watchStatus(page, {text: status?.(zone), ascii})}
					commands={hinted && tileHints(hinted, page)}
					notice={state.notice}
					stray={state.stray}
				/>
			</ScreenContext>
		</Box>
	);
}

/** The market of the surrounding ScreenContext. */
const Tile = livePanel<PanelProps & {readonly leastRows: number}>(() => {
	const tile = drawnFrom(tileParts, tileLines);
	return (view, {state, now}) => ({lines: tile(state, {...view, now}), stale: isStale(state.trades)});
});

type KeysProps = WatchProps & {
	readonly tiles: Store<TilesState>;
	pageNow(): WatchPage;
	/** Epoch ms. */
	now(): number;
	change(to: (state: TilesState, page: WatchPage) => TilesState): void;
	open(market: number): void;
};

/** Handles keys; draws nothing. */
function WatchKeys(props: KeysProps): ReactNode {
	const {commands: all = delivered, openMonitor, tiles, pageNow, now, change, open, quit, suspend, redraw} = props;
	const {ascii} = useScreen();
	const commands = tileCommands(all, openMonitor !== undefined);
	const typed = (key: string): boolean => {
		const {help} = tiles.getSnapshot();
		const find = help && findTyped(help.find, key);
		if (find) change(state => ({...state, help: {scroll: 0, find}}));
		return find !== undefined;
	};
	useInput((input, key) => {
		for (const pressed of keyNames(input, key)) {
			if (typed(pressed)) continue;
			const {name, withheld} = commands.find(({keys}) => keys.includes(pressed)) ?? {};
			if (name === undefined) change(state => strayPressed(pressed, state, {commands, ascii, now: now()}));
			else if (withheld !== undefined) change(state => ({...state, notice: withheld}));
			else if (name === 'quit') quit(0);
			else if (name === 'interrupt') quit(interruptStatus);
			else if (name === 'suspend') suspend();
			else if (name === 'redraw') redraw();
			else {
				const market = name === 'select' ? marketToOpen(tiles.getSnapshot(), pageNow()) : undefined;
				if (market !== undefined) return open(market);
				change((state, page) => pressedInTiles(name, state, {page, commands, ascii}));
			}
		}
	});
	// Pasted text would act as keys if nobody took it.
	usePaste(() => {});
	return null;
}
