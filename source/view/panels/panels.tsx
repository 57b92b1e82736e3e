import {type ComponentType, memo, useEffect, useMemo} from 'react';
import type {AlertsState} from '../../alerts/alerts.ts';
import {armedLevels, armedMarkets} from '../../alerts/levels.ts';
import type {Size} from '../../format/cells.ts';
import {latest, latestAt, sameContent} from '../../market/memo.ts';
import {pairName} from '../../market/symbol.ts';
import type {Interface} from '../../market/types.ts';
import {liveSkew} from '../../store/clock-skew.ts';
import type {Comparison} from '../../store/comparison.ts';
import {
	bestAsk,
	bestBid,
	lastTradePrice,
	type MarketState,
	type MarketStore,
	selectedMarket,
	selectedTicker,
} from '../../store/state.ts';
import {quietTo, stampsAhead, tradeTime} from '../../store/trade-time.ts';
import {type Command, type Session, vocabularyParts} from '../commands/command.ts';
import {settingEntries} from '../commands/view-settings.ts';
import {vocabularyOf} from '../commands/vocabulary.ts';
import {type DrawnLevels, drawnLevelsOf, noLevels} from '../drawn-levels.ts';
import {type DrawnLines, drawnLinesOf} from '../drawn-lines.ts';
import {bodySize} from '../frame.ts';
import type {LayoutName, Overlay} from '../layout.ts';
import {drawnFrom, livePanel, Pane} from '../pane.tsx';
import type {RangeFitter} from '../plot/price-scale.ts';
import {isStale, type OverlayView, type PanelProps} from '../resource-panel.ts';
import type {CommandLine, UiState} from '../ui-state.ts';
import {
	partsSelector,
	ScreenContext,
	useMarket,
	useNow,
	usePanelView,
	useSame,
	useScreen,
	useStore,
} from '../use-market.ts';
import {unvaluedText, valuationIn, valuationParts} from '../valuation.ts';
import {lastPrices, neverJudgedIn} from './alerts/list.ts';
import {type AlertsPanelInput, alertsPanel} from './alerts/rows.ts';
import type {BookState} from './book/book-state.ts';
import {bookPanel, showsTrades} from './book/model.ts';
import type {ChartState} from './chart/chart-state.ts';
import {type ChartPanelInput, createChartPanel} from './chart/model.ts';
import {commandBarRows} from './command-bar/rows.ts';
import {comparePanel, olderWanted} from './compare/rows.ts';
import {diagnosisPanel} from './diagnosis/rows.ts';
import {helpPanel} from './help/rows.ts';
import {holdingsPanel} from './holdings/rows.ts';
import {infoPanel} from './info/rows.ts';
import {levelsPanel} from './levels/rows.ts';
import {type PickerQuery, pastShown, pickerListOf, showsHoldings} from './markets/list.ts';
import {pickerPanel, wantedPast} from './markets/model.ts';
import {settingsPanel} from './settings/rows.ts';
import type {TapeView} from './tape/list.ts';
import {tapePanel} from './tape/model.ts';
import {tickerHeader} from './ticker/header.ts';
import {notPolled, type OtherTickers, otherInterface, whyNotPolled} from './ticker/interface-rows.ts';
import {tickerParts} from './ticker/model.ts';
import {isWhole, tickerPanel} from './ticker/panel.ts';

/** The components of the panels and overlays: what each is drawn from. */

const armedIn = ({entries}: AlertsState) => armedMarkets(entries);
/** Editing the filter and moving the cursor list nothing else. */
const noPrompt = {editing: false, cursor: undefined, cursorBefore: undefined} as const;

type MarketPickerProps = PanelProps & {readonly picker: UiState['picker']};

