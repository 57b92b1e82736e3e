import {describe, expect, test} from 'vitest';
import {commandFor, commands, commandsIn} from '../../../source/view/commands/table.ts';
import {indicatorNames} from '../../../source/view/panels/chart/indicator-table.ts';
import type {UiState} from '../../../source/view/ui-state.ts';
import {openMonitor} from '../monitor.tsx';
import {alertCases} from './alert-cases.ts';
import {compareCases} from './compare-cases.ts';
import {generalCases, symbol, tapeTop} from './general-cases.ts';
import {type Outcome, openHeadless} from './headless.ts';
import {holdingCases} from './holding-cases.ts';
import {levelCases} from './level-cases.ts';
import {calm, list, offset, panelCases} from './panel-cases.ts';
import {replayCases, sampleReplay} from './replay-cases.ts';

const cases = [...generalCases, ...panelCases, ...alertCases, ...levelCases, ...holdingCases, ...compareCases];

describe('a key runs its command', () => {
	const tried = [
		...cases.map(each => ({each, replay: undefined})),
		...replayCases.map(each => ({each, replay: sampleReplay})),
	];
	test.each(tried)('$each.0: $each.1', async ({each: [name, keys, look, from, to], replay}) => {
		const {press, outcome} = await openHeadless(undefined, undefined, replay);
		const [, before = '', key = ''] = /^(.* )?(\S+)$/.exec(keys) ?? [];
		if (before) await press(before.trim());
		const {ui} = outcome();
		expect([commandFor(key, ui.focus, commandsIn(ui))?.name, look(outcome())]).toEqual([name, from]);
		await press(key);
		expect(look(outcome())).toEqual(to);
	});

	test('every command with keys and every key is tested', () => {
		const proven = new Set([...cases, ...replayCases].map(([name, keys]) => `${name} by ${keys.split(' ').at(-1)}`));
		const all = commands.flatMap(({name, keys}) => keys.map(key => `${name} by ${key}`));
		expect(all.filter(each => !proven.has(each))).toEqual([]);
	});
});

const step = ({ui}: Outcome) => ui.book.grouping?.mantissa;

test.each<readonly [what: string, steps: readonly string[], look: (outcome: Outcome) => unknown, expected: unknown[]]>([
	['the market before the first', ['n', 'p', 'p'], symbol, ['BTCUSDT', 'ETHUSDT', 'BTCUSDT', 'BTCUSDT']],
	[
		'the market after the last',
		['G enter', 'p', 'n', 'n'],
		symbol,
		['BTCUSDT', 'NEWUSDT', 'DUSTBTC', 'NEWUSDT', 'NEWUSDT'],
	],
	['a trade newer than the newest', ['4 j', 'k', 'k'], tapeTop, [undefined, 1, undefined, undefined]],
	['a candle newer than the newest', ['left', 'right', 'right'], offset, [0, 5, 0, 0]],
	['a candle newer than the newest, row by row', ['2 k', 'j', 'j'], offset, [0, 1, 0, 0]],
	['a price step finer than the finest', ['3 +', '-', '-'], step, [undefined, 2, 1, 1]],
	['no list', ['L', calm, 'L'], list, [undefined, undefined, undefined, 'calm']],
])('keys stop at %s', async (_, steps, look, expected) => {
	const {press, outcome} = await openHeadless();
	const values = [look(outcome())];
	for (const keys of steps) {
		await press(keys);
		values.push(look(outcome()));
	}

	expect(values).toEqual(expected);
});

const filter = ({ui: {picker}}: Outcome) => [picker.filter, picker.editing];
const fill = ({ui: {book}}: Outcome) => [book.fill.text, book.fill.editing];
const refused = (outcome: Outcome) => [...fill(outcome), outcome.ui.book.fill.fault];
const typing = ({ui}: Outcome) => ui.chart.typing;
const menu = ({ui}: Outcome) => ui.chart.menu;

