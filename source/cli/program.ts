import {Command, CommanderError} from 'commander';
import {splitSymbol} from '../market/symbol.ts';
import {leaveScreen} from '../terminal/lifecycle.ts';
import {exitStatus, statusOf, UsageError} from './exit.ts';
import {alertsHelp, demoHelp, doctorHelp, examples, mainHelp, recordHelp, replayHelp, watchHelp} from './help.ts';
import {
	commandBegunBy,
	commandMeant,
	commandNamed,
	duration,
	faultRules,
	helpOf,
	isTaken,
	refuseUnused,
	repeated,
	rotation,
	seconds,
	speed,
	time,
	wholeNumber,
} from './options/arguments.ts';
import {describeFailure} from './output.ts';
import {addReads, type Finish} from './reads.ts';
import {version} from './recordings.ts';
import {showStart, terminal} from './start.ts';

/** Runs the command named by `argv` (without node and script). Settles with the exit status when everything is closed. */
export async function run(argv: readonly string[]): Promise<number> {
	let status: number = exitStatus.done;
	const program = createProgram(newStatus => {
		status = newStatus;
	});
	try {
		await program.parseAsync(argv, {from: 'user'});
		return status;
	} catch (error) {
		leaveScreen();
		// Commander has already printed the help, the version or the error.
		if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
		process.stderr.write(describeFailure(error, argv.includes('--debug')));
		return statusOf(error);
	}
}

/** Defines the command line. `finish` gets the exit status of the command that ran. */
function createProgram(finish: Finish): Command {
	const program = rootCommand();
	for (const add of [addMonitor, addWatch, addRecord, addReplay, addAlerts, addReads, addDoctor, addDemo])
		add(program, finish);
	for (const command of program.commands) command.configureOutput(outputOf(command.name()));
	return program;
}

function rootCommand(): Command {
	const program: Command = new Command('tapewatch')
		.description("A live market monitor for the terminal that reads a spot exchange's public HTTP interface.")
		.usage('[MARKET] [options]\n       tapewatch COMMAND [options]')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'print help; for one command: tapewatch COMMAND --help')
		.helpCommand('help [command]', 'print help for a command')
		.configureHelp({
			showGlobalOptions: true,
			visibleGlobalOptions: command =>
				program.options.filter(({long}) => command !== program && isTaken(command.name(), long ?? '')),
		})
		.configureOutput(outputOf('tapewatch'))
		.exitOverride()
		.option('--base-url <URL>', 'base URL of the v2 interface')
		.option('--legacy-base-url <URL>', 'base URL of the legacy interface')
		.option('--exchange <NAME>', 'an exchange from the config file, or demo for the embedded one')
		.option('--interface <WHICH>', 'auto, v2 or legacy (default: auto)')
		.option('--timeout <MS>', 'time limit of a request, per interface (default: 5000)')
		.option('--rate <N>', 'requests per second to start with; the actual limit is learned (default: 5)')
		.option('--max-rate <N>', 'most requests per second, whatever the exchange allows (default: no limit)')
		.option('--max-body <MB>', 'largest answer to accept (default: 2.1; lists of all markets: by their number)')
		.option('--json', 'print JSON instead of a table')
		.option('--color <WHEN>', 'auto, never or always (default: auto)')
		.option('--no-color', 'use no colours')
		.option('--palette <NAME>', 'screen colours: classic, swapped or blue-orange (default: classic)')
		.option('--timezone <ZONE>', 'show times in local, UTC or a zone such as Europe/Berlin (default: UTC)')
		.option('--ascii', 'use only ASCII characters')
		.option('--fps <N>', 'most screen updates per second, for a slow link (default: no limit)')
		.option('--log-file <FILE>', 'log failures and recoveries, one line of JSON each')
		.option('--debug', 'print a stack trace with an error')
		.addHelpText('after', mainHelp)
		.hook('preAction', (_, command) => {
			const given = program.options.filter(option => {
				const name = option.attributeName();
				// --color and --no-color share a name.
				return (
					program.getOptionValueSource(name) === 'cli' && option.negate === (program.getOptionValue(name) === false)
				);
			});
			refuseUnused(
				command.name(),
				given.flatMap(({long}) => long ?? []),
			);
		});
	return program;
}

