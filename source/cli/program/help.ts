import {faultNames, faults} from '../../demo/faults/table.ts';
import {operationNames} from '../../demo/operations.ts';
import {clamp} from '../../market/numbers.ts';
import {settingNames, variableName} from '../options/settings.ts';

/** What the help of the program and of its commands says below their options, and how it fits a terminal. */

/** The examples below a command's help. */
export const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

/** Narrower lines would be words, wider ones are hard to read. */
const [leastColumns, mostColumns] = [40, 120];
/** Of the second column of a row. */
const leastText = 20;

/** Text below the options of a command's help, as wide as the terminal, or 80 columns. `terminal`: default the program's. */
export const below =
	(text: string | (() => string), terminal: {readonly columns?: number} = process.stdout) =>
	() =>
		filled(typeof text === 'string' ? text : text(), clamp(terminal.columns || 80, leastColumns, mostColumns));

const wrapped = (text: string, columns: number): readonly string[] =>
	text.replace(new RegExp(`(?=.{${columns + 1}})(.{1,${columns}}) `, 'g'), '$1\n').split('\n');

/** Paragraphs in lines of this width. Of indented lines, rows with two columns hang; others, such as commands, stay as they are. */
function filled(text: string, columns: number): string {
	return text.replace(/(?:^[^ \n].*\n?)+|^ .*$/gm, part => {
		if (!part.startsWith(' ')) {
			const end = part.endsWith('\n') ? '\n' : '';
			return wrapped(part.trimEnd().split('\n').join(' '), columns).join('\n') + end;
		}

		const [begin = ''] = /^ {5,}|^ {2,4}\S.*? {2,}(?=\S)/.exec(part) ?? [];
		if (begin === '') return part;
		const lines = wrapped(part.slice(begin.length), Math.max(columns - begin.length, leastText));
		return begin + lines.join(`\n${' '.repeat(begin.length)}`);
	});
}

const variables = [
	...settingNames.map(variableName),
	...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NO_COLOR', 'FORCE_COLOR'],
].join(' ');

export const mainHelp = `
Without a configured exchange, Tapewatch uses its embedded demo exchange and marks everything DEMO.

Examples:
  tapewatch                   the monitor, on the demo exchange
  tapewatch BTCUSDT --base-url https://api.example.com --legacy-base-url https://old.example.com
  tapewatch watch BTC/USDT ETH/USDT | tee prices.log
  tapewatch ticker BTCUSDT --json --exchange mine

Precedence: flags, environment, $XDG_CONFIG_HOME/tapewatch/config.toml (default ~/.config), defaults. Both addresses of an
exchange come from the first of these that has either.
  environment   ${variables}
  config.toml   exchange = "mine"  # settings have the names of the flags
                market = "BTCUSDT"
                on-alert = ["notify-send", "{market}", "{message}"]
                [exchanges.mine]   # a table per exchange; one address is enough
                base-url = "https://api.example.com"
                legacy-base-url = "https://old.example.com"
                [intervals]        # seconds between polls
                depth = 1          # and trades, tickers, candles, markets
                [keys]             # by the command's name on the : line
                next-market = ["n", "ctrl+n"]
                [colors]           # by tone, see docs/configuration.md
                up = "#26c281"
                [[alerts]]         # a rule per table, as for watch --alert
                rule = "BTCUSDT last crosses 70000"

Exit status: 0 done; 1 exchange or network failure; 2 usage or configuration error; 128 + n on signal n.
`;

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

A rule for --alert is a condition. A market can precede it (ETHUSDT last > 1; * last > 1 for each favourite, --list NAME last >
1 for each market of a list), and any of these can follow it: every 10m (alert again after it was false in between, at most once
in that time), until 18:00 (UTC, or a date), call bell,title (alert in these ways; "notify-send {message}" runs a program), note
TEXT. Without every, a rule alerts once for each market. Rules of the config file are judged, too. --notify selects how you are
alerted: bell, terminal (a notification), title (of the window) and command. The last runs the program of --on-alert, for at
most 10 s, with the alert as JSON on its standard input and in the variables TAPEWATCH_ALERT_MARKET, _MESSAGE, _RULE, _TIME and
_NOTE. A rule whose data is older than --blind-after is reported as blind; if --notify includes blind, you are alerted then,
too.

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

export const holdingsHelp = `
Lists the holdings that you added in the monitor (:holding BTC 0.5 @ 61000 USDT) and those of the config file ([[holdings]]), each
with its value at the tickers of the exchange, its share of the total, and its profit if you gave a cost. A cost in another asset is
converted at the price of that asset now. What no market converts is listed, but not counted.
${examples(
	'tapewatch holdings',
	'tapewatch holdings --quote-currency EUR --output csv',
	'tapewatch holdings --json | jq .total',
	'tapewatch holdings --recording monday.twr --at 14:03',
)}`;

export const recordHelp = `
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

export const replayHelp = `
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

export const alertsHelp = `
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

export const doctorHelp = `
Sends a few requests to each operation of each interface, one at a time and within --rate, then probes what the
specification leaves open. Prints the findings and, in the last line, a verdict.

A report has versions, terminal, settings with their sources, and the findings. Each host in it is a hash, and it has no
credentials, rules or lists. An older report is replaced, any other file is not.

