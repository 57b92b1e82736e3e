import type {Command} from 'commander';
import {leaveScreen} from '../terminal/lifecycle.ts';
import {exitStatus, statusOf} from './exit.ts';
import {isTaken} from './options/arguments.ts';
import {warnUnknown} from './options/environment.ts';
import {failureLines, print} from './output.ts';
import {addAlerts} from './program/add-alerts.ts';
import {addCompletion} from './program/add-completion.ts';
import {addConfig} from './program/add-config.ts';
import {addDemo} from './program/add-demo.ts';
import {addDoctor} from './program/add-doctor.ts';
import {addManual} from './program/add-manual.ts';
import {addMonitor} from './program/add-monitor.ts';
import {addReads, addRecording} from './program/add-reads.ts';
import {addRecord} from './program/add-record.ts';
import {addReplay} from './program/add-replay.ts';
import {addServe} from './program/add-serve.ts';
import {addSetup} from './program/add-setup.ts';
import {addWatch} from './program/add-watch.ts';
import {addOutput, type Finish} from './program/common.ts';
import {rootCommand, runLine} from './program/root.ts';
import {writeErrors} from './standard-error.ts';

/** Runs the command named by `argv` (without node and script). Settles with the exit status when everything is closed. */
export async function run(argv: readonly string[]): Promise<number> {
	let status: number = exitStatus.done;
	const program = createProgram(newStatus => {
		status = newStatus;
	});
	try {
		await runLine(program, argv, {print});
		return status;
	} catch (error) {
		leaveScreen();
		writeErrors(...failureLines(error, argv.includes('--debug')));
		return statusOf(error);
	}
}

/** Defines the command line. `finish` gets the exit status of the command that ran. */
function createProgram(finish: Finish): Command {
	const program = rootCommand();
	for (const add of [
		addMonitor,
		addWatch,
		addRecord,
		addReplay,
		addAlerts,
		addReads,
		addRecording,
		addDoctor,
		addServe,
		addSetup,
		addConfig,
		addDemo,
		addCompletion,
		addManual,
	])
		add(program, finish);
	for (const command of program.commands) if (isTaken(command.name(), '--json')) addOutput(command);
	return program.hook('preAction', () => warnUnknown(process.env));
}
