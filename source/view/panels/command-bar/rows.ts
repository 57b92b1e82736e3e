import {textWidth, truncate} from '../../../format/cells.ts';
import type {ReplayStatus} from '../../../recording/replay-controls.ts';
import {type Command, typedHelp, type Vocabulary} from '../../commands/command.ts';
import {candidates, commandIn} from '../../commands/typed-command.ts';
import {keyLabel, promptKeys} from '../../keys.ts';
import {fitLine, type Line, lineWidth, type Span} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {charactersOf, endOf, faultTexts} from '../../text-edit.ts';
import type {CommandLine} from '../../ui-state.ts';
import {replayMark} from '../status/replay-rows.ts';

export type CommandRowsInput = {
	readonly line: CommandLine;
	readonly vocabulary: Vocabulary;
	/** Default: all. */
	readonly commands?: readonly Command[] | undefined;
	readonly columns: number;
	/** 2: completions are shown below the line, else beside it. */
	readonly rows: 1 | 2;
	readonly ascii: boolean;
};

/** The rows of the command line, in a replay with its mark, as what is typed hides the status line. Exactly `rows`. */
export function commandBarRows({
	replay,
	...input
}: CommandRowsInput & {readonly replay?: ReplayStatus | undefined}): readonly Line[] {
	if (!replay) return commandRows(input);
	const mark = replayMark(replay);
	const [first = [], ...others] = commandRows({...input, columns: Math.max(input.columns - lineWidth(mark), 1)});
	return [[...mark, ...first], ...others.map((line): Line => [{text: ' '.repeat(lineWidth(mark))}, ...line])];
}

/** The typed line, what it does or what is wrong with it, and its completions. Exactly `rows`. */
export function commandRows({line, vocabulary, commands, columns, rows, ascii}: CommandRowsInput): readonly Line[] {
	const {text, after = '', fault, completing} = line;
	const command = commandIn(text, commands);
	if (fault !== undefined && after !== '') return placedFault(line, fault, {columns, rows}, ascii);
	const wrong = fault === undefined ? '' : faultText(fault, columns - leastTyped, ascii);
	const typed = typedLine(line, columns - textWidth(wrong), ascii);
	const note: Line = wrong ? [{text: wrong, tone: 'error'}] : meaning(line, command, columns - lineWidth(typed));
	const from = completing?.from ?? text.slice(0, text.length - after.length);
	const found = candidates(from, vocabulary, commands);
	// Only what follows the words before is new.
	const wordsBefore = from.trimStart().split(/\s+/).length - 1;
	const words = found.map(each => each.trimEnd().split(/\s+/).slice(wordsBefore).join(' '));
	const offered = offer(words, completing?.index);
	if (rows === 2) return [fitLine([...typed, ...note], columns), fitLine(offered(columns), columns)];
	const room = columns - lineWidth(typed) - 1;
	const takes = expected(line, command, words, room);
	if (wrong) return [fitLine([...typed, ...note], columns)];
	return [fitLine([...typed, {text: ' '}, ...takes, ...offered(room - lineWidth(takes))], columns)];
}

/** Cells of the typed line that a fault leaves. */
const leastTyped = 10;

/** What is wrong, in the longest form that fits, else cut. */
function faultText(fault: string, columns: number, ascii: boolean): string {
	const texts = faultTexts(fault).map(text => `  ${text}`);
	return firstFitting(texts, columns) || truncate(texts.at(-1) ?? '', columns, ascii);
}

const wrongWord = /^[^\s()<>=!,+*]*/;
/** Cells of a wrong word that are shown beside what is wrong with it. */
const mostWrong = 12;

