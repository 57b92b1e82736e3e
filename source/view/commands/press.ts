import {keyHintOf, promptKeys, withStrayKey} from '../keys.ts';
import {edited, isLeftOut, mostCharacters} from '../text-edit.ts';
import {type CommandLine, isTyping, type UiState} from '../ui-state.ts';
import {pressInFill} from './book-commands.ts';
import {pressInChart} from './chart-commands.ts';
import {type Command, type Control, noted, onceRelisted, whyNot} from './command.ts';
import {pressInHelp} from './help-commands.ts';
import {pressInFilter} from './markets-commands.ts';
import {commandFor, commandsIn, commandsOver} from './table.ts';
import {candidates, runLine} from './typed-command.ts';
import {vocabularyOf} from './vocabulary.ts';

/** Handles one key, named as by `keyNames`: as text while a prompt is open, else as a command. */
export function press(key: string, control: Control): void {
	const state = control.ui.getSnapshot();
	const {command, overlay, focus} = state;
	forgetNotice(control.ui);
	if (command && pressInLine(key, command, control)) return;
	const ofPanels = overlay ? [] : [pressInFilter, pressInFill, pressInChart];
	const prompts = overlay === 'help' ? [pressInHelp] : ofPanels;
	if (prompts.some(takes => takes(key, control))) return;
	const chosen = commandFor(key, focus, commandsIn(state, control.commands));
	if (chosen) {
		if (state.stray.shown) control.ui.update(({stray: {keys}, ...rest}) => ({...rest, stray: {keys}}));
		runOrSayWhyNot(chosen, control);
	} else if (!command && !isTyping(state)) mentionStray(key, control);
}

/** Says, the first time, that a key does nothing here, and what helps. */
function mentionStray(key: string, {ui, commands, ascii, now}: Control): void {
	const {overlay, focus} = ui.getSnapshot();
	const keyHint = keyHintOf(commands, ascii);
	const owners = commands.filter(({keys, withheld}) => keys.includes(key) && withheld === undefined);
	const isCovered = overlay !== undefined && commandFor(key, focus, commandsOver(undefined, owners)) !== undefined;
	const panels = owners.flatMap(({panel}) => panel ?? []);
	const places = new Set(panels.length > 0 ? panels : owners.map(command => command.overlay));
	const advice = isCovered
		? keyHint('closes this', 'back')
		: places.size > 0
			? `it acts in ${[...places].join(', ')}`
			: keyHint('lists all keys', 'help');
	ui.update(state => ({...state, stray: withStrayKey(state.stray, key, {advice, ascii, now})}));
}

/** Runs a command of the table as its keys do. */
export function runByName(name: string, control: Control): void {
	const chosen = control.commands.find(command => command.name === name);
	if (chosen) runOrSayWhyNot(chosen, control);
}

/** Puts pasted text into the prompt that is open; without one it does nothing. A blank stands for line breaks and the like. */
export function paste(text: string, control: Control): void {
	const state = control.ui.getSnapshot();
	forgetNotice(control.ui);
	if (!state.command && !isTyping(state)) return;
	for (const character of text
		.slice(0, mostCharacters + 1)
		.replace(/\p{Cc}+/gu, ' ')
		.trim()) {
		press(character === ' ' ? 'space' : character, control);
	}
}

/** Says why no key acts while the end of a paste is awaited. */
export function sayUnfinished({ui, commands}: Control): void {
	const why = `paste not finished; ${keyHintOf(commands, false)('quits', 'interrupt')}`;
	ui.update(state => ({...state, notice: why, command: state.command && {...state.command, fault: why}}));
}

/** Runs a command. Where that changes nothing, the status line says why. */
function runOrSayWhyNot(command: Command, control: Control): void {
	const {run, atEnd} = command;
	const {store, ui} = control;
	const [before, data] = [ui.getSnapshot(), store.getSnapshot()];
	const why = whyNot(command, before, control);
	if (why !== undefined) return noted(why, control);
	run?.(control);
	if (atEnd === undefined || store.getSnapshot() !== data) return;
	if (textOf(ui.getSnapshot()) === textOf(before)) noted(atEnd, control);
}

/** The state as a text to compare. Absent and undefined fields are the same. */
const textOf = (state: UiState): string =>
	JSON.stringify(state, (_, value: unknown) => (value instanceof Set || value instanceof Map ? [...value] : value));

