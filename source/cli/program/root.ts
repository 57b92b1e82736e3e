import {Command, CommanderError, Help, type Option} from 'commander';
import {nearestWord} from '../../market/symbol.ts';
import {programVersion} from '../../recording/program-version.ts';
import {themeNames} from '../../view/theme/names.ts';
import {UsageError} from '../exit.ts';
import {commandMeant, helpOf, isEffective, isOfDisplay, refuseUnused} from '../options/arguments.ts';
import {formatAsked} from '../options/formats.ts';
import {below} from './common.ts';

export function rootCommand(): Command {
	const program: Command = new Command('tapewatch')
		.description("A live market monitor for the terminal that reads a spot exchange's public HTTP interface.")
		.usage('[MARKET] [options]\n       tapewatch COMMAND [options]')
		.version(programVersion, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'print help; for one command: tapewatch COMMAND --help')
		.helpCommand('help [command]', 'print help for a command')
		.configureHelp({
			showGlobalOptions: true,
			visibleOptions: command => (command === program ? monitorOptions(program) : optionsWithDisplay(command, program)),
			visibleGlobalOptions: command =>
				command === program ? [] : takenBy(command.name(), program).filter(option => !isDisplay(option)),
		})
		.showSuggestionAfterError(false)
		.exitOverride()
		.option('--base-url <URL>', 'base URL of the v2 interface')
		.option('--legacy-base-url <URL>', 'base URL of the legacy interface')
		.option('--exchange <NAME>', 'an exchange from the config file, or demo for the embedded one')
		.option('--interface <WHICH>', 'auto, v2 or legacy (default: auto)')
		.option('--timeout <MS>', 'time limit of a request, per interface (default: 5000)')
		.option('--rate <N>', 'initial requests per second; Tapewatch finds the actual limit (default: 5)')
		.option('--max-rate <N>', 'maximum requests per second, even if the exchange allows more (default: no limit)')
		.option('--max-body <MB>', 'largest answer to accept (default: 2.1; more for long lists of markets)')
		.option('--json', 'short for --output json')
		.option('--log-file <FILE>', 'log failures and recoveries, as lines of JSON')
		.option('--debug', 'print a stack trace with an error')
		.optionsGroup('Display options (accepted by every command):')
		.option('--color <WHEN>', 'auto, never or always (default: auto)')
		.option('--no-color', 'use no colours')
		.option('--theme <NAME>', `colours of the screen: ${themeNames.join(', ')} (default: auto, from the background)`)
		.option('--palette <NAME>', 'screen colours: classic, swapped or blue-orange (default: classic)')
		.option('--timezone <ZONE>', 'show times in local, UTC or a zone such as Europe/Berlin (default: UTC)')
		.option('--ascii', 'use only ASCII characters')
		.option('--no-mouse', 'leave the mouse to the terminal')
		.option('--no-title', "leave the terminal's title alone")
		.option('--fps <N>', 'maximum screen updates per second, for a slow link (default: no limit)')
		.addHelpText('after', below(mainHelp))
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
			const format = formatAsked({...command.opts(), json: program.getOptionValue('json') === true});
			program.setOptionValue('output', format);
			program.setOptionValue('json', format === 'json' || format === 'ndjson');
		});
	return program;
}

const ownOptions = (command: Command): Option[] => Help.prototype.visibleOptions.call(new Help(), command);

const takenBy = (command: string, {options}: Command): Option[] =>
	options.filter(({long}) => isEffective(command, long ?? ''));

const isDisplay = ({long}: Option): boolean => isOfDisplay(long ?? '');

const optionsWithDisplay = (command: Command, program: Command): Option[] => [
	...ownOptions(command),
	...takenBy(command.name(), program).filter(isDisplay),
];

/** Without a command, the monitor is meant: its options and those of all commands that it takes. */
function monitorOptions(program: Command): Option[] {
	const monitor = program.commands.find(command => command.name() === 'monitor');
	const help = ownOptions(program).filter(option => !program.options.includes(option));
	const [version = [], others = []] = [true, false].map(isVersion =>
		takenBy('monitor', program).filter(({long}) => (long === '--version') === isVersion),
	);
	return [...(monitor?.options ?? []), ...others, ...version, ...help];
}

