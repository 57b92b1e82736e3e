import {padEnd} from '../../../format/cells.ts';
import {formatPrice} from '../../../format/number.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import {bodySize, frameRows} from '../../frame.ts';
import {type Column, table} from '../../kit/table.ts';
import type {Line} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {distancePercent} from '../../price-texts.ts';
import type {OverlayView} from '../../resource-panel.ts';
import {wrapped} from '../../wrap.ts';

export type LevelsPanelInput = OverlayView & {
	/** Of the market, highest first. */
	readonly levels: readonly DrawnLevel[];
	/** Price of the level under the cursor; absent: the first. */
	readonly cursor?: number | undefined;
	/** Name of the market; absent: not known. */
	readonly market?: string | undefined;
	/** The last price; absent: not known. */
	readonly last?: number | undefined;
	/** Decimals of the price. */
	readonly decimals: number;
};

/** The level under the cursor: the first one if the cursor was never moved, or its level is gone. Undefined: there is none. */
export const levelAt = (levels: readonly DrawnLevel[], cursor: number | undefined): DrawnLevel | undefined =>
	levels.find(({price}) => price === cursor) ?? levels[0];

/** The framed list of levels: the page of it with the row under the cursor. Exactly `size`. */
export function levelsPanel(input: LevelsPanelInput): readonly Line[] {
	const {levels, cursor, market, keyHint, size, ascii} = input;
	const inner = bodySize(size);
	const chosen = levelAt(levels, cursor);
	const [heading = '', ...rows] = tableOf(input, inner.columns - 2);
	const page = Math.max(inner.rows - 1, 1);
	const first = chosen ? Math.floor(levels.indexOf(chosen) / page) * page : 0;
	const lines = rows.map((row, index): Line => {
		const text = padEnd(` ${row}`, inner.columns);
		return levels[index] === chosen ? [{text, tone: 'strong', inverse: true}] : [{text}];
	});
	const shown = lines.slice(first, first + page);
	const {separator} = marksFor(ascii);
	const counted = levels.length > 0 ? `Levels ${levels.length}` : 'Levels';
	const titles = [...(market === undefined ? [] : [`${counted} ${separator} ${market}`]), counted, 'Levels'];
	const body = levels.length > 0 ? [[{text: ` ${heading}`, tone: 'muted' as const}], ...shown] : emptyLines(input);
	const rowsShown = {total: lines.length, shown: shown.length, scroll: first};
	return frameRows({command: 'levels', titles, keyHint, ascii, size}, rowsShown, body);
}

function emptyLines({keyHint, size}: LevelsPanelInput): readonly Line[] {
	const ways = [keyHint('on the crosshair draws one', 'level'), keyHint('adds one', 'level-add')].filter(Boolean);
	const text = ['no levels in this market yet', ways.join(', ')].filter(Boolean).join('; ');
	return wrapped(text, Math.max(bodySize(size).columns - 2, 1)).map(
		(part): Line => [{text: ` ${part}`, tone: 'muted'}],
	);
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
