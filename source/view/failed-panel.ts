import type {Size} from '../format/cells.ts';
import {framePanel} from './frame.ts';
import {fitLines, type Line} from './line.ts';
import {marksFor} from './marks.ts';
import {wrapped} from './wrap.ts';

export type FailedPanel = {
	/** The panel's own. */
	readonly title: string;
	/** The key that focuses the panel; empty: there is none. */
	readonly key: string;
	readonly error: unknown;
	readonly focused: boolean;
	readonly size: Size;
	readonly ascii: boolean;
};

/** Text of a thrown value; with its stack for the log. */
export const thrownText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const thrownStack = (error: unknown): string =>
	error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The line for the log about a panel that could not be drawn. */
export const failedPanelWarning = (title: string, error: unknown): string =>
	`${title} panel could not be drawn: ${thrownStack(error)}`;

/** From this height on, a frame has room for a row. */
const leastFramed = 3;

/** What a panel shows that could not be drawn, in its own frame. Exactly `size`. */
export function failedPanel({title, key, error, focused, size, ascii}: FailedPanel): readonly Line[] {
	const what = `defect of Tapewatch: ${thrownText(error)}`;
	if (size.rows < leastFramed) return fitLines([[{text: ` ${title}: ${what}`, tone: 'error'}]], size);
	const report = `Please report it, with the line "${title} panel could not be drawn" of the log (--log-file). The panel is drawn again when its data changes.`;
	const inner = Math.max(size.columns - 4, 1);
	const rowsOf = (text: string, tone: 'error' | 'muted'): readonly Line[] =>
		wrapped(text, inner).map(row => [{text: ` ${row}`, tone}]);
	const titles = [`${title} ${marksFor(ascii).separator} not drawn`, title];
	const frame = {key, titles, statuses: [], focused, ascii, size};
	return framePanel(frame, [...rowsOf(what, 'error'), [], ...rowsOf(report, 'muted')]);
}
