import {describe, expect, test} from 'vitest';
import {openMonitor} from '../monitor.tsx';

async function open(...keys: readonly string[]) {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	await monitor.clock.advance(300);
	await monitor.press(...keys);
	return monitor;
}

describe('behind an overlay', () => {
	test.each([['?'], ['i'], ['d'], ['C']])('after %s no key changes a panel that nobody sees', async opening => {
		const {press, ui, store} = await open('3', opening);
		const before = ui.getSnapshot();
		await press('+', '-', 'b', 'a', 'm', 't', 's', 'S', 'u', 'A', 'L', 'f', 'c', 'o', 'x', 'l', 'left', 'enter');

		expect(ui.getSnapshot()).toEqual(before);
		expect(store.getSnapshot().symbol).toBe('BTCUSDT');
	});

	test('the period changes only what compares over it', async () => {
		const periods = ['?', 'C'].map(async opening => {
			const {store} = await open(opening, ']');
			return store.getSnapshot().period;
		});

		expect(await Promise.all(periods)).toEqual([60, 120]);
	});

	test('the status line names the keys that act there', async () => {
		const {rows} = await open('1', 'C');

		expect(rows().at(-1)).toBe(
			' ↑↓ move  n/p market  / filter  Tab panel  z zoom  Space pause  : command  ? help  q quit ',
		);
	});
});
