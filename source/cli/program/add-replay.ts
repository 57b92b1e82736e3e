import type {Command} from 'commander';
import {repeated, speed} from '../options/arguments.ts';
import {below, blindAfterOption, commands, examples, type Finish, onScreen, quoteCurrencyOption} from './common.ts';

export function addReplay(program: Command, finish: Finish): void {
	program
		.command('replay')
		.description('show a recording in the monitor')
		.argument('<FILE>')
		.argument('[MARKET]')
		.option('--from <TIME>', 'start time: 14:03, 2026-11-20T14:03, or -5m before the end (default: the beginning)')
		.option('--speed <N>', 'play this many times as fast: 0.1 to 1000, or max (default: 1)', speed)
		.option('--alert <RULE>', 'print when this rule would have fired, without a screen; can be repeated', repeated)
		.option(...blindAfterOption)
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(...quoteCurrencyOption)
		.addHelpText('after', below(replayHelp))
		.action(async (file: string, market: string | undefined, _, command: Command) => {
			finish(await onScreen(false, async () => (await commands()).replay(command.optsWithGlobals(), file, market)));
		});
}

const replayHelp = `
Shows a recording in the monitor as it looked at the time, with ages, gaps and failures. Data that was not recorded is shown as
unknown. No requests are sent. Space plays and pauses, < and > go 10 s back and forward, { and } 1 min, comma and dot to the
previous and next change. You can also type :goto 14:03:10, :goto -5m and :speed 60.

With --alert there is no screen: the recording is played as fast as possible, and each time at which a rule would have fired or was
blind is printed as by watch, with --json as events of type alert and blind. No alerts are sent. A market that was recorded
without its trades is judged by its delayed 24 h ticker. Rules of the config file are not judged. tapewatch watch --help
explains rules.

Exit status: 0 done; 1 the file is missing, damaged or not a recording; 2 usage error; 128 + n on signal n.
${examples(
	'tapewatch replay day.twr',
	'tapewatch replay day.twr BTCUSDT --from 14:00 --speed 60',
	"tapewatch replay day.twr BTCUSDT --alert 'last crosses 70000 every 10m'",
	"tapewatch replay day.twr --alert 'changePercent(5m) < -2' --json | jq -c .time",
)}`;
