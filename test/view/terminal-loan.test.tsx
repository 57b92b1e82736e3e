import {setImmediate} from 'node:timers/promises';
import {useInput} from 'ink';
import {render} from 'ink-testing-library';
import {expect, onTestFinished, test, vi} from 'vitest';
import {LendTerminal} from '../../source/view/terminal-loan.tsx';
import {collectGarbage} from '../helpers/collect-garbage.ts';

function Listening() {
	useInput(() => {});
	return null;
}

test('queues no state change for an Esc', async () => {
	const {stdin, unmount} = render(
		<>
			<LendTerminal loan={{}} size={{columns: 80, rows: 24}} />
			<Listening />
		</>,
	);
	onTestFinished(unmount);
	await setImmediate();
	const heapAfter = async (presses: number) => {
		// An Esc alone is a key once nothing has followed it for a moment.
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		for (let press = 0; press < presses; press++) {
			stdin.write('\u001B');
			vi.runAllTimers();
			await setImmediate();
		}

		vi.useRealTimers();
		await collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = await heapAfter(500);
	const bytesEach = ((await heapAfter(1500)) - before) / 1500;
	expect(bytesEach).toBeLessThan(40);
});
