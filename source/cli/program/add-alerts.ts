import type {Command} from 'commander';
import {UsageError} from '../exit.ts';
import {below, commands, examples, type Finish, notifyOption, onAlertOption} from './common.ts';

export function addAlerts(program: Command, finish: Finish): void {
	program
		.command('alerts')
		.description('list the alert rules, or send a test call')
		.argument('[test]', 'call as configured, and report what failed')
		.option(...notifyOption)
		.option(...onAlertOption)
		.addHelpText('after', below(alertsHelp))
		.action(async (action: string | undefined, _, command: Command) => {
			if (action !== undefined && action !== 'test') {
				throw new UsageError(`alerts has no ${action}: tapewatch alerts lists the rules, tapewatch alerts test calls`);
			}

			finish(await (await commands()).alerts(command.optsWithGlobals(), action ?? 'list'));
		});
}

export const alertsHelp = `
Lists the rules of the config file and those that the monitor remembers for this exchange: where they are from, whether they are
armed, fired, off or ended, when they fired last and when they were last judged. Rules are stated in the config file, in the
monitor (:alert) or for one watch (tapewatch watch --alert).

alerts test calls as an alert would, by each way of notify, and says what became of it.

Exit status: 0 done; 1 the program failed; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch alerts',
	'tapewatch alerts --json --exchange mine | jq -r \'.rules[] | select(.state == "armed") | .rule\'',
	'tapewatch alerts test',
	'tapewatch alerts test --notify terminal,command --on-alert ./call.sh',
)}`;