describe('a prompt or a menu takes keys first', () => {
	test.each<readonly [keys: string, look: (outcome: Outcome) => unknown, to: unknown]>([
		['/ n p / q - 7 Z space', filter, ['np/q-7Z', true]],
		['/ a 😀 backspace', filter, ['a', true]],
		['/ a backspace backspace', filter, ['', true]],
		['/ e t h enter', ({ui, state}) => [ui.picker.filter, ui.picker.editing, state.symbol], ['', false, 'ETHUSDT']],
		['/ e t h down enter', ({state}) => state.symbol, 'ETHBTC'],
		['/ z z z enter', ({state}) => state.symbol, 'BTCUSDT'],
		['/ e t ctrl+u s', filter, ['s', true]],
		['/ e t h down ctrl+d', ({ui}) => [ui.picker.filter, ui.picker.cursor], ['eth', 'ETHBTC']],
		['2 t ctrl+b ctrl+f ctrl+u', offset, 0],
		['a 2 space b t c x backspace', fill, ['2 btc', true]],
		['a 2 enter', fill, ['2', false]],
		['a 2 enter esc', fill, ['', false]],
		['a 2 space b t c ctrl+w', fill, ['2 ', true]],
		['a 2 space e t h enter', refused, ['2 eth', true, 'eth is neither BTC nor USDT']],
		['a 2 , 5 enter', refused, ['2,5', true, 'a dot separates decimals (2.5), a comma thousands (1,000)']],
		['a 2 space e enter backspace', refused, ['2 ', true, undefined]],
		['a 2 , 5 enter backspace backspace . 5 enter', refused, ['2.5', false, undefined]],
		['a space enter', refused, ['', false, undefined]],
		['2 t 4 5 enter', ({ui, state}) => [ui.chart.typing, state.period], [undefined, 45]],
		['2 t 3 d enter', ({state}) => state.period, 4320],
		['2 t q 4 x space . 5 backspace', typing, {text: 'q4x .'}],
		['2 t 1 . 5 h enter', typing, {text: '1.5h', fault: 'write 90m for 1.5h'}],
		['2 t 1 y enter backspace', typing, {text: '1'}],
		['2 t enter', typing, {text: '', fault: 'a period is missing'}],
		['2 t 4 esc', ({ui, state}) => [ui.chart.typing, state.period], [undefined, 60]],
		['? / n space q enter', ({ui}) => [ui.overlay, ui.helpFind], ['help', {text: 'n q', editing: false}]],
		['? / n q esc', ({ui}) => [ui.overlay, ui.helpFind], ['help', {text: '', editing: false}]],
		['o j', menu, 1],
		['o k', menu, 0],
		['o G j', menu, indicatorNames.length - 1],
		['o o', menu, undefined],
		['o esc', menu, undefined],
		['o j space', ({ui, state}) => [[...ui.chart.indicators], state.paused], [['ema'], false]],
		['o enter enter', ({ui}) => [...ui.chart.indicators], []],
		['o n', ({state}) => state.symbol, 'ETHUSDT'],
	])('%s', async (keys, look, to) => {
		const {press, outcome} = await openHeadless();
		await press(keys);
		expect(look(outcome())).toEqual(to);
	});
});

describe('a key that changes nothing says why until the next key', () => {
	test.each([
		['p', 'this is the first market'],
		['k', 'this is the beginning'],
		['G G', 'this is the end'],
		['enter', 'this market is already shown'],
		['L', 'no lists yet; list-add makes one'],
		['3 m', 'already centred'],
		['3 b t', 'only the ladder shows totals'],
		['3 b b m', 'only the ladder can be centred'],
		['3 b b j', 'the heatmap does not scroll'],
		['3 -', 'all prices are multiples of 0.01: no finer rows'],
		['3 + + + + + + + + + + + + + + + + + + + + +', 'coarser steps would leave fewer than ten rows'],
		['3 z c', 'the chart is not on the screen'],
		['right', 'this is the newest candle'],
		['5 j', 'the ticker panel does not scroll'],
	])('%s', async (keys, notice) => {
		const {press, outcome} = await openHeadless();
		await press(keys);
		expect(outcome().ui.notice).toBe(notice);
		await press('n');
		expect(outcome().ui.notice).toBeUndefined();
	});

	test('on the status line, in place of the hints', async () => {
		const monitor = await openMonitor({size: {columns: 120, rows: 40}});
		await monitor.press('5', 'j');
		expect(monitor.rows().at(-1)).toMatch(/^ the ticker panel does not scroll *$/);
		await monitor.resize({columns: 40, rows: 12});
		expect(monitor.rows().at(-1)).toMatch(/^ live · the ticker panel does not scroll *$/);
	});
});

