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
Asks for the addresses of an exchange, reads each operation of each interface there once, says what it found, and adds the
exchange to the config file as [exchanges.NAME]; if the file names no exchange yet, as its exchange, too. What is in the file
stays as it is. With --base-url, --legacy-base-url or both it asks nothing, and adds only addresses that answer. An address may
be typed without https://, and with the path of an operation. doctor checks an exchange in full.

Exit status: 0 added, or in the file already; 1 nothing was added; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch setup',
	'tapewatch setup mine --base-url https://api.example.com --legacy-base-url https://old.example.com',
)}`;
