import {formatExact} from '../../format/number.ts';
import {formatDuration, formatPeriod} from '../../format/time.ts';
import {type Holding, mostHoldings} from '../../market/holdings.ts';
import {interfaceChoices, largestPage, mostLevels, mostRangeCandles} from '../../market/types.ts';
import {hourMs} from '../../market/units.ts';
import {defaultLimits} from '../../serve/limits.ts';
import {assetName} from '../../view/holding-texts.ts';
import {paletteNames, type ToneName, themeNames, toneNames} from '../../view/theme/names.ts';
import {
	type AlertCommand,
	address,
	alertCommand,
	color,
	duration,
	FieldError,
	faultRules,
	fields,
	format,
	keys,
	limitedDuration,
	listOf,
	marketId,
	markets,
	named,
	notify,
	number,
	oneOf,
	onOrOff,
	period,
	refuse,
	rewind,
	secondsFrom,
	sortField,
	speed,
	type Type,
	text,
	texts,
	timeAt,
	timezone,
	url,
	wholeNumber,
} from './option-types.ts';

/** The fields of the entries of lists, in this order. */
export const marketKeys = ['id', 'symbol', 'base', 'quote', 'state', 'type'] as const;
export const tickerKeys = [
	...(['symbol', 'last', 'change', 'changePercent', 'open', 'high', 'low'] as const),
	...(['bid', 'bidQuantity', 'ask', 'askQuantity', 'volume', 'quoteVolume', 'state', 'type'] as const),
] as const;
const levelKeys = ['price', 'quantity'] as const;
export const tradeKeys = ['id', 'time', 'price', 'quantity', 'side', 'sideText'] as const;
export const candleKeys = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
export const readCandleKeys = [...candleKeys, 'forming', 'partial', 'builtFrom'] as const;
export const holdingKeys = [
	...(['asset', 'amount', 'cost', 'costQuote', 'price', 'value', 'share'] as const),
	...(['profit', 'profitPercent', 'markets', 'origin'] as const),
] as const;

/**
 * The one table of options. The command line, its help and completion, the manual page, the environment, the config file, the list
 * of settings, and what viewers can give are all read from it: a new option is an entry here, and a line where its value is used.
 */

/** Has at least one of the two addresses. */
export type ExchangeAddress = {
	/** The profile's name, or the host of the address. */
	readonly name: string;
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
};

/** The name of the embedded exchange. */
export const demoName = 'demo';

/** Of a range of a recording: more would take too much memory. */
export const mostRangeTrades = 500_000;
/** Of one read of a viewer. */
export const mostViewerCandles = 20_000;

type Entry<Flag, Commands, Value> = {
	/** As help shows it: `--fps <N>`. Without a placeholder it is a switch. */
	readonly flag?: Flag;
	readonly help?: string;
	/** The commands that it is an option of. Absent: all. */
	readonly commands?: Commands;
	/** Of an option of all commands: those that do not take it. */
	readonly not?: readonly string[];
	/** It is about how something is shown. All commands accept it, so that a shell's alias can have it; it changes these. */
	readonly shows?: readonly string[];
	/** What the text or value means. Absent: any text. */
	readonly type?: Type<Value>;
	/** Whether viewers of `serve` can give it, or how it differs for them. Default: it is the owner's. */
	readonly viewers?: true | {readonly help: string; readonly type?: Type<Value>};
	/** Help lists the words of its type. */
	readonly listsWords?: true;
	readonly isRequired?: true;
	/** It can be given several times; its type is a list. */
	readonly repeats?: true;
	/** It changes how an exchange is asked, or what is done with the present: a recording has neither. */
	readonly ofExchange?: 'requests' | 'present';
};

