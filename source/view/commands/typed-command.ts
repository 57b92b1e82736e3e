import {memo} from '../../market/memo.ts';
import {keyLabel, promptKeys} from '../keys.ts';
import {paletteNames, themeNames} from '../theme/names.ts';
import type {LookChanges} from '../theme/theme.ts';
import type {CommandLine} from '../ui-state.ts';
import {
	type Command,
	type Control,
	keyGroups,
	type Mistake,
	nameAndRest,
	noted,
	unclearPrefix,
	type Vocabulary,
	whyNotInReplay,
	wordMeant,
} from './command.ts';
import {commands as delivered, suggestion} from './table.ts';

/** The commands that can be typed, in alphabetical order. */
const typable = memo((commands: readonly Command[]): readonly Command[] =>
	keyGroups(commands)
		.flatMap(({first, all}) => all.map(command => ({...command, help: first.help})))
		.filter(({keysOnly}) => !keysOnly)
		.sort((a, b) => (a.name < b.name ? -1 : 1)),
);

/** Names that users know from other programs and from earlier versions. */
const aliases: ReadonlyMap<string, string> = new Map([
	...['q', 'q!', 'qa', 'qa!', 'wq', 'wq!', 'wqa', 'x', 'x!', 'xa', 'exit'].map(name => [name, 'quit'] as const),
	...[['h', 'help'] as const, ['min-size', 'min'] as const],
]);

/** What saves in other programs. */
const saves: ReadonlySet<string> = new Set(['w', 'w!', 'wa', 'wa!', 'write']);

/** The command that `text` begins with, by its name or an unambiguous prefix of it. `commands`: those that there are. */
export function commandIn(text: string, commands = delivered): Command | undefined {
	const {name} = nameAndRest(text);
	const all = typable(commands);
	const meant = aliases.get(name) ?? wordMeant(namesOf(all), name);
	return all.find(command => command.name === meant);
}

const namesOf = (commands: readonly Command[]): readonly string[] => commands.map(({name}) => name);

/** Completions of the whole line, the likeliest first. */
export function candidates(text: string, vocabulary: Vocabulary, commands = delivered): readonly string[] {
	const {name, rest: argument} = nameAndRest(text);
	if (argument === undefined) {
		const all = typable(commands);
		const begin = all.filter(command => command.name.startsWith(name));
		const contain = all.filter(command => !begin.includes(command) && command.name.includes(name));
		return [...begin, ...contain].map(command => (command.argument ? `${command.name} ` : command.name));
	}

	const command = commandIn(text, commands);
	return (command?.argument?.complete?.(argument, vocabulary) ?? []).map(word => `${command?.name} ${word}`);
}

/** Runs the line. Returns what is wrong with it, and where if that is known; undefined: it ran. */
export function runLine(text: string, control: Control): string | Mistake | undefined {
	const {name, rest: typed = ''} = nameAndRest(text);
	const argument = typed.trimEnd();
	if (!name) return undefined;
	const {commands} = control;
	const command = commandIn(text, commands);
	if (!command) {
		if (saves.has(name)) return void noted(nothingToSave(control), control);
		const unclear = unclearPrefix(name, namesOf(typable(commands)));
		if (unclear !== undefined) return unclear;
		const withheld = commands.find(each => each.withheld !== undefined && each.name.startsWith(name));
		if (withheld) return withheld.withheld;
		return `unknown command ${name}; ${suggestion(name, commands) ?? `${keyLabel(promptKeys.complete)} on an empty line lists all`}`;
	}

	const whyNot = whyNotInReplay(command, control);
	if (whyNot !== undefined) return whyNot;
	if (argument) {
		if (!command.argument) return `${command.name} takes no argument`;
		const fault = command.argument.run(argument, control);
		return typeof fault === 'object' ? {...fault, at: text.length - typed.length + fault.at} : fault;
	}

	if (!command.run) return `${command.name} takes ${command.argument?.takes}`;
	const why = command.unavailable?.(control.ui.getSnapshot(), control);
	if (why === undefined) command.run(control);
	return why;
}

const nothingToSave = ({settings}: Control): string =>
	settings?.isRemembered === false
		? 'nothing to save: this session is not remembered'
		: 'nothing to save: changes are remembered by themselves';

/** The theme or the palette that the line would choose so far, which the screen shows meanwhile. */
export function lookTyped(line: CommandLine | undefined): Pick<LookChanges, 'theme' | 'palette'> {
	const command = line && commandIn(line.text);
	if (!line || !command) return {};
	const {rest: argument = ''} = nameAndRest(line.text);
	const {name = '', rest: word = ''} = command.name === 'set' ? nameAndRest(argument) : {...command, rest: argument};
	const [theme, palette] = [wordMeant(themeNames, word.trimEnd()), wordMeant(paletteNames, word.trimEnd())];
	if (name === 'theme') return {theme};
	return name === 'palette' ? {palette} : {};
}
