import {formatPrice} from '../../../format/number.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import {bodySize} from '../../frame.ts';
import {cursorList} from '../../kit/cursor-list.ts';
import {type Column, table} from '../../kit/table.ts';
import type {Line} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {distancePercent} from '../../price-texts.ts';
import type {OverlayView} from '../../resource-panel.ts';

export type LevelsPanelInput = OverlayView & {
	/** Of the market, highest first. */
	readonly levels: readonly DrawnLevel[];
	/** Key of the level under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** Name of the market; absent: not known. */
	readonly market?: string | undefined;
	/** The last price; absent: not known. */
	readonly last?: number | undefined;
	/** Decimals of the price. */
	readonly decimals: number;
};

export const levelKey = ({price}: DrawnLevel): string => String(price);

/** The framed list of levels: the page of it with the row under the cursor. Exactly `size`. */
export function levelsPanel(input: LevelsPanelInput): readonly Line[] {
	const {levels, market, keyHint, size, ascii} = input;
	const [heading = '', ...rows] = tableOf(input, bodySize(size).columns - 2);
	const counted = levels.length > 0 ? `Levels ${levels.length}` : 'Levels';
	const ways = [keyHint('on the crosshair draws one', 'level'), keyHint('adds one', 'level-add')].filter(Boolean);
	return cursorList({
		...input,
		command: 'levels',
		titles: [
			...(market === undefined ? [] : [`${counted} ${marksFor(ascii).separator} ${market}`]),
			...[counted, 'Levels'],
		],
		heading,
		rows: levels.map((level, index) => ({key: levelKey(level), lines: [[{text: ` ${rows[index]}`}]]})),
		empty: ['no levels in this market yet', ways.join(', ')].filter(Boolean).join('; '),
	});
}

/** Price, distance from the last price and note of each level, below the names of these columns. A note too long is cut. */
function tableOf({levels, last, decimals, ascii}: LevelsPanelInput, width: number): readonly string[] {
	const rows = levels.map(({price, note = ''}) => [
		formatPrice(price, {decimals, ascii}),
		last === undefined ? '' : distancePercent(price, last, ascii),
		note,
	]);
	const columns: readonly Column[] = [
		{titles: ['price'], alignment: 'point'},
		{titles: ['distance'], alignment: 'right'},
		{titles: ['note'], rank: 1, least: 0, cuts: true},
	];
	return table(columns, rows, {width, ascii}).lines;
}
