import fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import type {CompareView} from '../../../../source/view/panels/compare/compare-view.ts';
import {
	type CompareChartInput,
	type ComparedLine,
	compareChart,
	plotColumns,
} from '../../../../source/view/panels/compare/draw-compare.ts';
import {createTheme} from '../../../../source/view/theme/theme.ts';

const to = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;
const names = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'];
const wave = (height: number, drift: number, steps = 60): readonly number[] =>
	Array.from({length: steps}, (_, step) => Math.sin(step / 6) * height * (step / steps) + (drift * step) / steps);
/** A market at 100 at the base. */
const lineOf = (
	name: string,
	changes: ReadonlyArray<number | undefined>,
	more: Partial<ComparedLine> = {},
): ComparedLine => ({
	...{name, changes, decimals: 2, hasBase: true},
	prices: changes.map(change => (change === undefined ? undefined : Math.round(10_000 + change * 100) / 100)),
	...more,
});
const linesOf = (...all: ReadonlyArray<ReadonlyArray<number | undefined>>) =>
	all.map((changes, index) => lineOf(names[index] ?? '', changes));
/** The last steps of an hour, with their base at the left edge. */
const viewOf = (count: number, change: Partial<CompareView> = {}): CompareView => {
	const from = to - (count - 1) * hourMs;
	return {
		...{from, to, count, period: 60, candlePeriod: 60, columns: 1, room: count},
		oldest: from,
		newest: to,
		base: from,
		...change,
	};
};
const three = linesOf(wave(2, 3), wave(1, -2), wave(4, 6));
const draw = ({lines = three, ...change}: Partial<CompareChartInput> = {}) => {
	const view = viewOf(Math.max(...lines.map(({changes}) => changes.length)));
	return compareChart({...{lines, view, size: {columns: 96, rows: 18}}, ascii: false, now: to, ...change});
};
const text = (change: Parameters<typeof draw>[0] = {}) => `${draw(change).map(lineText).join('\n')}\n`;

test('draws three markets', async () => {
	await expect(text()).toMatchFileSnapshot('../../../frames/compare/three.txt');
});

test('draws three markets in ASCII', async () => {
	expect(text({ascii: true})).toMatch(/^[\n -~]*$/);
	await expect(text({ascii: true})).toMatchFileSnapshot('../../../frames/compare/three-ascii.txt');
});

test('equal markets keep a label each, and one without candles says why', async () => {
	const [first, second] = linesOf(wave(1, 1), wave(1, 1));
	const noted = [first, second, lineOf('SOL/USDT', [], {note: 'no candles', hasBase: false})].flatMap(
		line => line ?? [],
	);
	await expect(text({lines: noted})).toMatchFileSnapshot('../../../frames/compare/same.txt');
});

test('a market without a candle at the base or under the crosshair says so, and has no line there', async () => {
	const late = [...Array.from({length: 30}, () => undefined), ...wave(3, 4, 30)];
	const lines = [
		lineOf('BTC/USDT', wave(2, 3)),
		lineOf(
			'NEW/USDT',
			late.map(() => undefined),
			{prices: late.map(change => change && 5 + change), hasBase: false},
		),
		lineOf('SOL/USDT', late),
	];
	const view = viewOf(60, {cross: to - 40 * hourMs, base: to - 25 * hourMs});
	const size = {columns: 96, rows: 14};
	const frame = text({lines, view, size, isBaseChosen: true});
	expect(frame).toMatch(/B NEW\/USDT +– +no candle/);
	expect(frame).toMatch(/B NEW\/USDT +no base/);
	expect(frame).toMatch(/C SOL\/USDT +– +no candle/);
	await expect(frame).toMatchFileSnapshot('../../../frames/compare/late.txt');
	await expect(text({lines, view, size, isBaseChosen: true, ascii: true})).toMatchFileSnapshot(
		'../../../frames/compare/late-ascii.txt',
	);
});