const MarketList = livePanel<MarketPickerProps>((_, {store}) => {
	const panel = latestAt(pickerPanel);
	const partsOf = partsSelector(['markets', 'tickers', 'symbol', 'priceTrails']);
	const stateOf = latest(
		(state: Pick<MarketState, 'markets' | 'tickers' | 'symbol' | 'priceTrails' | 'past'>) => state,
	);
	const listOf = latest((input: PickerQuery & Parameters<typeof pickerListOf>[0]) => pickerListOf(input, input));
	const armedOf = sameContent(armedIn);
	const alertsOf = latest(({armed}: {readonly armed: ReturnType<typeof armedIn>}) => new Map(armed));
	const wantedOf = latest(wantedPast);
	return ({picker, ...view}, {now, alerts: rules, flashes, ...live}) => {
		// Other viewers may want it.
		const past = pastShown(picker).length > 0 ? live.state.past : undefined;
		const state = stateOf({...partsOf(live.state), past});
		const {tickers} = state;
		const receivedAt = tickers.status === 'ready' ? tickers.receivedAt : undefined;
		const flashAt = flashes(receivedAt) ? receivedAt : undefined;
		const trades = showsHoldings(picker) ? live.state.trades : undefined;
		const list = listOf({...state, ...picker, ...noPrompt, ...(trades && {trades})});
		const alerts = alertsOf({armed: armedOf(rules)});
		const input = {...view, state, list, picker, alerts, flashAt};
		return {
			...{lines: panel(input, now), stale: isStale(tickers)},
			after: () => store.wantPast?.(live.state.paused ? undefined : wantedOf(input)),
		};
	};
});

export const MarketPicker = memo((props: MarketPickerProps) => {
	const {store} = useScreen();
	useEffect(() => () => store.wantPast?.(undefined), [store]);
	return <MarketList {...props} />;
});

/** The prices in the selected market at which armed alerts have levels, ascending: the same list while they are the same. */
function alertLevels() {
	const levelsOf = sameContent(({entries, symbol}: Pick<AlertsState, 'entries'> & Pick<MarketState, 'symbol'>) =>
		symbol === undefined ? noLevels : armedLevels(entries, symbol),
	);
	return (input: Parameters<typeof levelsOf>[0]): readonly number[] => {
		const levels = levelsOf(input);
		return levels.length > 0 ? levels : noLevels;
	};
}

type CandleChartProps = PanelProps & {
	readonly chart: ChartState;
	readonly drawnLevels: DrawnLevels;
	readonly drawnLines: DrawnLines;
	readonly fitRange: RangeFitter;
};

export const CandleChart = livePanel<CandleChartProps>(({fitRange}, {store}) => {
	const draw = createChartPanel(fitRange);
	const panel = latestAt((input: Omit<ChartPanelInput, 'now'>, now: number) => draw({...input, now}));
	const touchOf = latest((touch: {readonly bid: number | undefined; readonly ask: number | undefined}) => touch);
	const levelsOf = alertLevels();
	return ({drawnLevels, drawnLines, ...view}, {state, now, alerts: {entries}}) => {
		const {candles, history, period, decimals, trades: tape, symbol} = state;
		const {lines, wantsOlder} = panel(
			{
				...{...view, candles, history, period, decimals, tape, symbol},
				touch: touchOf({bid: bestBid(state), ask: bestAsk(state)}),
				lastTrade: lastTradePrice(state),
				quietTo: quietTo(state),
				levels: levelsOf({entries, symbol}),
				drawnLevels: drawnLevelsOf(drawnLevels, symbol),
				lines: drawnLinesOf(drawnLines, symbol),
			},
			now,
		);
		// Each page that arrives draws the chart again, which requests the next one if more is wanted.
		return {lines, stale: isStale(candles), after: () => wantsOlder && store.loadOlder()};
	};
});

export const DepthLadder = livePanel<PanelProps & BookState & {readonly drawnLevels: DrawnLevels}>(() => {
	const panel = latestAt(bookPanel);
	const levelsOf = alertLevels();
	return ({drawnLevels, ...view}, {state, now, alerts: {entries}, flashes, hasHeat}) => {
		const {depth, bookHistory: history, decimals, symbol} = state;
		const input = {
			...{...view, depth, history, decimals, hasHeat},
			flashes: flashes(depth.status === 'ready' && history.previous ? depth.receivedAt : undefined),
			tape: showsTrades(view) ? state.trades : undefined,
			ticker: selectedTicker(state),
			market: selectedMarket(state),
			levels: levelsOf({entries, symbol}),
			drawnLevels: drawnLevelsOf(drawnLevels, symbol),
		};
		return {lines: panel(input, now), stale: isStale(depth)};
	};
});

export const TradeTape = livePanel<PanelProps & TapeView & {readonly zoomed: boolean}>(() => {
	const panel = latestAt(tapePanel);
	return (view, {state, now}) => {
		const {trades: tape, decimals} = state;
		return {lines: panel({...view, tape, decimals, assets: selectedMarket(state)}, now), stale: isStale(tape)};
	};
});

