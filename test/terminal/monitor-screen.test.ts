import {expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createScreen} from '../helpers/screen.ts';
import {openLiveMonitor} from './live-monitor.tsx';
import {OverheardOutput} from './overheard-output.ts';
import {expectSameScreen, throughLineDiscipline} from './same-screen.ts';
import {SlowTerminal} from './slow-terminal.ts';

const size = {columns: 120, rows: 40};
/** Keys that change the screen at large, by the update that they come after. */
const keys: Readonly<Record<number, string>> = {
	20: '?',
	25: '?',
	40: '\t',
	60: 'n',
	80: 'c',
	100: 'z',
	120: 'z',
	140: ']',
};

test('the monitor looks as Ink alone would draw it, through 200 updates, keys and stalls', async () => {
	const terminal = new SlowTerminal(size);
	const output = new OverheardOutput(terminal, {clock: createFakeClock()});
	const [actual, expected] = [createScreen(size.columns, size.rows), createScreen(size.columns, size.rows)];
	const monitor = await openLiveMonitor(output);
	let [sent, drawn] = [0, 0];
	try {
		for (let update = 0; update < 200; update++) {
			terminal.reading = update % 10 !== 5;
			if (terminal.reading) terminal.take();
			await monitor.update();
			await monitor.press(keys[update] ?? '');
			const [inkBytes, bytes] = [output.heard.splice(0).join(''), terminal.taken.splice(0).join('')];
			await expected.write(throughLineDiscipline(inkBytes));
			await actual.write(throughLineDiscipline(bytes));
			if (terminal.reading) expectSameScreen(actual, expected);
			[sent, drawn] = [sent + Buffer.byteLength(bytes), drawn + Buffer.byteLength(inkBytes)];
		}
	} finally {
		await monitor.close();
		output.close();
	}

	expect(sent).toBeLessThan(drawn / 5);
});
