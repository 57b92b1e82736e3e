import {terminalCapabilities} from '../terminal/capabilities.ts';
import {atExit} from '../terminal/ending.ts';
import {onSignals} from '../terminal/lifecycle.ts';
import {openDialogue, takeTerminal} from '../terminal/take-terminal.ts';
import type {Tty} from '../terminal/tty.ts';
import {watchHeap} from './heap.ts';

/** The terminal that this process was started in. */
export function ownTty({stdin, stdout, stderr, env}: NodeJS.Process = process): Tty {
	return {
		hasKeyboard: stdin.isTTY,
		input: stdin,
		output: stdout,
		env,
		beside: stderr.isTTY ? text => stderr.write(text) : undefined,
		capabilities: () => terminalCapabilities(env, stdin, stdout),
		openDialogue: options => openDialogue(stdin, stdout, env, options),
		take: (clock, dialogue) => takeTerminal(stdout, clock, dialogue),
		onSignals,
		onExit: listener => atExit('title', listener),
		watchMemory: watchHeap,
	};
}
