import {Box, useInput, usePaste, useStdin, useStdout, useWindowSize} from 'ink';
import {type ReactNode, useEffect, useEffectEvent, useMemo, useState} from 'react';
import type {Size} from '../format/cells.ts';
import type {Comparison} from '../store/comparison.ts';
import type {MarketStore} from '../store/state.ts';
import type {Command, Control, Session} from './commands/command.ts';
import {type Gesture, Pointer} from './commands/pointer.ts';
import {paste, press, sayUnfinished} from './commands/press.ts';
import {commandsNow, commands as delivered} from './commands/table.ts';
import {lookTyped} from './commands/typed-command.ts';
import {capitalised, keyHintOf, keyNames} from './keys.ts';
import {
	focusedResource,
	type Layout,
	type LayoutName,
	layoutFor,
	layoutName,
	type PanelName,
	pageSize,
	panelSize,
	sharedArea,
	tooSmall,
	visibleResources,
} from './layout.ts';
import {MarketTitle} from './market-title.ts';
import {Pane} from './pane.tsx';
import {PanelBoundary} from './panel-boundary.tsx';
import {
	CandleChart,
	CommandBar,
	DepthLadder,
	MarketPicker,
	overlays,
	TickerHeader,
	TickerPanel,
	TradeTape,
} from './panels/panels.tsx';
import {StatusLine} from './panels/status/status-line.tsx';
import {createRangeFitter, type RangeFitter} from './plot/price-scale.ts';
import type {PanelProps} from './resource-panel.ts';
import {LendTerminal, type TerminalLoan} from './terminal-loan.tsx';
import {resized, type UiState, type UiStore} from './ui-state.ts';
import {
	AlertsContext,
	KeyHintContext,
	type Screen,
	ScreenContext,
	useLook,
	useReplayPhase,
	useStore,
	ZoneContext,
} from './use-market.ts';

export type MonitorProps = Session & {
	readonly screen: Screen;
	readonly comparison: Comparison;
	/** The other interface's tickers, for the zoomed ticker; absent: they are not asked for. */
	readonly secondTicker?: MarketStore | undefined;
	readonly loan: TerminalLoan;
	/** The name from the exchange or the configuration. */
	readonly exchangeName: string;
	readonly demo: boolean;
	/** All commands, with the keys of the config file. Default: with their default keys. */
	readonly commands?: readonly Command[] | undefined;
	/** Has the terminal report the mouse, or no longer. Absent: it has none. */
	setMouse?: ((isOn: boolean) => void) | undefined;
	/** Shows a title of the terminal's window. Absent: it has none, or keeps its own. */
	setTitle?: ((text: string) => void) | undefined;
};

/** The whole monitor: lays out the panels for the terminal's size and handles keys. */
export function Monitor(props: MonitorProps): ReactNode {
	const {screen, ui, alerts, loan, exchangeName, demo, commands = delivered, leave} = props;
	const state = useStore(ui);
	useLayoutChanges(ui);
	const size = useWindowSize();
	const layout = layoutFor(size, state);
	const {store} = screen;

	const resources = visibleResources(layout, state.overlay);
	const names = [...resources].sort().join(' ');
	// biome-ignore lint/correctness/useExhaustiveDependencies: `names` is the content of the set
	const visible = useMemo(() => resources, [names]);
	const focused = focusedResource(state.focus);
	useEffect(() => store.show(visible, focused), [store, visible, focused]);

	const {ascii} = screen;
	const keyHint = useMemo(() => keyHintOf(commands, ascii), [commands, ascii]);
	const {replay} = screen;
	useReplayPhase(replay);
	// The chart draws with it, and keys move through the prices that it draws.
	const [fitRange] = useState(createRangeFitter);
	const situation = {layout: layout.name, chartSize: panelSize(layout, 'chart'), replay, leave};
	const acting = commandsNow(state, situation, commands);

	const screens = useMemo(() => [screen], [screen]);
	const [drawn = screen] = useLook(screens, {...state, ...lookTyped(state.command)});
	return (
		<ScreenContext value={drawn}>
			<ZoneContext value={state.zone}>
				<LendTerminal loan={loan} size={size} />
				<MarketTitle setTitle={props.setTitle} demo={demo} />
				<Keyboard {...props} commands={commands} size={size} fitRange={fitRange} />
				{layout.name === 'none' ? (
					<Pane lines={[[{text: tooSmall(size, screen.ascii)}]]} size={size} />
				) : (
					<Box position="absolute" flexDirection="column" width={size.columns} height={size.rows}>
						<PanelBoundary title="Ticker" columns={size.columns} rows={layout.headerRows} focused={false}>
							<TickerHeader columns={size.columns} rows={layout.headerRows} focused={state.focus === 'ticker'} />
						</PanelBoundary>
						<KeyHintContext value={keyHint}>
							<AlertsContext value={alerts}>
								<Panels {...props} {...{commands, layout, state, size, fitRange}} />
								<PanelBoundary title="Status" columns={size.columns} rows={layout.statusRows} focused={false}>
									{state.command ? (
										<CommandBar
											line={state.command}
											ui={state}
											commands={commands}
											layout={layout.name}
											columns={size.columns}
											rows={layout.statusRows}
										/>
									) : (
										<StatusLine
											columns={size.columns}
											rows={layout.statusRows}
											exchangeName={exchangeName}
											demo={demo}
											visible={visible}
											commands={acting}
											focus={state.overlay ? undefined : state.focus}
											notice={state.notice}
											stray={state.stray}
											isFirst={state.isFirst}
										/>
									)}
								</PanelBoundary>
							</AlertsContext>
						</KeyHintContext>
					</Box>
				)}
			</ZoneContext>
		</ScreenContext>
	);
}

