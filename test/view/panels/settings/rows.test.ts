import {describe, expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {settingEntries} from '../../../../source/view/commands/view-settings.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {deliveredIn, deliveredStart} from '../../../../source/view/panels/settings/model.ts';
import {type SettingsPanelInput, settingsPanel} from '../../../../source/view/panels/settings/rows.ts';
import {changed} from '../../../../source/view/ui-state.ts';
import {marketState} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';

const delivered = deliveredIn('standard');
const begun = {...delivered, ui: {...delivered.ui, zone: zoneOf('Europe/Berlin')}};
const columns = ['last', 'change', 'high', 'low', 'bid', 'ask', 'spread', 'volume', 'range', 'age', 'trend'] as const;
const entries = settingEntries(
	{
		ui: changed('chart', {type: 'heikin-ashi'})(changed('picker', {columns})(begun.ui)),
		market: {...marketState(), ...begun.market},
	},
	'standard',
	{
		...deliveredStart,
		begun,
		origins: {timezone: 'file', 'chart-type': 'flag'},
		isRemembered: true,
		fixed: [
			{
				...{name: 'rewind', value: '2h', origin: 'environment'},
				how: '--rewind TIME, TAPEWATCH_REWIND, rewind in config.toml',
			},
			{name: 'intervals.depth', value: '1 s', how: 'depth in [intervals] of config.toml'},
		],
	},
);

const input = (more: Partial<SettingsPanelInput>): SettingsPanelInput => ({
	...{entries, keyHint: keyHintOf(commands, false), ascii: false, size: {columns: 120, rows: 36}},
	...more,
});

describe('the list of settings', () => {
	test.each([
		['list-160x41', {size: {columns: 160, rows: 41}, cursor: 'columns'}],
		['list-120x36', {cursor: 'rewind'}],
		['list-80x21', {size: {columns: 80, rows: 21}, cursor: 'chart-type'}],
		['list-40x10', {size: {columns: 40, rows: 10}, cursor: 'columns'}],
		['list-80x21-ascii', {size: {columns: 80, rows: 21}, ascii: true, keyHint: keyHintOf(commands, true)}],
	] as const)('%s', async (name, more) => {
		const lines = settingsPanel(input(more));
		const {size} = input(more);
		expect(lines.map(lineWidth)).toEqual(Array.from({length: size.rows}, () => size.columns));
		await expect(`${lines.map(lineText).join('\n')}\n`).toMatchFileSnapshot(`../../../frames/settings/${name}.txt`);
	});

	test('highlights values that are not the default, and what was set now', () => {
		const lines = settingsPanel(input({cursor: 'sort'}));
		const tonesOf = (name: string) =>
			lines
				.find(line => lineText(line).slice(2).startsWith(`${name} `))
				?.flatMap(({text, tone}) => (text.trim() ? [tone] : []));
		expect(tonesOf('palette')).toEqual(['focus', 'muted', 'plain', 'muted', 'focus']);
		expect(tonesOf('timezone')).toEqual(['focus', 'muted', 'strong', 'muted', 'focus']);
		expect(tonesOf('chart-type')).toEqual(['focus', 'muted', 'strong', 'accent', 'focus']);
	});
});
