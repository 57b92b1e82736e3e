import {leaveScreen} from '../terminal/lifecycle.ts';
import {exitStatus, statusOf} from './exit.ts';
import {warnUnknown} from './options/settings.ts';
import {failureLines, print} from './output.ts';
import {below, mainHelp} from './program/help.ts';
import {addCommands} from './program/own-commands.ts';
import {rootCommand, runLine} from './program/root.ts';
import {writeErrors} from './standard-error.ts';

/** Runs the command named by `argv` (without node and script). Settles with the exit status when everything is closed. */
export async function run(argv: readonly string[]): Promise<number> {
	let status: number = exitStatus.done;
	const program = rootCommand().addHelpText('after', below(mainHelp));
	addCommands(program, newStatus => {
		status = newStatus;
	});
	program.hook('preAction', () => warnUnknown(process.env));
	try {
		await runLine(program, argv, {print});
		return status;
	} catch (error) {
		leaveScreen();
		writeErrors(...failureLines(error, argv.includes('--debug')));
		return statusOf(error);
	}
}