/** Takes back what the status line says until something is pressed. */
export function forgetNotice(ui: Control['ui']): void {
	const {notice, isFirst} = ui.getSnapshot();
	if (notice !== undefined || isFirst) ui.update(state => ({...state, notice: undefined, isFirst: undefined}));
}

const tooLong = `more than ${mostCharacters} characters; the rest is left out`;

/** Handles a key while the command line is open. False: it acts as a command. */
function pressInLine(key: string, line: CommandLine, control: Control): boolean {
	const {store, ui, layout, commands} = control;
	const put = (next: CommandLine | undefined) => {
		const command = next && {...next, ...(line.replaces !== undefined && {replaces: line.replaces})};
		ui.update(state => ({...state, command}));
	};
	switch (key) {
		case promptKeys.cancel:
			put(undefined);
			return true;
		case promptKeys.accept:
			// What is left may mean something else.
			if (line.fault !== tooLong) enterLine(line, control);
			return true;
		case promptKeys.complete:
		case promptKeys.completeBack: {
			const by = key === promptKeys.complete ? 1 : -1;
			const vocabulary = vocabularyOf(store.getSnapshot(), ui.getSnapshot(), layout);
			put(completed(line, by, text => candidates(text, vocabulary, commands)));
			return true;
		}

		case promptKeys.recallOlder:
		case promptKeys.recallNewer:
			put(recalled(line, key === promptKeys.recallOlder ? 1 : -1, ui.getSnapshot().commandsEntered));
			return true;
		default: {
			const next = edited(line, key);
			if (isLeftOut(line.text, key)) put({...line, fault: tooLong});
			else if (next) put(key === 'backspace' && line.text === '' ? undefined : next);
			// Other keys do nothing: as commands they would surprise a user who is typing.
			return next !== undefined || !key.startsWith('ctrl+');
		}
	}
}

const mostEntered = 100;

const relisting = 'reading the market list again';

/** Runs the line and closes it; a faulty line stays open with its error. A market that is not listed is looked up in a new list once. */
function enterLine({text, replaces}: CommandLine, control: Control, mayRelist = true): void {
	const {ui} = control;
	// Closed first, as a command may open something else.
	ui.update(state => {
		const others = state.commandsEntered.filter(each => each !== text);
		const commandsEntered = text.trim() === '' ? others : [...others, text].slice(-mostEntered);
		return {...state, command: undefined, commandsEntered};
	});
	const wrong = runLine(text, {...control, replaces});
	if (wrong === undefined) return;
	const {fault: known, at, isUnlisted} = typeof wrong === 'string' ? {fault: wrong, at: text.length} : wrong;
	const again = () => {
		const line = ui.getSnapshot().command;
		if (line?.fault === relisting && line.text === text) enterLine(line, control, false);
	};
	const isPending = mayRelist && isUnlisted === true && onceRelisted(control, again);
	const fault = isPending ? relisting : known;
	const after = at < text.length && {after: text.slice(at)};
	ui.update(state => ({...state, command: {text, ...after, fault, ...(replaces !== undefined && {replaces})}}));
}

/** Recalls the next older or newer entered line that begins with the typed text; after the newest comes that text itself. */
function recalled(line: CommandLine, by: 1 | -1, entered: readonly string[]): CommandLine {
	const from = line.recalled?.from ?? line.text;
	const lines = entered.filter(each => each.startsWith(from)).toReversed();
	const index = (line.recalled?.index ?? -1) + by;
	const text = lines[index];
	if (text !== undefined) return {text, recalled: {from, index}};
	return index < 0 ? {text: from} : line;
}

/** Completes the text before the cursor to the next candidate, wrapping around. */
function completed(line: CommandLine, by: 1 | -1, candidatesFor: (text: string) => readonly string[]): CommandLine {
	const {after = ''} = line;
	const from = line.completing?.from ?? line.text.slice(0, line.text.length - after.length);
	const all = candidatesFor(from);
	const last = line.completing?.index ?? (by > 0 ? -1 : 0);
	const index = (last + by + all.length) % all.length;
	const text = all[index];
	if (text === undefined) return line;
	// One blank is enough between two words.
	const joined = text + (text.endsWith(' ') ? after.trimStart() : after);
	return {
		text: joined,
		...(after !== '' && {after: joined.slice(text.length)}),
		completing: all.length > 1 ? {from, index} : undefined,
	};
}
