import {Box, useInput, usePaste, useStdin, useStdout, useWindowSize} from 'ink';
import {type ReactNode, useEffect, useEffectEvent, useMemo, useSyncExternalStore} from 'react';
import type {Alerts} from '../alerts/alerts.ts';
import type {Exchange} from '../client/exchange.ts';
import type {Size} from '../format/cells.ts';
import type {Comparison} from '../store/comparison.ts';
import type {DiagnosisStore} from '../store/diagnosis.ts';
import type {Command, Control} from './commands/command.ts';
import {paste, press, sayUnfinished} from './commands/press.ts';
import {commandsNow, commands as delivered} from './commands/table.ts';
import {keyHintOf, keyNames} from './keys.ts';
import {
	focusedResource,
	type Layout,
	type LayoutName,
	layoutFor,
	layoutName,
	overlaySize,
	type PanelName,
	pageSize,
	panelSize,
	tooSmall,
	visibleResources,
} from './layout.ts';
import {Pane} from './pane.tsx';
import {DepthLadder} from './panels/book/depth-ladder.tsx';
import {CandleChart} from './panels/chart/candle-chart.tsx';
import {CommandBar} from './panels/command-bar/command-bar.tsx';
import {MarketPicker} from './panels/markets/market-picker.tsx';
import {AlertsOverlay, CompareOverlay, DiagnosisOverlay, HelpOverlay, InfoOverlay} from './panels/overlays.tsx';
import {StatusLine} from './panels/status/status-line.tsx';
import {TradeTape} from './panels/tape/trade-tape.tsx';
import {TickerHeader, TickerPanel} from './panels/ticker/ticker-panel.tsx';
import {LendTerminal, type TerminalLoan} from './terminal-loan.tsx';
import {resized, type UiState, type UiStore} from './ui-state.ts';
import {AlertsContext, KeyHintContext, type Screen, ScreenContext, useReplayPhase, useScreen} from './use-market.ts';

export type MonitorProps = {
	readonly screen: Screen;
	readonly ui: UiStore;
	/** Latency, errors and rate of the exchange's operations. */
	readonly diagnosis: DiagnosisStore;
	readonly comparison: Comparison;
	readonly alerts: Alerts;
	readonly exchange: Pick<Exchange, 'interfaces'>;
	readonly loan: TerminalLoan;
	/** The name from the exchange or the configuration. */
	readonly exchangeName: string;
	readonly demo: boolean;
	/** All commands, with the keys of the config file. Default: with their default keys. */
	readonly commands?: readonly Command[] | undefined;
	quit(status: number): void;
	suspend(): void;
	/** Draws the whole screen again. */
	redraw(): void;
};

/** The whole monitor: lays out the panels for the terminal's size and handles keys. */
export function Monitor(props: MonitorProps): ReactNode {
	const {screen, ui, diagnosis, comparison, alerts, exchange, loan, exchangeName, demo, commands = delivered} = props;
	const state = useSyncExternalStore(ui.subscribe, ui.getSnapshot);
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
	const acting = commandsNow(state, {layout: layout.name, chartSize: panelSize(layout, 'chart'), replay}, commands);

	return (
		<ScreenContext value={screen}>
			<LendTerminal loan={loan} size={size} />
			<Keyboard {...props} commands={commands} layout={layout} size={size} />
			{layout.name === 'none' ? (
				<Pane lines={[[{text: tooSmall(size, screen.ascii)}]]} size={size} />
			) : (
				<Box position="absolute" flexDirection="column" width={size.columns} height={size.rows}>
					<TickerHeader columns={size.columns} rows={layout.headerRows} focused={state.focus === 'ticker'} />
					<KeyHintContext value={keyHint}>
						<AlertsContext value={alerts}>
							<Panels {...{layout, state, size, diagnosis, comparison, exchange, commands}} />
							{state.command ? (
								<CommandBar line={state.command} ui={state} columns={size.columns} rows={layout.statusRows} />
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
								/>
							)}
						</AlertsContext>
					</KeyHintContext>
				</Box>
			)}
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
	readonly commands: readonly Command[];
	readonly layout: Layout;
	readonly size: Size;
};

/** Reads the terminal's input; draws nothing. */
function Keyboard(props: KeyboardProps): ReactNode {
	const {screen, ui, diagnosis, comparison, alerts, exchange, commands, layout, size, quit, suspend, redraw} = props;
	const control = (): Control => ({
		store: screen.store,
		replay: screen.replay,
		recording: screen.recording,
		ui,
		diagnosis,
		comparison,
		alerts,
		exchange,
		commands,
		layout: layout.name,
		page: pageSize(layout, size, ui.getSnapshot()),
		chartSize: panelSize(layout, 'chart'),
		now: screen.tick.getSnapshot(),
		quit,
		suspend,
		redraw,
	});
	useInput((input, key) => {
		for (const name of keyNames(input, key)) press(name, control());
	});
	usePaste(text => paste(text, control()));
	const {stdin} = useStdin();
	const onUnfinished = useEffectEvent(() => sayUnfinished(control()));
	useEffect(() => {
		stdin.on('unfinished', onUnfinished);
		return () => {
			stdin.off('unfinished', onUnfinished);
		};
	}, [stdin]);
	return null;
}

type PanelsProps = Pick<MonitorProps, 'diagnosis' | 'comparison' | 'exchange'> & {
	readonly commands: readonly Command[];
	readonly layout: Layout;
	readonly state: UiState;
	readonly size: Size;
};

function Panels({layout, state, size, diagnosis, comparison, exchange, commands}: PanelsProps): ReactNode {
	const screen = useScreen();
	// Alerts are judged on it, whatever moment is shown.
	const present = useMemo(() => ({...screen, ...screen.present}), [screen]);
	const whole = overlaySize(layout, size);
	if (state.overlay === 'help') {
		return <HelpOverlay {...whole} focused commands={commands} focus={state.focus} scroll={state.overlayScroll} />;
	}

	if (state.overlay === 'alerts') {
		return (
			<ScreenContext value={present}>
				<AlertsOverlay {...whole} focused cursor={state.alertList.cursor} interfaces={exchange.interfaces} />
			</ScreenContext>
		);
	}

	if (state.overlay === 'info') return <InfoOverlay {...whole} focused scroll={state.overlayScroll} />;
	if (state.overlay === 'compare') {
		return <CompareOverlay {...whole} focused comparison={comparison} symbols={state.compared} />;
	}

	if (state.overlay === 'diagnosis') {
		return <DiagnosisOverlay {...whole} focused scroll={state.overlayScroll} store={diagnosis} />;
	}

	return (
		<Box>
			{layout.columns.map(column => (
				<Box key={column.panels[0]?.name} flexDirection="column" width={column.width}>
					{column.panels.map(panel => (
						<Panel key={panel.name} name={panel.name} columns={column.width} rows={panel.height} state={state} />
					))}
				</Box>
			))}
		</Box>
	);
}

type PanelSlot = Size & {readonly name: PanelName; readonly state: UiState};

function Panel({name, columns, rows, state}: PanelSlot): ReactNode {
	const place = {columns, rows, focused: state.focus === name};
	switch (name) {
		case 'markets':
			return <MarketPicker {...place} picker={state.picker} />;
		case 'chart':
			return <CandleChart {...place} chart={state.chart} />;
		case 'book':
			return <DepthLadder {...place} {...state.book} />;
		case 'tape':
			return <TradeTape {...place} {...state.tape} />;
		case 'ticker':
			return <TickerPanel {...place} />;
	}
}
