import {nearestWord} from '../nearest.ts';
import {edited} from '../text-edit.ts';
import {type Command, type CommandControl, commands, type Known} from './commands.ts';
import {type CommandLine, emptyCommand} from './state.ts';

/** What every user of such a line types without a thought. */
const aliases: Readonly<Record<string, string>> = {q: 'quit', 'q!': 'quit', h: 'help'};

function parts(text: string): {readonly name: string; readonly argument: string | undefined} {
	const [, name = '', rest] = /^\s*(\S*)(?:\s+(.*))?$/.exec(text) ?? [];
	return {name: name.toLowerCase(), argument: rest?.trimEnd()};
}

const named = (name: string): Command | undefined => commands.find(command => command.name === (aliases[name] ?? name));

/** The command that `text` begins with: by its name, or by a beginning of it that no other has. */
export function commandIn(text: string): Command | undefined {
	const {name} = parts(text);
	const [only, ...others] = name ? commands.filter(command => command.name.startsWith(name)) : [];
	return named(name) ?? (others.length === 0 ? only : undefined);
}

/** What `text` can become, the likeliest first: whole lines. */
export function candidates(text: string, known: Known): readonly string[] {
	const {name, argument} = parts(text);
	if (argument === undefined) {
		const begin = commands.filter(command => command.name.startsWith(name));
		const contain = commands.filter(command => !command.name.startsWith(name) && command.name.includes(name));
		return [...begin, ...contain].map(command => (command.takes ? `${command.name} ` : command.name));
	}

	const command = commandIn(text);
	return (command?.complete?.(argument, known) ?? []).map(word => `${command?.name} ${word}`);
}

/** Does what the line says; a text: what is wrong with it. */
function runLine(text: string, control: CommandControl): string | undefined {
	const {name, argument = ''} = parts(text);
	if (!name) return undefined;
	const command = commandIn(text);
	if (command) return command.run(argument, control);
	const names = commands.map(each => each.name);
	const begin = names.filter(each => each.startsWith(name));
	if (begin.length > 0) return `${name} can be ${begin.join(', ')}`;
	const nearest = nearestWord(name, names);
	return `there is no command ${name}; ${nearest === undefined ? 'Tab lists them' : `did you mean ${nearest}?`}`;
}

/** A key while the line is open; false: it is a key as always. */
export function pressInCommand(key: string, line: CommandLine, control: CommandControl): boolean {
	const {dispatch, getSnapshot} = control.ui;
	const put = (command: CommandLine | undefined) => dispatch({type: 'command', command});
	switch (key) {
		case 'esc':
			put(undefined);
			return true;
		case 'enter': {
			// Closed first: a command may open something else.
			put(undefined);
			if (line.text.trim() !== '') dispatch({type: 'command-entered', text: line.text});
			const fault = runLine(line.text, control);
			if (fault !== undefined) put({text: line.text, fault});
			return true;
		}

		case 'tab':
		case 'shift+tab': {
			const known = {...control.store.getSnapshot(), lists: getSnapshot().picker.lists};
			put(completed(line, key === 'tab' ? 1 : -1, known));
			return true;
		}

		case 'up':
		case 'down':
			put(recalled(line, key === 'up' ? 1 : -1, getSnapshot().commandsEntered));
			return true;
		default: {
			const next = edited(line, key);
			if (next) put(key === 'backspace' && line.text === '' ? undefined : next);
			// Other keys would move what the user is not looking at.
			return next !== undefined || !key.startsWith('ctrl+');
		}
	}
}

/** The next earlier or later one of the entered lines that begin as the typed text does; after the newest that text itself. */
function recalled(line: CommandLine, by: 1 | -1, entered: readonly string[]): CommandLine {
	const from = line.recalled?.from ?? line.text;
	const lines = entered.filter(each => each.startsWith(from)).toReversed();
	const index = (line.recalled?.index ?? -1) + by;
	const text = lines[index];
	if (text !== undefined) return {text, recalled: {from, index}};
	return index < 0 ? {text: from} : line;
}

/** The next candidate in place of the text, round and round. */
function completed(line: CommandLine, by: 1 | -1, known: Known): CommandLine {
	const from = line.completing?.from ?? line.text;
	const all = candidates(from, known);
	const last = line.completing?.index ?? (by > 0 ? -1 : 0);
	const index = (last + by + all.length) % all.length;
	const text = all[index];
	return text === undefined ? line : {...emptyCommand, text, completing: all.length > 1 ? {from, index} : undefined};
}
