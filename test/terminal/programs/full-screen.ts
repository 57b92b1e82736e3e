/** A full-screen program as small as can be, to be met through a terminal: q quits, t throws, e exits, Ctrl-Z suspends. */
import {enterScreen, onSignals} from '../../../source/terminal/lifecycle.ts';

let leave = (): void => {};

function takeTerminal(text: string): void {
	leave = enterScreen(process.stdout);
	process.stdin.setRawMode(true);
	paint(text);
}

function giveTerminalBack(): void {
	process.stdin.setRawMode(false);
	leave();
}

function paint(text: string): void {
	process.stdout.write(`\u001B[H\u001B[2J${text}`);
}

const {suspend} = onSignals({
	end() {
		giveTerminalBack();
		process.stdout.write('ended\r\n');
	},
	async suspend() {
		giveTerminalBack();
		return async () => takeTerminal('resumed');
	},
	continued: () => paint('continued'),
});

process.stdin.on('data', key => {
	if (key.includes('\u001A')) void suspend();
	if (key.includes('t')) throw new Error('thrown on purpose');
	if (key.includes('e')) process.exit(3);
	if (key.includes('q')) {
		giveTerminalBack();
		leave();
		process.exit(0);
	}
});

takeTerminal('ready');
