import {Command, CommanderError, Help, Option} from 'commander';
import {nearestWord} from '../../market/symbol.ts';
import {programVersion} from '../../recording/program-version.ts';
import {UsageError} from '../exit.ts';
import {entries, longOf, type OptionEntry} from '../options/option-table.ts';
import {requestedFormat} from '../output.ts';
import {commandMeant, helpOf, isEffective, refuseUnused} from './names.ts';

/** An option of the table, as commander has it. */
export class TableOption extends Option {
	readonly entry: OptionEntry;

	constructor(entry: OptionEntry) {
		super(entry.flag ?? '', entry.help);
		this.entry = entry;
		const {type, key, repeats, listsWords} = entry;
		if (listsWords && type?.words) this.choices(type.words);
		if (entry.isRequired) this.makeOptionMandatory();
		if (entry.shows) this.helpGroup('Display options (accepted by every command):');
		// `readOptions` reads settings, from each of their sources.
		if (!type || key !== undefined) return;
		if (repeats) this.argParser<readonly unknown[]>((text, before) => [...(before ?? []), ...[type(text)].flat()]);
		else this.argParser(type);
	}
}

/** The options of a command, or without its name those of all commands. `isViewers`: that viewers of `serve` can give. */
export const optionsOf = (command: string | undefined, isViewers: boolean): readonly Option[] =>
	entries
		.filter(({flag, commands, viewers}) => {
			const isOfCommand = command === undefined ? !commands : commands?.includes(command);
			return flag !== undefined && isOfCommand && (viewers !== undefined || !isViewers);
		})
		.map(entry => new TableOption(isViewers && entry.viewers !== true ? {...entry, ...entry.viewers} : entry));

/** The program without its commands. */
export function rootCommand(isViewers = false): Command {
	const program: Command = new Command('tapewatch')
		.description("A live market monitor for the terminal that reads a spot exchange's public HTTP interface.")
		.usage('[MARKET] [options]\n       tapewatch COMMAND [options]')
		.version(programVersion, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'print help; for one command: tapewatch COMMAND --help')
		.helpCommand('help [command]', 'print help for a command')
		.configureHelp({
			showGlobalOptions: true,
			// All have options.
			subcommandTerm: command => new Help().subcommandTerm(command).replace(' [options]', ''),
			visibleOptions: command => (command === program ? monitorOptions(program) : optionsWithDisplay(command, program)),
			visibleGlobalOptions: command =>
				command === program ? [] : takenBy(command.name(), program).filter(option => !isDisplay(option)),
		})
		.showSuggestionAfterError(false)
		.exitOverride();
	for (const option of optionsOf(undefined, isViewers)) program.addOption(option);
	return program.hook('preAction', (_, command) => {
		const given = program.options.filter(option => {
			const name = option.attributeName();
			// --color and --no-color share a name.
			return program.getOptionValueSource(name) === 'cli' && option.negate === (program.getOptionValue(name) === false);
		});
		refuseUnused(command.name(), given.flatMap(entryOf));
		const format = requestedFormat({...command.opts(), json: program.getOptionValue('json') === true});
		program.setOptionValue('output', format);
		program.setOptionValue('json', format === 'json' || format === 'ndjson');
	});
}

const entryOf = (option: Option): readonly OptionEntry[] => (option instanceof TableOption ? [option.entry] : []);

const ownOptions = (command: Command): Option[] => Help.prototype.visibleOptions.call(new Help(), command);

const takenBy = (command: string, {options}: Command): Option[] =>
	options.filter(option => entryOf(option).every(entry => isEffective(command, entry)));

const isDisplay = (option: Option): boolean => entryOf(option).some(({shows}) => shows !== undefined);

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
		error.message += ` (see ${helpOf(isDisplayFlag(flag) ? 'tapewatch' : command)})`;
	}

	return error;
}

const isDisplayFlag = (flag: string): boolean => entries.some(entry => entry.shows && longOf(entry) === flag);

/** Commander's message in the words of a `UsageError`. */
function usageText(text: string, command: Command): string {
	const [, flag, problem = ''] =
		/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '.*' is invalid\. (.*)$/s.exec(text) ?? [];
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
