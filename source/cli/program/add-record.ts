import type {Command} from 'commander';
import {duration} from '../options/arguments.ts';
import {below, commands, examples, type Finish} from './common.ts';

export function addRecord(program: Command, finish: Finish): void {
	program
		.command('record')
		.description('record markets to a file, without a screen')
		.argument('[MARKET...]')
		.requiredOption('--out <FILE>', 'the recording, an SQLite file; one that exists goes on')
		.option('--for <DURATION>', 'end after this time: 90s, 10m, 8h, 1d, or seconds', duration)
		.option('--books', 'record the order books, too')
		.option('--all-tickers', 'record the tickers of all markets')
		.option('--keep <DURATION>', 'remove what is older, such as 12h or 7d (default: nothing)', duration)
		.addHelpText('after', below(recordHelp))
		.action(async (markets: string[], _, command: Command) =>
			finish(await (await commands()).record(command.optsWithGlobals(), markets)),
		);
}

const recordHelp = `
Records the trades, 1m candles and tickers of the markets (default: the exchange's default one) as the monitor polls them, until
--for runs out or a signal ends it. Prints what it records, then a line once a minute: what is new in the file, its gaps (more
than 10 s, or three polls, without trades or books) and its size. With --json the lines are JSON: type recording, progress and
ended. Failures of the exchange are recorded, too, and reported on standard error.

The file can be read while it grows, by Tapewatch and by any program for SQLite; docs/recordings.md has its tables. To record again to the
same file appends a session. A crash loses at most the last two seconds.

Exit status: 0 done; 1 the recording failed, as on a full disk; 2 usage error, or the file is no recording or in use; 128 + n on
signal n.
${examples(
	'tapewatch record BTCUSDT --out btc.twr',
	'tapewatch record BTCUSDT ETHUSDT --books --out night.twr --for 8h',
	'tapewatch record BTCUSDT --books --all-tickers --out always.twr --keep 7d --json >> record.log',
)}`;