describe('a key that does nothing', () => {
	const said = ({ui}: Outcome) => ui.stray.shown?.text;

	test.each([
		['Q', 'Q does nothing here; ? lists all keys'],
		['ctrl+o', 'Ctrl-O does nothing here; ? lists all keys'],
		['5 m', 'm does nothing here; it acts in chart, book, tape'],
		['e', 'e does nothing here; it acts in alerts, levels, holdings'],
		['? s', 's does nothing here; Esc closes this'],
		['i /', '/ does nothing here; Esc closes this'],
		['! /', '/ does nothing here; Esc closes this'],
	])('%s says so', async (keys, text) => {
		const {press, outcome} = await openHeadless();
		await press(keys);
		expect(said(outcome())).toBe(text);
	});

	test.each([': ctrl+o', '/ ctrl+o', '? / ctrl+o', '\u001C', 'Q j', 'Q n'])('%s says nothing', async keys => {
		const {press, outcome} = await openHeadless();
		await press(keys);
		expect(said(outcome())).toBeUndefined();
	});

	test('says so once, for three seconds, also while it is held down', async () => {
		const monitor = await openMonitor({size: {columns: 80, rows: 24}});
		const line = () => monitor.rows().at(-1) ?? '';
		await monitor.press('Q', 'Q', 'Q');
		expect(line()).toMatch(/^ live · Q does nothing here; \? lists all keys /);
		await monitor.clock.advance(3000);
		expect(line()).not.toContain('does nothing');
		await monitor.press('3', 'Q');
		expect(line()).not.toContain('does nothing');
	});
});

test('the crosshair and the logarithmic scale act from every panel', async () => {
	const {press, outcome} = await openHeadless();
	await press('3 l x left');
	expect([outcome().ui.focus, outcome().ui.chart.log]).toEqual(['chart', true]);
	expect(outcome().ui.chart.cross).toBeDefined();
});

test('the indicator menu moves and closes with the keys of the config file', async () => {
	const {press, outcome} = await openHeadless(undefined, {indicators: ['I'], up: ['ctrl+p'], down: ['ctrl+n']});
	const menus: unknown[] = [];
	for (const key of ['I', 'ctrl+n', 'ctrl+n', 'ctrl+p', 'o', 'j', 'I']) {
		await press(key);
		menus.push(menu(outcome()));
	}

	expect(menus).toEqual([0, 1, 2, 1, 1, 1, undefined]);
});

test('the screen names the keys of the config file', async () => {
	const keys = {
		'go-to-book': ['ctrl+o'],
		compare: ['K'],
		back: ['ctrl+b'],
		'shorter-period': ['<'],
		up: ['ctrl+p'],
		command: [';'],
	};
	const monitor = await openMonitor({size: {columns: 100, rows: 30}, keys});
	const frames = async (...pressed: readonly string[]) => {
		await monitor.press(...pressed);
		return monitor.frame();
	};
	expect(monitor.frame()).toContain('─ Ctrl-O Book ');
	expect(await frames('?')).toContain(' Ctrl-P/↓ scroll · / search · Ctrl-B closes ');
	const comparison = await frames('K');
	expect(comparison).toContain('━ K Compare');
	expect(comparison).toContain(' · x crosshair · < ] period · Ctrl-B closes');
	await frames('K');
	await monitor.clock.advance(1000);
	expect(await frames('o')).toContain(' Space toggles · Ctrl-B closes ');
	expect(await frames('/', 'q', 'q', 'q')).toContain('no match, Ctrl-B clears');
});

