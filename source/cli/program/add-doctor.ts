import type {Command} from 'commander';
import {wholeNumber} from '../options/arguments.ts';
import {below, commands, examples, type Finish} from './common.ts';

export function addDoctor(program: Command, finish: Finish): void {
	program
		.command('doctor')
		.description('check an exchange before you rely on it')
		.argument('[MARKET]', 'market to check (default: BTC/USDT, or else the first active market)')
		.option('--report <FILE>', 'also write a report for others, without secrets; - prints it instead')
		.option('--samples <N>', 'requests per operation (default: 5)', wholeNumber(1, 100))
		.addHelpText('after', below(doctorHelp))
		.action(async (market: string | undefined, _, command: Command) =>
			finish(await (await commands()).doctor(command.optsWithGlobals(), market)),
		);
}

const doctorHelp = `
Sends a few requests to each operation of each interface, one at a time and within --rate, then probes what the
specification leaves open. Prints the findings and, in the last line, a verdict.

A report has versions, terminal, settings with their sources, and the findings. Each host in it is a hash, and it has no
credentials, rules or lists. An older report is replaced, any other file is not.

Exit status: 0 no problem found; 3 usable with warnings; 1 unusable; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch doctor --base-url https://api.example.com --legacy-base-url https://old.example.com',
	'tapewatch doctor ETHUSDT --exchange mine --samples 20 --rate 2',
	'tapewatch doctor --exchange mine --report report.txt',
	'tapewatch doctor --exchange mine --json | jq -r \'.findings[] | select(.severity != "note") | .text\'',
)}`;
