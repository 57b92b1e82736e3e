import {expect, test} from 'vitest';
import {openRewindable} from './recorded-monitor.tsx';

const small = {columns: 80, rows: 24};
const tiny = {columns: 40, rows: 12};

test('a live session polls on while it is stepped back, and at its return the screen is as if it had never been left', async () => {
	const monitor = await openRewindable({size: small});
	const other = await openRewindable({size: small});
	const returns = [
		{size: small, key: 'end', keys: ['<', '<', '<', '<'], past: 'REWOUND 00:00:40'},
		{size: tiny, key: 'esc', keys: ['<', 'space'], past: 'REWOUND 00:00:'},
	];
	for (const {size, key, keys, past} of returns) {
		for (const each of [monitor, other]) await each.resize(size);
		await monitor.press(...keys);
		expect(monitor.frame()).toContain(past);
		for (const {clock} of [monitor, other]) await clock.advance(8000);
		const [calls, expected] = [monitor, other].map(({exchange}) =>
			Object.values(exchange.calls).map(({length}) => length),
		);
		expect(calls).toEqual(expected);
		const before = monitor.frames.length;
		await monitor.press(key);
		const [first, ...later] = monitor.frames.slice(before);
		expect(first).toBe(other.frame());
		expect(later).toEqual([]);
	}
});
