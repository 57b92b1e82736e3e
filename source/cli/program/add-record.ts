import type {Command} from 'commander';
import {duration, markets} from '../options/arguments.ts';
import {below, commands, examples, type Finish} from './common.ts';

export function addRecord(program: Command, finish: Finish): void {
	program
		.command('record')
		.description('record markets to a file, without a screen')
		.argument('[MARKET...]', 'separated by spaces or commas', markets)
		.requiredOption('--out <FILE>', 'the recording, an SQLite file; an existing one is appended to')
		.option('--for <DURATION>', 'end after this time: 90s, 10m, 8h, 1d, or seconds', duration)
		.option('--books', 'record the order books, too')
		.option('--all-tickers', 'record the tickers of all markets')
		.option('--keep <DURATION>', 'remove data older than this, such as 12h or 7d (default: keep all)', duration)
		.addHelpText('after', below(recordHelp))
		.action(async (named: readonly string[], _, command: Command) =>
			finish(await (await commands()).record(command.optsWithGlobals(), named)),
		);
}

const recordHelp = `
Records the trades, 1m candles and tickers of the markets (default: the default market), polled as in the monitor, until the time
of --for is over or a signal ends it. First prints what it records, then a line per minute with the new data, the gaps (longer
than 10 s and than three polls without trades or books, or trades that may be missing between two pages) and the file size. With
--json the lines are JSON, of type recording, progress and ended. Failures of the exchange are recorded, too, and reported on
standard error.

Tapewatch and any SQLite program can read the file while it grows; docs/recordings.md describes its tables. Recording to the same
file again appends a session. A crash loses at most the last two seconds.

Exit status: 0 done; 1 the recording failed, for example because the disk is full; 2 usage error, or the file is not a recording
or is in use; 128 + n on signal n.
${examples(
	'tapewatch record BTCUSDT --out btc.twr',
	'tapewatch record BTCUSDT ETHUSDT --books --out night.twr --for 8h',
	'tapewatch record BTCUSDT --books --all-tickers --out always.twr --keep 7d --json >> record.log',
)}`;
