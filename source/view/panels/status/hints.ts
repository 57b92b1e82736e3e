import {memo} from '../../../market/memo.ts';
import {type Command, hintKeys, type KeyGroup, keyGroups} from '../../commands/command.ts';
import {joinedKeys} from '../../keys.ts';
import type {PanelName} from '../../layout.ts';
import {type Line, lineWidth, type Span} from '../../line.ts';

/** How much more hints of the focused panel are worth: nearly all of them more than any other. */
const ownLead = 21;

/** Those with ranks up to 1 are dropped last: help, quit, the command line and, in a replay, what plays it. */
const worthOf = (rank: number, own: boolean): number => (rank <= 1 ? 100 - rank : (own ? ownLead : 0) - rank);

function hintOf(group: KeyGroup, focus: PanelName | undefined, ascii: boolean) {
	const {hint, panel, overlay} = group.first;
	const keys = hintKeys(group, ascii);
	if (!hint || keys === '' || (panel !== undefined && panel !== focus)) return undefined;
	const ownWord = focus && hint.words?.[focus];
	/** It belongs to the focused panel. */
	const own = panel !== undefined || overlay !== undefined || ownWord !== undefined;
	return {keys, word: ownWord ?? hint.word, own, worth: worthOf(hint.rank, own)};
}

/** Those with the lowest worth are dropped first. */
type ShownHint = NonNullable<ReturnType<typeof hintOf>>;

const hintLine = (hints: readonly ShownHint[]): Line =>
	hints.flatMap(({keys, word}) => [{text: ' '}, {text: keys, tone: 'accent'}, {text: ` ${word} `, tone: 'muted'}]);

/** Keys of the focused panel, then those that act everywhere, with one word each: as many as fit uncut. */
export const hints = memo(
	(commands: readonly Command[], focus: PanelName | undefined, ascii: boolean, columns: number): Line => {
		const all = keyGroups(commands).flatMap(group => hintOf(group, focus, ascii) ?? []);
		let shown = [...all.filter(({own}) => own), ...all.filter(({own}) => !own)];
		while (shown.length > 0 && lineWidth(hintLine(shown)) > columns) {
			const least = Math.min(...shown.map(({worth}) => worth));
			const last = shown.findLastIndex(({worth}) => worth === least);
			shown = shown.toSpliced(last, 1);
		}

		return hintLine(shown);
	},
);

const firstPressed: readonly (readonly [command: string, what: string])[] = [
	['help', 'for all keys'],
	['next-market', 'for the next market'],
	['next-panel', 'for the next panel'],
	['quit', 'to quit'],
	['command', 'for commands'],
];

const begin = ' press ';
const between = ', ';

/** What a newcomer presses next, in one sentence: as much of it as fits. */
export function firstKeys(commands: readonly Command[], ascii: boolean, columns: number): Line {
	const line = firstPressed.flatMap(([name, what]): Line => {
		const keys = joinedKeys(commands.find(command => command.name === name)?.keys.slice(0, 1) ?? [], ascii);
		const text = (words: string): Span => ({text: words, tone: 'strong'});
		return keys === '' ? [] : [text(between), {text: keys, tone: 'accent'}, text(` ${what}`)];
	});
	while (line.length > 0 && begin.length + lineWidth(line) - between.length > columns) line.splice(-3);
	return line.length === 0 ? [] : [{text: begin, tone: 'strong'}, ...line.slice(1)];
}