describe('behind an overlay', () => {
	test.each([['?'], ['i'], ['d'], ['C']])('after %s no key changes a hidden panel', async opening => {
		const {press, outcome} = await openHeadless();
		await press(`3 ${opening}`);
		const hidden = () => ({...outcome().ui, compare: undefined, notice: undefined, stray: undefined});
		const before = hidden();
		await press('+ - b a m t s S u A L f c o x l left enter');
		expect([hidden(), outcome().state.symbol]).toEqual([before, 'BTCUSDT']);
	});

	test.each([
		['?', 60],
		['C', 120],
	])('after %s the key for a longer period leads to %i minutes', async (opening, minutes) => {
		const {press, outcome} = await openHeadless();
		await press(`${opening} ]`);
		expect(outcome().state.period).toBe(minutes);
	});

	test('the status line names the keys that act there', async () => {
		const monitor = await openMonitor({size: {columns: 120, rows: 40}});
		await monitor.press('1', 'C');
		expect(monitor.rows().at(-1)).toBe(
			' ←→ pan  + - zoom  x crosshair  n/p market  / filter  Tab panel  z zoom  Space pause  : command  ? help  q quit ',
		);
	});
});

const small = {columns: 80, rows: 24};

test('Esc closes the innermost thing first: overlay, filter, zoom, covering picker, then rewinds', async () => {
	const {press, outcome} = await openHeadless(small);
	await press('left 1 z / b tab 1 ?');
	const steps: unknown[] = [];
	for (let step = 0; step < 6; step++) {
		const {overlay, picker, zoomed, focus} = outcome().ui;
		steps.push([overlay, picker.filter, zoomed, focus, offset(outcome())]);
		await press('esc');
	}

	expect(steps).toEqual([
		['help', 'b', true, 'markets', 5],
		[undefined, 'b', true, 'markets', 5],
		[undefined, '', true, 'markets', 5],
		[undefined, '', false, 'markets', 5],
		[undefined, '', false, 'chart', 5],
		[undefined, '', false, 'chart', 0],
	]);
});

test('the picker of a small screen closes when a market is selected', async () => {
	const {press, outcome} = await openHeadless(small);
	await press('1 j enter');
	expect([outcome().ui.focus, outcome().state.symbol]).toEqual(['chart', 'ETHUSDT']);
});

test('another market starts at its spread, newest trade, newest candle and finest price step', async () => {
	const {press, outcome} = await openHeadless();
	await press('3 + j 4 + j left n');
	const {book, tape} = outcome().ui;
	const fresh = {view: 'ladder', zoom: 0, window: {}, grouping: undefined, anchor: undefined, total: 'total'};
	expect([book, tape, offset(outcome())]).toEqual([
		{...fresh, fill: {text: '', editing: false}},
		{minimum: {size: 0, unit: 'base'}, merged: false, anchor: undefined},
		0,
	]);
});

test('a minimum by value stays for markets of the same quote asset, one by size does not', async () => {
	const {press, type, outcome} = await openHeadless();
	const minimumAfter = async (...lines: readonly string[]) => {
		await type(lines.map(line => `:${line}\r`).join(''));
		const {size, unit} = outcome().ui.tape.minimum;
		return `${size} ${unit}`;
	};
	const byValue = await minimumAfter('market btcusdt', 'min 10k usdt', 'market ethusdt');
	await press('n');
	const next = await minimumAfter();
	const otherQuote = await minimumAfter('market ethbtc');
	const bySize = await minimumAfter('market btcusdt', 'min 0.5', 'market ethusdt');
	const samePair = await minimumAfter('min 2', 'market ethusdt');
	expect({byValue, next, otherQuote, bySize, samePair}).toEqual({
		...{byValue: '10000 quote', next: '10000 quote', otherQuote: '0 base'},
		...{bySize: '0 base', samePair: '2 base'},
	});
});

