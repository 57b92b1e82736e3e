import {padEnd} from '../../format/cells.ts';
import {bodySize, frameRows} from '../frame.ts';
import {rowAt} from '../layout.ts';
import {type Line, lineText} from '../line.ts';
import type {OverlayView} from '../resource-panel.ts';
import {notedIn} from '../wrap.ts';

export type CursorList = OverlayView & {
	/** The command that opens it. */
	readonly command: string;
	/** From long to short. */
	readonly titles: readonly string[];
	/** The names of the columns. Absent: the rows are in no columns. */
	readonly heading?: string | undefined;
	readonly rows: ReadonlyArray<{readonly key: string; readonly lines: readonly Line[]}>;
	/** Key of the row under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** Always shown, above and below the rows. Default: none. */
	readonly above?: readonly Line[] | undefined;
	readonly below?: readonly Line[] | undefined;
	/** What is shown in place of no rows. */
	readonly empty: string;
};

/** A framed list: the page of it with the row under the cursor. Exactly `size`. */
export function cursorList(list: CursorList): readonly Line[] {
	const {command, titles, rows, cursor, above = [], below = [], empty, keyHint, size, ascii} = list;
	const inner = bodySize(size);
	const chosen = rowAt(rows, cursor, ({key}) => key);
	const heading: readonly Line[] = list.heading === undefined ? [] : [[{text: ` ${list.heading}`, tone: 'muted'}]];
	const room = inner.rows - above.length - heading.length - below.length;
	const page = pageWith(chosen ? rows.indexOf(chosen) : 0, rows, room);
	const shown = rows.slice(page.first, page.end);
	const lines = shown.flatMap(row => {
		if (row !== chosen) return row.lines;
		return row.lines.map(
			(line): Line => [{text: padEnd(lineText(line), inner.columns), tone: 'strong', inverse: true}],
		);
	});
	const body = rows.length > 0 ? [...heading, ...lines, ...below] : notedIn(empty, 'muted', inner.columns);
	const rowsShown = {total: rows.length, shown: shown.length, scroll: page.first};
	return frameRows({command, titles, keyHint, ascii, size}, rowsShown, [...above, ...body]);
}

/** The rows of the page with the row at `index`: pages follow each other, each as high as `room` lines, the last too. */
function pageWith(index: number, rows: CursorList['rows'], room: number) {
	let first = 0;
	let used = 0;
	for (const [place, {lines}] of rows.entries()) {
		if (used > 0 && used + lines.length > room) {
			if (place > index) return {first, end: place};
			[first, used] = [place, 0];
		}

		used += lines.length;
	}

	for (;;) {
		const before = rows[first - 1]?.lines;
		if (!before || used + before.length > room) return {first, end: rows.length};
		first -= 1;
		used += before.length;
	}
}
