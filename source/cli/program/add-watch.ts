import type {Command} from 'commander';
import {duration, markets, repeated, rotation, seconds, speed} from '../options/arguments.ts';
import {addCallOptions, below, examples, type Finish, ownRunner, type Runner} from './common.ts';

export function addWatch(program: Command, finish: Finish, run: Pick<Runner, 'watch'> = ownRunner): void {
	const watch = program
		.command('watch')
		.description('watch markets without a keyboard: tiles on a terminal, lines or events elsewhere')
		.argument('[MARKET...]', 'separated by spaces or commas', markets)
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(
			'--interval <SECONDS>',
			'time between lines and between polls, except of candles (default: as in the monitor; lines: 5)',
			seconds,
		)
		.option('--rotate <SECONDS>', 'on a terminal, time per page if the markets do not fit (default: 10)', rotation)
		.option('--once', 'print one line for each market, then exit')
		.option(
			'--backfill',
			'with --json, begin with all trades and candles that the exchange still has, not only the newest',
		)
		.option('--for <DURATION>', 'exit after this time: 90s, 10m, 2h, 1d, or seconds', duration)
		.option('--until <CONDITION>', 'exit with status 0 when it is met, or 124 if the time of --for is over first')
		.option('--alert <RULE>', 'alert you when it holds, see below; can be repeated', repeated)
		.option('--recording <FILE>', 'watch a recording instead of an exchange')
		.option('--from <TIME>', 'start time in the recording: 14:03, 2026-11-20T14:03, or -5m before its end')
		.option(
			'--speed <N>',
			'speed of the recording in tiles: 0.1 to 1000 times as fast (default: 1); without tiles always max',
			speed,
		)
		.addHelpText('after', below(watchHelp))
		.action(async (named: readonly string[], _, command: Command) => {
			finish(await run.watch(command.optsWithGlobals(), named));
		});
	addCallOptions(watch);
}

export const watchHelp = `
On a terminal, watch shows a tile for each market until you press the quit key (q); ? lists the other keys, which turn or hold
pages and open the monitor on a tile. Without a terminal, or with --once, it prints a line for each market; with --json it prints
events, one per line.

A condition compares quantities and numbers with > >= < <= = != and combines comparisons with and, or, ( ). Quantities:
  last, mid      price of the last trade; price halfway between the best bid and ask
  bid, ask, spread, spreadPercent       from the order book
  open, high, low, volume               of the last 24 hours, from the delayed ticker
  change, changePercent                 change of last from the opening price of 24 hours ago
  change(5m)     also changePercent, high, low, volume, trades, buyVolume and sellVolume: values over that time (1s to 7d);
                 high and low exclude the last trade, so last > high(1h) means a new high
  bidDepth(0.5%), askDepth(0.5%)        size within that distance of mid
  imbalance      of the book, from -1 (asks only) to 1 (bids only)
  sma(50, 1h), ema, rsi, vwap           indicators over that number of closed candles of that period
  tradeSize, tradeValue                 size and value of each new trade
  age            age of the oldest answer in seconds
Both sides can contain + - * / and percent: last > open + 2%. last crosses 70000 (crosses above, crosses below) is met by the trade
that takes the price to the other side. Times that the trades do not cover begin with a whole minute or hour.
Any of the watched markets can meet the condition; BTCUSDT.last > 70000 refers to a certain one. Values that are unknown, or
stale because a request failed, never meet a comparison, except with age. Quantities that the configured interfaces cannot
provide are refused. With --once, the first answers decide.

A rule for --alert is a condition. A market can precede it (ETHUSDT last > 1; * last > 1 for each favourite, --list NAME last > 1
for each market of a list), and any of these can follow it: every 10m (alert again after it was false in between, at most once in
that time), until 18:00 (UTC, or a date), note TEXT. Without every, a rule alerts once for each market. Rules of the config file
are judged, too. --notify selects how you are alerted: bell, terminal (a notification), title (of the window) and command. The
last runs the program of --on-alert, for at most 10 s, with the alert as JSON on its standard input and in the variables
TAPEWATCH_ALERT_MARKET, _MESSAGE, _RULE, _TIME and _NOTE. A rule whose data is older than --blind-after is reported as blind;
if --notify includes blind, you are alerted then, too.

Types of events: alert and blind for rules; ticker, depth, trade, candle; error for each failed request, stale when data becomes
stale, recovered when a failure ends; met when the condition is met; dropped when the reader is too slow. Each has symbol, time,
interface, exchange, demo, gap (events before it may be missing), and an eventId that is the same in every run.

With --recording FILE, the data comes from a recording: tiles play it, lines and events are printed at once with the recorded time.
--until and --alert are judged as fast as possible and print nothing else. No alerts are sent.

Exit status: 0 done, or condition met; 124 the time of --for was over, or the recording ended, before the condition was met or
--once was done; 1 a read failed (with --once); 2 usage error; 128 + n on signal n. With --until, 0 always means that the
condition was met: the quit key exits with 130, as Ctrl-C does, and a closed output pipe with 141.
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