/** The typed line with the word at the cursor marked, and what is wrong with it: below, beside a caret, if there is room. */
function placedFault(
	{text, after = ''}: CommandLine,
	fault: string,
	{columns, rows}: Pick<CommandRowsInput, 'columns' | 'rows'>,
	ascii: boolean,
): readonly Line[] {
	const before = text.slice(0, text.length - after.length);
	const word = wrongWord.exec(after)?.[0] || charactersOf(after).slice(0, 1).join('');
	const typed = (word: string, rest: string, room: number): Line => [
		colon,
		{text: endOf(before, Math.max(room - textWidth(colon.text + word + rest), 0), ascii), tone: 'strong'},
		{text: word, tone: 'error', inverse: true},
		{text: rest, tone: 'strong'},
	];
	if (rows === 2) {
		const shown = typed(word, '', columns - 1);
		const rest = truncate(after.slice(word.length), columns - lineWidth(shown), ascii);
		const caret = lineWidth(shown) - textWidth(word);
		return [
			fitLine([...shown, {text: rest, tone: 'strong'}], columns),
			fitLine([{text: besideCaret(fault, caret, columns, ascii), tone: 'error'}], columns),
		];
	}

	const wrong = faultText(fault, columns - leastTyped, ascii);
	const room = columns - textWidth(wrong);
	const whole = typed(word, after.slice(word.length), Infinity);
	if (lineWidth(whole) <= room) return [fitLine([...whole, {text: wrong, tone: 'error'}], columns)];
	const short = truncate(word, Math.min(mostWrong, room - 4), ascii);
	const rest = after === word || short !== word ? '' : marksFor(ascii).ellipsis;
	return [fitLine([...typed(short, rest, room), {text: wrong, tone: 'error'}], columns)];
}

/** A caret in the column, with what is wrong on the side that has room for it, or without the caret. */
function besideCaret(fault: string, column: number, columns: number, ascii: boolean): string {
	for (const text of faultTexts(fault)) {
		const width = textWidth(text);
		if (column + 2 + width <= columns) return `${' '.repeat(column)}^ ${text}`;
		if (width + 2 <= column) return `${' '.repeat(column - width - 1)}${text} ^`;
	}

	return faultText(fault, columns, ascii);
}

const colon: Span = {text: ' :', tone: 'accent'};

/** The text with its cursor: a bar at the end, else the character under it inverse. Of a long text, the part around the cursor. */
function typedLine({text, after = ''}: CommandLine, columns: number, ascii: boolean): Line {
	const [under = ''] = charactersOf(after);
	const cursor: Span = under ? {text: under, tone: 'strong', inverse: true} : {text: ascii ? '_' : '▏', tone: 'accent'};
	const room = Math.max(columns - lineWidth([colon, cursor]), 0);
	const before = text.slice(0, text.length - after.length);
	const shown = endOf(before, room, ascii);
	return [colon, {text: shown, tone: 'strong'}, cursor, {text: after.slice(under.length), tone: 'strong'}];
}

const {complete, recallOlder, cancel} = promptKeys;
/** The keys of an empty line. */
const lineKeys = `${keyLabel(complete)} completes, ${keyLabel(recallOlder, true)} recalls, ${keyLabel(cancel)} closes`;

/** What the command does, and what it takes unless its help says so or there is no room; of an empty line, its keys. */
function meaning({text, replaces}: CommandLine, command: Command | undefined, columns: number): Line {
	const {help: ofCommand = '', argument} = command ?? {};
	const ofArgument = /\S\s/.test(text) ? argument?.help : undefined;
	const ofLine = text === '' ? lineKeys : (ofArgument ?? ofCommand);
	const help = ofArgument && replaces !== undefined ? 'change this alert' : ofLine;
	const shown = firstFitting([`   ${typedHelp({help, argument})}`], columns) || `   ${help}`;
	return help === '' ? [] : [{text: shown, tone: 'muted'}];
}

/** What the argument takes, once the command's name is complete and unless the offered words say it or there is no room. */
function expected({text}: CommandLine, command: Command | undefined, words: readonly string[], columns: number): Line {
	const takes = /^\s*\S+\s+$/.test(text) ? (command?.argument?.takes ?? '') : '';
	const isOffered = words.length > 0 && words.every(word => takes.includes(word));
	const shown = isOffered ? '' : firstFitting([` ${takes} `], columns);
	return takes === '' || shown === '' ? [] : [{text: shown, tone: 'muted'}];
}

/** As many candidates as fit uncut, including the chosen one. */
function offer(words: readonly string[], chosen: number | undefined): (columns: number) => Line {
	return columns => {
		let first = 0;
		const width = (from: number, to: number) =>
			words.slice(from, to).reduce((sum, word) => sum + textWidth(word) + 2, 0);
		while (chosen !== undefined && first < chosen && width(first, chosen + 1) > columns) first++;
		const spans: Span[] = [];
		for (const [index, word] of words.entries()) {
			if (index < first) continue;
			if (width(first, index + 1) > columns) break;
			spans.push({text: ' '}, {text: word, tone: 'accent', inverse: index === chosen}, {text: ' '});
		}

		return spans;
	};
}
