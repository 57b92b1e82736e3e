import type {MarketState} from '../../store/state.ts';
import {type Command, type CommandControl, commands} from './commands.ts';
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
export function candidates(text: string, known: Pick<MarketState, 'markets' | 'tickers'>): readonly string[] {
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
	const begin = commands.filter(each => each.name.startsWith(name)).map(each => each.name);
	return begin.length > 0 ? `${name} can be ${begin.join(', ')}` : `there is no command ${name}; Tab lists them`;
}

/** A key while the line is open; false: it is a key as always. */
export function pressInCommand(name: string, line: CommandLine, control: CommandControl): boolean {
	const put = (command: CommandLine | undefined) => control.ui.dispatch({type: 'command', command});
	switch (name) {
		case 'esc':
			put(undefined);
			return true;
		case 'enter': {
			// Closed first: a command may open something else.
			put(undefined);
			const fault = runLine(line.text, control);
			if (fault !== undefined) put({text: line.text, fault});
			return true;
		}

		case 'tab':
		case 'shift+tab':
			put(completed(line, name === 'tab' ? 1 : -1, control.store.getSnapshot()));
			return true;
		case 'backspace':
			put(line.text === '' ? undefined : {text: [...line.text].slice(0, -1).join('')});
			return true;
		case 'space':
			put({text: `${line.text} `});
			return true;
		default:
			if (name.startsWith('ctrl+')) return false;
			if ([...name].length === 1) put({text: line.text + name});
			// Other keys would move what the user is not looking at.
			return true;
	}
}

/** The next candidate in place of the text, round and round. */
function completed(line: CommandLine, by: 1 | -1, known: MarketState): CommandLine {
	const from = line.completing?.from ?? line.text;
	const all = candidates(from, known);
	const last = line.completing?.index ?? (by > 0 ? -1 : 0);
	const index = (last + by + all.length) % all.length;
	const text = all[index];
	return text === undefined ? line : {...emptyCommand, text, completing: all.length > 1 ? {from, index} : undefined};
}
