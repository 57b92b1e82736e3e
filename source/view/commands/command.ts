import type {Alerts} from '../../alerts/alerts.ts';
import type {Exchange} from '../../client/exchange.ts';
import type {Place, Size} from '../../format/cells.ts';
import type {RecordingControls, ReplayControls} from '../../recording/replay-controls.ts';
import type {Comparison} from '../../store/comparison.ts';
import type {DiagnosisStore} from '../../store/diagnosis.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import type {SharingPanel} from '../arrangement.ts';
import {joinedKeys, keyLabel} from '../keys.ts';
import type {LayoutName, Overlay, PanelName} from '../layout.ts';
import type {SettingsStart} from '../panels/settings/model.ts';
import type {RangeFitter} from '../plot/price-scale.ts';
import type {UiState, UiStore} from '../ui-state.ts';

/** What a monitor is given, and its commands with it. */
export type Session = {
	readonly ui: UiStore;
	/** Latency, errors and rate of the exchange's operations. */
	readonly diagnosis: DiagnosisStore;
	readonly alerts: Alerts;
	readonly exchange: Pick<Exchange, 'interfaces'>;
	/** How the view began, for the list of settings. Default: as delivered. */
	readonly settings?: SettingsStart | undefined;
	/** Returns to the screen that opened this one; absent: none did. */
	readonly leave?: (() => void) | undefined;
	/** Sends text to the clipboard of the terminal; false: it is too long. Absent: there is no terminal. */
	copy?: ((text: string) => boolean) | undefined;
	/** Ends the program with this exit status. */
	quit(status: number): void;
	suspend(): void;
	/** Draws the whole screen again. */
	redraw(): void;
};

/** What a command can act on. */
export type Control = Session & {
	readonly store: MarketStore;
	readonly comparison: Pick<Comparison, 'refresh' | 'getSnapshot'>;
	/** Moves through recorded time; absent: nothing is recorded. */
	readonly replay?: ReplayControls | undefined;
	/** Records what is polled; absent: this screen is not recorded. */
	readonly recording?: RecordingControls | undefined;
	/** The alert that the entered command line is to replace, by its id; absent: none. */
	readonly replaces?: string | undefined;
	/** All commands, with the keys of the config file. */
	readonly commands: readonly Command[];
	readonly layout: LayoutName;
	/** The size of the terminal. */
	readonly size: Size;
	/** The size of one page: the inside of the open overlay or, without one, of the focused panel. */
	readonly page: Size;
	/** The size of the chart's panel with its border; 0×0 if it is not on screen. */
	readonly chartSize: Size;
	/** Keeps the range of the chart's prices as it is drawn. */
	readonly fitRange: RangeFitter;
	readonly ascii: boolean;
	/** Epoch ms. */
	readonly now: number;
	/** Calls `take` with what the screen shows at a place, row by row, once the present view is drawn; absent: there is no screen. */
	readScreen?: ((place: Place, take: (rows: readonly string[]) => void) => void) | undefined;
};

/** What an argument can name. */
export type Vocabulary = Pick<MarketState, (typeof vocabularyParts)[number]> &
	Pick<UiState['picker'], 'lists'> & {
		/** The price that the crosshair or a scrolled ladder is at, else the last one; absent: none is known. */
		readonly price?: number | undefined;
		/** The numbers of the lines in the market on screen. Absent: there are none. */
		readonly lines?: readonly number[] | undefined;
		/** Those with places of their own now, and those that the user hid; absent: all have places. */
		readonly panels?:
			| {readonly placed: readonly SharingPanel[]; readonly hidden: ReadonlySet<SharingPanel>}
			| undefined;
	};

export const vocabularyParts = [
	'symbol',
	'markets',
	'tickers',
	'priceTrails',
	'depth',
	'decimals',
	'trades',
	'candles',
] as const;

/** What is wrong with the text of an argument, and where. */
export type Mistake = {
	readonly fault: string;
	/** Index of its place in the text. */
	readonly at: number;
	/** A market is not in the list, which may have it by now. */
	readonly isUnlisted?: true | undefined;
};

export type Argument = {
	/** Its description on the command line and in messages. */
	readonly takes: string;
	/** What the command does with it, for the command line. Default: the command's help. */
	readonly help?: string | undefined;
	/** All values that it takes, where these are a few. Absent: there are more. */
	readonly words?: readonly string[] | undefined;
	/** Completions of `text`, the likeliest first. Absent: there are none. */
	complete?(text: string, vocabulary: Vocabulary): readonly string[];
	/** Runs the command with `text`. Returns what is wrong with it; undefined: nothing. */
	run(text: string, control: Control): string | Mistake | undefined;
};

