import {describe, expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type LevelsPanelInput, levelsPanel} from '../../../../source/view/panels/levels/rows.ts';

const levels = [
	{price: 65_000, note: 'far above'},
	{price: 61_825.5, note: 'the wall of asks that came last Monday and stayed for the whole week'},
	{price: 61_500.25, note: '支持 support'},
	{price: 9999.5},
	{price: 0.000_001, note: 'a joke'},
];

const input = (more: Partial<LevelsPanelInput> = {}): LevelsPanelInput => ({
	...{levels, market: 'BTC/USDT', last: 61_800, decimals: 2, now: 0, keyHint: keyHintOf(commands, false), ascii: false},
	size: {columns: 80, rows: 12},
	...more,
});

describe('the list of levels', () => {
	test.each([
		['list-120x12', {size: {columns: 120, rows: 12}}],
		['list-80x12', {cursor: '61500.25'}],
		['list-40x8', {size: {columns: 40, rows: 8}}],
		['list-40x6-second-page', {size: {columns: 40, rows: 6}, cursor: '9999.5'}],
		['list-80x12-ascii', {ascii: true}],
		['list-empty', {levels: []}],
	])('%s', async (name, more) => {
		const lines = levelsPanel(input(more));
		const {size} = input(more);
		expect(lines.map(lineWidth)).toEqual(Array.from({length: size.rows}, () => size.columns));
		await expect(`${lines.map(lineText).join('\n')}\n`).toMatchFileSnapshot(`../../../frames/levels/${name}.txt`);
	});

	test('has no distances while no price is known', () => {
		const texts = levelsPanel(input({last: undefined})).map(lineText);
		expect(texts.join('\n')).not.toContain('%');
	});
});
