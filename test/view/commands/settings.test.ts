import {describe, expect, test} from 'vitest';
import {candidates} from '../../../source/view/commands/typed-command.ts';
import {settingEntries, settingNames} from '../../../source/view/commands/view-settings.ts';
import {deliveredIn, deliveredStart} from '../../../source/view/panels/settings/model.ts';
import {type Headless, openHeadless} from './headless.ts';
import {sampleReplay} from './replay-cases.ts';

/** The present value of a setting. */
function settingOf({outcome}: Headless, name: string): string | undefined {
	const {ui, state} = outcome();
	return settingEntries({ui, market: state}, 'standard').find(entry => entry.name === name)?.value;
}

const fault = ({outcome}: Headless) => outcome().ui.command?.fault;

describe('a setting is changed by its name', () => {
	const cases: ReadonlyArray<readonly [line: string, value: string]> = [
		['timezone europe/berlin', 'Europe/Berlin'],
		['palette SWAPPED', 'swapped'],
		['theme solarized-light', 'solarized-light'],
		['mouse of', 'off'],
		['theme gru', 'gruvbox-dark'],
		['layout book', 'book'],
		['interface legacy', 'legacy'],
		['sort name', 'name'],
		['columns last, spread', 'last spread'],
		['quote-currency eur', 'EUR'],
		['reverse-sort on', 'on'],
		['active-only on', 'on'],
		['period 45', '45m'],
		['chart-type line', 'line'],
		['logarithmic on', 'on'],
		['footprint 2.5', '2.5'],
		['sma 20 50', '20 50'],
		['ema on', '20'],
		['vwap on', 'on'],
		['bollinger 20 2.5', '20 2.5'],
		['rsi 21', '21'],
		['macd 5 35 5', '5 35 5'],
		['atr 10', '10'],
		['volume-average on', '20'],
		['profile on', 'on'],
		['book-view heatmap', 'heatmap'],
		['total value', 'value'],
		['grouping 0.5', '0.5'],
		['min 10k usdt', '10000 usdt'],
		['merge-fills on', 'on'],
	];
	test.each(cases)(':set %s', async (line, value) => {
		const monitor = await openHeadless();
		await monitor.type(`:set ${line}\r`);
		expect([settingOf(monitor, line.split(' ')[0] ?? ''), fault(monitor)]).toEqual([value, undefined]);
		// Once more changes nothing.
		await monitor.type(`:set ${line}\r`);
		expect(settingOf(monitor, line.split(' ')[0] ?? '')).toBe(value);
	});

	test.each([
		['log on', 'logarithmic', 'on'],
		['time local', 'timezone', 'local'],
		['SMA 20', 'sma', '20'],
	])('by an unambiguous prefix: :set %s', async (line, name, value) => {
		const monitor = await openHeadless();
		await monitor.type(`:set ${line}\r`);
		expect([settingOf(monitor, name), fault(monitor)]).toEqual([value, undefined]);
	});

	test('every setting is tested', () => {
		const tested = new Set(cases.map(([line]) => line.split(' ')[0]));
		expect(settingNames.filter(name => !tested.has(name))).toEqual([]);
	});

	test('grouping default leaves the step to the program again, and shows the middle of the book', async () => {
		const monitor = await openHeadless();
		await monitor.type(':set grouping 0.5\r');
		await monitor.press('3 j');
		expect(monitor.outcome().ui.book.anchor).toBeDefined();
		await monitor.type(':set grouping default\r');
		expect(monitor.outcome().ui.book).toMatchObject({grouping: undefined, anchor: undefined});
	});
});

