import {Box} from 'ink';
import type {ReactNode} from 'react';
import {expect, onTestFinished, test} from 'vitest';
import type {ExchangeInfo} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createTick} from '../../source/view/clock-stores.ts';
import type {Line} from '../../source/view/line.ts';
import {livePanel, Pane} from '../../source/view/pane.tsx';
import {PanelBoundary} from '../../source/view/panel-boundary.tsx';
import type {PanelProps} from '../../source/view/resource-panel.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {KeyHintContext, type Screen, ScreenContext, useMarket} from '../../source/view/use-market.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {openMonitor, openTerminal} from './monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

/** Warnings about defects, their first lines. */
function defectsSaid(): readonly string[] {
	const texts: string[] = [];
	const onWarning = (warning: Error) => {
		if (warning.name === 'Defect') texts.push(warning.message.split('\n')[0] ?? '');
	};
	process.on('warning', onWarning);
	onTestFinished(() => void process.off('warning', onWarning));
	return texts;
}

const place = {columns: 40, rows: 6, focused: false};

/** A panel that throws in its rows, or itself, while the market has a failure of that name. */
function Faulty({where, isBroken}: {where: 'rows' | 'component'; isBroken: () => boolean}): ReactNode {
	const {paused} = useMarket('paused');
	if (where === 'component' && isBroken()) throw new Error('thrown in a component');
	const rows = (): readonly Line[] => {
		if (where === 'rows' && isBroken()) throw new Error('thrown in rows');
		return [[{text: paused ? 'healthy, paused' : 'healthy'}]];
	};
	return <Pane lines={rows()} size={place} />;
}

/** The same outside React's renders. */
const FaultyLive = livePanel<PanelProps & {isBroken: () => boolean}>(() => ({isBroken}, {state}) => {
	if (isBroken()) throw new Error('thrown in rows');
	return {lines: [[{text: state.paused ? 'healthy, paused' : 'healthy'}]]};
});

test.each(['rows', 'live rows', 'component'] as const)(
	'a panel that throws in its %s says so in its frame, once in the log, and recovers with new data; others go on',
	async where => {
		const warnings = defectsSaid();
		const clock = createFakeClock(sampleTime);
		const exchange = createFakeExchange(clock, {...sampleScript});
		const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
		const tick = createTick(clock);
		onTestFinished(() => tick.stop());
		let broken = true;
		const isBroken = () => broken;
		const terminal = await openTerminal(clock, {columns: 40, rows: 7}, ({surface}) => {
			const screen: Screen = {store, tick, theme: createTheme({palette: 'classic', color: 1}), surface, ascii: false};
			return (
				<ScreenContext value={screen}>
					<Box flexDirection="column">
						<KeyHintContext value={(_, command) => (command === 'go-to-chart' ? '2' : '')}>
							<PanelBoundary title="Chart" command="go-to-chart" {...place}>
								{where === 'live rows' ? (
									<FaultyLive {...place} isBroken={isBroken} />
								) : (
									<Faulty where={where} isBroken={isBroken} />
								)}
							</PanelBoundary>
						</KeyHintContext>
						<PanelBoundary title="Trades" {...place} rows={1}>
							<Pane lines={[[{text: 'other panel'}]]} size={{...place, rows: 1}} />
						</PanelBoundary>
					</Box>
				</ScreenContext>
			);
		});
		onTestFinished(() => terminal.unmount());
		expect(terminal.rows()).toEqual([
			'╭─ 2 Chart · not drawn ────────────────╮',
			`│ ${`defect of Tapewatch: thrown in ${where === 'component' ? 'a' : 'rows'}`.padEnd(37)}│`,
			`│ ${(where === 'component' ? 'component' : '').padEnd(37)}│`,
			expect.stringMatching(where === 'component' ? /^│ +│$/ : /Please report/),
			expect.any(String),
			'╰──────────────────────────────────────╯',
			'other panel',
		]);
		store.setPaused(true);
		await terminal.settle();
		expect(terminal.rows()[0]).toBe('╭─ 2 Chart · not drawn ────────────────╮');
		broken = false;
		store.setPaused(false);
		await terminal.settle();
		expect(terminal.rows()).toEqual(['healthy', '', '', '', '', '', 'other panel']);
		await new Promise(setImmediate);
		expect(warnings).toEqual([
			`Chart panel could not be drawn: Error: thrown in ${where === 'component' ? 'a component' : 'rows'}`,
		]);
	},
);

test('the monitor shows in its frame that the exchange description cannot be drawn, and goes on', async () => {
	const warnings = defectsSaid();
	const info = {name: 'sample', capability: {}};
	const broken = Object.defineProperty({...info}, 'description', {
		get() {
			throw new Error('no description');
		},
	});
	const monitor = await openMonitor({
		size: {columns: 80, rows: 24},
		script: {...sampleScript, info: () => broken as unknown as ExchangeInfo},
	});
	await monitor.press('i');
	await monitor.clock.advance(1000);
	expect(monitor.frame()).toContain('Exchange · not drawn');
	expect(monitor.frame()).toContain('defect of Tapewatch: no description');
	await monitor.press('esc');
	expect(monitor.frame()).toContain('4 Tape');
	expect(monitor.frame()).not.toContain('not drawn');
	await new Promise(setImmediate);
	expect(warnings).toEqual(['Exchange panel could not be drawn: Error: no description']);
});
