import {expect, test, vi} from 'vitest';
import {openMonitor} from './monitor.tsx';
import {makeTape} from './panels/tape/tapes.ts';
import {sampleTime} from './sample-exchange.ts';

const {drawn} = vi.hoisted(() => ({drawn: {picker: 0, book: 0, tape: 0}}));

vi.mock(import('../../source/view/panels/markets/model.ts'), async original => {
	const model = await original();
	return {
		...model,
		pickerPanel(...input) {
			drawn.picker += 1;
			return model.pickerPanel(...input);
		},
	};
});

vi.mock(import('../../source/view/panels/book/model.ts'), async original => {
	const model = await original();
	return {
		...model,
		bookPanel(...input) {
			drawn.book += 1;
			return model.bookPanel(...input);
		},
	};
});

vi.mock(import('../../source/view/panels/tape/model.ts'), async original => {
	const model = await original();
	return {
		...model,
		tapePanel(...input) {
			drawn.tape += 1;
			return model.tapePanel(...input);
		},
	};
});

/** How often each panel is drawn for new trades alone. */
async function drawnForTrades(columns: number): Promise<typeof drawn> {
	const {clock, exchange, frame} = await openMonitor({size: {columns, rows: 40}, start: sampleTime + 400});
	// Nothing flashes any more, the ages of all panels have just been drawn, and no other book comes.
	await clock.advance(1700);
	exchange.script.depth = () => undefined;
	await clock.advance(1000);
	const before = {...drawn};
	const {trades} = makeTape();
	exchange.script.trades = () => [{id: '9999999999', time: clock.now(), price: 61_777.77, quantity: 1}, ...trades];

	await clock.advance(600);

	expect(frame()).toContain('61,777.77');
	return {
		picker: drawn.picker - before.picker,
		book: drawn.book - before.book,
		tape: drawn.tape - before.tape,
	};
}

test('new trades draw the tape but neither picker nor book', async () => {
	expect(await drawnForTrades(120)).toEqual({picker: 0, book: 0, tape: 1});
});

test('new trades draw a book that shows traded sizes', async () => {
	expect(await drawnForTrades(160)).toEqual({picker: 0, book: 1, tape: 1});
});
