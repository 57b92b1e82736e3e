import {expect, test} from 'vitest';
import {steadyNow, systemClock} from '../../source/market/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

test('runs overdue callbacks soon, without a warning on the terminal', async () => {
	const warnings: string[] = [];
	const onWarning = ({name}: Error) => {
		if (name.startsWith('Timeout')) warnings.push(name);
	};
	process.on('warning', onWarning);
	await new Promise<void>(resolve => systemClock.after(-58, resolve));
	process.off('warning', onWarning);
	expect(warnings).toEqual([]);
});

test('a steady time follows the clock, even through sleep, and never goes back', async () => {
	const clock = createFakeClock(1000);
	const now = steadyNow(clock);
	const times = [now()];
	for (const jump of [0, 8 * 3_600_000, -3_600_000, -10]) {
		clock.jump(jump);
		times.push(now());
		await clock.advance(5);
		times.push(now());
	}

	const slept = 1005 + 8 * 3_600_000;
	expect(times).toEqual([1000, 1000, 1005, slept, slept + 5, slept + 5, slept + 10, slept + 10, slept + 15]);
});