function addMonitor(program: Command, finish: Finish): void {
	const monitor = program
		.command('monitor', {isDefault: true})
		.description('show the full-screen monitor (the default)')
		.argument('[MARKET]', 'in any spelling: BTCUSDT, BTC_USDT, btc-usdt, BTC/USDT')
		.allowExcessArguments()
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(...quoteCurrencyOption)
		.option('--rewind <TIME>', 'keep as much to step back to, 1m to 24h, or off (default: 1h)')
		.option('--record <FILE>', 'record what is polled to this file')
		.addHelpText('after', examples('tapewatch', 'tapewatch btc-usdt --period 15m'))
		.action(async (market: string | undefined, _, command: Command) => {
			if (market) refuseMistyped(market, command.args.length > 1, program.commands);
			if (command.args.length > 1) refuseSeveral(command.args);

			const flags = command.optsWithGlobals();
			const early = !flags.json && terminal().interactive;
			finish(await onScreen(early, async () => (await commands()).monitor(flags, market)));
		});
	addCallOptions(monitor);
}

function addWatch(program: Command, finish: Finish): void {
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
		.option('--for <DURATION>', 'exit after this time: 90s, 10m, 2h, 1d, or seconds', duration)
		.option('--until <CONDITION>', 'exit with status 0 when it is met, or 124 if --for runs out first')
		.option('--alert <RULE>', 'call when it holds, see below; can be repeated', repeated)
		.option('--recording <FILE>', 'watch a recording instead of an exchange')
		.option('--from <TIME>', 'where to begin in it: 14:03, 2026-11-20T14:03, or -5m before its end')
		.option('--speed <N>', 'of it, in tiles: 0.1 to 1000 times as fast (default: 1), elsewhere always max', speed)
		.addHelpText('after', watchHelp)
		.action(async (markets: string[], _, command: Command) => {
			const flags = command.optsWithGlobals();
			const early = !flags.json && !flags.once && terminal().screen;
			finish(await onScreen(early, async () => (await commands()).watch(flags, markets)));
		});
	addCallOptions(watch);
}

function addRecord(program: Command, finish: Finish): void {
	program
		.command('record')
		.description('record markets to a file, without a screen')
		.argument('[MARKET...]')
		.requiredOption('--out <FILE>', 'the recording, an SQLite file; one that exists goes on')
		.option('--for <DURATION>', 'end after this time: 90s, 10m, 8h, 1d, or seconds', duration)
		.option('--books', 'record the order books, too')
		.option('--all-tickers', 'record the tickers of all markets')
		.option('--keep <DURATION>', 'remove what is older, such as 12h or 7d (default: nothing)', duration)
		.addHelpText('after', recordHelp)
		.action(async (markets: string[], _, command: Command) =>
			finish(await (await commands()).record(command.optsWithGlobals(), markets)),
		);
}

const quoteCurrencyOption = [
	'--quote-currency <ASSET>',
	'convert volumes in the list of markets to this asset (default: USDT)',
] as const;
const blindAfterOption = [
	'--blind-after <SECONDS>',
	'data that is older than this cannot be judged (default: 30)',
] as const;
const notifyOption = [
	'--notify <WAYS>',
	'how alerts call: some of bell,terminal,title,command,blind (default: bell,terminal)',
] as const;
const onAlertOption = [
	'--on-alert <PROGRAM>',
	'run this program for each alert, with the alert as JSON on its standard input',
] as const;

/** How a command calls the user when an alert rule fires. */
function addCallOptions(command: Command): void {
	command
		.option(...notifyOption)
		.option(...onAlertOption)
		.option(...blindAfterOption);
}

function addAlerts(program: Command, finish: Finish): void {
	program
		.command('alerts')
		.description('list the alert rules, or send a test call')
		.argument('[test]', 'call as configured, and report what failed')
		.option(...notifyOption)
		.option(...onAlertOption)
		.addHelpText('after', alertsHelp)
		.action(async (action: string | undefined, _, command: Command) => {
			if (action !== undefined && action !== 'test') {
				throw new UsageError(`alerts has no ${action}: tapewatch alerts lists the rules, tapewatch alerts test calls`);
			}

			finish(await (await commands()).alerts(command.optsWithGlobals(), action ?? 'list'));
		});
}