/** A setting has a variable and a field of the config file, too; one that is a table there has neither flag nor variable. */
type Setting<Flag, Commands, Value, Key, Name, Default> = Entry<Flag, Commands, Value> & {
	/** In the config file. */
	readonly key: Key;
	/** In `Options`. Default: `Key` in camel case. */
	readonly name?: Name;
	readonly type: Type<Value>;
	readonly default?: Default;
	/** How the config file spells the table: `[keys]`. */
	readonly table?: string;
	/** It acts on the owner's computer, or calls the owner: viewers are without its value. */
	readonly isOwners?: true;
	/** How its value is listed, without secrets. `exchange`: the one in use; undefined: the embedded one. */
	show(value: Resolved<Value, Default>, exchange: ExchangeAddress | undefined): string;
};

type Resolved<Value, Default> = undefined extends Default ? Value | undefined : Value;

const setting = <
	Value,
	const Key extends string,
	const Flag extends string = never,
	const Commands extends readonly string[] = readonly string[],
	const Name extends string = Camel<Key>,
	const Default extends NoInfer<Value> | undefined = undefined,
>(
	entry: Setting<Flag, Commands, Value, Key, Name, Default>,
) => entry;

const option = <
	Value = unknown,
	const Flag extends string = string,
	const Commands extends readonly string[] = readonly string[],
>(
	entry: Entry<Flag, Commands, Value>,
) => entry;

const none = 'none';
const unlimited = (value: number | undefined): string => (value === undefined ? 'no limit' : formatExact(value));
const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
const namesOf = (table: object): string => Object.keys(table).join(', ') || none;
/** Without its path, where a token can be. */
function addressText(address: string | undefined): string {
	if (address === undefined) return none;
	const {origin, pathname} = new URL(address);
	return pathname === '/' ? origin : `${origin}/…`;
}

/** Without its arguments, where a token can be. */
const commandText = (command: AlertCommand | undefined): string =>
	command ? [command.program, ...(command.args.length > 0 ? ['…'] : [])].join(' ') : none;

const reads = ['info', 'markets', 'ticker', 'depth', 'trades', 'candles', 'holdings'] as const;
const screens = ['monitor', 'watch', 'replay', 'serve'];
const printing = [...screens, ...reads, 'alerts', 'recording', 'doctor', 'config', 'version'];
/** What reads no exchange, and what sends no request at all. */
const withoutExchange = ['demo', 'recording', 'replay', 'completion'];
const withoutRequests = [...withoutExchange, 'alerts'];

/** The formats of what a command prints; `--json` is short for `--output json`, and `wide` is a table with all columns. */
const outputFormats = ['table', 'wide', 'json', 'ndjson', 'csv', 'tsv'] as const;
export type OutputFormat = (typeof outputFormats)[number];
const output = {flag: '-o, --output <FORMAT>', help: 'format of the data (default: table)', listsWords: true} as const;

/** As bytes. */
const megabytes: Type<number> = value => number('megabytes', 0.1, 256)(value) * 1_000_000;
const pollInterval = secondsFrom(0.2, 'a number of seconds');
const periodHelp = 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)';
const rewindFlag = '--rewind <TIME>';
const recordedFrom = 'in the recording: 14:03, 2026-11-20T14:03, or -5m before';

/** A rule of the config file. */
export type ConfigRule = {
	readonly rule: string;
	/** Its place in the file, for the user. */
	readonly where?: string | undefined;
};

const aboveZero: Type<number> = value =>
	typeof value === 'number' && value > 0 && value < Infinity ? value : refuse('must be a number above 0');

const namedAsset =
	(example: string): Type<string> =>
	value =>
		assetName(text(example)(value)) ?? refuse(`must be ${example}`);

const heldFields = fields('a table with asset, amount, and cost with quote', {
	asset: namedAsset('an asset such as BTC'),
	amount: aboveZero,
	cost: aboveZero,
	quote: namedAsset('an asset such as USDT'),
});

