import {Command, CommanderError} from 'commander';
import {editDistance} from '../market/symbol.ts';
import {leaveScreen} from '../terminal/lifecycle.ts';
import type {ReadRequest} from './commands/read.ts';
import {exitStatus, statusOf, UsageError} from './exit.ts';
import {demoHelp, doctorHelp, examples, mainHelp, watchHelp} from './help.ts';
import {duration, faultRules, refuseUnused, rotation, seconds, time, wholeNumber} from './options/arguments.ts';
import type {Options} from './options/options.ts';
import {describeFailure} from './output.ts';
import {showStart, terminal} from './start.ts';

/** The build writes the number in. */
const version = process.env.TAPEWATCH_VERSION ?? 'from source';

/** Runs the command that `argv` (without node and script) names. Settles with the exit status; all is closed then. */
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
		// Commander has printed the help, the version or what is wrong.
		if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
		process.stderr.write(describeFailure(error, argv.includes('--debug')));
		return statusOf(error);
	}
}

/** The words of the command line. What a command does is imported when it is to be done. */
function createProgram(finish: (status: number) => void): Command {
	const program = new Command('tapewatch')
		.description("A live market monitor for the terminal, over a spot exchange's public HTTP interface.")
		.usage('[MARKET] [options]\n       tapewatch COMMAND [options]')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'print help; tapewatch COMMAND --help for that of a command')
		.configureHelp({showGlobalOptions: true})
		.configureOutput({outputError: refuse})
		.exitOverride()
		.option('--base-url <URL>', 'address of the v2 interface')
		.option('--legacy-base-url <URL>', 'address of the legacy interface')
		.option('--exchange <NAME>', 'an exchange of the config file; demo: the embedded one')
		.option('--interface <WHICH>', 'auto, v2 or legacy (default: auto)')
		.option('--timeout <MS>', 'longest wait for an answer of each interface (default: 5000)')
		.option('--rate <N>', 'requests a second to start with; what the exchange allows is learned (default: 5)')
		.option('--max-rate <N>', 'requests a second at most, whatever it allows (default: no limit)')
		.option('--json', 'JSON for programs instead of a table')
		.option('--color <WHEN>', 'auto, never or always (default: auto)')
		.option('--no-color', 'as --color never')
		.option('--palette <NAME>', 'of the screen: classic, swapped or blue-orange (default: classic)')
		.option('--ascii', 'plain ASCII characters only')
		.option('--fps <N>', 'of the screen: frames a second at most, for a slow link (default: as many as there are)')
		.option('--log-file <FILE>', 'log each failure and recovery as a line of JSON')
		.option('--debug', 'with a failure its stack trace')
		.addHelpText('after', mainHelp)
		.hook('preAction', (_, command) => {
			const said = program.options.filter(option => program.getOptionValueSource(option.attributeName()) === 'cli');
			refuseUnused(
				command.name(),
				said.flatMap(({long}) => long ?? []),
			);
		});

	program
		.command('monitor', {isDefault: true})
		.description('the monitor, full screen, driven from the keyboard (the default)')
		.argument('[MARKET]', 'in any spelling: BTCUSDT, BTC_USDT, btc-usdt, BTC/USDT')
		.allowExcessArguments()
		.option('--period <PERIOD>', 'of the candles: minutes, or 15m, 1h, 1d (default: 1h)')
		.addHelpText('after', examples('tapewatch', 'tapewatch btc-usdt --period 15m'))
		.action(async (market: string | undefined, _, command: Command) => {
			if (market) refuseMistyped(market, program.commands);
			if (command.args.length > 1) {
				throw new UsageError(
					`the monitor shows one market at a time; tapewatch watch ${command.args.join(' ')} shows all`,
				);
			}

			const flags = command.optsWithGlobals();
			const early = !flags.json && terminal().interactive;
			finish(await onScreen(early, async () => (await commands()).monitor(flags, market)));
		});

	program
		.command('watch')
		.description('hands-free: needs no keyboard; without a terminal it prints lines')
		.argument('[MARKET...]')
		.option('--period <PERIOD>', 'of the candles: minutes, or 15m, 1h, 1d (default: 1h)')
		.option('--interval <SECONDS>', 'between polls, and between lines (default: as the monitor; lines: 5)', seconds)
		.option('--rotate <SECONDS>', 'on a terminal: markets that do not fit take turns (default: 10)', rotation)
		.option('--once', 'print one line for each market, then exit')
		.option('--for <DURATION>', 'end after this time: 90s, 10m, 2h, 1d, or seconds', duration)
		.option('--until <CONDITION>', 'end when it is met, with status 0; with 124 when --for is over first')
		.addHelpText('after', watchHelp)
		.action(async (markets: string[], _, command: Command) => {
			const flags = command.optsWithGlobals();
			const early = !flags.json && !flags.once && terminal().screen;
			finish(await onScreen(early, async () => (await commands()).watch(flags, markets)));
		});

	const addRead = (name: string, description: string, ...lines: readonly string[]) =>
		program
			.command(name)
			.description(description)
			.addHelpText('after', examples(...lines));
	const perform = async (command: Command, request: (options: Options) => ReadRequest) =>
		finish(await (await commands()).read(command.optsWithGlobals(), request));

	addRead('info', 'the exchange and what it can do', 'tapewatch info').action((_, command: Command) =>
		perform(command, () => ({read: 'info'})),
	);

	addRead(
		'markets',
		'the list of markets',
		'tapewatch markets',
		'tapewatch markets --json | jq .markets[].symbol',
	).action((_, command: Command) => perform(command, () => ({read: 'markets'})));

	addRead(
		'ticker',
		'24 h summary of some or all markets',
		'tapewatch ticker',
		'tapewatch ticker BTCUSDT ETH/USDT --json',
	)
		.argument('[MARKET...]')
		.action((markets: string[], _, command: Command) => perform(command, () => ({read: 'ticker', markets})));

	addRead(
		'depth',
		'the order book of a market',
		'tapewatch depth BTCUSDT',
		'tapewatch depth BTCUSDT --interface legacy',
	)
		.argument('<MARKET>')
		.action((market: string, _, command: Command) => perform(command, () => ({read: 'depth', market})));

	addRead('trades', 'recent trades of a market', 'tapewatch trades BTCUSDT --limit 20')
		.argument('<MARKET>')
		.option('--limit <N>', "1 to 1000 trades (default: the exchange's)", wholeNumber(1, 1000))
		.action((market: string, {limit}: {limit?: number}, command: Command) =>
			perform(command, () => ({read: 'trades', market, limit})),
		);

	addRead(
		'candles',
		'candles of a market',
		'tapewatch candles BTCUSDT --period 1d --limit 30',
		'tapewatch candles BTCUSDT --from 2026-11-20 --to 2026-11-20T12:00',
	)
		.argument('<MARKET>')
		.option('--period <PERIOD>', 'minutes, or 15m, 1h, 1d (default: 1h)')
		.option('--limit <N>', "1 to 1000 candles (default: the exchange's, 500)", wholeNumber(1, 1000))
		.option('--from <TIME>', 'earliest start, UTC', time)
		.option('--to <TIME>', 'latest start, UTC', time)
		.action((market: string, range: {limit?: number; from?: number; to?: number}, command: Command) => {
			const {limit, from, to} = range;
			if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from is later than --to');
			return perform(command, ({period = 60}) => ({read: 'candles', market, period, limit, from, to}));
		});

	program
		.command('doctor')
		.description('look an exchange over before you rely on it')
		.argument('[MARKET]', "to ask about (default: the exchange's BTC/USDT, else its first active one)")
		.option('--samples <N>', 'looks at each operation (default: 5)', wholeNumber(1, 100))
		.addHelpText('after', doctorHelp)
		.action(async (market: string | undefined, _, command: Command) =>
			finish(await (await commands()).doctor(command.optsWithGlobals(), market)),
		);

	program
		.command('demo')
		.description('serve the embedded demo exchange on loopback, for other programs')
		.option('--port <N>', 'default: a free one', wholeNumber(0, 65_535))
		.option('--seed <N>', 'of its randomness (default: 1)', wholeNumber(0, 2 ** 32 - 1))
		.option('--v2-bids', 'bids in the v2 book too')
		.option('--rate-limit <N>', 'requests a second, 429 above', wholeNumber(1, 1_000_000))
		.option('--fault <FAULT>', 'misbehave, see below; can be repeated', faultRules)
		.addHelpText('after', demoHelp)
		.action(async (_, command: Command) => finish(await (await commands()).demo(command.optsWithGlobals())));

	return program;
}

/** What stands where a command stands and is spelled almost like one is no market. Throws a `UsageError`. */
function refuseMistyped(word: string, known: readonly Command[]): void {
	const meant = known.map(command => command.name()).find(name => editDistance(word, name) === 1);
	if (meant !== undefined) throw new UsageError(`unknown command ${word}, did you mean ${meant}?`);
}

const commands = () => import('./commands.ts');

/** Runs a command of the whole screen; `early`: takes the terminal before the command is even loaded. */
async function onScreen(early: boolean, command: () => Promise<number>): Promise<number> {
	if (early) showStart();
	else leaveScreen();
	return command().finally(leaveScreen);
}

/** Commander's message as one line of ours, where it can be read. */
function refuse(text: string, write: (line: string) => void): void {
	leaveScreen();
	write(usageLine(text));
}

function usageLine(text: string): string {
	const message = text
		.trim()
		.replace(/^error: /, '')
		.replace(/\s*\n\(Did you mean (.*)\?\)$/, ', did you mean $1?');
	return `tapewatch: ${message.replace(/\s+/g, ' ')} (tapewatch --help lists what there is)\n`;
}
