import {expect, test} from 'vitest';
import {systemClock} from '../../source/market/clock.ts';

test('comes soon to what was due in the past, and writes no warning to the terminal', async () => {
	const warnings: Error[] = [];
	const onWarning = (warning: Error) => warnings.push(warning);
	process.on('warning', onWarning);
	await new Promise<void>(resolve => systemClock.after(-58, resolve));
	process.off('warning', onWarning);
	expect(warnings).toEqual([]);
});