const configHolding: Type<Holding> = value => {
	const {asset, amount, cost, quote} = heldFields(value);
	if (asset === undefined || amount === undefined) return refuse('needs asset and amount');
	if ((cost === undefined) !== (quote === undefined)) return refuse('needs both cost and quote, or neither');
	return {asset, amount, ...(cost !== undefined && quote !== undefined && {cost: {price: cost, quote}})};
};

const configHoldings: Type<readonly Holding[]> = value => {
	const holdings = listOf('tables [[holdings]]', configHolding, mostHoldings)(value);
	const names = holdings.map(({asset}) => asset);
	const again = names.findIndex((name, index) => names.indexOf(name) < index);
	if (again === -1) return holdings;
	throw new FieldError([String(again), 'asset'], `is ${names[again]} a second time`);
};

export const mostConfigRules = 500;
const configRule: Type<ConfigRule> = value => {
	const {rule} = fields('a table with rule', {rule: text('a rule such as "BTCUSDT last crosses 70000"')})(value);
	return rule === undefined ? refuse('needs rule') : {rule};
};

const candleLimit = (most: number) => ({
	help: `the newest N candles, up to ${most} (default: the exchange's, 500; with --from: all)`,
	type: wholeNumber(1, most),
});

const toneTypes = Object.fromEntries(toneNames.map(name => [name, color])) as Record<ToneName, Type<string>>;

const profileFields = fields('a table with base-url, legacy-base-url', {'base-url': url, 'legacy-base-url': url});
const profile: typeof profileFields = value => {
	const read = profileFields(value);
	return Object.keys(read).length > 0 ? read : refuse('needs base-url, legacy-base-url or both');
};

