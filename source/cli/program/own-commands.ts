import {Argument, type Command} from 'commander';
import {programVersion} from '../../recording/program-version.ts';
import {leaveScreen} from '../../terminal/lifecycle.ts';
import * as commands from '../commands.ts';
import {exitStatus, statusOf, UsageError} from '../exit.ts';
import {warnUnknown} from '../options/settings.ts';
import {failureLines, print} from '../output.ts';
import {writeErrors} from '../standard-error.ts';
import * as help from './help.ts';
import {below, mainHelp} from './help.ts';
import {helpOf} from './names.ts';
import {rootCommand, runLine} from './root.ts';
import {addReads, addScreens, definer, type Finish, onScreen, someMarkets} from './shared-commands.ts';

const file = new Argument('<FILE>');

/** Defines all commands, in the order of help. */
function addCommands(program: Command, finish: Finish): void {
	const define = definer(program, finish);
	addScreens(program, finish);
	define('record', {
		description: 'record markets to a file, without a screen',
		...{args: [someMarkets], help: help.recordHelp},
		run: async (flags, named: readonly string[]) => (await import('../commands/record.ts')).record(flags, named),
	});
	define('replay', {
		description: 'show a recording in the monitor',
		...{args: [file, new Argument('[MARKET]')], help: help.replayHelp},
		run: (flags, path: string, named?: string) =>
			onScreen(false, async () => (await import('../replays.ts')).replay(flags, path, named)),
	});
	define('alerts', {
		description: 'list the alert rules, or send a test alert',
		args: [new Argument('[test]', 'send a test alert in each configured way, and report failures')],
		help: help.alertsHelp,
		async run(flags, action = 'list') {
			if (action === 'list' || action === 'test')
				return (await import('../commands/alerts-command.ts')).alerts(flags, action);
			throw new UsageError(
				`alerts has no ${action}: tapewatch alerts lists the rules, tapewatch alerts test sends a test alert`,
			);
		},
	});
	addReads(program, finish);
	define('holdings', {
		description: 'list what you hold, and what it is worth',
		help: help.holdingsHelp,
		run: flags => commands.read(flags, () => ({ask: 'holdings'})),
	});
	define('recording', {
		description: 'print the contents of a recording, or export it for other programs',
		args: [file, new Argument('[export]', 'write its data as files'), new Argument('[DIR]', 'folder of the files')],
		help: help.recordingHelp,
		async run(flags, path: string, action?: string, folder?: string) {
			const {exportRecording, recording} = await import('../commands/recording.ts');
			if (action === undefined) return recording(flags, path);
			if (action !== 'export') throw new UsageError(`recording has no ${action}: ${help.exportUsage(path)}`);
			if (folder === undefined) throw new UsageError(`missing argument 'DIR': ${help.exportUsage(path)}`);
			return exportRecording(flags, path, folder);
		},
	});
	define('doctor', {
		description: 'check an exchange before you rely on it',
		args: [new Argument('[MARKET]', 'market to check (default: BTC/USDT, or else the first active market)')],
		help: help.doctorHelp,
		run: async (flags, named?: string) => (await import('../commands/doctor.ts')).doctor(flags, named),
	});
	define('serve', {
		description: 'show the monitor to viewers who connect over SSH, with one poller',
		help: help.serveHelp,
		run: async flags => (await import('../serve/serve.ts')).serve(flags),
	});
	define('setup', {
		description: 'try the addresses of an exchange and add it to the config file',
		args: [new Argument('[NAME]', 'its name in the config file (default: from the address)')],
		help: help.setupHelp,
		run: async (flags, name?: string) => (await import('../commands/setup.ts')).setup(flags, name),
	});
	define('config', {
		description: 'list files and settings, or edit the config file',
		args: [new Argument('[edit]', 'edit the config file in $VISUAL or $EDITOR, then check it')],
		help: help.configHelp,
		async run(flags, action = 'list') {
			if (action === 'list' || action === 'edit')
				return (await import('../commands/config-command.ts')).config(flags, action);
			throw new UsageError(
				`config has no ${action}: tapewatch config lists the settings, tapewatch config edit edits the config file`,
			);
		},
	}).alias('settings');
	define('demo', {
		description: 'serve the embedded demo exchange on loopback for other programs',
		help: help.demoHelp,
		run: commands.demo,
	});
	define('completion', {
		description: 'print a script that completes commands, options and markets in a shell',
		args: [new Argument('<SHELL>', 'bash, zsh or fish')],
		help: help.completionHelp,
		async run(_, shell: string) {
			const {scripts} = await import('../completion/scripts.ts');
			const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
			if (script === undefined)
				throw new UsageError(`SHELL must be bash, zsh or fish, not ${shell} (see ${helpOf('completion')})`);
			return printed(script);
		},
	});
	define('version', {run: () => printed(`${programVersion}\n`)});
	define('manual', {run: async () => printed((await import('./manual.ts')).manual(program))});
	define('complete', {
		args: [new Argument('<AT>'), new Argument('[WORDS...]')],
		async run(_, at: string, words: readonly string[]) {
			const [{completed}, {createValues}] = await Promise.all([
				import('../completion/complete.ts'),
				import('../completion/values.ts'),
			]);
			return printed(await completed(program, words, Number(at), createValues(process.env)));
		},
	});
}

async function printed(text: string): Promise<number> {
	await print(text);
	return exitStatus.done;
}

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
