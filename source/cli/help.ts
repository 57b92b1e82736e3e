import {faultNames, faults} from '../demo/faults/table.ts';
import {operationNames} from '../demo/operations.ts';

/** The examples below a command's help. */
export const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

export const watchHelp = `
On a terminal: a tile for each market, q quits. Without one, or with --json or --once: lines, or one JSON event a line.

Conditions: last, bid, ask, spread, spreadPercent, change, changePercent, volume, age (seconds since the oldest answer)
  compared with numbers by > >= < <= = !=, joined by and, or, ( ). Of several markets any one will do, or the one that
  is named: BTCUSDT.last > 70000. last is the last trade's price; bid, ask and spread are the order book's. What is not
  known, or stale because a refresh failed, meets no condition but one on age. With --once the first answers decide.

Exit status: 0 done, or the condition is met; 124 --for was over before the condition was met (or --once was done);
  1 with --once, a read failed; 2 usage; 128 + n on signal n. Before a condition is met q is 130, as Ctrl-C, and a
  reader of the output that goes away is 141: 0 says only that it was met.
${examples(
	'tapewatch watch BTC/USDT ETH/USDT',
	'tapewatch watch BTCUSDT ETHUSDT SOLUSDT XRPUSDT BNBUSDT --rotate 5',
	"tapewatch watch BTCUSDT --until 'last > 70000' --for 2h && echo reached",
	"tapewatch watch BTCUSDT ETHUSDT --until 'BTCUSDT.last > 7e4 and (ETHUSDT.spread < 0.5 or ETHUSDT.age > 60)'",
	'tapewatch watch BTCUSDT --json --for 10m | jq -c \'select(.type == "trade")\'',
)}`;

const faultColumn = 1 + Math.max(...faultNames.map(name => name.length));

const operationsOf = (source: string) => operationNames.filter(name => name.startsWith(`${source}.`)).join(' ');

/** Every fault comes from the table that does it. */
export const demoHelp = () => `
Faults: ON=FAULT[,share=S][,for=TIME], where
  ON     ${operationsOf('v2')}
         ${operationsOf('legacy')}, and * for either part or for all
  share  of those requests, above 0 to 1 (default: 1); which ones depends on --seed
  for    how long, e.g. 500ms, 30s, 5m (default: until it is taken away)
  FAULT  one of
${faultNames.map(name => `    ${name.padEnd(faultColumn)} ${faults[name].help}`).join('\n')}
Of several faults that hit a request the one that was set first counts.

While it runs, on this computer only:
  GET /faults     the faults in force, and how many requests have met each
  POST /faults    adds faults: lines as above, or JSON, [{"on": "v2.depth", "fault": "hang", "share": 0.5, "for": "30s"}]
  DELETE /faults  takes all away
${examples(
	'tapewatch demo --port 8787',
	'tapewatch demo --seed 7 --rate-limit 5',
	"tapewatch demo --fault 'v2.depth=hang' --fault 'legacy.*=status-500,share=0.3'",
	"curl --data '*.trades=reset,for=30s' http://127.0.0.1:8787/faults",
)}`;

export const doctorHelp = `
Asks each operation of each interface a few times, one request at a time and within --rate, then what the specification
leaves open. Prints what it found, and in the last line what that means for you.

Exit status: 0 healthy; 3 usable with warnings; 1 unusable; 2 usage or configuration; 128 + n on signal n.
${examples(
	'tapewatch doctor --base-url https://api.example.com --legacy-base-url https://old.example.com',
	'tapewatch doctor ETHUSDT --exchange mine --samples 20 --rate 2',
	'tapewatch doctor --exchange mine --json | jq -r \'.findings[] | select(.severity != "note") | .text\'',
)}`;

export const mainHelp = `
With no exchange named anywhere, the embedded demo exchange is used and everything shown says DEMO.

Examples:
  tapewatch                                        the monitor, on the demo exchange
  tapewatch BTCUSDT --base-url https://api.example.com --legacy-base-url https://old.example.com
  tapewatch watch BTC/USDT ETH/USDT | tee prices.log
  tapewatch ticker BTCUSDT --json --exchange mine

Configuration, strongest first: flags, environment, $XDG_CONFIG_HOME/tapewatch/config.toml (default ~/.config), defaults.
An exchange's addresses are taken from the first of these that names an exchange, never put together from two.
  environment   TAPEWATCH_BASE_URL TAPEWATCH_LEGACY_BASE_URL TAPEWATCH_EXCHANGE TAPEWATCH_INTERFACE TAPEWATCH_TIMEOUT
                TAPEWATCH_RATE TAPEWATCH_MARKET TAPEWATCH_PERIOD TAPEWATCH_COLOR TAPEWATCH_PALETTE TAPEWATCH_ASCII
                TAPEWATCH_MAX_RATE TAPEWATCH_LOG_FILE TAPEWATCH_FPS
                HTTPS_PROXY HTTP_PROXY NO_PROXY NO_COLOR FORCE_COLOR
  config.toml   exchange = "mine"                  the settings above in lower case with hyphens, and two tables
                market = "BTCUSDT"
                [exchanges.mine]                   one table for each exchange; one address is enough
                base-url = "https://api.example.com"
                legacy-base-url = "https://old.example.com"
                [intervals]                        seconds between polls
                depth = 1                          and trades, tickers, candles, markets

Exit status: 0 done, 1 the exchange or the network failed, 2 usage or configuration, 128 + n on signal n.
`;
