import type {Command} from 'commander';
import {duration, repeated, rotation, seconds, speed} from '../options/arguments.ts';
import {addCallOptions, below, examples, type Finish, ownRunner, type Runner} from './common.ts';

export function addWatch(program: Command, finish: Finish, run: Pick<Runner, 'watch'> = ownRunner): void {
	const watch = program
		.command('watch')
		.description('watch markets without a keyboard: tiles on a terminal, lines or events elsewhere')
		.argument('[MARKET...]')
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(
			'--interval <SECONDS>',
			'time between polls, but of candles, and between lines (default: as the monitor; lines: 5)',
			seconds,
		)
		.option('--rotate <SECONDS>', 'on a terminal, time per page if the markets do not fit (default: 10)', rotation)
		.option('--once', 'print one line for each market, then exit')
		.option('--backfill', 'with --json, begin with all trades and candles that the exchange sends, not only the newest')
		.option('--for <DURATION>', 'exit after this time: 90s, 10m, 2h, 1d, or seconds', duration)
		.option('--until <CONDITION>', 'exit with status 0 when it is met, or 124 if --for runs out first')
		.option('--alert <RULE>', 'call when it holds, see below; can be repeated', repeated)
		.option('--recording <FILE>', 'watch a recording instead of an exchange')
		.option('--from <TIME>', 'where to begin in it: 14:03, 2026-11-20T14:03, or -5m before its end')
		.option('--speed <N>', 'of it, in tiles: 0.1 to 1000 times as fast (default: 1), elsewhere always max', speed)
		.addHelpText('after', below(watchHelp))
		.action(async (markets: string[], _, command: Command) => {
			finish(await run.watch(command.optsWithGlobals(), markets));
		});
	addCallOptions(watch);
}

export const watchHelp = `
On a terminal, watch shows a tile for each market until the quit key (q) is pressed; ? lists the other keys, with which you
page, hold a page, and open the monitor on a tile. Without a terminal, or with --once, it prints a line for each market; with
--json it prints events, one per line.

A condition compares quantities and numbers by > >= < <= = != and combines comparisons with and, or, ( ). Quantities:
  last, mid      price of the last trade; middle of the best bid and ask
  bid, ask, spread, spreadPercent       from the order book
  open, high, low, volume               of the last 24 hours, by the delayed ticker
  change, changePercent                 of last, from the opening price 24 hours ago
  change(5m)     also changePercent, high, low, volume, trades, buyVolume and sellVolume (1s to 7d)
                 of that time; high and low are those before the last trade, so that last > high(1h) is a new high
  bidDepth(0.5%), askDepth(0.5%)        size within that distance of mid
  imbalance      of the book: from -1 (asks alone) to 1 (bids alone)
  sma(50, 1h), ema, rsi, vwap           of so many closed candles of that period
  tradeSize, tradeValue                 of a trade since the last look
  age            seconds since the oldest answer
Both sides may calculate with + - * / and percent: last > open + 2%. last crosses 70000 (crosses above, crosses below) is met
by the trade that goes from one side to the other. A time that the trades do not cover begins with a whole minute, or hour.
Any watched market can satisfy the condition; BTCUSDT.last > 70000 names one. Values that are unknown, or stale because a
refresh failed, satisfy no comparison except on age. What the configured interfaces never show is refused. With --once, the
first answers decide.

A rule of --alert is a condition, after an optional market (ETHUSDT last > 1; * last > 1 for each favourite, --list NAME for
each market of a list), and before any of: every 10m (calls again, but not within this time and only after it was false), until
18:00 (UTC, or a date), note TEXT. Without every it calls once for each market. Rules of the config file are judged, too.
A call is any of --notify: bell, terminal (a notification), title (of the window) and command: the program of --on-alert, which
gets the alert as JSON on its standard input and in TAPEWATCH_ALERT_MARKET, _MESSAGE, _RULE, _TIME and _NOTE, and may run for
10 s. A rule whose data is older than --blind-after is blind, which is said; with blind, --notify calls then, too.

Events (type): alert and blind of the rules; ticker, depth, trade, candle; error for each failed request, stale when data
becomes stale, recovered when a failure ends; met when the condition is met; dropped when the reader is too slow. Each has
an eventId that is the same in every run, symbol, time, interface, gap (events before it may be missing), exchange and demo.

With --recording FILE, tiles, lines and events are those of a recording: tiles play it, lines and events come at once, with the
recorded time. --until and --alert are judged on it as fast as it can be played, and print nothing else. Nobody is called.

Exit status: 0 done, or condition met; 124 --for ran out, or the recording ended, before the condition was met or --once was done; 1 a read failed
(with --once); 2 usage error; 128 + n on signal n. With --until, status 0 always means that the condition was met: the quit key
exits with 130, as Ctrl-C does, and a closed output pipe with 141.
${examples(
	'tapewatch watch BTC/USDT ETH/USDT',
	'tapewatch watch BTCUSDT ETHUSDT SOLUSDT XRPUSDT BNBUSDT --rotate 5',
	"tapewatch watch BTCUSDT --until 'last > 70000' --for 2h && echo reached",
	"tapewatch watch BTCUSDT ETHUSDT --until 'BTCUSDT.last > 70000 and (ETHUSDT.spread < 0.5 or ETHUSDT.age > 60)'",
	"tapewatch watch BTCUSDT --until 'last crosses above sma(50, 1h) or changePercent(5m) < -2'",
	"tapewatch watch BTCUSDT --alert 'last crosses 70000' --alert 'changePercent(5m) < -2 every 10m' --on-alert ./call.sh",
	"tapewatch watch BTCUSDT --recording day.twr --speed max --until 'last > 70000'",
	'tapewatch watch BTCUSDT ETHUSDT --recording day.twr --from 14:00 --interval 60',
	'tapewatch watch BTCUSDT --json --for 10m | jq -c \'select(.type == "trade")\'',
)}`;
