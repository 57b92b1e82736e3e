/**
 * The monitor as it is, with a fault that the argument names: in a timer or a promise, or a leak, on SIGURG.
 */

import {runMonitor} from '../../../source/cli/commands/monitor.tsx';
import {withLateExchange} from '../../../source/cli/context.ts';
import {statusOf} from '../../../source/cli/exit.ts';
import {readOptions} from '../../../source/cli/options/options.ts';
import {failureLines} from '../../../source/cli/output.ts';
import {writeErrors} from '../../../source/cli/standard-error.ts';

const [, , place = ''] = process.argv;

function fail(): never {
	throw new Error(`thrown in a ${place}`);
}

const leaked: string[] = [];

const faults: Readonly<Record<string, () => void>> = {
	timer: () => void setTimeout(fail),
	promise: () => void Promise.resolve().then(fail),
	// Slow enough for the program to run before V8 gives up, however slow a collection is. One text: objects would be copied.
	leak: function leak() {
		leaked.push(Buffer.alloc(500_000, 'x').toString('latin1'));
		setTimeout(leak, 5);
	},
};

process.on('SIGURG', () => faults[place]?.());
const options = await readOptions({}, process.env);
try {
	const run = withLateExchange(options, runMonitor);
	process.exit(await run);
} catch (error) {
	writeErrors(...failureLines(error, false));
	process.exit(statusOf(error));
}
