import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Performances} from '../../../../source/market/performance.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type ComparedLine, compareChart, plotColumns} from '../../../../source/view/panels/compare/rows.ts';
import {createTheme} from '../../../../source/view/theme.ts';

const to = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;
const lines: readonly ComparedLine[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'].map(name => ({
	name,
	symbol: name.replace('/', ''),
}));
const wave = (height: number, drift: number, steps = 60): readonly number[] =>
	Array.from({length: steps}, (_, step) => Math.sin(step / 6) * height * (step / steps) + (drift * step) / steps);
const moves = (changes: Readonly<Record<string, readonly number[]>>, steps = 60): Performances => ({
	from: to - (steps - 1) * hourMs,
	to,
	changes: new Map(Object.entries(changes)),
});
const three = moves({BTCUSDT: wave(2, 3), ETHUSDT: wave(1, -2), SOLUSDT: wave(4, 6)});
const draw = (change: Partial<Parameters<typeof compareChart>[0]> = {}) =>
	compareChart({lines, performances: three, size: {columns: 96, rows: 18}, ascii: false, ...change});
const text = (change: Parameters<typeof draw>[0] = {}) => `${draw(change).map(lineText).join('\n')}\n`;

test('draws three markets', async () => {
	await expect(text()).toMatchFileSnapshot('../../../frames/compare/three.txt');
});

test('draws three markets in ASCII', async () => {
	expect(text({ascii: true})).toMatch(/^[\n -~]*$/);
	await expect(text({ascii: true})).toMatchFileSnapshot('../../../frames/compare/three-ascii.txt');
});

test('equal markets keep a label each, and one without candles says why', async () => {
	const same = moves({BTCUSDT: wave(1, 1), ETHUSDT: wave(1, 1)});
	const noted = lines.map(line => (line.symbol === 'SOLUSDT' ? {...line, note: 'no candles'} : line));
	await expect(text({performances: same, lines: noted})).toMatchFileSnapshot('../../../frames/compare/same.txt');
});

test('draws markets that did not move on the zero line', () => {
	const still = moves({BTCUSDT: [0, 0, 0], ETHUSDT: [0, 0, 0]}, 3);
	const rows = draw({performances: still, lines: lines.slice(0, 2), size: {columns: 60, rows: 6}}).map(lineText);
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
				const steps = Math.min(...all.map(each => each.length), plotColumns(['M0/USDT'], {columns, rows}));
				const some = all.map((_, index) => ({symbol: `M${index}`, name: `M${index}/USDT`}));
				const changes = Object.fromEntries(all.map((each, index) => [`M${index}`, each.slice(0, steps)]));
				const drawn = draw({lines: some, performances: moves(changes, steps), size: {columns, rows}});
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
