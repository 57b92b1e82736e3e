import {describe, expect, test} from 'vitest';
import {openRewindable} from './recorded-monitor.tsx';

const sizes = [
	['80x24', 'end', {columns: 80, rows: 24}],
	['40x12', 'esc', {columns: 40, rows: 12}],
] as const;

describe('back at the present, the screen is as if it had never been left', () => {
	test.each(sizes)('%s, by %s', async (_, key, size) => {
		const awayMs = 20_000;
		const monitor = await openRewindable({size});
		await monitor.press('<', '<', '<', '<');
		const past = monitor.frame();
		await monitor.clock.advance(awayMs);
		const before = monitor.frames.length;
		await monitor.press(key);
		const [first, ...later] = monitor.frames.slice(before);

		const other = await openRewindable({size});
		await other.clock.advance(awayMs);
		expect(past).toContain('REWOUND 00:00:42');
		expect(first).toBe(other.frame());
		expect(later).toEqual([]);
	});
});

test('a live session polls on while it is stepped back', async () => {
	const {clock, exchange, press} = await openRewindable({size: {columns: 120, rows: 40}});
	const counts = () => Object.values(exchange.calls).map(({length}) => length);
	const other = await openRewindable({size: {columns: 120, rows: 40}});
	await press('<', 'space');
	await clock.advance(30_000);
	await other.clock.advance(30_000);
	expect(counts()).toEqual(Object.values(other.exchange.calls).map(({length}) => length));
});