export const TickerHeader = livePanel<PanelProps & {readonly rows: 1 | 2}>(() => {
	const header = drawnFrom(tickerParts, tickerHeader);
	return (view, {state, now, recording}) => ({
		lines: header(state, {...view, now, recording}),
		stale: isStale(state.trades),
	});
});

type TickerPanelProps = PanelProps & {
	/** Polls the tickers of the other interface, and nothing else. Absent: they cannot be read. */
	readonly secondTicker?: MarketStore | undefined;
	/** The interfaces that are configured. */
	readonly interfaces: readonly Interface[];
};

export const TickerPanel = memo((props: TickerPanelProps) => {
	const view = usePanelView(props);
	const state = useMarket(...tickerParts);
	const other = useOtherTickers(props, view.size, otherInterface(state));
	const lines = tickerPanel(state, {...view, now: useNow(), other});
	return <Pane lines={lines} size={view.size} stale={isStale(state.trades)} />;
});

/** The tickers of the interface `use`, which are polled while a panel shows them. */
function useOtherTickers(
	{secondTicker, interfaces}: TickerPanelProps,
	size: Size,
	use: Interface | undefined,
): OtherTickers {
	const {replay} = useScreen();
	const {paused} = useMarket('paused');
	const answer = useStore(secondTicker)?.tickers;
	const isPast = replay?.getSnapshot() !== undefined;
	const why = whyNotPolled({interfaces, use, paused, isPast, isAvailable: secondTicker !== undefined});
	const polled = why === undefined && isWhole(bodySize(size)) ? use : undefined;
	useEffect(() => {
		if (polled) secondTicker?.setChoice(polled);
		if (polled) secondTicker?.show(new Set(['tickers']));
		return () => secondTicker?.show(new Set());
	}, [secondTicker, polled]);
	// What came before a pause stays.
	return answer && (why === undefined || (paused && !isPast && answer.status === 'ready'))
		? answer
		: notPolled(why ?? '');
}

type CommandBarProps = {
	readonly line: CommandLine;
	readonly ui: UiState;
	readonly commands: readonly Command[];
	/** Of the whole screen. */
	readonly layout: LayoutName;
	readonly columns: number;
	readonly rows: 1 | 2;
};

export const CommandBar = memo(({line, ui, commands, layout, columns, rows}: CommandBarProps) => {
	const {ascii, replay: controls} = useScreen();
	const parts = useMarket(...vocabularyParts);
	const replay = useStore(controls);
	const vocabulary = vocabularyOf(parts, ui, layout);
	const lines = commandBarRows({line, vocabulary, commands, columns, rows, ascii, replay});
	return <Pane lines={lines} size={{columns, rows}} />;
});

/** What overlays are drawn from, besides the market and the time. */
type OverlayProps = PanelProps &
	Pick<Session, 'diagnosis' | 'exchange' | 'settings'> & {
		readonly ui: UiState;
		readonly layout: LayoutName;
		readonly commands: readonly Command[];
		readonly comparison: Comparison;
	};

type Overlaid = OverlayProps & OverlayView;

const HelpOverlay = ({ui, commands, ...props}: OverlayProps) => {
	const view = usePanelView(props);
	const {helpOver, focus, helpFind: find, overlayScroll: scroll} = ui;
	const lines = helpPanel({...view, place: helpOver ?? focus, find, commands, scroll});
	return <Pane lines={lines} size={view.size} />;
};

const InfoOverlay = livePanel<OverlayProps>(() => {
	const lines = latest(infoPanel);
	return ({ui, ...view}, {state: {info}, now}) => ({
		lines: lines({...view, scroll: ui.overlayScroll, info, now}),
		stale: isStale(info),
	});
});

const DiagnosisOverlay = livePanel<OverlayProps>(() => {
	const lines = latest(diagnosisPanel);
	return ({ui, diagnosis, ...view}, {state, now}) => {
		const {budget, trades: tape} = state;
		const clocks = {skewMs: liveSkew(state), stampsAheadMs: stampsAhead(tape), now};
		const shown = {scroll: ui.overlayScroll, diagnosis: diagnosis.getSnapshot()};
		return {lines: lines({...view, ...clocks, ...shown, budget})};
	};
});