function addReplay(program: Command, finish: Finish): void {
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
		.addHelpText('after', replayHelp)
		.action(async (file: string, market: string | undefined, _, command: Command) => {
			finish(await onScreen(false, async () => (await commands()).replay(command.optsWithGlobals(), file, market)));
		});
}

function addDoctor(program: Command, finish: Finish): void {
	program
		.command('doctor')
		.description('check an exchange before you rely on it')
		.argument('[MARKET]', 'market to check (default: BTC/USDT, else the first active one)')
		.option('--samples <N>', 'requests per operation (default: 5)', wholeNumber(1, 100))
		.addHelpText('after', doctorHelp)
		.action(async (market: string | undefined, _, command: Command) =>
			finish(await (await commands()).doctor(command.optsWithGlobals(), market)),
		);
}

function addDemo(program: Command, finish: Finish): void {
	program
		.command('demo')
		.description('serve the embedded demo exchange on loopback for other programs')
		.option('--port <N>', 'port to listen on (default: a free one)', wholeNumber(0, 65_535))
		.option('--seed <N>', 'random seed (default: 1)', wholeNumber(0, 2 ** 32 - 1))
		.option('--at <TIME>', 'UTC time at which its clock starts (default: now)', time)
		.option('--v2-bids', 'include bids in the v2 order book')
		.option('--rate-limit <N>', 'requests per second; more are answered 429', wholeNumber(1, 1_000_000))
		.option('--fault <FAULT>', 'inject a fault, see below; can be repeated', faultRules)
		.addHelpText('after', demoHelp)
		.action(async (_, command: Command) => finish(await (await commands()).demo(command.optsWithGlobals())));
}

/** Throws a `UsageError` when `word`, given as a market, must mean a command. `hasArguments`: other words follow. */
function refuseMistyped(word: string, hasArguments: boolean, commands: readonly Command[]): void {
	const names = commands.map(command => command.name());
	const meant = commandMeant(word, names) ?? (hasArguments ? commandBegunBy(word, names) : undefined);
	if (meant !== undefined) throw new UsageError(`unknown command ${word}, did you mean ${meant}?`);
}

/** Throws a `UsageError` about `words`, given as markets of the monitor. */
function refuseSeveral(words: readonly string[]): never {
	const problem = 'the monitor shows one market at a time';
	const other = words.find(word => !splitSymbol(word));
	if (other === undefined) throw new UsageError(`${problem}; tapewatch watch ${words.join(' ')} shows all`);
	const what = commandNamed(other) ?? `${other} is not a command`;
	throw new UsageError(`${problem}, and ${what} (see ${helpOf('tapewatch')})`);
}

/** A command's code is imported when it runs, which keeps help fast. */
const commands = () => import('./commands.ts');

/** Runs a full-screen command. `early`: takes over the terminal before the command's code is loaded. */
async function onScreen(early: boolean, command: () => Promise<number>): Promise<number> {
	if (early) showStart();
	else leaveScreen();
	return command().finally(leaveScreen);
}

/** Leaves the full screen and writes commander's message as one line, which names the help of `command`. */
const outputOf = (command: string) => ({
	outputError(text: string, write: (line: string) => void): void {
		leaveScreen();
		write(usageLine(text, command));
	},
});

/** Commander's message in the words of a `UsageError`. A value that is refused needs no help about the options. */
function usageLine(text: string, command: string): string {
	const [, flag, problem = ''] =
		/^error: option '(--[\w-]+)[^']*' argument '.*' is invalid\. (.*)$/s.exec(text.trim()) ?? [];
	if (flag) return `tapewatch: ${flag}${problem.startsWith('must be ') ? '' : ':'} ${problem}\n`;
	const message = text
		.trim()
		.replace(/^error: /, '')
		.replace(/\s*\n\(Did you mean (.*)\?\)$/, ', did you mean $1?');
	return `tapewatch: ${message.replace(/\s+/g, ' ')} (see ${helpOf(command)})\n`;
}
