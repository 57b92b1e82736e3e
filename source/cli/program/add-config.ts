import type {Command} from 'commander';
import {programVersion} from '../../recording/program-version.ts';
import {UsageError} from '../exit.ts';
import {below, commands, examples, type Finish} from './common.ts';

export function addConfig(program: Command, finish: Finish): void {
	program
		.command('config')
		.alias('settings')
		.description('list files and settings, or edit the config file')
		.argument('[edit]', 'edit the config file in $VISUAL or $EDITOR, then check it')
		.addHelpText('after', below(configHelp))
		.action(async (action: string | undefined, _, command: Command) => {
			if (action !== undefined && action !== 'edit') {
				throw new UsageError(
					`config has no ${action}: tapewatch config lists the settings, tapewatch config edit edits the config file`,
				);
			}

			finish(await (await commands()).config(command.optsWithGlobals(), action ?? 'list'));
		});
	program.command('version', {hidden: true}).action(async () => {
		await (await import('../output.ts')).print(`${programVersion}\n`);
		finish(0);
	});
}

const configHelp = `
Lists the paths of the config file, of the state, the cache, the recordings and the log, then every setting with its value and
its source: a flag, a variable, a line of the config file, or the default. Addresses are shown without their paths.

config edit creates the file if it is missing. If the file has an error afterwards, it is named with its line; the file stays as
you saved it.

Exit status: 0 done; 1 the editor failed; 2 usage or configuration error; 128 + n on signal n.
${examples('tapewatch config', 'tapewatch config --rate 2 --timezone Europe/Berlin', 'tapewatch config edit')}`;
