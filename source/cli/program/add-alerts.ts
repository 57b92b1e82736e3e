import type {Command} from 'commander';
import {UsageError} from '../exit.ts';
import {below, commands, examples, type Finish, notifyOption, onAlertOption} from './common.ts';

export function addAlerts(program: Command, finish: Finish): void {
	program
		.command('alerts')
		.description('list the alert rules, or send a test alert')
		.argument('[test]', 'send a test alert in each configured way, and report failures')
		.option(...notifyOption)
		.option(...onAlertOption)
		.addHelpText('after', below(alertsHelp))
		.action(async (action: string | undefined, _, command: Command) => {
			if (action !== undefined && action !== 'test') {
				throw new UsageError(
					`alerts has no ${action}: tapewatch alerts lists the rules, tapewatch alerts test sends a test alert`,
				);
			}

			finish(await (await commands()).alerts(command.optsWithGlobals(), action ?? 'list'));
		});
}

const alertsHelp = `
Lists the rules of the config file and those that the monitor remembers for this exchange: their origin, whether they are
armed, fired, off or ended, and when they last fired and were last judged. Rules can be set in the config file, in the monitor
(:alert), or for one run of watch (tapewatch watch --alert).

alerts test sends a test alert in each way of notify, and says whether it worked.

Exit status: 0 done; 1 the program failed; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch alerts',
	'tapewatch alerts --json --exchange mine | jq -r \'.rules[] | select(.state == "armed") | .rule\'',
	'tapewatch alerts test',
	'tapewatch alerts test --notify terminal,command --on-alert ./call.sh',
)}`;
