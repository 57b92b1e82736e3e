import {expect, test} from 'vitest';
import type {DepthBook} from '../../source/market/types.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';
import {sampleScript} from './sample-exchange.ts';

const size = {columns: 120, rows: 40};
const before: DepthBook = {
	asks: [
		[101, 1],
		[102, 2],
		[103, 5],
	],
	bids: [[98, 1]],
};
const after: DepthBook = {
	asks: [
		[101, 1],
		[103, 7],
	],
	bids: [
		[99, 1],
		[98, 1],
	],
};

/** Rows of the book with a bold cell, as text. */
function flashing(monitor: OpenMonitor): readonly string[] {
	const rows = monitor.rows();
	const start = rows[2]?.indexOf('3 Book') ?? -1;
	const end = rows.findIndex(text => text.includes(' 4 Tape '));
	return rows.slice(0, end).flatMap((text, row) => {
		const cells = Array.from({length: size.columns - start - 1}, (_, column) => monitor.cell(row, start + column));
		return row > 2 && cells.some(({style}) => style.attributes === '1')
			? text
					.slice(start - 1, -1)
					.trim()
					.replace(/\s+/g, ' ')
			: [];
	});
}

async function changed(): Promise<OpenMonitor> {
	let polls = 0;
	const depth = () => (polls++ === 0 ? before : after);
	const monitor = await openMonitor({size, script: {...sampleScript, depth}, color: 3});
	await monitor.clock.advance(1000);
	// Nothing else comes that could end or renew the flash.
	await monitor.press('space');
	return monitor;
}

test('changes in the book flash for one second', async () => {
	const monitor = await changed();
	expect(flashing(monitor).map(row => row.replaceAll(/[█-▏]/g, ''))).toEqual([
		'103.00 7.00000 8.00000 ▲',
		'99.00 1.00000 1.00000 +',
	]);

	await monitor.clock.advance(999);
	expect(flashing(monitor).length).toBe(2);
	await monitor.clock.advance(1);
	expect(flashing(monitor)).toEqual([]);
	expect(monitor.frame()).toContain('asks 0.00000 bids +1.00000');
});

test('nothing flashes again when the book is shown again', async () => {
	const monitor = await changed();
	await monitor.press('2', 'z');
	await monitor.clock.advance(1000);
	await monitor.press('z');
	expect(flashing(monitor)).toEqual([]);
});
