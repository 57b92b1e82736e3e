import type {Argument, Command, Option} from 'commander';
import {exitStatus} from '../exit.ts';
import {print} from '../output.ts';
import {version} from '../recordings.ts';
import type {Finish} from './common.ts';

/** Defines the hidden command that prints the manual page; the build keeps its output as `tapewatch.1`. */
export function addManual(program: Command, finish: Finish): void {
	program.command('manual', {hidden: true}).action(async () => {
		const {commands} = await import('../../view/commands/table.ts');
		const {joinedKeys} = await import('../../view/keys.ts');
		const keys = commands
			.filter(({help, keys}) => help !== undefined && keys.length > 0)
			.map(({keys, help = ''}) => ({keys: joinedKeys(keys, true), help}));
		await print(manual(program, keys));
		finish(exitStatus.done);
	});
}

/** Of the version, not of the build: the same source makes the same page. */
const date = 'November 24, 2026';

type Key = {readonly keys: string; readonly help: string};

/** The manual page in mdoc, from the commands and options that the help lists. */
function manual(program: Command, keys: readonly Key[]): string {
	const help = program.createHelp();
	const commands = help.visibleCommands(program).filter(command => command.name() !== 'help');
	return `${[
		`.Dd ${date}`,
		'.Dt TAPEWATCH 1',
		'.Os',
		'.Sh NAME',
		'.Nm tapewatch',
		'.Nd live market monitor for the terminal',
		'.Sh SYNOPSIS',
		'.Nm',
		'.Op Ar MARKET',
		'.Op Ar options',
		'.Nm',
		'.Ar COMMAND',
		'.Op Ar options',
		'.Sh DESCRIPTION',
		text(program.description()),
		'.Pp',
		text('Without a configured exchange, Tapewatch uses its embedded demo exchange and marks everything DEMO.'),
		'.Sh COMMANDS',
		'Each command also takes those of the options under',
		'.Sx OPTIONS',
		'that have an effect on it;',
		'.Nm',
		'.Ar COMMAND',
		'.Fl Fl help',
		'lists them.',
		'.Bl -tag -width Ds',
		...commands.flatMap(command => [
			`.It Cm ${[command.name(), ...command.registeredArguments.map(usage)].map(word).join(' ')}`,
			text(`${command.description()}.`),
			...list(command.options),
		]),
		'.El',
		'.Sh OPTIONS',
		...list(help.visibleOptions(program)),
		'.Sh KEYS',
		'Keys of the monitor:',
		'.Bl -tag -width Ds',
		...keys.flatMap(({keys, help: line}) => [`.It ${word(keys)}`, text(line)]),
		'.El',
		'.Sh ENVIRONMENT',
		text('Every option that is a setting has a variable: --base-url is TAPEWATCH_BASE_URL.'),
		text('HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NO_COLOR and FORCE_COLOR are honoured, too.'),
		'.Sh FILES',
		'.Bl -tag -width Ds',
		'.It Pa $XDG_CONFIG_HOME/tapewatch/config.toml',
		text('Settings by the names of the options, exchanges, keys and alert rules (default folder: ~/.config).'),
		'.It Pa $XDG_CACHE_HOME/tapewatch',
		text('Markets for completion, kept for 10 minutes, and compiled code (default folder: ~/.cache).'),
		'.El',
		'.Sh EXIT STATUS',
		'.Bl -tag -width Ds',
		...[
			['0', 'Done.'],
			['1', 'The exchange or the network failed.'],
			['2', 'The command line or the configuration is wrong.'],
			['3', 'doctor found warnings.'],
			['124', 'watch: --for ran out before the condition was met.'],
			['128 + n', 'Ended by signal n.'],
		].flatMap(([status = '', meaning = '']) => [`.It ${status}`, text(meaning)]),
		'.El',
		'.Sh EXAMPLES',
		'.Dl tapewatch BTCUSDT --base-url https://api.example.com',
		'.Dl tapewatch watch BTC/USDT ETH/USDT | tee prices.log',
		'.Dl tapewatch ticker BTCUSDT --json --exchange mine',
		'.Sh SEE ALSO',
		text(
			`This is the manual of Tapewatch ${version}. tapewatch COMMAND --help has more on each command, with examples.`,
		),
	].join('\n')}\n`;
}

function list(options: readonly Option[]): readonly string[] {
	const shown = options.filter(({hidden}) => !hidden);
	if (shown.length === 0) return [];
	const items = shown.flatMap(({flags, description}) => [`.It ${word(flags)}`, text(description)]);
	return ['.Bl -tag -width Ds', ...items, '.El'];
}

const usage = (argument: Argument): string => {
	const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
	return argument.required ? name : `[${name}]`;
};

/** What roff takes for itself is escaped; beyond ASCII, by number. */
const escaped = (line: string): string =>
	line
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(
			/[^\x00-\x7f]/gu,
			letter => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
		);

/** In a macro's line, where words of two letters and punctuation have a meaning of their own. */
const word = (line: string): string =>
	escaped(line)
		.replaceAll('"', '\\(dq')
		.split(' ')
		.map(each => `\\&${each}`)
		.join(' ');

/** Lines of text. A sentence ends where a line does, and a line that began with a dot or a quote would be a macro. */
const text = (paragraph: string): string =>
	escaped(paragraph)
		.replace(/([.!?]) (?=[A-Z])/g, '$1\n')
		.replace(/(?=.{79})(.{1,78}) /g, '$1\n')
		.replace(/^(?=[.'])/gm, '\\&');