/** Adapts the view's state to a new size before the panels are laid out. */
function useLayoutChanges(ui: UiStore): void {
	const {stdout} = useStdout();
	useEffect(() => {
		const layout = (): LayoutName =>
			'columns' in stdout && 'rows' in stdout
				? layoutName({columns: Number(stdout.columns), rows: Number(stdout.rows)})
				: 'none';
		let from = layout();
		const onResize = () => {
			const to = layout();
			ui.update(resized(from, to));
			from = to;
		};
		stdout.on('resize', onResize);
		return () => {
			stdout.off('resize', onResize);
		};
	}, [stdout, ui]);
}

type KeyboardProps = MonitorProps & {
	readonly fitRange: RangeFitter;
	readonly commands: readonly Command[];
	readonly size: Size;
};

/** Reads the terminal's input; draws nothing. */
function Keyboard(props: KeyboardProps): ReactNode {
	const {screen, ui, size} = props;
	const control = (): Control => {
		const state = ui.getSnapshot();
		const {store, replay, recording, ascii, tick} = screen;
		// Of several keys in one piece of input, each acts on what the one before it left.
		const layout = layoutFor(size, state);
		return {
			...{...props, store, replay, recording, ascii, layout: layout.name, now: tick.getSnapshot()},
			...{page: pageSize(layout, size, state), chartSize: panelSize(layout, 'chart')},
			// React draws what earlier keys changed before this.
			readScreen: (place, take) => queueMicrotask(() => take(screen.surface.textAt(place))),
		};
	};
	const [pointer] = useState(() => new Pointer());
	const onMouse = useEffectEvent((gesture: Gesture) => pointer.handle(gesture, control()));
	useInput((input, key) => {
		for (const name of keyNames(input, key)) press(name, control());
	});
	usePaste(text => paste(text, control()));
	const {stdin} = useStdin();
	const onUnfinished = useEffectEvent(() => sayUnfinished(control()));
	useEffect(() => {
		stdin.on('unfinished', onUnfinished);
		stdin.on('mouse', onMouse);
		return () => {
			stdin.off('unfinished', onUnfinished);
			stdin.off('mouse', onMouse);
		};
	}, [stdin]);
	const {setMouse} = props;
	const {mouse} = useStore(ui);
	useEffect(() => setMouse?.(mouse), [setMouse, mouse]);
	// The tiles, which may come next, have no use for it.
	useEffect(() => () => setMouse?.(false), [setMouse]);
	return null;
}

type PanelsProps = MonitorProps & {
	readonly commands: readonly Command[];
	readonly layout: Layout;
	readonly state: UiState;
	readonly size: Size;
	readonly fitRange: RangeFitter;
};

function Panels(props: PanelsProps): ReactNode {
	const {layout, state, size, commands, comparison, diagnosis, exchange, settings} = props;
	const {focus, overlay} = state;
	const whole = {...sharedArea(size), focused: true};
	if (overlay) {
		const {title, Content} = overlays[overlay];
		return (
			<PanelBoundary title={title} {...whole}>
				<Content
					{...whole}
					ui={state}
					layout={layout.name}
					{...{commands, comparison, diagnosis, exchange, settings}}
				/>
			</PanelBoundary>
		);
	}

	return (
		<Box width={whole.columns} height={whole.rows}>
			{layout.panels.map(({name, x, y, width, height}) => {
				const place = {columns: width, rows: height, focused: focus === name};
				return (
					<Box key={name} position="absolute" marginLeft={x} marginTop={y}>
						<PanelBoundary title={capitalised(name)} command={`go-to-${name}`} {...place}>
							<Panel {...props} name={name} place={place} />
						</PanelBoundary>
					</Box>
				);
			})}
		</Box>
	);
}

type PanelSlot = PanelsProps & {readonly name: PanelName; readonly place: PanelProps};

function Panel({name, place, state, fitRange, secondTicker, exchange}: PanelSlot): ReactNode {
	switch (name) {
		case 'markets':
			return <MarketPicker {...place} picker={state.picker} />;
		case 'chart':
			return (
				<CandleChart
					{...place}
					chart={state.chart}
					drawnLevels={state.drawnLevels}
					drawnLines={state.drawnLines}
					fitRange={fitRange}
				/>
			);
		case 'book':
			return <DepthLadder {...place} {...state.book} drawnLevels={state.drawnLevels} />;
		case 'tape':
			return <TradeTape {...place} {...state.tape} zoomed={state.zoomed} />;
		case 'ticker':
			return <TickerPanel {...place} secondTicker={secondTicker} interfaces={exchange.interfaces} />;
	}
}
