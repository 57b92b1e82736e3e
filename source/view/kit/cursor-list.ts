import {padEnd} from '../../format/cells.ts';
import {bodySize, frameRows} from '../frame.ts';
import {rowAt} from '../layout.ts';
import type {Line, Tone} from '../line.ts';
import type {OverlayView} from '../resource-panel.ts';
import {notedIn} from '../wrap.ts';

export type CursorList = OverlayView & {
	/** The command that opens it. */
	readonly command: string;
	/** From long to short. */
	readonly titles: readonly string[];
	/** The names of the columns. */
	readonly heading: string;
	/** `tone`: default `plain`. */
	readonly rows: readonly {readonly key: string; readonly text: string; readonly tone?: Tone | undefined}[];
	/** Key of the row under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** Always shown, under the rows. Default: none. */
	readonly below?: readonly Line[] | undefined;
	/** What is shown in place of no rows. */
	readonly empty: string;
};

/** A framed list of one line an entry: the page of it with the row under the cursor. Exactly `size`. */
export function cursorList(list: CursorList): readonly Line[] {
	const {command, titles, heading, rows, cursor, below = [], empty, keyHint, size, ascii} = list;
	const inner = bodySize(size);
	const page = Math.max(inner.rows - 1 - below.length, 1);
	const chosen = rowAt(rows, cursor, ({key}) => key);
	const first = chosen ? Math.floor(rows.indexOf(chosen) / page) * page : 0;
	const shown = rows.slice(first, first + page).map((row): Line => {
		const {text, tone} = row;
		if (row !== chosen) return [{text: ` ${text}`, tone}];
		return [{text: padEnd(` ${text}`, inner.columns), tone: 'strong', inverse: true}];
	});
	const rowsShown = {total: rows.length, shown: shown.length, scroll: first};
	const body: readonly Line[] = [[{text: ` ${heading}`, tone: 'muted'}], ...shown, ...below];
	return frameRows(
		{command, titles, keyHint, ascii, size},
		rowsShown,
		rows.length > 0 ? body : notedIn(empty, 'muted', inner.columns),
	);
}
