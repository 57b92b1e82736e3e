import type {Command} from 'commander';
import {repeated, speed} from '../options/arguments.ts';
import {below, blindAfterOption, commands, examples, type Finish, onScreen, quoteCurrencyOption} from './common.ts';

export function addReplay(program: Command, finish: Finish): void {
	program
		.command('replay')
		.description('show a recording in the monitor')
		.argument('<FILE>')
		.argument('[MARKET]')
		.option('--from <TIME>', 'where to begin: 14:03, 2026-11-20T14:03, or -5m before its end (default: the beginning)')
		.option('--speed <N>', 'how many times as fast: 0.1 to 1000, or max (default: 1)', speed)
		.option('--alert <RULE>', 'print when it would have called, without a screen; can be repeated', repeated)
		.option(...blindAfterOption)
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(...quoteCurrencyOption)
		.addHelpText('after', below(replayHelp))
		.action(async (file: string, market: string | undefined, _, command: Command) => {
			finish(await onScreen(false, async () => (await commands()).replay(command.optsWithGlobals(), file, market)));
		});
}

const replayHelp = `
Shows a recording on the screens of the monitor, as they were: ages, gaps and failures are those of that time, and what was not
recorded is shown as not known. No request is sent. Space plays and pauses, < and > go 10 s, { and } 1 min, comma and dot to the
previous and next change; :goto 14:03:10, :goto -5m and :speed 60 are typed.

With --alert, it draws no screen: it plays as fast as it can, and prints each time that a rule would have called, and when rules
were blind, as watch does; with --json as its events alert and blind. Nobody is called. A market that was recorded without its
trades is judged by its 24 h ticker, delayed. Rules of the config file are not judged. For rules see tapewatch watch --help.

Exit status: 0 done; 1 the file is missing, damaged or no recording; 2 usage error; 128 + n on signal n.
${examples(
	'tapewatch replay day.twr',
	'tapewatch replay day.twr BTCUSDT --from 14:00 --speed 60',
	"tapewatch replay day.twr BTCUSDT --alert 'last crosses 70000 every 10m'",
	"tapewatch replay day.twr --alert 'changePercent(5m) < -2' --json | jq -c .time",
)}`;