Exit status: 0 no problem found; 3 usable with warnings; 1 unusable; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch doctor --base-url https://api.example.com --legacy-base-url https://old.example.com',
	'tapewatch doctor ETHUSDT --exchange mine --samples 20 --rate 2',
	'tapewatch doctor --exchange mine --report report.txt',
	'tapewatch doctor --exchange mine --json | jq -r \'.findings[] | select(.severity != "note") | .text\'',
)}`;

export const serveHelp = `
Viewers can use the monitor (ssh -p 2222 HOST), tiles (ssh -t -p 2222 HOST watch BTCUSDT ETHUSDT) and, without a terminal, lines,
events and reads (ssh -p 2222 HOST watch BTCUSDT --json). Data that several viewers watch is requested once. There is no shell, no
forwarding and no file transfer, and viewers cannot access files on the server. Their choices are remembered by key.

Each line of the --authorized-keys file has a public key. Options can precede it: market="BTCUSDT,ETHUSDT" (shows only these),
watch-only (tiles and lines, no monitor), owner (allows the diagnosis), and from OpenSSH from="PATTERNS", expiry-time="TIME",
no-pty and restrict. A key with any other option is refused. The file is read again when it changes, and on SIGHUP.

Behind a router many viewers share one address: raise --max-per-address (N). N connections from one address, and 3 times N in total, can
be waiting to log in. One address can start 3 times N log-ins at once, then N per second; further ones wait. The balancers named in
--trusted-proxy (10.0.0.1, or 10.0.0.0/8,!10.0.0.7) pass on client addresses: send-proxy in HAProxy, proxy_protocol on in nginx.

The host key is in $XDG_STATE_HOME/tapewatch/host_key (default ~/.local/state). Once a minute, a line on standard error or in
--log-file counts viewers, requests, bytes and dropped frames. SIGTERM restores every terminal.
${examples(
	'tapewatch serve --authorized-keys ~/.ssh/authorized_keys',
	'tapewatch serve --exchange mine --listen 0.0.0.0:2222 --authorized-keys keys --metrics 127.0.0.1:9464',
	'tapewatch serve --anonymous   # on this computer only: ssh -p 2222 127.0.0.1',
)}`;

export const exportUsage = (file: string): string => `tapewatch recording ${file} export DIR writes its data as files`;

export const recordingHelp = `
Prints sessions, markets, counts, gaps and size. With export, writes trades, books, tickers, candles and gaps as files of Parquet,
CSV or NDJSON into a folder for each. The same command continues an export that was interrupted, and adds what was recorded
since. docs/recordings.md describes the columns, with queries for DuckDB, pandas and polars.

Exit status: 0 done; 1 the file is missing, damaged or not a recording, or the folder has something else or cannot be written;
2 usage error; 128 + n on signal n.
${examples(
	'tapewatch recording monday.twr',
	'tapewatch recording monday.twr --json | jq .gaps',
	'tapewatch recording monday.twr export monday',
	'tapewatch recording monday.twr export monday-csv -o csv --markets BTCUSDT --levels 10',
)}`;

export const setupHelp = `
Asks for the addresses of an exchange, tries each operation of each interface once, reports what it found, and adds the exchange to
the config file as [exchanges.NAME]. If the file has no default exchange yet, it becomes the default. Everything else in the file
stays as it is. With --base-url, --legacy-base-url or both, nothing is asked, and only addresses that answer are added. You can
type an address without https://, and with the path of an operation. doctor checks an exchange thoroughly.

Exit status: 0 added, or already in the file; 1 nothing was added; 2 usage or configuration error; 128 + n on signal n.
${examples(
	'tapewatch setup',
	'tapewatch setup mine --base-url https://api.example.com --legacy-base-url https://old.example.com',
)}`;

export const configHelp = `
Lists the paths of the config file, of the state, the cache, the recordings and the log, then every setting with its value and
its source: a flag, a variable, a line of the config file, or the default. Addresses are shown without their paths.

config edit creates the file if it is missing. If the file has an error afterwards, it is named with its line; the file stays as
you saved it.

Exit status: 0 done; 1 the editor failed; 2 usage or configuration error; 128 + n on signal n.
${examples('tapewatch config', 'tapewatch config --rate 2 --timezone Europe/Berlin', 'tapewatch config edit')}`;

const faultColumn = 1 + Math.max(...faultNames.map(name => name.length));

const operationsOf = (source: string) => operationNames.filter(name => name.startsWith(`${source}.`)).join(' ');

export const demoHelp = () => `
The same --seed and --at always produce the same markets. With --at, the exchange's clock differs from the computer's, and
clients that compare the two report that.

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

export const completionHelp = `
To install it for new shells:
  bash   echo 'source <(tapewatch completion bash)' >> ~/.bashrc
  zsh    echo 'source <(tapewatch completion zsh)' >> ~/.zshrc        after the line with compinit
  fish   tapewatch completion fish > ~/.config/fish/completions/tapewatch.fish

Shells complete the command tapewatch, so it must be on the PATH, for example after npm install --global. With npx and npm start,
there is no such command, and completion does not work.

Markets are those of the exchange given on the line or in the configuration, in upper or lower case: btc completes to BTCUSDT,
btc/ to BTC/USDT. They are cached in $XDG_CACHE_HOME/tapewatch (default ~/.cache) for 10 minutes. If the exchange fails or takes
longer than a second, no market is completed, and the exchange is not asked again for 10 seconds.
${examples('tapewatch completion bash', 'tapewatch completion fish | source')}`;