test.each([
	['palete swapped', 'there is no setting palete; did you mean palette?'],
	['fee 11', 'there is no setting fee; settings lists all'],
	['p 4h', 'p is ambiguous: palette, period, profile'],
	['e 20', 'e is too short; did you mean ema?'],
	['log maybe', 'logarithmic takes on or off'],
	['bollinger 30', /^expected two numbers, got 1;/],
	['palette red', 'palette takes classic, swapped or blue-orange'],
	['mouse o', 'mouse takes on or off'],
	['palette', 'palette takes classic, swapped or blue-orange'],
	['timezone Berlin', 'there is no time zone Berlin; did you mean Europe/Berlin?'],
	['quote-currency US$', 'US$ is not an asset such as USDT'],
	['chart-type on', 'chart-type takes candles, bars, heikin-ashi, line or footprint'],
	['sort on', /^cannot sort by on; /],
])('a mistake is explained: :set %s', async (line, text) => {
	const monitor = await openHeadless();
	await monitor.type(`:set ${line}\r`);
	expect(fault(monitor)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
});

test('the interface of a recording cannot be set', async () => {
	const monitor = await openHeadless(undefined, undefined, sampleReplay);
	await monitor.type(':set interface legacy\r');
	expect(fault(monitor)).toBe('interface fixed: a recording shows the one that answered');
});

test('names and values are completed', async () => {
	const {ui, state} = (await openHeadless()).outcome();
	const all = (text: string) => candidates(text, {...state, lists: ui.picker.lists});
	expect(all('set t')).toEqual(['set timezone ', 'set theme ', 'set total ']);
	expect(all('set timezone berl')).toEqual(['set timezone Europe/Berlin']);
	expect(all('set pal s')).toEqual(['set palette swapped']);
	expect(all('set vwap ')).toEqual(['set vwap on', 'set vwap off']);
	expect(all('set quote-currency u')).toEqual(['set quote-currency USDT']);
	expect(all('set columns last ').slice(0, 2)).toEqual(['set columns last change', 'set columns last 1h']);
	expect(all('set book-view c')).toEqual(['set book-view curve']);
	expect(all('set nothing ')).toEqual([]);
});

test('what only the start sets is explained', async () => {
	const fixed = [{name: 'rewind', value: '1h', how: '--rewind TIME, rewind in config.toml'}];
	const monitor = await openHeadless(undefined, undefined, undefined, {...deliveredStart, fixed});
	await monitor.type(':set rewind 2h\r');
	const text = 'rewind is set by --rewind TIME, rewind in config.toml; it changes at the next start';
	expect(fault(monitor)).toBe(text);
	await monitor.press('esc');
	await monitor.type(':settings\r');
	await monitor.press('G enter');
	expect(monitor.outcome().ui.notice).toBe(text);
});

describe('in the list of settings', () => {
	const open = async () => {
		const monitor = await openHeadless();
		await monitor.type(':settings\r');
		return monitor;
	};

	test('Enter goes through the values of a setting, and the list stays', async () => {
		const monitor = await open();
		await monitor.press('j enter');
		expect([settingOf(monitor, 'palette'), monitor.outcome().ui.overlay]).toEqual(['swapped', 'settings']);
		await monitor.press('enter enter');
		expect(settingOf(monitor, 'palette')).toBe('classic');
		await monitor.press('j enter');
		expect(settingOf(monitor, 'theme')).toBe('dark');
		await monitor.press('j enter');
		expect([settingOf(monitor, 'layout'), monitor.outcome().ui.overlay]).toEqual(['columns', 'settings']);
	});

	test('Enter opens the command line for a setting with many values, which changes it there', async () => {
		const monitor = await open();
		await monitor.press('enter');
		expect(monitor.outcome().ui.command).toEqual({text: 'set timezone '});
		await monitor.type('Europe/Berlin\r');
		expect([settingOf(monitor, 'timezone'), monitor.outcome().ui.overlay]).toEqual(['Europe/Berlin', 'settings']);
	});

	test('the cursor stops at both ends', async () => {
		const monitor = await open();
		await monitor.press('G');
		expect(monitor.outcome().ui.cursors.settings).toBe('merge-fills');
		await monitor.press('down');
		expect(monitor.outcome().ui.notice).toBe('this is the end');
		await monitor.press('g');
		expect(monitor.outcome().ui.cursors.settings).toBe('timezone');
	});
});

test('what is delivered is what a new view shows', async () => {
	const {ui, state} = (await openHeadless()).outcome();
	const start = {...deliveredStart, standard: deliveredIn('standard'), isRemembered: true};
	const entries = settingEntries({ui, market: state}, 'standard', start);
	expect(entries.filter(({source}) => source !== 'default')).toEqual([]);
});
