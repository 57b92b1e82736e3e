import {useInput} from 'ink';
import {expect, test} from 'vitest';
import {LendTerminal} from '../../source/view/terminal-loan.tsx';
import {collectGarbage} from '../helpers/collect-garbage.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTerminal} from './monitor.tsx';

function Listening() {
	useInput(() => {});
	return null;
}

test('queues no state change for an Esc', async () => {
	const size = {columns: 80, rows: 24};
	const tree = (
		<>
			<LendTerminal loan={{}} size={size} />
			<Listening />
		</>
	);
	const terminal = await openTerminal(createFakeClock(), size, () => tree);
	const heapAfter = async (presses: number) => {
		for (let press = 0; press < presses; press++) await terminal.press('esc');
		await collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = await heapAfter(1000);
	const bytesEach = ((await heapAfter(4000)) - before) / 4000;
	expect(bytesEach).toBeLessThan(20);
	terminal.unmount();
});
