import {expect, test} from 'vitest';
import type {Size} from '../../source/format/cells.ts';
import {
	homePanel,
	type PresetName,
	placedPanels,
	presetArrangement,
	presetNames,
	sharingPanels,
} from '../../source/view/arrangement.ts';
import {framePanel} from '../../source/view/frame.ts';
import {layoutFor, layoutName, sharedArea} from '../../source/view/layout.ts';
import {lineText} from '../../source/view/line.ts';
import {type Headless, openHeadless} from './commands/headless.ts';
import {openMonitor} from './monitor.tsx';

const sizes = {
	'160x45': {columns: 160, rows: 45},
	'120x40': {columns: 120, rows: 40},
	'80x24': {columns: 80, rows: 24},
	'40x12': {columns: 40, rows: 12},
} satisfies Record<string, Size>;

/** The frames of the panels in a layout, without what is in them. */
function outline(size: Size, preset: PresetName): string {
	const name = layoutName(size);
	const arrangement = presetArrangement(name, preset);
	const [layouts, focus] = [{[name]: arrangement}, homePanel(name, arrangement)];
	const {panels} = layoutFor(size, {focus, zoomed: false, layouts});
	const {columns, rows} = sharedArea(size);
	const cells = Array.from({length: rows}, () => Array.from({length: columns}, () => ' '));
	for (const {name: panel, x, y, width, height} of panels) {
		const place = {size: {columns: width, rows: height}, focused: panel === focus, ascii: false};
		const lines = framePanel({titles: [`${panel} ${width}×${height}`], statuses: [], ...place}, []);
		for (const [row, line] of lines.entries()) cells[y + row]?.splice(x, width, ...lineText(line));
	}

	return cells.map(row => row.join('')).join('\n');
}

test.each(Object.entries(sizes))('the layouts at %s', async (name, size) => {
	const outlines = presetNames.map(preset => `${preset}\n${outline(size, preset)}\n`);
	await expect(outlines.join('\n')).toMatchFileSnapshot(`../frames/layout/${name}.txt`);
});

test('the layout of a wide chart in ASCII, with panels resized and one hidden', async () => {
	const monitor = await openMonitor({size: sizes['120x40'], ascii: true, color: 0});
	await monitor.clock.advance(4400);
	await monitor.type(':layout wide\r:hide markets\r2hhh4ww');
	await monitor.settle();
	expect(monitor.frame()).toMatch(/^[\n -~]*$/);
	await expect(`${monitor.frame()}\n`).toMatchFileSnapshot('../frames/layout/120x40-wide-ascii.txt');
});

const shownAt = (size: Size, {outcome}: Headless) => layoutFor(size, outcome().ui).panels.map(({name}) => name);
const faultOf = ({outcome}: Headless) => outcome().ui.command?.fault;

test('a hidden panel gives up the focus, is shown while it has it again, and gets its place back', async () => {
	const size = sizes['120x40'];
	const headless = await openHeadless(size);
	await headless.press('4 z');
	await headless.type(':hide tape\r');
	expect(headless.outcome().ui).toMatchObject({focus: 'chart', zoomed: false});
	expect(shownAt(size, headless)).toEqual(['markets', 'chart', 'book']);
	await headless.press('tab tab');
	expect(headless.outcome().ui.focus).toBe('ticker');
	await headless.press('4');
	expect(shownAt(size, headless)).toEqual([...sharingPanels]);
	await headless.press('esc');
	expect(headless.outcome().ui.focus).toBe('chart');
	expect(shownAt(size, headless)).toEqual(['markets', 'chart', 'book']);
	await headless.type(':show tape\r');
	expect(shownAt(size, headless)).toEqual([...sharingPanels]);
});

test.each(Object.entries(sizes))('at %s the last panel cannot be hidden', async (_, size) => {
	const headless = await openHeadless(size);
	const layout = layoutName(size);
	const panels = placedPanels(layout, presetArrangement(layout, 'default')).filter(panel => panel !== 'chart');
	for (const panel of panels) await headless.type(`:hide ${panel}\r`);
	expect(faultOf(headless)).toBeUndefined();
	await headless.type(':hide chart\r');
	expect(faultOf(headless)).toBe('chart is the last panel and cannot be hidden');
	await headless.press('esc');
	await headless.type(':hide tape\r');
	expect(faultOf(headless)).toBe('tape is already hidden');
});

test.each([
	['120x40', '', ':hide ', ['markets', 'chart', 'book', 'tape']],
	['120x40', '', ':show ', []],
	['120x40', ':hide tape\r', ':hide ', ['markets', 'chart', 'book']],
	['120x40', ':hide tape\r:hide markets\r', ':show ', ['tape', 'markets']],
	['80x24', '', ':hide ', ['chart', 'tape', 'book']],
	['80x24', ':hide tape\r:hide book\r', ':hide ', []],
] as const)('at %s after %j, Tab completes %j to the panels that it can take', async (size, before, text, panels) => {
	const headless = await openHeadless(sizes[size]);
	await headless.type(before);
	await headless.type(text);
	for (const panel of [...panels, panels[0] ?? '']) {
		await headless.press('tab');
		expect(headless.outcome().ui.command?.text).toBe(`${text}${panel}`.slice(1));
	}
});

test('a panel without a place of its own cannot be hidden', async () => {
	const headless = await openHeadless(sizes['80x24']);
	await headless.type(':hide markets\r');
	expect(faultOf(headless)).toBe('markets has no place of its own at this size');
	expect(headless.outcome().ui.layouts).toEqual({});
});

test('a layout replaces sizes and hidden panels, for terminals of the same class', async () => {
	const headless = await openHeadless(sizes['120x40']);
	await headless.press('2 w w');
	await headless.type(':hide book\r:layout chart\r');
	expect(headless.outcome().ui.layouts).toEqual({
		standard: {preset: 'chart', hidden: new Set(['markets']), columns: {}, rows: {}},
	});
	await headless.type(':layout default\r');
	expect(headless.outcome().ui.layouts).toEqual({});
	await headless.type(':layout poster\r');
	expect(faultOf(headless)).toBe('layout takes default, columns, wide, chart, book or tape');
});

test.each([
	['120x40', '2 h', 'the chart panel has the full height'],
	['120x40', '5 w', 'the ticker panel keeps its size'],
	['120x40', '2 z w', 'one panel has the whole screen'],
	['40x12', '2 w', 'one panel has the whole screen'],
	['120x40', `2 ${'w '.repeat(9)}w`, 'no room for more columns: hide a panel to make room'],
	['120x40', `1 ${'W '.repeat(9)}W`, 'already at min width'],
	['120x40', `4 ${'h '.repeat(30)}h`, 'no room for more rows: hide a panel to make room'],
	['120x40', `4 ${'H '.repeat(30)}H`, 'already at min height'],
] as const)('at %s %s says why nothing moves', async (size, keys, notice) => {
	const headless = await openHeadless(sizes[size]);
	await headless.press(keys);
	expect(headless.outcome().ui.notice).toBe(notice);
});

test('the focus leaves a panel that is hidden at the new size, and returns with it', async () => {
	const monitor = await openMonitor({size: sizes['80x24']});
	await monitor.type(':hide tape\r');
	await monitor.resize(sizes['120x40']);
	await monitor.press('4');
	await monitor.resize(sizes['80x24']);
	expect(monitor.ui.getSnapshot().focus).toBe('chart');
	await monitor.resize(sizes['120x40']);
	expect(monitor.ui.getSnapshot().focus).toBe('tape');
});