test('a filter that nothing matches says so on Enter, and loses neither market, text nor cursor', async () => {
	const {press, outcome} = await openHeadless();
	await press('j j / z z z enter');
	const {picker, notice} = outcome().ui;
	expect([notice, picker.filter, picker.editing, outcome().state.symbol]).toEqual([
		'no match for zzz',
		'zzz',
		true,
		'BTCUSDT',
	]);
	await press('esc');
	expect([outcome().ui.picker.filter, outcome().ui.picker.cursor]).toEqual(['', 'SOLUSDT']);
});

test('n follows the order of the picker whatever the filter', async () => {
	const {press, outcome} = await openHeadless();
	await press('/ s h i b tab n');
	expect([outcome().ui.picker.filter, outcome().state.symbol]).toEqual(['shib', 'ETHUSDT']);
});

test('several keys in one piece of input each see the effect of the one before', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	await monitor.clock.advance(300);
	await monitor.type('jjjff3+');
	const {picker, focus, book} = monitor.ui.getSnapshot();
	expect([picker.cursor, [...picker.favourites], focus]).toEqual(['SHIBUSDT', [], 'book']);
	expect(book.grouping).toEqual({mantissa: 2, exponent: -2});
	await monitor.type('nnp');
	expect(monitor.store.getSnapshot().symbol).toBe('ETHUSDT');
});

test('a help that is longer than the screen scrolls to its last row and no further', async () => {
	const monitor = await openMonitor({size: {columns: 40, rows: 12}});
	await monitor.press('?', 'G', 'j', 'pgdn');
	expect(monitor.rows().at(-3)).toMatch(/^┃ +period apart +┃$/);
	await monitor.press('k');
	expect(monitor.rows().at(-3)).not.toMatch(/^┃ +period apart +┃$/);
});

describe('pasted text', () => {
	const prompts: ReadonlyArray<readonly [string, string, (ui: UiState) => string | undefined]> = [
		['the command line', ':', ui => ui.command?.text],
		['the filter', '/', ui => ui.picker.filter],
		['the amount to fill', '3 a', ui => ui.book.fill.text],
		['the search in the help', '? /', ui => ui.helpFind.text],
		['the period', '2 t', ui => ui.chart.typing?.text],
	];

	test.each(prompts)('goes into %s without line breaks, at most 500 characters', async (name, keys, textIn) => {
		const {press, paste, outcome} = await openHeadless();
		await press(keys);
		await paste('\nq1\r\n2é\n');
		// No market's name has a blank.
		expect(textIn(outcome().ui)).toBe(name === 'the filter' ? 'q12é' : 'q1 2é');
		await paste('x'.repeat(1000));
		await press('q');
		expect([textIn(outcome().ui)?.length, outcome().quits]).toEqual([500, []]);
	});

	test('that does not fit is not entered until it is edited, as what is left may be another rule', async () => {
		const {press, type, paste, outcome} = await openHeadless();
		const line = () => [
			outcome().ui.command?.text.length,
			outcome().ui.command?.fault,
			outcome().alerts.entries.length,
		];
		const fault = 'more than 500 characters; the rest is left out';
		await press(':');
		await paste(`alert last > 1${'0'.repeat(486)}`);
		expect(line()).toEqual([500, undefined, 0]);
		await press('ctrl+u');
		await paste(`alert last > 1${'0'.repeat(485)}.5`);
		await press('enter');
		expect(line()).toEqual([500, fault, 0]);
		await press('ctrl+w');
		await type('70000');
		await press('enter');
		expect(line()).toEqual([undefined, undefined, 1]);
	});

	test.each(['3', '?', 'd'])('changes nothing without a prompt: after %s', async keys => {
		const {press, paste, outcome} = await openHeadless();
		await press(keys);
		const before = outcome();
		await paste('q\rz3');
		expect(outcome()).toEqual(before);
	});
});
