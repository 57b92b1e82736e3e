import {expect, test} from 'vitest';
import type {Rgb} from '../../source/format/style.ts';
import {createStore} from '../../source/store/create-store.ts';
import type {PaletteName} from '../../source/view/theme/names.ts';
import {openMonitor} from './monitor.tsx';

const size = {columns: 120, rows: 40};

/** Keys that lead from one screen to the next: every panel, view and overlay. */
const tour: ReadonlyArray<readonly string[]> = [
	[],
	['1', 'z', 'j', 'f'],
	['2', 'o', ' ', 'j', ' ', 'j', ' ', 'j', ' ', 'j', ' ', 'j', ' ', 'esc'],
	['c', 'x'],
	['c', 'l'],
	['c', '3', 'a', '2', 'enter'],
	['b'],
	['b'],
	['b', '4', 'm', '+'],
	['5'],
	['i'],
	['d'],
	['?'],
	['C'],
	['esc', 'z', ' '],
];

/** What the tour shows, screen by screen: each cell with its colour. */
async function screensIn(palette: PaletteName) {
	const monitor = await openMonitor({size, palette});
	await monitor.clock.advance(2000);
	const screens: ReadonlyArray<ReadonlyArray<{text: string; color: string}>>[] = [];
	for (const keys of tour) {
		await monitor.press(...keys);
		const {rows} = monitor.picture();
		screens.push(rows.map(cells => cells.map(({text, style}) => ({text, color: style.foreground}))));
	}

	monitor.close();
	return screens;
}

/** Words for what goes up or down, is bid or asked, bought or sold, and units beside such numbers. */
const sides = new Set(['bid', 'bids', 'ask', 'asks', 'buy', 'sell', 'a', 'b', 'k', 'M', 'B', 'BTC']);

test('the palettes differ only where something rises or falls, is bid or asked, bought or sold', async () => {
	const [classic, swapped] = [await screensIn('classic'), await screensIn('swapped')];
	const words = new Set<string>();
	for (const [index, screen] of classic.entries()) {
		for (const [row, cells] of screen.entries()) {
			const other = swapped[index]?.[row] ?? [];
			expect(other.map(({text}) => text)).toEqual(cells.map(({text}) => text));
			const changed = cells.map(({text, color}, column) => (color === other[column]?.color ? ' ' : text)).join('');
			for (const word of changed.match(/[A-Za-z]+/g) ?? []) words.add(word);
		}
	}

	expect([...words].filter(word => !sides.has(word))).toEqual([]);
	expect(words.size).toBeGreaterThan(4);
});

test('a palette that is set changes what is on the screen at once', async () => {
	const classic = await openMonitor({size, palette: 'classic'});
	const swapped = await openMonitor({size, palette: 'swapped'});
	const stylesOf = ({picture}: typeof classic) => picture().rows.map(cells => cells.map(({style}) => style.foreground));
	expect(stylesOf(classic)).not.toEqual(stylesOf(swapped));
	await classic.type(':set palette swapped\r');
	expect(stylesOf(classic)).toEqual(stylesOf(swapped));
});

test('a theme is shown while it is typed, kept by Enter and given up by Esc', async () => {
	const [dark, light] = [await openMonitor({size, color: 3}), await openMonitor({size, color: 3})];
	const stylesOf = ({picture}: typeof dark) =>
		picture()
			.rows.slice(0, -2)
			.map(cells => cells.map(({style}) => style.foreground));
	const before = stylesOf(dark);
	await light.type(':set theme light\r');
	expect(stylesOf(light)).not.toEqual(before);
	for (const line of [':theme li', ':th LIGHT ', ':set theme light']) {
		await dark.type(line);
		expect(stylesOf(dark)).toEqual(stylesOf(light));
		await dark.press('esc');
	}

	expect(stylesOf(dark)).toEqual(before);
	await dark.type(':theme ');
	expect(stylesOf(dark)).toEqual(before);
	await dark.press('tab', 'tab', 'tab');
	expect(stylesOf(dark)).toEqual(stylesOf(light));
	await dark.type('\r');
	expect(stylesOf(dark)).toEqual(stylesOf(light));
});

test('the screen follows the background that the terminal reports', async () => {
	const background = createStore<Rgb | undefined>(undefined);
	const monitor = await openMonitor({size, background, color: 3});
	const colors = () => new Set(monitor.picture().rows.flatMap(cells => cells.map(({style}) => style.foreground)));
	const dark = colors();
	background.set([255, 255, 255]);
	await monitor.clock.advance(0);
	const light = colors();
	expect([...light].filter(color => color !== '' && dark.has(color))).toEqual([]);
	await monitor.type(':theme dark\r');
	expect(colors()).toEqual(dark);
});
