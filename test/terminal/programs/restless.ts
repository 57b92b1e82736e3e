/**
 * Draws whole frames as fast as timers go, through a terminal that may not read, and tells over the socket named by its
 * argument what it notices: how many frames were dropped, what waits in memory, keys. After a key it draws one last frame.
 */
import {connect} from 'node:net';
import {systemClock} from '../../../source/market/clock.ts';
import {FrameOutput} from '../../../source/terminal/frame-output.ts';
import {allTaken} from '../../../source/terminal/lifecycle.ts';
import {writeInBackground} from '../../../source/terminal/take-terminal.ts';
import {showFrame} from '../frames.ts';

const socket = connect(process.argv[2] ?? '');
const tell = (message: object) => socket.write(`${JSON.stringify(message)}\n`);

process.stdin.setRawMode(true);
const block = writeInBackground(process.stdout);
const frames = new FrameOutput(process.stdout, {clock: systemClock});
const {columns, rows} = process.stdout;

let drawn = 0;
function draw(text: string): void {
	drawn++;
	void showFrame(
		frames.surface,
		Array.from({length: rows}, (_, row) => `${row} ${text} `.repeat(columns).slice(0, columns)),
	);
}

let dropped = 0;
frames.on('drop', () => {
	dropped++;
	if (dropped % 100 === 0) setImmediate(report, dropped);
});

/** With nothing under way: what is being drawn would count as kept. */
function report(count: number): void {
	globalThis.gc?.();
	tell({dropped: count, waiting: process.stdout.writableLength, heap: process.memoryUsage().heapUsed});
}

const timer = setInterval(() => draw(`frame ${drawn}`), 1);
process.stdin.on('data', async key => {
	tell({key: key.toString()});
	clearInterval(timer);
	draw('present');
	if (key.toString() === 'q') {
		frames.close();
		await allTaken(process.stdout, systemClock, 200);
		block();
		process.exit(0);
	}
});