/** In the order in which they are listed. An option whose words differ between commands has an entry for each; one of them is the setting. */
const table = [
	setting({
		...{key: 'exchange', flag: '--exchange <NAME>'},
		help: 'an exchange from the config file, or demo for the embedded one',
		type: text('the name of an exchange in the config file, or demo'),
		...{not: [...withoutExchange, 'setup'], ofExchange: 'requests'},
		show: (_, exchange) => exchange?.name ?? demoName,
	}),
	setting({
		...{key: 'base-url', flag: '--base-url <URL>', help: 'base URL of the v2 interface', type: url},
		...{not: withoutExchange, ofExchange: 'requests'},
		show: (_, exchange) => addressText(exchange?.baseUrl),
	}),
	setting({
		...{key: 'legacy-base-url', flag: '--legacy-base-url <URL>', help: 'base URL of the legacy interface', type: url},
		...{not: withoutExchange, ofExchange: 'requests'},
		show: (_, exchange) => addressText(exchange?.legacyBaseUrl),
	}),
	setting({
		...{key: 'exchanges', table: '[exchanges.NAME]', type: named('a table of exchanges', profile), default: {}},
		show: namesOf,
	}),
	setting({
		...{key: 'interface', name: 'choice', flag: '--interface <WHICH>', help: 'auto, v2 or legacy (default: auto)'},
		...{type: oneOf(interfaceChoices), default: 'auto'},
		...{not: [...withoutRequests, 'setup'], viewers: true, ofExchange: 'requests'},
		show: choice => choice,
	}),
	setting({
		...{key: 'timeout', name: 'timeoutMs', flag: '--timeout <MS>', type: number('milliseconds', 1, 600_000)},
		...{help: 'time limit of a request, per interface (default: 5000)', default: 5000},
		...{not: withoutRequests, ofExchange: 'requests'},
		show: ms => `${formatExact(ms)} ms`,
	}),
	setting({
		...{key: 'rate', flag: '--rate <N>', type: number('requests per second', 0.01, 1000), default: 5},
		help: 'initial requests per second; Tapewatch finds the actual limit (default: 5)',
		...{not: withoutRequests, ofExchange: 'requests'},
		show: rate => `${formatExact(rate)} requests/s`,
	}),
	setting({
		...{key: 'max-rate', flag: '--max-rate <N>', type: number('requests per second', 0.01, 1000)},
		help: 'maximum requests per second, even if the exchange allows more (default: no limit)',
		...{not: [...withoutRequests, 'setup'], ofExchange: 'requests'},
		show: most => unlimited(most),
	}),
	setting({
		...{key: 'max-body', name: 'maxBytes', flag: '--max-body <MB>', type: megabytes},
		help: 'largest answer to accept (default: 2.1; more for long lists of markets)',
		...{not: [...withoutRequests, 'setup'], ofExchange: 'requests'},
		show: bytes => (bytes === undefined ? 'by operation' : `${formatExact(bytes / 1_000_000)} MB`),
	}),
	option({
		...{flag: '--json', help: 'short for --output json', viewers: true},
		not: ['setup', 'completion', 'config', 'version', 'monitor'],
	}),
	setting({
		...{key: 'log-file', flag: '--log-file <FILE>', help: 'log failures and recoveries, as lines of JSON'},
		...{type: text('the path of a file'), isOwners: true, not: [...withoutExchange, 'setup'], ofExchange: 'requests'},
		show: (path = none) => path,
	}),
	option({flag: '--debug', help: 'print a stack trace with an error'}),
	setting({
		...{key: 'color', flag: '--color <WHEN>', help: 'auto, never or always (default: auto)', shows: screens},
		...{type: oneOf(['auto', 'never', 'always']), default: 'auto', viewers: true},
		show: when => when,
	}),
	option({flag: '--no-color', help: 'use no colours', shows: screens, viewers: true}),
	setting({
		...{key: 'theme', flag: '--theme <NAME>', shows: screens, type: oneOf(themeNames), default: 'auto', viewers: true},
		help: `colours of the screen: ${themeNames.join(', ')} (default: auto, from the background)`,
		show: name => name,
	}),
	setting({
		...{key: 'palette', flag: '--palette <NAME>', shows: screens, type: oneOf(paletteNames), default: 'classic'},
		...{help: 'screen colours: classic, swapped or blue-orange (default: classic)', viewers: true},
		show: name => name,
	}),
	setting({
		...{key: 'timezone', name: 'zone', flag: '--timezone <ZONE>', shows: [...printing, 'record'], type: timezone},
		...{help: 'show times in local, UTC or a zone such as Europe/Berlin (default: UTC)', viewers: true},
		show: zone => zone?.word ?? 'UTC',
	}),
	setting({
		...{key: 'ascii', flag: '--ascii', help: 'use only ASCII characters', shows: printing, viewers: true},
		...{type: onOrOff, default: false},
		show: onOff,
	}),
	setting({
		...{key: 'mouse', flag: '--no-mouse', help: 'leave the mouse to the terminal', shows: screens, viewers: true},
		...{type: onOrOff, default: true},
		show: onOff,
	}),
	setting({
		...{key: 'title', flag: '--no-title', help: "leave the terminal's title alone", shows: screens, viewers: true},
		...{type: onOrOff, default: true},
		show: onOff,
	}),
	setting({
		...{key: 'fps', flag: '--fps <N>', shows: screens, type: number('frames per second', 0.1, 60), viewers: true},
		help: 'maximum screen updates per second, for a slow link (default: no limit)',
		show: most => unlimited(most),
	}),
	setting({
		...{key: 'market', type: text('a market such as BTCUSDT')},
		show: (market = 'the last one') => market,
	}),
	option({
		...{flag: '--retry <N>', commands: reads, type: wholeNumber(0, 10), ofExchange: 'requests'},
		help: 'retry up to N times, 0 to 10, after network errors, 5xx and 429 (default: 2, only after 429)',
	}),
	option({flag: '--recording <FILE>', commands: reads, help: 'read a recording instead of an exchange'}),
	option({
		...{flag: '--at <TIME>', commands: reads},
		help: 'with --recording: read the data as of this time, such as 14:03:10 or -5m (default: the end)',
	}),
	option({
		...{flag: '--sort <FIELD>', commands: ['markets'], type: sortField(marketKeys), listsWords: true, viewers: true},
		help: 'sort by this field, with -FIELD descending, such as --sort -symbol',
	}),
	option({
		...{flag: '--sort <FIELD>', commands: ['ticker'], type: sortField(tickerKeys), listsWords: true, viewers: true},
		help: 'sort by this field, with -FIELD descending, such as --sort -symbol',
	}),
	option({
		...{flag: '--sort <FIELD>', commands: ['depth'], type: sortField(levelKeys), listsWords: true, viewers: true},
		help: 'sort the levels of each side by this field, with -FIELD descending (default: best first)',
	}),
	option({
		...{flag: '--quote <ASSET>', commands: ['markets', 'ticker'], viewers: true},
		help: 'only markets with this quote asset',
	}),
	option({
		...{flag: '--quote <ASSET>', commands: ['depth'], viewers: true},
		help: 'the quote asset of MARKET, which can then be just a base asset such as BTC',
	}),
	option({
		...{flag: '--limit <N>', commands: ['markets', 'ticker'], type: wholeNumber(1, 1_000_000), viewers: true},
		help: 'only the first N after sorting',
	}),
	option({
		...{flag: '--limit <N>', commands: ['depth'], type: wholeNumber(1, mostLevels), viewers: true},
		help: 'only the first N levels of each side after sorting (default: all)',
	}),
	option({
		...{flag: '--market-id <N>', commands: ['trades'], type: marketId},
		help: 'id of the market in the market list, instead of MARKET (v2 only)',
	}),
	option({
		...{flag: '--limit <N>', commands: ['trades'], viewers: true},
		help: `the newest 1 to ${largestPage} trades (default: the exchange's)`,
	}),
	option({flag: '--from <TIME>', commands: ['trades'], help: 'earliest time (only with --recording)'}),
	option({flag: '--to <TIME>', commands: ['trades'], help: 'latest time (only with --recording)'}),
	setting({
		...{key: 'period', flag: '--period <PERIOD>', commands: ['monitor', 'watch', 'replay'], help: periodHelp},
		...{type: period, viewers: true},
		show: (minutes = 60) => formatPeriod(minutes),
	}),
	option({
		...{flag: '--period <PERIOD>', commands: ['candles']},
		help: 'minutes, or 15m, 1h, 1d, 1M; with --recording also 5s (default: 1h)',
		viewers: {help: 'minutes, or 15m, 1h, 1d, 1M (default: 1h)'},
	}),
	option({
		...{flag: '--limit <N>', commands: ['candles'], ...candleLimit(mostRangeCandles)},
		viewers: candleLimit(mostViewerCandles),
	}),
	option({
		...{flag: '--from <TIME>', commands: ['candles'], viewers: true},
		help: 'earliest start, UTC: 2026-11-20, 2026-11-20T10:00, 14:03, now, or -2h',
	}),
	option({flag: '--to <TIME>', commands: ['candles'], help: 'latest start, UTC', viewers: true}),
	setting({
		...{
			key: 'quote-currency',
			flag: '--quote-currency <ASSET>',
			commands: ['monitor', 'replay', 'holdings'],
			viewers: true,
		},
		help: 'convert volumes and holdings to this asset (default: USDT)',
		type: value => text('an asset such as USDT')(value).toUpperCase(),
		show: (asset = 'by the exchange') => asset,
	}),
	setting({
		...{key: 'rewind', name: 'rewindMs', flag: rewindFlag, commands: ['monitor'], type: rewind, default: hourMs},
		help: 'how far back you can step, 1m to 24h, or off (default: 1h)',
		show: ms => (ms === 0 ? 'off' : formatDuration(ms)),
	}),
	option({flag: '--record <FILE>', commands: ['monitor'], help: 'record all polled data to this file'}),
	option({
		...{flag: '--interval <SECONDS>', commands: ['watch'], type: secondsFrom(0.2), viewers: true},
		help: 'time between lines and between polls, except of candles (default: as in the monitor; lines: 5)',
	}),
	option({
		// The screen's clock ticks once a second.
		...{flag: '--rotate <SECONDS>', commands: ['watch'], type: secondsFrom(1), viewers: true},
		help: 'on a terminal, time per page if the markets do not fit (default: 10)',
	}),
	option({
		...{flag: '--once', commands: ['watch'], viewers: true, ofExchange: 'present'},
		help: 'print one line for each market, then exit',
	}),
	option({
		...{flag: '--backfill', commands: ['watch'], ofExchange: 'present'},
		help: 'with --json, begin with all trades and candles that the exchange still has, not only the newest',
	}),
	option({
		...{flag: '--for <DURATION>', commands: ['watch'], type: duration, viewers: true, ofExchange: 'present'},
		help: 'exit after this time: 90s, 10m, 2h, 1d, or seconds',
	}),
	option({
		...{flag: '--until <CONDITION>', commands: ['watch'], viewers: true},
		help: 'exit with status 0 when it is met, or 124 if the time of --for is over first',
	}),
	option({
		...{flag: '--alert <RULE>', commands: ['watch'], type: texts, repeats: true},
		help: 'alert you when it holds, see below; can be repeated',
	}),
	option({flag: '--recording <FILE>', commands: ['watch'], help: 'watch a recording instead of an exchange'}),
	option({flag: '--from <TIME>', commands: ['watch'], help: `start time ${recordedFrom} its end`}),
	option({
		...{flag: '--speed <N>', commands: ['watch'], type: speed},
		help: 'speed of the recording in tiles: 0.1 to 1000 times as fast (default: 1); without tiles always max',
	}),
	option({
		...{flag: '--out <FILE>', commands: ['record'], isRequired: true},
		help: 'the recording, an SQLite file; an existing one is appended to',
	}),
	option({
		...{flag: '--for <DURATION>', commands: ['record'], type: duration},
		help: 'end after this time: 90s, 10m, 8h, 1d, or seconds',
	}),
	option({flag: '--books', commands: ['record'], help: 'record the order books, too'}),
	option({flag: '--all-tickers', commands: ['record'], help: 'record the tickers of all markets'}),
	option({
		...{flag: '--keep <DURATION>', commands: ['record'], type: duration},
		help: 'remove data older than this, such as 12h or 7d (default: keep all)',
	}),
	option({
		...{flag: '--from <TIME>', commands: ['replay']},
		help: 'start time: 14:03, 2026-11-20T14:03, or -5m before the end (default: the beginning)',
	}),
	option({
		...{flag: '--speed <N>', commands: ['replay'], type: speed},
		help: 'play this many times as fast: 0.1 to 1000, or max (default: 1)',
	}),
	option({
		...{flag: '--alert <RULE>', commands: ['replay'], type: texts, repeats: true},
		help: 'print when this rule would have fired, without a screen; can be repeated',
	}),
	setting({
		...{key: 'notify', flag: '--notify <WAYS>', commands: ['monitor', 'watch', 'alerts'], type: notify},
		help: 'how to alert you: some of bell,terminal,title,command,blind (default: bell,terminal)',
		...{isOwners: true, ofExchange: 'present'},
		show: (ways = []) => ways.join(', ') || none,
	}),
	setting({
		...{key: 'on-alert', flag: '--on-alert <PROGRAM>', commands: ['monitor', 'watch', 'alerts'], type: alertCommand},
		help: 'run this program for each alert, with the alert as JSON on its standard input',
		...{isOwners: true, ofExchange: 'present'},
		show: command => commandText(command),
	}),
	setting({
		...{key: 'blind-after', name: 'blindAfterMs', flag: '--blind-after <SECONDS>', default: 30_000},
		...{commands: ['monitor', 'watch', 'replay'], help: 'age from which data is too old to judge rules (default: 30)'},
		// Candles are polled every 15 s: those of most rules would always be older than a shorter time.
		type: secondsFrom(20, 'a number of seconds'),
		show: ms => `${formatExact(ms / 1000)} s`,
	}),
	option({
		...{flag: '--report <FILE>', commands: ['doctor']},
		help: 'also write a report for others, without secrets; - prints it instead',
	}),
	option({
		...{flag: '--samples <N>', commands: ['doctor'], type: wholeNumber(1, 100)},
		help: 'requests per operation (default: 5)',
	}),
	option({
		...{flag: '--listen <ADDRESS>', commands: ['serve'], type: address},
		help: 'host and port to listen on (default: 127.0.0.1:2222)',
	}),
	option({
		...{flag: '--authorized-keys <FILE>', commands: ['serve']},
		help: "file of the public keys that can log in, in OpenSSH's format, see below",
	}),
	option({
		...{flag: '--anonymous', commands: ['serve']},
		help: 'let in everybody who can reach the address, without a key',
	}),
	option({
		...{flag: '--host-key <FILE>', commands: ['serve']},
		help: 'ed25519 key of the server, created if missing (default: see below)',
	}),
	option({
		...{flag: '--metrics <ADDRESS>', commands: ['serve'], type: address},
		help: 'address at which to serve metrics for Prometheus, as /metrics',
	}),
	option({
		...{flag: '--max-viewers <N>', commands: ['serve'], type: wholeNumber(1, 10_000)},
		help: `viewers at a time (default: ${defaultLimits.viewers})`,
	}),
	option({
		...{flag: '--max-per-address <N>', commands: ['serve'], type: wholeNumber(1, 10_000)},
		help: `viewers at a time from one address (default: ${defaultLimits.viewersPerAddress})`,
	}),
	option({
		...{flag: '--trusted-proxy <ADDRESS>', commands: ['serve']},
		help: 'balancers that pass on client addresses with the PROXY protocol',
	}),
	option({
		...{flag: '--idle <DURATION>', commands: ['serve'], type: limitedDuration},
		help: 'log out viewers whose terminal has sent nothing for this time, or off (default: 12h)',
	}),
	option({
		...{flag: rewindFlag, commands: ['serve']},
		help: 'how far back viewers can step, 1m to 24h, or off (default: 1h)',
	}),
	option({
		...{flag: '--port <N>', commands: ['demo'], type: wholeNumber(0, 65_535)},
		help: 'port to listen on (default: a free one)',
	}),
	option({
		...{flag: '--seed <N>', commands: ['demo'], type: wholeNumber(0, 2 ** 32 - 1)},
		help: 'random seed (default: 1)',
	}),
	option({
		...{flag: '--at <TIME>', commands: ['demo'], type: (value: unknown) => timeAt(Date.now())(value)},
		help: 'UTC time at which the clock of the exchange starts (default: now)',
	}),
	option({flag: '--v2-bids', commands: ['demo'], help: 'include bids in the v2 order book'}),
	option({
		...{flag: '--rate-limit <N>', commands: ['demo'], type: wholeNumber(1, 1_000_000)},
		help: 'requests per second; further ones are answered with 429',
	}),
	option({
		...{flag: '--fault <FAULT>', commands: ['demo'], type: faultRules, repeats: true},
		help: 'inject a fault, see below; can be repeated',
	}),
	option({...output, commands: reads, type: format(outputFormats), viewers: true}),
	option({
		...{flag: '--markets <MARKETS>', commands: ['recording'], type: (value: unknown) => markets(String(value))},
		help: 'export only these markets, such as BTCUSDT,ETHUSDT',
	}),
	option({
		...{flag: '--levels <N>', commands: ['recording'], type: wholeNumber(1, mostLevels)},
		help: 'export only the N best levels of each side of a book',
	}),
	option({...output, commands: ['alerts', 'doctor'], type: format(['table', 'wide', 'json'])}),
	option({
		...{...output, commands: ['recording'], type: format(['table', 'wide', 'json', 'parquet', 'csv', 'ndjson'])},
		help: 'format of the data (default: table; of an export: parquet)',
	}),
	option({...output, commands: ['watch'], type: format(['table', 'json', 'ndjson']), viewers: true}),
	option({...output, commands: ['record', 'replay', 'serve', 'demo'], type: format(['table', 'json'])}),
	setting({
		...{key: 'alerts', table: '[[alerts]]', type: listOf('tables [[alerts]]', configRule, mostConfigRules)},
		...{default: [], isOwners: true},
		show: rules => formatExact(rules.length),
	}),
	setting({
		...{key: 'holdings', table: '[[holdings]]', type: configHoldings, default: [], isOwners: true},
		show: holdings => formatExact(holdings.length),
	}),
	setting({
		...{key: 'colors', table: '[colors]', type: fields('a table of colours', toneTypes), default: {}},
		show: namesOf,
	}),
	setting({...{key: 'keys', table: '[keys]', type: named('a table of keys', keys), default: {}}, show: namesOf}),
	setting({
		...{key: 'intervals', name: 'intervalsMs', table: '[intervals]', default: {}},
		type: fields('a table of seconds', {
			...{depth: pollInterval, trades: pollInterval, tickers: pollInterval, candles: pollInterval},
			markets: pollInterval,
		}),
		show: namesOf,
	}),
] as const;

