import type {Key} from 'ink';
import {onTestFinished} from 'vitest';
import type {Alerts, AlertsState} from '../../../source/alerts/alerts.ts';
import type {Size} from '../../../source/format/cells.ts';
import type {ReplayControls, ReplayStatus} from '../../../source/recording/replay-controls.ts';
import {createDiagnosis} from '../../../source/store/diagnosis.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import type {MarketState, MarketStore} from '../../../source/store/state.ts';
import type {Control} from '../../../source/view/commands/command.ts';
import {paste, press} from '../../../source/view/commands/press.ts';
import {type Remapping, remapped} from '../../../source/view/commands/table.ts';
import {keyNames} from '../../../source/view/keys.ts';
import {layoutFor, layoutName, pageSize, panelSize} from '../../../source/view/layout.ts';
import type {SettingsStart} from '../../../source/view/panels/settings/model.ts';
import {createRangeFitter} from '../../../source/view/plot/price-scale.ts';
import {createUiStore, initialUi, type UiState} from '../../../source/view/ui-state.ts';
import {alertsOf} from '../../helpers/alerts-of.ts';
import {createFakeClock, type FakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../../helpers/fake-exchange.ts';
import {sampleScript, sampleTime} from '../sample-exchange.ts';
import {sampleCompared} from './compare-cases.ts';

/** What commands have changed. */
export type Outcome = {
	readonly ui: UiState;
	readonly state: MarketState;
	readonly alerts: AlertsState;
	/** Exit statuses. */
	readonly quits: readonly number[];
	readonly suspensions: number;
	readonly redraws: number;
	/** Sent to the clipboard. */
	readonly copies: readonly string[];
	/** Undefined: the present is shown. */
	readonly replay: ReplayStatus | undefined;
	/** How often each resource was requested. */
	readonly calls: Readonly<Record<string, number>>;
};

export type Headless = {
	/** Presses keys by their names, with blanks between. */
	press(keys: string): Promise<void>;
	/** One piece of input as it comes. */
	type(input: string): Promise<void>;
	paste(text: string): Promise<void>;
	readonly alerts: Alerts;
	readonly exchange: FakeExchange;
	readonly replay: ReplayControls | undefined;
	/** Lets time pass, which plays a replay. */
	wait(ms: number): Promise<void>;
	outcome(): Outcome;
};

export const noKey: Key = {
	...{upArrow: false, downArrow: false, leftArrow: false, rightArrow: false, pageDown: false, pageUp: false},
	...{home: false, end: false, return: false, escape: false, tab: false, backspace: false, delete: false},
	...{ctrl: false, shift: false, meta: false, super: false, hyper: false, capsLock: false, numLock: false},
};

/** Creates what moves through recorded time. */
export type CreateReplay = (store: MarketStore, clock: FakeClock) => ReplayControls;

/** The commands on the sample exchange, with all data there, without a screen. Default 120×40, with the delivered keys and no recording. */
export async function openHeadless(
	size: Size = {columns: 120, rows: 40},
	keys: Remapping = {},
	createReplay?: CreateReplay,
	settings?: SettingsStart,
	mostRules?: number,
): Promise<Headless> {
	const commands = remapped(keys);
	const clock = createFakeClock(sampleTime);
	const exchange = createFakeExchange(clock, {...sampleScript});
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	const ui = createUiStore(initialUi(layoutName(size)));
	const alerts = alertsOf(store, {exchange, clock, ui, mostRules});
	const replay = createReplay?.(store, clock);
	const fitRange = createRangeFitter();
	const quits: number[] = [];
	let suspensions = 0;
	let redraws = 0;
	const copies: string[] = [];
	store.show(new Set(['info', 'markets', 'tickers', 'depth', 'trades', 'candles']));
	store.start();
	alerts.start();
	onTestFinished(store.stop);
	onTestFinished(alerts.stop);
	await clock.advance(300);

	function control(): Control {
		const layout = layoutFor(size, ui.getSnapshot());
		return {
			...{
				store,
				ui,
				alerts,
				exchange,
				commands,
				diagnosis: createDiagnosis(),
				comparison: {refresh() {}, getSnapshot: () => sampleCompared},
			},
			...{
				layout: layout.name,
				size,
				page: pageSize(layout, size, ui.getSnapshot()),
				chartSize: panelSize(layout, 'chart'),
			},
			...{replay, fitRange, ascii: false, settings, now: clock.now()},
			quit: status => quits.push(status),
			suspend: () => suspensions++,
			redraw: () => redraws++,
			copy: text => copies.push(text) > 0,
			readScreen: ({x, y, width, height}, take) =>
				take(['╭─ 3 Book ── v2 1s ─╮', `│at ${x},${y}   │`, `│${width}×${height}  │`, '╰─────╯']),
		};
	}

	async function pressAll(keys: readonly string[]): Promise<void> {
		for (const key of keys) press(key, control());
		await clock.advance(0);
	}

	return {
		alerts,
		exchange,
		replay,
		press: keys => pressAll(keys.split(' ')),
		type: input => pressAll(keyNames(input, noKey)),
		async paste(text) {
			paste(text, control());
			await clock.advance(0);
		},
		wait: clock.advance,
		outcome: () => ({
			ui: ui.getSnapshot(),
			state: store.getSnapshot(),
			alerts: alerts.getSnapshot(),
			quits: [...quits],
			suspensions,
			redraws,
			copies: [...copies],
			replay: replay?.getSnapshot(),
			calls: Object.fromEntries(Object.entries(exchange.calls).map(([name, calls]) => [name, calls.length])),
		}),
	};
}
