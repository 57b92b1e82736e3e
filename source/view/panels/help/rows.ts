import {helpKeys, keyGroups} from '../../key-labels.ts';
import {type Binding, ownerOf} from '../../keymap.ts';
import {panelNames} from '../../layout.ts';
import type {Line, Size} from '../../line.ts';
import {labelledRows} from '../../wrap.ts';

export type KeyHelp = {
	/** Whose keys they are: a panel's name, or `Everywhere`. */
	readonly where: string;
	readonly keys: string;
	readonly help: string;
};

/** Keys and meaning of every binding that has any, by panel, as the help overlay and the README list them. */
export function keyHelp(bindings: readonly Binding[]): readonly KeyHelp[] {
	const groups = keyGroups(bindings);
	return [undefined, ...panelNames].flatMap(owner =>
		groups
			.filter(({first}) => ownerOf(first) === owner)
			.map(group => ({where: owner ? capitalised(owner) : 'Everywhere', keys: helpKeys(group), help: group.first.help}))
			.filter(({keys}) => keys !== ''),
	);
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const labelColumns = 16;
const arrows: Record<string, string> = {'↑': 'Up', '↓': 'Down', '←': 'Left', '→': 'Right', '–': '-'};

/** Every key by panel, then how to read the screen. As many rows as that takes at this width. */
export function helpBody(bindings: readonly Binding[], size: Size, ascii: boolean): readonly Line[] {
	const plain = (text: string) => (ascii ? text.replaceAll(/[↑↓←→–]/g, found => arrows[found] ?? found) : text);
	const legend: ReadonlyArray<readonly [string, string]> = [
		[ascii ? '^ v' : '▲ ▼', 'the taker bought, sold; a dot: the exchange does not say which'],
		[ascii ? '^' : '▴', 'the candle that is still forming; its strokes are broken'],
		[ascii ? ':' : '┊', 'candles are missing here'],
		['a, b', 'best ask and bid in the chart, where they stand apart from the last price'],
		[ascii ? '-' : '–', 'the exchange names no value'],
		[
			ascii ? '+ ^ v x' : '+ ▲ ▼ ×',
			'beside a price of the book, since the answer before: came, grew, shrank, a better one next to it was pulled',
		],
		[ascii ? 'o O' : '○ ●', 'a trade of 5, of 20 times the usual (median) size'],
		[ascii ? '>=' : '≥', 'at least: trades may be missing, or their sides are not known'],
		['v2, legacy', 'the interface that a panel’s data came from, and its age'],
		['stale since', 'the last good answer; what is shown below is that old'],
		['dropped', 'entries that the exchange sent with a missing or wrong field, or dated ahead of its clock'],
		['cut', 'entries beyond the 1,000 trades or candles and the 5,000 levels a side that are read of an answer'],
	];
	const rows = (label: string, help: string) => {
		const text = ascii ? help.replaceAll('’', "'") : help;
		return labelledRows({label, labelTone: 'accent', text}, labelColumns, size);
	};
	const title = (text: string): Line => [{text: ` ${text}`, tone: 'title'}];
	const known = keyHelp(bindings);
	return [
		...[...new Set(known.map(({where}) => where))].flatMap(where => [
			title(where),
			...known.filter(each => each.where === where).flatMap(({keys, help}) => rows(plain(keys), plain(help))),
			[],
		]),
		title('On the screen'),
		...legend.flatMap(([sign, meaning]) => rows(sign, meaning)),
	];
}