type LineOutput = {
	/** Of help and the version. */
	print(text: string): Promise<void>;
	/** As wide as help is. Default: the terminal of the program. */
	readonly columns?: number;
};

/** Runs the command that the words name, and prints help or the version. Rejects with what failed: a `UsageError` about wrong words. */
export async function runLine(program: Command, words: readonly string[], output: LineOutput): Promise<void> {
	const {print, columns} = output;
	let [text, refusal] = ['', ''];
	for (const command of [program, ...program.commands]) {
		command.configureOutput({
			writeOut(part) {
				text += part;
			},
			// The help of all commands, where one is named that does not exist.
			writeErr() {},
			outputError(message) {
				refusal = `${usageText(message.trim().replace(/^error: /, ''), command)} (see ${helpOf(command.name())})`;
			},
			...(columns !== undefined && {getOutHelpWidth: () => columns}),
		});
	}

	try {
		await program.parseAsync(words, {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) throw withHelp(error, program);
		if (error.exitCode !== 0) throw new UsageError(refusal || noCommand(program));
		await print(text);
	}
}

function noCommand({args: [, word = ''], commands}: Command): string {
	const meant = commandMeant(
		word,
		commands.map(command => command.name()),
	);
	return `no such command: ${word}${meant === undefined ? '' : `, did you mean ${meant}?`} (see ${helpOf('tapewatch')})`;
}

/** A message about an option, which begins with its name, also names the help of the command that was given. */
function withHelp(error: unknown, {args: [first = ''], commands}: Command): unknown {
	if (error instanceof UsageError && error.message.startsWith('--') && !error.message.includes('(see ')) {
		const command = commands.find(each => each.name() === first)?.name() ?? 'tapewatch';
		// The help of a command lists no option without effect.
		const [flag = ''] = error.message.split(' ');
		error.message += ` (see ${helpOf(isOfDisplay(flag) ? 'tapewatch' : command)})`;
	}

	return error;
}

/** Commander's message in the words of a `UsageError`. */
function usageText(text: string, command: Command): string {
	const [, flag, problem = ''] =
		/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '.*' is invalid\. (.*)$/s.exec(text) ?? [];
	const choices = /^Allowed choices are (.*)\.$/s.exec(problem)?.[1];
	if (flag && choices) return `${flag} must be one of ${choices}`;
	if (flag) return `${flag}${problem.startsWith('must be ') ? '' : ':'} ${problem}`;
	const [, counts] = /^too many arguments for '.*'\. Expected (\d+ arguments? but got \d+: .*)\.$/s.exec(text) ?? [];
	if (counts) return `expected ${counts}`;
	const [, unknown = ''] = /^unknown option '(--[^'=]+)/.exec(text) ?? [];
	const help = command.createHelp();
	const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
	const flags = options.flatMap(({long}) => long ?? []);
	const meant = unknown && nearestWord(unknown, flags);
	return `${text.replace(/\s+/g, ' ')}${meant ? `, did you mean ${meant}?` : ''}`;
}

const variables = [
	'TAPEWATCH_BASE_URL TAPEWATCH_LEGACY_BASE_URL TAPEWATCH_EXCHANGE TAPEWATCH_INTERFACE TAPEWATCH_TIMEOUT TAPEWATCH_RATE',
	'TAPEWATCH_MAX_RATE TAPEWATCH_MAX_BODY TAPEWATCH_MARKET TAPEWATCH_PERIOD TAPEWATCH_COLOR TAPEWATCH_PALETTE',
	'TAPEWATCH_ASCII TAPEWATCH_MOUSE TAPEWATCH_FPS TAPEWATCH_LOG_FILE TAPEWATCH_NOTIFY TAPEWATCH_ON_ALERT',
	'TAPEWATCH_BLIND_AFTER TAPEWATCH_REWIND TAPEWATCH_QUOTE_CURRENCY TAPEWATCH_TIMEZONE TAPEWATCH_THEME TAPEWATCH_TITLE',
	'HTTPS_PROXY HTTP_PROXY NO_PROXY NO_COLOR FORCE_COLOR',
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