test('names markets with their changes above the lines where they have no room beside them', () => {
	const size = {columns: 38, rows: 8};
	const above = (count: number, more: Partial<CompareChartInput> = {}) => {
		const lines = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'SHIB/USDT', 'XRP/USDT', 'ADA/USDT']
			.slice(0, count)
			.map((name, index) => lineOf(name, [0, 1, (index - 2) * 6]));
		const rows = draw({lines, size, ...more}).map(lineText);
		return rows
			.slice(
				0,
				rows.findIndex(row => row.includes('·')),
			)
			.flatMap(row => /^[A-F] .*/.exec(row.trimEnd()) ?? [])
			.map(String);
	};
	expect(above(2)).toEqual(['A BTC/USDT −12.00 %', 'B ETH/USDT  −6.00 %']);
	// Two to a row by their base assets.
	expect(above(6)).toEqual([
		'A BTC  −12.00 %  B ETH   −6.00 %',
		'C SOL    0.00 %  D SHIB  +6.00 %',
		'E XRP  +12.00 %  F ADA  +18.00 %',
	]);
	const plot = draw({lines: linesOf([0, 1, 2]), size}).map(lineText);
	expect(plot.map(row => row.slice(11 + 3).trim()).filter(text => text === 'A').length).toBe(1);
	// Under a crosshair with the price, if there is room for it.
	const view = viewOf(3, {cross: to - hourMs});
	expect(above(3, {view})).toEqual([
		'A BTC/USDT  101.00  +1.00 %',
		'B ETH/USDT  101.00  +1.00 %',
		'C SOL/USDT  101.00  +1.00 %',
	]);
	expect(above(4, {view})).toEqual(['A BTC  +1.00 %  B ETH  +1.00 %', 'C SOL  +1.00 %  D SHIB +1.00 %']);
});

test('keeps the pairs above the lines where base assets do not tell them apart, with a note in place of a change', () => {
	const lines = ['ETH/USDT', 'ETH/BTC', 'BTC/USDT'].map((name, index) =>
		lineOf(name, [0, 12], index === 1 ? {note: 'no candles'} : {}),
	);
	expect(
		draw({lines, size: {columns: 38, rows: 8}})
			.slice(0, 3)
			.map(line => lineText(line).trimEnd()),
	).toEqual(['A ETH/USDT   +12.00 %', 'B ETH/BTC  no candles', 'C BTC/USDT   +12.00 %']);
});

test('names stand beside the lines as long as these keep 20 columns', () => {
	expect([52, 53].map(columns => plotColumns(['BTC/USDT'], {columns}))).toEqual([39, 20]);
});

test('the scale encloses 0 only where the base is visible', () => {
	const lines = linesOf([50, 51, 52], [53, 54, 55]);
	const scale = (base: number) =>
		draw({lines, view: viewOf(3, {base}), size: {columns: 60, rows: 8}})
			.map(lineText)
			.join();
	expect(scale(to)).toContain(' 0.00 %');
	expect(scale(to - 10 * hourMs)).not.toContain(' 0.00 %');
});

test('draws markets that did not move on the zero line', () => {
	const rows = draw({lines: linesOf([0, 0, 0], [0, 0, 0]), size: {columns: 60, rows: 6}}).map(lineText);
	expect(rows.filter(row => row.includes('0.00 %')).length).toBe(2);
});

test('gives each line and its label a colour of its own', () => {
	const label = (name: string) =>
		draw()
			.flat()
			.find(span => span.text.includes(name))?.tone;
	expect(['BTC', 'ETH', 'SOL'].map(label)).toEqual(['series1', 'series2', 'series3']);
	const theme = createTheme({palette: 'classic', color: 1});
	const tones = ['series1', 'series2', 'series3', 'series4', 'series5', 'series6'] as const;
	expect(new Set(tones.map(tone => theme.paint([{text: 'x', tone}])[0]?.style)).size).toBe(6);
});

test('fills its size exactly, names every market in a row of its own and labels no neighbouring rows', () => {
	const anyChanges = fc.array(fc.double({min: -99, max: 20_000, noNaN: true}), {minLength: 1, maxLength: 40});
	fc.assert(
		fc.property(
			fc.array(anyChanges, {minLength: 2, maxLength: 6}),
			fc.integer({min: 60, max: 160}),
			fc.integer({min: 8, max: 50}),
			(all, columns, rows) => {
				const steps = Math.min(...all.map(each => each.length), plotColumns(['M0/USDT'], {columns}));
				const some = all.map((changes, index) => lineOf(`M${index}/USDT`, changes.slice(0, steps)));
				const drawn = draw({lines: some, size: {columns, rows}});
				expect(drawn.length).toBe(rows);
				const labelled = drawn.map(line => /^ *[+−]?[\d.,]+ % /.test(lineText(line)));
				expect(labelled.filter((is, row) => is && labelled[row + 1])).toEqual([]);
				expect(new Set(drawn.map(lineWidth))).toEqual(new Set([columns]));
				const named = some.map(({name}) => drawn.findIndex(row => lineText(row).includes(name)));
				expect(named).not.toContain(-1);
				expect(new Set(named).size).toBe(some.length);
			},
		),
	);
});
