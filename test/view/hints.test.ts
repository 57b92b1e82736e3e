import {isDeepStrictEqual} from 'node:util';
import {expect, test} from 'vitest';
import type {ReplayControls} from '../../source/recording/replay-controls.ts';
import {hintKeys, keyGroups} from '../../source/view/commands/command.ts';
import {commands, commandsNow} from '../../source/view/commands/table.ts';
import {layoutFor, panelNames, panelSize} from '../../source/view/layout.ts';
import {initialUi, isTyping, type UiState} from '../../source/view/ui-state.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';

/** Keys that lead from the focused panel to each of its views. */
const views: Readonly<Record<(typeof panelNames)[number], readonly string[]>> = {
	markets: ['', '/', '/ z z z enter'],
	chart: ['', 'x', 'o'],
	book: ['', 'b', 'b b x', 'a'],
	tape: [''],
	ticker: ['', 'space'],
};
const overlays = ['?', 'i', 'd', 'C', '!'];
/** Keys that do the same in all panels: pressed once over them and in each overlay, typing or not. */
const alike: ReadonlySet<string> = new Set([
	...['q', '?', ':', 'n', 'p', 'tab', 'shift+tab', 'z', '/', '[', ']', 'R', '!', 'C'],
]);

/** The keys that the status line hints at. */
function hinted(monitor: OpenMonitor, size: {columns: number; rows: number}): readonly string[] {
	const state = monitor.ui.getSnapshot();
	const layout = layoutFor(size, state);
	const line = `${monitor.rows().at(-1)} `;
	return keyGroups(commandsNow(state, {layout: layout.name, chartSize: panelSize(layout, 'chart')})).flatMap(group => {
		const {hint, panel} = group.first;
		const keys = hintKeys(group, false);
		if (!hint || keys === '' || (panel !== undefined && panel !== state.focus)) return [];
		const words = [hint.word, ...Object.values(hint.words ?? {})];
		if (!words.some(word => line.includes(` ${keys} ${word} `))) return [];
		return group.all.flatMap(({keys: [key]}) => key ?? []);
	});
}

test.each([
	['120x40', {columns: 120, rows: 40}, ' Enter accept  Esc cancel '],
	['40x12', {columns: 40, rows: 12}, ' Enter accept '],
])('at %s an open prompt hints at its own keys first', async (_, size, hint) => {
	const monitor = await openMonitor({size});
	for (const keys of [
		['2', 't'],
		['3', 'a'],
	]) {
		await monitor.press(...keys);
		await monitor.clock.advance(300);
		expect(monitor.rows().at(-1)).toContain(hint);
		await monitor.press('esc');
	}
});

test.each([
	['120x40', {columns: 120, rows: 40}],
	['40x12', {columns: 40, rows: 12}],
])('at %s each hinted key changes the screen, or the status line says why not', async (_, size) => {
	const monitor = await openMonitor({size});
	const {ui, store, clock} = monitor;
	await clock.advance(2000);
	const [untouched, {symbol = '', period, choice}] = [ui.getSnapshot(), store.getSnapshot()];
	const dead: string[] = [];
	const pressed = new Set<string>();
	const places = new Set<string>();
	const restore = async (state: typeof untouched) => {
		const now = store.getSnapshot();
		if (now.paused) store.setPaused(false);
		if (now.symbol !== symbol) store.select(symbol);
		if (now.period !== period) store.setPeriod(period);
		if (now.choice !== choice) store.setChoice(choice);
		ui.update(() => state);
		await monitor.settle();
		// What was asked for anew takes time, in which all is drawn again.
		const isAsked = now.paused || now.symbol !== symbol || now.period !== period || now.choice !== choice;
		if (isAsked) await clock.advance(300);
	};

	// Each view is tried where the line has room for all its hints, elsewhere the first one of each panel, as it is and zoomed.
	const starts = panelNames.flatMap((panel, index) => [
		...views[panel].slice(0, size.columns === 120 ? undefined : 1).map(keys => `${index + 1} ${keys}`),
		`${index + 1} z`,
	]);
	starts.push(...overlays);
	for (const start of starts) {
		await restore(untouched);
		await monitor.press(...start.trim().split(' ').filter(Boolean));
		await clock.advance(300);
		const state = ui.getSnapshot();
		const view = `${state.focus} ${state.overlay} ${store.getSnapshot().period}`;
		for (const key of hinted(monitor, size)) {
			const place = `${key} ${state.overlay} ${isTyping(state)}`;
			if (alike.has(key) && places.has(place)) continue;
			places.add(place);
			const before = monitor.picture();
			const quits = monitor.quits.length;
			await monitor.press(key);
			pressed.add(key);
			if (isDeepStrictEqual(monitor.picture(), before) && monitor.quits.length === quits)
				dead.push(`${key} after ${start} (${view})`);
			await restore(state);
		}
	}

	expect(dead).toEqual([]);
	expect(pressed.size).toBeGreaterThanOrEqual(size.columns > 100 ? 25 : 2);
});

test('Esc is hinted at as the way to the tiles only if it leaves the monitor, of a recording too', () => {
	const back = commands.find(({name}) => name === 'back');
	const situation = {layout: 'standard', chartSize: {columns: 52, rows: 36}, leave() {}} as const;
	const hint = (state: Partial<UiState>, replay?: {readonly hasPresent: boolean}) => {
		const controls = replay && ({...replay, getSnapshot: () => ({})} as unknown as ReplayControls);
		return back?.hintNow?.({...initialUi('standard'), ...state}, {...situation, replay: controls})?.word;
	};
	expect([hint({}), hint({}, {hasPresent: false}), hint({}, {hasPresent: true})]).toEqual([
		'tiles',
		'tiles',
		'present',
	]);
	expect([hint({zoomed: true}), hint({overlay: 'help'})]).toEqual([undefined, undefined]);
});