/** Shows a notice in the status line. */
export const noted = (notice: string, {ui}: Pick<Control, 'ui'>): void => ui.update(state => ({...state, notice}));

/** Opens the command line with this text. */
export const openLine = (text: string, {ui}: Pick<Control, 'ui'>): void =>
	ui.update(state => ({...state, command: {text}}));

/** Where the panels are, and what moves through recorded time. */
export type Situation = Pick<Control, 'layout' | 'chartSize' | 'replay' | 'leave'>;

type Hint = {
	readonly word: string;
	/** Where room is short, hints with the highest ranks are dropped first, but those of the focused panel last. */
	readonly rank: number;
	/** What the keys do in these panels, where the hint counts as the panel's own. */
	readonly words?: Partial<Record<PanelName, string>> | undefined;
};

/** One thing that a user can do. */
export type Command = {
	/** Its name in the config file and on the command line. */
	readonly name: string;
	/** The keys that run it, named as by `keyNames`. None: only the command line runs it. */
	readonly keys: readonly string[];
	/** One line for the help, docs/keys.md and the command line. Absent: it shares the line of the command before it, which lists the keys of both. */
	readonly help?: string | undefined;
	/** For the status line while its panel has the focus. Absent: the status line does not show it. */
	readonly hint?: Hint | undefined;
	/** The hint in the present view. Default: `hint`. */
	hintNow?(state: UiState, situation: Situation): Hint | undefined;
	/** The panel that it belongs to; the table fills it in. Absent: it belongs to no panel. */
	readonly panel?: PanelName | undefined;
	/** Its keys act only while its panel has the focus. Default: they act anywhere. */
	readonly focused?: boolean | undefined;
	/**
	 * Whether its keys act in the present view of its panel or overlay, where they come before those of other commands; where not,
	 * they are the others'. For commands with `focused` or `overlay`. Default: always.
	 */
	actsIn?(state: UiState): boolean;
	/** The overlays over which its keys act. Default: all; for a command of a panel none, because the overlay hides the panel. */
	readonly overlays?: 'all' | readonly Overlay[] | undefined;
	/** The overlay over which alone its keys act; the table fills it in. */
	readonly overlay?: Overlay | undefined;
	/** Why it has nothing to act on in the present view, where the status line does not hint at it; undefined: it acts. */
	unavailable?(state: UiState, situation: Situation): string | undefined;
	/** Why it is not for who looks: its keys and its name say only that, and neither help nor completion has it. Absent: it is. */
	readonly withheld?: string | undefined;
	/** Why it does nothing while a recorded moment is shown, by its keys or its name; absent: it acts then too. */
	readonly inReplay?: string | undefined;
	/** Why it does nothing where there is no present, as in the replay of a file; absent: it acts there too. */
	readonly withoutPresent?: string | undefined;
	/** The status line's words when its key changed nothing, as at the end of a list. */
	readonly atEnd?: string | undefined;
	/** The command line does not offer it. */
	readonly keysOnly?: boolean | undefined;
	/** Runs on its keys, and on its name without an argument. Absent: it needs an argument. */
	run?(control: Control): void;
	readonly argument?: Argument | undefined;
};

/** Why a command does nothing in the recorded moment that is shown; undefined: it acts, or the present is shown. */
export function whyNotInReplay(
	{inReplay, withoutPresent}: Command,
	{replay}: Pick<Control, 'replay'>,
): string | undefined {
	if (!replay?.getSnapshot()) return undefined;
	return inReplay ?? (replay.hasPresent ? undefined : withoutPresent);
}

/** Why a command does nothing now; undefined: it acts. */
export const whyNot = (command: Command, state: UiState, situation: Situation): string | undefined =>
	command.withheld ?? whyNotInReplay(command, situation) ?? command.unavailable?.(state, situation);

/** Joins words for a sentence: `a, b or c`. */
export const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The first word of a text in lower case, and what follows it; undefined: not even a blank. */
export function nameAndRest(text: string): {readonly name: string; readonly rest: string | undefined} {
	const [, name = '', rest] = /^\s*(\S*)(?:\s+(.*))?$/.exec(text) ?? [];
	return {name: name.toLowerCase(), rest};
}