const AlertList = livePanel<OverlayProps>(() => {
	const names = ['symbol', 'trades', 'tickers', 'depth', 'choice'] as const;
	const lines = drawnFrom(
		names,
		(state, {ui, exchange, ...view}: Overlaid & Pick<AlertsPanelInput, 'now' | 'alerts'>) =>
			alertsPanel({
				...{...view, cursor: ui.cursors.alerts, lastOf: lastPrices(state)},
				neverJudged: neverJudgedIn(exchange.interfaces, state),
			}),
	);
	return (view, {state, now, alerts}) => ({lines: lines(state, {...view, now, alerts})});
});

/** Alerts are judged on the present, whatever moment is shown. */
const AlertsOverlay = (props: OverlayProps) => {
	const screen = useScreen();
	const present = useMemo(() => ({...screen, ...screen.present}), [screen]);
	return (
		<ScreenContext value={present}>
			<AlertList {...props} />
		</ScreenContext>
	);
};

const LevelsOverlay = livePanel<OverlayProps>(() => {
	const names = ['symbol', 'markets', 'trades', 'tickers', 'decimals'] as const;
	const lines = drawnFrom(names, (state, {ui, ...view}: Overlaid & {readonly now: number}) => {
		const {symbol, decimals} = state;
		const market = selectedMarket(state);
		return levelsPanel({
			...{...view, decimals: decimals.price, market: market && pairName(market)},
			...{levels: drawnLevelsOf(ui.drawnLevels, symbol), cursor: ui.cursors.levels},
			lines: drawnLinesOf(ui.drawnLines, symbol),
			last: symbol === undefined ? undefined : lastPrices(state)(symbol),
		});
	});
	// Only lines move with time.
	return (view, {state, now}) => {
		const hasLines = drawnLinesOf(view.ui.drawnLines, state.symbol).length > 0;
		return {lines: lines(state, {...view, now: hasLines ? tradeTime(state.trades, now) : 0})};
	};
});

const HoldingsOverlay = livePanel<OverlayProps>(() => {
	const lines = drawnFrom(valuationParts, (state, {ui, ...view}: Overlaid & {readonly now: number}) => {
		const {holdings, currency} = ui.picker;
		const valuation = valuationIn(state, holdings, currency);
		return holdingsPanel({...view, valuation, unvalued: unvaluedText(state), cursor: ui.cursors.holdings});
	});
	return (view, {state, now}) => ({lines: lines(state, {...view, now}), stale: isStale(state.tickers)});
});

const CompareOverlay = ({comparison, ui, ...props}: OverlayProps) => {
	const {compared: symbols, compare} = ui;
	const view = usePanelView(props);
	const {markets, period, choice, paused} = useMarket('markets', 'period', 'choice', 'paused');
	useEffect(() => {
		if (!paused) comparison.show({symbols, period, choice});
		return () => comparison.show(undefined);
	}, [comparison, symbols, period, choice, paused]);
	const input = useSame({...view, compared: useStore(comparison), markets, period, compare});
	// Each page that arrives draws the comparison again, which requests the next one if more is wanted.
	useEffect(() => {
		for (const symbol of olderWanted(input, view.size)) comparison.loadOlder(symbol);
	});
	return <Pane lines={comparePanel(input, useNow())} size={view.size} />;
};

const SettingsOverlay = livePanel<OverlayProps>(() => {
	const names = ['period', 'choice', 'symbol', 'markets', 'depth', 'decimals'] as const;
	const lines = drawnFrom(names, (market, {ui, layout, settings, ...view}: Overlaid) =>
		settingsPanel({...view, entries: settingEntries({ui, market}, layout, settings), cursor: ui.cursors.settings}),
	);
	return (view, {state}) => ({lines: lines(state, view)});
});

type OverlayContent = {readonly title: string; readonly Content: ComponentType<OverlayProps>};

export const overlays: Readonly<Record<Overlay, OverlayContent>> = {
	help: {title: 'Help', Content: HelpOverlay},
	alerts: {title: 'Alerts', Content: AlertsOverlay},
	levels: {title: 'Levels', Content: LevelsOverlay},
	holdings: {title: 'Holdings', Content: HoldingsOverlay},
	settings: {title: 'Settings', Content: SettingsOverlay},
	info: {title: 'Exchange', Content: InfoOverlay},
	compare: {title: 'Compare', Content: CompareOverlay},
	diagnosis: {title: 'Diagnosis', Content: DiagnosisOverlay},
};