type Entries = (typeof table)[number];
type SettingEntry = Extract<Entries, {readonly key: string}>;
type ValueOf<E> = E extends {readonly type: Type<infer Value>} ? Value : never;

/** The settings of one source, by the name that flag, variable and field of the config file share. One that it does not give is absent. */
export type Settings = {readonly [E in SettingEntry as E['key']]?: ValueOf<E> | undefined};

/** The settings of one run by their names in the program; absent: neither given nor with a default. */
export type SettingValues = {
	readonly [E in SettingEntry as NonNullable<E['name']>]: E extends {readonly default?: infer Default}
		? Resolved<ValueOf<E>, Exclude<Default, undefined> extends never ? undefined : Default>
		: never;
};

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<Camel<Rest>>}`
	: Text;
type FlagName<Flag> = Flag extends `${string}--${infer Name} <${string}`
	? Camel<Name>
	: Flag extends `${string}--${infer Name}`
		? Camel<Name>
		: never;
type FlagValue<E> = E extends {readonly flag?: infer Flag; readonly type?: Type<infer Value>}
	? unknown extends Value
		? Extract<Flag, `${string}<${string}`> extends never
			? boolean
			: string
		: Value
	: never;
type OptionOf<E, Command> = E extends {readonly commands?: ReadonlyArray<infer Names>}
	? Command extends Names
		? E
		: never
	: never;

/** The options that commander parsed, by its names: `--base-url` is `baseUrl`. */
export type Flags = Readonly<Record<string, unknown>>;

/** The options of a command that are no settings; those are texts until `readOptions` has read them. */
export type FlagsOf<Command extends string> = Flags & {
	readonly [E in OptionOf<Exclude<Entries, SettingEntry>, Command> as FlagName<E['flag']>]?: FlagValue<E> | undefined;
};

export type OptionEntry = Entry<string, readonly string[], unknown> &
	Partial<Omit<Setting<string, readonly string[], unknown, string, string, unknown>, 'type'>>;

export const entries: readonly OptionEntry[] = table;

/** `--base-url <URL>` is `--base-url`. */
export const longOf = ({flag = ''}: Pick<OptionEntry, 'flag'>): string => /--[\w-]+/.exec(flag)?.[0] ?? '';

export const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export type SettingOf = OptionEntry & {readonly key: string; readonly type: Type<unknown>};

export const settings = entries.filter((entry): entry is SettingOf => entry.key !== undefined);