/** Completes a text to the words that begin with it. */
export const beginning =
	<Word extends string>(words: readonly Word[]) =>
	(text: string): readonly Word[] =>
		words.filter(word => word.toLowerCase().startsWith(text.toLowerCase()));

/** Of a single letter nobody can tell whether it was meant as the beginning of a name, or slipped. */
const leastPrefix = 2;

/** The word that a text stands for, in any case: the word itself, or an unambiguous prefix of at least two letters; undefined: none. */
export function wordMeant<Word extends string>(words: readonly Word[], text: string): Word | undefined {
	const [only, ...others] = text.length < leastPrefix ? [] : beginning(words)(text);
	return words.find(word => word === text.toLowerCase()) ?? (others.length === 0 ? only : undefined);
}

/** Why a text that begins some of the names stands for none of them; undefined: it begins none. */
export function unclearPrefix(text: string, names: readonly string[]): string | undefined {
	const [first, ...others] = text === '' ? [] : beginning(names)(text);
	if (first === undefined) return undefined;
	if (others.length === 0) return `${text} is too short; did you mean ${first}?`;
	return `${text} is ambiguous: ${[first, ...others].join(', ')}`;
}

export const onOff = ['on', 'off'] as const;

/** An argument that is one of a few words. `name` is that of its command or setting. */
export function oneOf<Word extends string>(
	name: string,
	words: readonly Word[],
	take: (word: Word, control: Control) => void,
): Argument {
	const takes = anyOf(words);
	return {
		...{takes, words},
		complete: beginning(words),
		run(text, control) {
			const word = wordMeant(words, text);
			if (word === undefined) return `${name} takes ${takes}`;
			take(word, control);
			return undefined;
		},
	};
}

/** Name, help and argument of a command whose argument is one of a few words. The help ends with these words. */
export const choice = <Word extends string>(
	name: string,
	help: string,
	words: readonly Word[],
	take: (word: Word, control: Control) => void,
): Pick<Command, 'name' | 'help' | 'argument'> => ({
	...{name, help: `${help} ${anyOf(words)}`},
	argument: oneOf(name, words, take),
});

/** What the name of a command does, and what it takes unless its help says so. */
export const typedHelp = ({help = '', argument}: Pick<Command, 'help' | 'argument'>): string =>
	argument && !help.includes(argument.takes) ? `${help} (${argument.takes})` : help;

/** The item `by` places after `current`, wrapping around. */
export function cycle<Item>(items: readonly Item[], current: Item, by: 1 | -1 = 1): Item {
	return items[(items.indexOf(current) + by + items.length) % items.length] ?? current;
}

/** Two commands that share these fields, and one line of the help and one hint. */
export function pair(shared: Partial<Command>, first: Command, second: Command): readonly Command[] {
	const {help, hint, hintNow, ...both} = shared;
	return [
		{...shared, ...first},
		{...both, ...second},
	];
}

/** A command with help, and the commands after it that share its help and hint. None is withheld. */
export type KeyGroup = {readonly first: Command; readonly all: readonly Command[]};

export function keyGroups(commands: readonly Command[]): readonly KeyGroup[] {
	const groups: {first: Command; all: Command[]}[] = [];
	for (const command of commands) {
		if (command.withheld !== undefined) continue;
		const group = groups.at(-1);
		if (command.help !== undefined || !group) groups.push({first: command, all: [command]});
		else group.all.push(command);
	}

	return groups;
}

/** All keys of the group for the help: the first key of each command, then the second ones: `↑ ↓, k j`. Empty: no keys. */
export function helpKeys({all}: KeyGroup, ascii: boolean): string {
	const places = Math.max(...all.map(({keys}) => keys.length));
	return Array.from({length: places}, (_, place) =>
		all
			.flatMap(({keys}) => keys[place] ?? [])
			.map(key => keyLabel(key, ascii))
			.join(' '),
	).join(', ');
}

/** The first key of each command for the status line: `↑↓`, `+ -`, `n/p`. Empty: no keys. */
export const hintKeys = ({all}: KeyGroup, ascii: boolean): string =>
	joinedKeys(
		all.flatMap(({keys: [key]}) => key ?? []),
		ascii,
	);

/** Has the market list read again, and calls `act` when that has ended. False: it is not read. */
export function onceRelisted({store}: Pick<Control, 'store'>, act: () => void): boolean {
	const before = store.getSnapshot().markets;
	if (!store.relist()) return false;
	const unsubscribe = store.subscribe(() => {
		if (store.getSnapshot().markets === before) return;
		unsubscribe();
		act();
	});
	return true;
}
