import {expect, test} from 'vitest';
import {FrameOutput} from '../../source/terminal/frame-output.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createScreen} from '../helpers/screen.ts';
import {openLiveMonitor} from './live-monitor.tsx';
import {expectPicture} from './same-screen.ts';
import {SlowTerminal} from './slow-terminal.ts';

const size = {columns: 120, rows: 40};
/** Keys that change the screen at large, by the update that they come after. */
const keys: Readonly<Record<number, string>> = {2: '?', 4: '?', 6: '\t', 7: 'n', 9: 'c', 11: 'z', 14: 'z', 17: ']'};

test('the terminal shows what the panes put on the surface, through updates, keys and stalls', async () => {
	const terminal = new SlowTerminal(size);
	const output = new FrameOutput(terminal, {clock: createFakeClock()});
	const screen = createScreen(size.columns, size.rows);
	const monitor = await openLiveMonitor(output);
	try {
		for (let update = 0; update < 20; update++) {
			terminal.reading = update % 6 !== 3;
			if (terminal.reading) terminal.take();
			await monitor.update();
			await monitor.press(keys[update] ?? '');
			await screen.write(terminal.taken.splice(0).join(''));
			if (terminal.reading) await expectPicture(screen, output.surface.picture());
		}
	} finally {
		await monitor.close();
		output.close();
	}

	expect(screen.text().join('\n')).toContain('UTC');
});
