import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Line, lineText} from '../../../../source/view/line.ts';
import {initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import type {ChartInput} from '../../../../source/view/panels/chart/chart-view.ts';
import {chartBody} from '../../../../source/view/panels/chart/rows.ts';
import {createTheme} from '../../../../source/view/theme/theme.ts';
import {walk} from '../../../helpers/candles.ts';

const hour = 3_600_000;
const newest = Date.UTC(2024, 7, 8, 23);
const series = walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest, seed: 7});

const linesOf = (changes: Partial<ChartInput>): readonly Line[] =>
	chartBody({
		...{...initialChart, series, lastTrade: series.candles.at(-1)?.close, size: {columns: 60, rows: 20}},
		...{ascii: false, now: newest, decimals: 2, ...changes},
	});
const textsOf = (changes: Partial<ChartInput>): readonly string[] => linesOf(changes).map(lineText);

describe('drawn levels in the chart', () => {
	test('give the place on the axis to the last price and to alerts, and have their price beside the note', () => {
		const last = series.candles.at(-1)?.close ?? 0;
		const texts = textsOf({
			levels: [58_500],
			drawnLevels: [
				{price: last, note: 'here'},
				{price: 58_500, note: 'there'},
			],
		});
		expect(texts.filter(text => text.includes('◂'))).toEqual([
			expect.stringMatching(/ ◆ 57,229\.00 here .*◂ 57,229\.00$/),
		]);
		expect(texts.filter(text => text.includes('!'))).toEqual([
			expect.stringMatching(/ ◆ 58,500\.00 there .*! 58,500\.00$/),
		]);
	});

	test('have a mark beside that of an alert where their row has no room for their price', () => {
		const {levels, size} = {levels: [57_450], size: {columns: 20, rows: 6}};
		const marksOf = (changes: Partial<ChartInput>) =>
			textsOf({levels, size, ...changes}).flatMap(text => /(?:\S!|!\S?) ?57,450\.00$/.exec(text)?.[0] ?? []);
		const drawnLevels = [{price: 57_449}];
		const [alone, both, ascii] = [{}, {drawnLevels}, {drawnLevels, ascii: true}].map(marksOf);
		expect({alone, both, ascii}).toEqual({alone: ['! 57,450.00'], both: ['◆!57,450.00'], ascii: ['*!57,450.00']});
	});

	test('in one row are counted, the nearest to the last price named', () => {
		const drawnLevels = [90_000, 70_000, 80_000].map(price => ({price, note: `at ${price}`}));
		expect(textsOf({drawnLevels}).filter(text => text.includes('◆'))).toEqual([
			expect.stringMatching(/ at 70000 \+2 ◆▴70,000\.00$/),
		]);
	});

	test.each([true, false])('differ from crosshair, mark and alerts without colours, ASCII %j', async ascii => {
		const lines = linesOf({
			...{ascii, size: {columns: 76, rows: 20}, levels: [58_000], touch: {bid: 57_000}},
			...{cross: newest - 12 * hour, crossPrice: 58_400, mark: {time: newest - 30 * hour, price: 59_000}},
			drawnLevels: [{price: 59_500, note: 'resistance'}, {price: 58_000}, {price: 10}],
		});
		const painted = lines.map(line => createTheme({palette: 'classic', color: 0}).paint(line));
		const [before, after] = ascii ? ['{', '}'] : ['«', '»'];
		const rows = painted.map(runs =>
			runs.map(({text, style}) => (style.attributes.includes('7') ? before + text + after : text)).join(''),
		);
		expect(painted.flat().filter(({style}) => style.foreground || style.background)).toEqual([]);
		const frame = `../../../frames/levels/no-colours${ascii ? '-ascii' : ''}.txt`;
		await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(frame);
	});

	test('never have a cut number, whatever shares their rows', () => {
		const anyPrice = fc.integer({min: 5_500_000, max: 6_300_000}).map(cents => cents / 100);
		const some = fc.array(anyPrice, {maxLength: 6});
		const anyInput = fc.record({
			prices: some,
			levels: some,
			columns: fc.integer({min: 20, max: 90}),
			rows: fc.integer({min: 6, max: 30}),
			cross: fc.integer({min: 0, max: 60}).map(back => newest - back * hour),
			crossPrice: anyPrice,
			mark: fc.record({time: fc.integer({min: 0, max: 60}).map(back => newest - back * hour), price: anyPrice}),
			note: fc.constantFrom('n', 'a note of some length, 支持'),
		});
		fc.assert(
			fc.property(anyInput, ({prices, levels, columns, rows, cross, crossPrice, mark, note}) => {
				const drawnLevels = prices.map(price => ({price, note}));
				const whole = prices.map(price => price.toLocaleString('en', {minimumFractionDigits: 2}));
				const text = textsOf({drawnLevels, levels, cross, crossPrice, mark, size: {columns, rows}}).join('\n');
				const shown = [...text.matchAll(/◆[▴▾]? *([\d,.]+)/g)].map(([, price]) => price);
				expect(shown.filter(price => price === undefined || !whole.includes(price))).toEqual([]);
				const lines = text.split('\n');
				const alone = textsOf({levels, cross, crossPrice, mark, size: {columns, rows}});
				const distances = (texts: readonly string[]) => texts.slice(4).map(row => /[+−][\d.]+ %/.exec(row)?.[0]);
				expect(distances(lines)).toEqual(distances(alone));
			}),
			{numRuns: 40},
		);
	});
});
