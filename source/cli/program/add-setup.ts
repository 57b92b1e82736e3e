import type {Command} from 'commander';
import {below, commands, examples, type Finish} from './common.ts';

export function addSetup(program: Command, finish: Finish): void {
	program
		.command('setup')
		.description('try the addresses of an exchange and add it to the config file')
		.argument('[NAME]', 'its name in the config file (default: from the address)')
		.addHelpText('after', below(setupHelp))
		.action(async (name: string | undefined, _, command: Command) =>
			finish(await (await commands()).setup(command.optsWithGlobals(), name)),
		);
}

const setupHelp = `
Asks for the addresses of an exchange, tries each operation of each interface once, reports what it found, and adds the exchange to
the config file as [exchanges.NAME]. If the file has no default exchange yet, it becomes the default. Everything else in the file
stays as it is. With --base-url, --legacy-base-url or both, nothing is asked, and only addresses that answer are added. You can
type an address without https://, and with the path of an operation. doctor checks an exchange thoroughly.

Exit status: 0 added, or already in the file; 1 nothing was added; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch setup',
	'tapewatch setup mine --base-url https://api.example.com --legacy-base-url https://old.example.com',
)}`;
