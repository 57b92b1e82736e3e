import {faultNames, faults} from '../demo/faults/table.ts';
import {operationNames} from '../demo/operations.ts';

/** The examples below a command's help. */
export const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

export const watchHelp = `
On a terminal, watch shows a tile for each market until the quit key (q) is pressed; ? lists the other keys, with which you
page, hold a page, and open the monitor on a tile. Without a terminal, or with --once, it prints a line for each market; with
--json it prints events, one per line.

A condition compares quantities and numbers by > >= < <= = != and combines comparisons with and, or, ( ). Quantities:
  last, mid      price of the last trade; middle of the best bid and ask
  bid, ask, spread, spreadPercent       from the order book
  open, high, low, volume               of the last 24 hours, by the delayed ticker
  change, changePercent                 of last, from the opening price 24 hours ago
  change(5m), changePercent, high, low, volume, trades, buyVolume, sellVolume (1s to 7d)
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
symbol, time, exchange and demo.

With --recording FILE, tiles, lines and events are those of a recording: tiles play it, lines and events come at once, with the
recorded time. --until and --alert are judged on it as fast as it can be played, and print nothing else. Nobody is called.

Exit status: 0 done, or condition met; 124 --for ran out, or the recording ended, before the condition was met or --once was done; 1 a read failed
  (with --once); 2 usage error; 128 + n on signal n. With --until, status 0 always means that the condition was met: the
  quit key exits with 130, as Ctrl-C does, and a closed output pipe with 141.
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

export const recordHelp = `
Records the trades, 1m candles and tickers of the markets (default: the exchange's default one) as the monitor polls them, until
--for runs out or a signal ends it. Prints what it records, then a line once a minute: what is new in the file, its gaps (more
than 10 s, or three polls, without trades or books) and its size. With --json the lines are JSON: type recording, progress and
ended. Failures of the exchange are recorded, too, and reported on standard error.

The file can be read while it grows, by Tapewatch and by any program for SQLite; the README has its tables. To record again to the
same file appends a session. A crash loses at most the last two seconds.

Exit status: 0 done; 1 the recording failed, as on a full disk; 2 usage error, or the file is no recording or in use; 128 + n on
  signal n.
${examples(
	'tapewatch record BTCUSDT --out btc.twr',
	'tapewatch record BTCUSDT ETHUSDT --books --out night.twr --for 8h',
	'tapewatch record BTCUSDT --books --all-tickers --out always.twr --keep 7d --json >> record.log',
)}`;

export const replayHelp = `
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

const faultColumn = 1 + Math.max(...faultNames.map(name => name.length));

const operationsOf = (source: string) => operationNames.filter(name => name.startsWith(`${source}.`)).join(' ');

export const demoHelp = () => `
The same --seed and --at give the same markets on any day. The exchange's clock then differs from the computer's, and
clients that compare the two say so.

Faults: ON=FAULT[,share=S][,for=TIME]
  ON     ${operationsOf('v2')}
         ${operationsOf('legacy')}; * matches either part, or all
  share  fraction of those requests, above 0 up to 1 (default: 1); --seed decides which ones
  for    duration, such as 500ms, 30s, 5m (default: until removed)
  FAULT  one of
${faultNames.map(name => `    ${name.padEnd(faultColumn)} ${faults[name].help}`).join('\n')}
If several faults match a request, the one that was set first applies.

While the exchange runs, on this computer only:
  GET /faults     lists the active faults and how many requests each has hit
  POST /faults    adds faults: lines as above, or JSON: [{"on": "v2.depth", "fault": "hang", "share": 0.5, "for": "30s"}]
  DELETE /faults  removes all faults
${examples(
	'tapewatch demo --port 8787',
	'tapewatch demo --seed 7 --rate-limit 5',
	'tapewatch demo --at 2026-11-20T12:00:00Z',
	"tapewatch demo --fault 'v2.depth=hang' --fault 'legacy.*=status-500,share=0.3'",
	"curl --data '*.trades=reset,for=30s' http://127.0.0.1:8787/faults",
)}`;

export const doctorHelp = `
Sends a few requests to each operation of each interface, one at a time and within --rate, then probes what the
specification leaves open. Prints its findings and, as the last line, a verdict.

Exit status: 0 no problem found; 3 usable with warnings; 1 unusable; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch doctor --base-url https://api.example.com --legacy-base-url https://old.example.com',
	'tapewatch doctor ETHUSDT --exchange mine --samples 20 --rate 2',
	'tapewatch doctor --exchange mine --json | jq -r \'.findings[] | select(.severity != "note") | .text\'',
)}`;

export const mainHelp = `
Without a configured exchange, Tapewatch uses its embedded demo exchange and marks everything DEMO.

Examples:
  tapewatch                                        the monitor, on the demo exchange
  tapewatch BTCUSDT --base-url https://api.example.com --legacy-base-url https://old.example.com
  tapewatch watch BTC/USDT ETH/USDT | tee prices.log
  tapewatch ticker BTCUSDT --json --exchange mine

Precedence: flags, environment, $XDG_CONFIG_HOME/tapewatch/config.toml (default ~/.config), defaults. Both addresses of an
exchange come from the first of these sources that names one.
  environment   TAPEWATCH_BASE_URL TAPEWATCH_LEGACY_BASE_URL TAPEWATCH_EXCHANGE TAPEWATCH_INTERFACE TAPEWATCH_TIMEOUT
                TAPEWATCH_RATE TAPEWATCH_MAX_RATE TAPEWATCH_MAX_BODY TAPEWATCH_MARKET TAPEWATCH_PERIOD TAPEWATCH_COLOR
                TAPEWATCH_PALETTE TAPEWATCH_ASCII TAPEWATCH_FPS TAPEWATCH_LOG_FILE TAPEWATCH_NOTIFY
                TAPEWATCH_ON_ALERT TAPEWATCH_BLIND_AFTER TAPEWATCH_REWIND TAPEWATCH_QUOTE_CURRENCY
                TAPEWATCH_TIMEZONE
                HTTPS_PROXY HTTP_PROXY NO_PROXY NO_COLOR FORCE_COLOR
  config.toml   exchange = "mine"                  settings have the names of the flags, without --
                market = "BTCUSDT"
                on-alert = ["notify-send", "{market}", "{message}"]
                [exchanges.mine]                   one table per exchange; one address is enough
                base-url = "https://api.example.com"
                legacy-base-url = "https://old.example.com"
                [intervals]                        seconds between polls
                depth = 1                          also trades, tickers, candles, markets
                [keys]                             by the command's name in the : line
                next-market = ["n", "ctrl+n"]
                [[alerts]]                         one table per rule, as of watch --alert, with its market
                rule = "BTCUSDT last crosses 70000"

Exit status: 0 done; 1 exchange or network failure; 2 usage or configuration error; 128 + n on signal n.
`;
