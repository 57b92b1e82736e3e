import type {Argument, Command, Option} from 'commander';
import {programVersion} from '../../recording/program-version.ts';
import {commands as delivered} from '../../view/commands/table.ts';
import {capitalised} from '../../view/keys.ts';
import {keyHelp} from '../../view/panels/help/rows.ts';
import {settingNames, variableName} from '../options/settings.ts';

/** Cells that most keys, and every variable, fit into. */
const keyColumns = 16;
const variableColumns = 25;

/** Of the version, not of the build: the same source makes the same page. */
const date = 'November 24, 2026';

/** The manual page in mdoc, from the commands, options and texts that the help shows. */
export function manual(program: Command): string {
	const help = program.createHelp();
	const commands = help.visibleCommands(program).filter(command => command.name() !== 'help');
	const lines = [
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
		text(
			'Each command also takes those options under OPTIONS that affect it; its --help lists them. Every command accepts all display options, from --color to --fps, so that an alias can have them.',
		),
		...commands.flatMap(command => [
			`.Ss ${[command.name(), ...command.registeredArguments.map(usage)].map(word).join(' ')}`,
			text(`${capitalised(command.description())}.`),
			...optionList(command, command.options),
			...prose(textBelow(command)),
		]),
		'.Sh OPTIONS',
		...optionList(program, program.options),
		'.Sh KEYS',
		...[...Map.groupBy(keyHelp(delivered, true), ({where}) => where)].flatMap(([where, rows]) => [
			`.Ss ${where}`,
			...tagList(
				rows.map(row => [word(row.keys), row.help]),
				keyColumns,
			),
		]),
		'.Sh ENVIRONMENT',
		text('A flag overrides its variable, and a variable overrides the field of the config file.'),
		'.Pp',
		...tagList(
			settingNames.map(name => [`Ev ${variableName(name)}`, asFlag(name, program)]),
			variableColumns,
		),
		'.Pp',
		text('HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NO_COLOR and FORCE_COLOR are honoured, too.'),
		'.Sh FILES',
		...tagList([
			[
				'Pa $XDG_CONFIG_HOME/tapewatch/config.toml',
				'Settings by the names of the options, exchanges, keys and alert rules (default folder: ~/.config).',
			],
			[
				'Pa $XDG_STATE_HOME/tapewatch/state.json',
				'Data that the monitor remembers: favourites, lists, layout and alerts (default folder: ~/.local/state).',
			],
			[
				'Pa $XDG_CACHE_HOME/tapewatch',
				'Markets for completion, kept for 10 minutes, and compiled code (default folder: ~/.cache).',
			],
		]),
		'.Sh EXIT STATUS',
		...tagList([
			['0', 'Done.'],
			['1', 'The exchange or the network failed.'],
			['2', 'The command line or the configuration is wrong.'],
			['3', 'doctor found warnings.'],
			['124', 'watch: the time of --for was over before the condition was met.'],
			['128 + n', 'Ended by signal n; 137 also if a file system hangs at the end.'],
		]),
		'.Sh EXAMPLES',
		...literal([
			'tapewatch BTCUSDT --base-url https://api.example.com',
			'tapewatch watch BTC/USDT ETH/USDT | tee prices.log',
			'tapewatch ticker BTCUSDT --json --exchange mine',
		]),
		'.Sh SEE ALSO',
		text(
			`This is the manual of Tapewatch ${programVersion}. The documents in docs/ of the package explain it by task.`,
		),
	];
	return `${lines.join('\n')}\n`;
}

/** What a setting is as a flag; without one, it is an argument. */
function asFlag(name: string, {options, commands}: Command): string {
	const flags = new Set([...options, ...commands.flatMap(command => command.options)].map(({long}) => long));
	if (flags.has(`--${name}`)) return `as --${name}`;
	return flags.has(`--no-${name}`) ? `if false, as --no-${name}` : `as the argument ${name.toUpperCase()}`;
}

const usage = (argument: Argument): string => {
	const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
	return argument.required ? name : `[${name}]`;
};

/** What the help of a command says below its options. */
function textBelow(command: Command): string {
	const parts: string[] = [];
	command.configureOutput({writeOut: part => void parts.push(part)}).outputHelp();
	return parts.slice(1).join('');
}

function optionList(command: Command, options: readonly Option[]): readonly string[] {
	const help = command.createHelp();
	return tagList(
		options.map(option => [option.flags.split(', ').map(flag).join(' , '), help.optionDescription(option)]),
	);
}

/** `-o` or `--output <FORMAT>`. */
function flag(text: string): string {
	const [name = '', argument] = text.slice(1).split(' ');
	return `Fl ${escaped(name)}${argument === undefined ? '' : ` Ar ${word(argument.replace(/[<>]/g, ''))}`}`;
}

/** Texts as lines of mdoc, the language of manual pages. */

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
		.map(each => `\\&${each.replace(/[\])}.,:;!?]$/, '$&\\&')}`)
		.join(' ');

/** Lines of text. A sentence ends where a line does, and a line that began with a dot or a quote would be a macro. */
const text = (paragraph: string): string =>
	escaped(paragraph)
		.replace(/([.!?]) (?=[A-Z])/g, '$1\n')
		.replace(/(?=.{79})(.{1,78}) /g, '$1\n')
		.replace(/^(?=[.'])/gm, '\\&');

/** Tags, as mdoc, with a text each; with a width in characters, without blank lines and with most texts beside their tags. */
function tagList(items: ReadonlyArray<readonly [tag: string, text: string]>, width?: number): readonly string[] {
	if (items.length === 0) return [];
	const form = width === undefined ? '-width Ds' : `-width ${width}n -compact`;
	return [`.Bl -tag ${form}`, ...items.flatMap(([tag, line]) => [`.It ${tag}`, text(line)]), '.El'];
}

/** Lines that stay as they are. */
const literal = (lines: readonly string[]): readonly string[] => [
	'.Bd -literal -offset indent',
	...lines.map(line => escaped(line).replace(/^(?=[.'])/, '\\&')),
	'.Ed',
];

/** A row of a list: `  bash   echo 'source <(tapewatch completion bash)'`. */
const row = /^ {2,4}(\S.*?) {2,}(\S.*)$/;

/**
 * Paragraphs with blank lines between them. Indented lines are a list, if the first has two columns, of which deeper lines
 * continue the text; else they stay as they are.
 */
function prose(paragraphs: string): readonly string[] {
	const runs = paragraphs.trim().match(/(?:^ .*\n?)+|(?:^[^ \n].*\n?)+/gm) ?? [];
	return runs.flatMap(run => {
		const lines = run.trimEnd().split('\n');
		if (!run.startsWith(' ')) return ['.Pp', text(lines.join(' '))];
		return row.test(lines[0] ?? '') ? tagList(rowsOf(lines)) : literal(lines.map(unindented));
	});
}

const unindented = (line: string): string => line.replace(/^ {2}/, '');

function rowsOf(lines: readonly string[]): ReadonlyArray<readonly [tag: string, text: string]> {
	const rows: [string, string][] = [];
	for (const line of lines) {
		const [, tag, begin = ''] = row.exec(line) ?? [];
		const last = rows.at(-1);
		if (tag !== undefined) rows.push([word(tag), begin]);
		else if (last && line.startsWith('     ')) last[1] = `${last[1]} ${line.trim()}`.trimStart();
		else rows.push([word(line.trim()), '']);
	}

	return rows.map(([tag, line]) => [tag, line.replace(/ {2,}/g, ' ')]);
}
