import {expect, test} from 'vitest';
import {mergeSources, type Source} from '../../../source/cli/options/options.ts';
import {readSettings, settingNames} from '../../../source/cli/options/settings.ts';
import {replaySettings, settingsStart, startSettings} from '../../../source/cli/options/settings-start.ts';
import {deliveredIn} from '../../../source/view/panels/settings/model.ts';

const source = (origin: Source['origin'], raw: object): Source => ({
	...{name: origin, origin, settings: readSettings(raw, String), where: String},
});

const fixedOf = (...sources: readonly Source[]) =>
	settingsStart(mergeSources(sources), deliveredIn('wide'), 'wide').fixed;

const shown = (...sources: readonly Source[]) =>
	Object.fromEntries(fixedOf(...sources).map(({name, value, origin}) => [name, [value, origin]]));

test('what only the start sets is shown with its default', () => {
	expect(shown()).toEqual({
		exchange: ['demo', undefined],
		'base-url': ['none', undefined],
		'legacy-base-url': ['none', undefined],
		exchanges: ['none', undefined],
		timeout: ['5,000 ms', undefined],
		rate: ['5 requests/s', undefined],
		'max-rate': ['no limit', undefined],
		'max-body': ['by operation', undefined],
		market: ['the last one', undefined],
		color: ['auto', undefined],
		ascii: ['off', undefined],
		title: ['on', undefined],
		fps: ['no limit', undefined],
		rewind: ['1h', undefined],
		'log-file': ['none', undefined],
		notify: ['bell, terminal', undefined],
		'on-alert': ['none', undefined],
		'blind-after': ['30 s', undefined],
		alerts: ['0', undefined],
		holdings: ['0', undefined],
		colors: ['none', undefined],
		keys: ['none', undefined],
		'intervals.depth': ['1 s', undefined],
		'intervals.trades': ['1 s', undefined],
		'intervals.tickers': ['5 s', undefined],
		'intervals.candles': ['15 s', undefined],
		'intervals.markets': ['300 s', undefined],
	});
});

test('what only the start sets is shown with its value and where that comes from', () => {
	const sources = [
		source('flag', {rate: '2.5', 'base-url': 'https://api.example.com', ascii: true}),
		source('environment', {rate: '9', rewind: 'off', fps: '4', notify: 'bell', title: 'no'}),
		source('file', {
			...{timeout: 800, 'max-rate': 20, 'max-body': 2.5, color: 'never', 'blind-after': 60, 'log-file': '/tmp/log'},
			...{'on-alert': ['notify-send', '{market}'], intervals: {depth: 2.5}, keys: {quit: 'Q', pause: 'P'}},
			alerts: [{rule: 'BTCUSDT last > 1'}],
		}),
	];
	expect(shown(...sources)).toMatchObject({
		exchange: ['api.example.com', 'flag'],
		'base-url': ['https://api.example.com', 'flag'],
		timeout: ['800 ms', 'file'],
		rate: ['2.5 requests/s', 'flag'],
		'max-rate': ['20', 'file'],
		'max-body': ['2.5 MB', 'file'],
		color: ['never', 'file'],
		ascii: ['on', 'flag'],
		title: ['off', 'environment'],
		fps: ['4', 'environment'],
		rewind: ['off', 'environment'],
		'log-file': ['/tmp/log', 'file'],
		notify: ['bell', 'environment'],
		'blind-after': ['60 s', 'file'],
		alerts: ['1', 'file'],
		keys: ['quit, pause', 'file'],
		'on-alert': ['none', 'file'],
		'intervals.depth': ['2.5 s', 'file'],
		'intervals.trades': ['1 s', undefined],
	});
});

test('an exchange comes from the strongest source that names one, by its name or by an address', () => {
	const profile = source('file', {exchange: 'mine', exchanges: {mine: {'base-url': 'https://mine.example.com'}}});
	const address = {'legacy-base-url': 'https://api.example.com'};
	expect(shown(profile)).toMatchObject({exchange: ['mine', 'file']});
	expect(shown(source('environment', address), profile)).toMatchObject({exchange: ['api.example.com', 'environment']});
	const named = source('flag', {exchange: 'mine'});
	expect(shown(named, source('environment', address), profile)).toMatchObject({exchange: ['mine', 'flag']});
});

test('what only the start sets names what changes it', () => {
	const how = new Map(fixedOf().map(each => [each.name, each.how]));
	expect(how.get('rewind')).toBe('--rewind TIME, TAPEWATCH_REWIND, rewind in config.toml');
	expect(how.get('ascii')).toBe('--ascii, TAPEWATCH_ASCII, ascii in config.toml');
	expect(how.get('title')).toBe('--no-title, TAPEWATCH_TITLE, title in config.toml');
	expect(how.get('alerts')).toBe('[[alerts]] in config.toml');
	expect(how.get('intervals.depth')).toBe('depth in [intervals] of config.toml');
});

test('a replay asks no exchange and remembers nothing, so what concerns these is not shown', () => {
	const options = mergeSources([
		source('flag', {interface: 'v2', timezone: 'UTC', 'base-url': 'https://api.example.com'}),
	]);
	const {fixed, isRemembered, origins} = replaySettings(options, deliveredIn('wide'), 'wide');
	expect([fixed, isRemembered, origins.interface, origins.timezone]).toEqual([[], false, undefined, 'flag']);
});

test('no value has a token: of an address the path is left out, of a program its arguments', () => {
	const secret = {'base-url': 'https://api.example.com/t0ken/v2', 'on-alert': ['curl', '-H', 'Authorization: t0ken']};
	const values = startSettings(mergeSources([source('file', secret)])).map(({value}) => value);
	expect(values).toEqual(expect.arrayContaining(['https://api.example.com/…', 'curl …']));
	expect(values.join()).not.toContain('t0ken');
});

test('every setting is listed once', () => {
	const names = startSettings(mergeSources([])).map(({name}) => name);
	expect(names).toEqual([...new Set(names)]);
	expect(names).toEqual(expect.arrayContaining(settingNames));
});
