import {expect, test, vi} from 'vitest';
import {openMonitor} from './monitor.tsx';
import {makeTape} from './panels/tape/tapes.ts';
import {sampleTime} from './sample-exchange.ts';

const {drawn} = vi.hoisted(() => ({drawn: {picker: 0, tape: 0}}));

vi.mock(import('../../source/view/panels/markets/model.ts'), async original => {
	const {pickerPanel} = await original();
	return {
		pickerPanel(input) {
			drawn.picker += 1;
			return pickerPanel(input);
		},
	};
});

vi.mock(import('../../source/view/panels/tape/model.ts'), async original => {
	const {tapePanel} = await original();
	return {
		tapePanel(input) {
			drawn.tape += 1;
			return tapePanel(input);
		},
	};
});

test('new trades draw the tape again but not the picker', async () => {
	const {clock, exchange, frame} = await openMonitor({size: {columns: 120, rows: 40}, start: sampleTime + 400});
	// The first tickers have flashed for their second, and the ages of all panels have just been drawn.
	await clock.advance(1700);
	const before = {...drawn};
	const {trades} = makeTape();
	exchange.script.trades = () => [{id: '9999999999', time: clock.now(), price: 61_777.77, quantity: 1}, ...trades];

	await clock.advance(600);

	expect(frame()).toContain('61,777.77');
	expect(drawn).toEqual({picker: before.picker, tape: before.tape + 1});
});
