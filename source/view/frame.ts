import type {Size} from '../format/cells.ts';
import {formatExact} from '../format/number.ts';
import {memo} from '../market/memo.ts';
import type {KeyHint} from './keys.ts';
import {fitLine, fitLines, type Line, lineWidth, type Span, type Tone} from './line.ts';
import {dotted} from './marks.ts';

const light = {topLeft: '╭', topRight: '╮', bottomLeft: '╰', bottomRight: '╯', horizontal: '─', vertical: '│'};
const heavy = {topLeft: '┏', topRight: '┓', bottomLeft: '┗', bottomRight: '┛', horizontal: '━', vertical: '┃'};
const asciiLight = {topLeft: '+', topRight: '+', bottomLeft: '+', bottomRight: '+', horizontal: '-', vertical: '|'};
const asciiHeavy = {topLeft: '#', topRight: '#', bottomLeft: '#', bottomRight: '#', horizontal: '=', vertical: '#'};

/** The glyphs of a border. */
export const borderOf = (focused: boolean, ascii: boolean) =>
	ascii ? (focused ? asciiHeavy : asciiLight) : focused ? heavy : light;

export type Frame = {
	/** The key that focuses or opens the panel; absent or empty: there is none. */
	readonly key?: string | undefined;
	/** From long to short; the longest that fits is shown. */
	readonly titles: readonly string[];
	/** Source and age of the data, from long to short. */
	readonly statuses: readonly Line[];
	/** Notes for the bottom border, from long to short; the longest that fits is shown. */
	readonly footers?: readonly Line[] | undefined;
	readonly focused: boolean;
	readonly ascii: boolean;
	readonly size: Size;
};

/** The size of the body inside a frame of this size. */
export const bodySize = ({columns, rows}: Size): Size => ({
	columns: Math.max(columns - 2, 0),
	rows: Math.max(rows - 2, 0),
});

/** The longest title and status that fit into the border. The title is shortened before the status. */
function headline({titles, statuses}: Frame, room: number): {title: string; status: Line} {
	for (const status of [...statuses, []]) {
		const statusWidth = status.length > 0 ? lineWidth(status) + 3 : 0;
		const title = titles.find(text => lineWidth([{text}]) + 2 + statusWidth <= room);
		if (title !== undefined) return {title, status};
	}

	return {title: '', status: []};
}

/** The body inside a border that carries title, status and footer: exactly `size`, at least 2 columns. */
export function framePanel(frame: Frame, body: readonly Line[]): readonly Line[] {
	const {key, footers = [], focused, ascii, size} = frame;
	const border = borderOf(focused, ascii);
	const tone: Tone = focused ? 'focus' : 'border';
	const edge = (text: string): Span => ({text, tone});
	const lead: Line = key ? [{text: key, tone: 'accent'}, {text: ' '}] : [];
	// Corner, dash and blank at both sides, key and a blank before the title.
	const {title, status} = headline(frame, size.columns - 4 - lineWidth(lead));
	const left: Line = [
		edge(`${border.topLeft}${border.horizontal} `),
		...lead,
		{text: `${title} `, tone: focused ? 'focus' : 'title'},
	];
	const right: Line = status.length > 0 ? [{text: ' '}, ...status, edge(` ${border.horizontal}`)] : [];
	const fill = Math.max(size.columns - 1 - lineWidth(left) - lineWidth(right), 0);
	const top = [...left, edge(border.horizontal.repeat(fill)), ...right, edge(border.topRight)];
	const inner = bodySize(size);
	const footer = footers.find(line => line.length > 0 && lineWidth(line) <= inner.columns - 4);
	const below: Line = footer ? [edge(`${border.horizontal} `), ...footer, edge(' ')] : [];
	const rest = border.horizontal.repeat(inner.columns - lineWidth(below));
	const rows = sidedRows(body, focused, ascii, inner.columns, inner.rows);
	const bottom = [edge(border.bottomLeft), ...below, edge(rest + border.bottomRight)];
	return [fitLine(top, size.columns), ...rows, bottom].slice(0, size.rows);
}

/** The rows of a body between the sides of its border; the same rows again while the body is the same. */
const sidedRows = memo(
	(body: readonly Line[], focused: boolean, ascii: boolean, columns: number, rows: number): readonly Line[] => {
		const side: Span = {text: borderOf(focused, ascii).vertical, tone: focused ? 'focus' : 'border'};
		return fitLines(body, {columns, rows}).map(line => [side].concat(line, side));
	},
);

export type OverlayFrame = Pick<Frame, 'titles' | 'ascii' | 'size'> &
	Pick<OverlayRows, 'keyHint' | 'ends'> & {
		/** The command that opens it. */
		readonly command: string;
	};

/** The rows of an overlay from `scroll` on, framed. Exactly `size`. */
export function frameOverlay(
	{scroll, ...frame}: OverlayFrame & Pick<OverlayRows, 'scroll'>,
	rows: readonly Line[],
): readonly Line[] {
	return frameRows(frame, {total: rows.length, shown: bodySize(frame.size).rows, scroll}, rows.slice(scroll));
}

/** An overlay that shows some of its rows. The bottom border says which these are. Exactly the frame's size. */
export function frameRows(
	{command, keyHint, ends, ...frame}: OverlayFrame,
	shown: Pick<OverlayRows, 'total' | 'shown' | 'scroll'>,
	body: readonly Line[],
): readonly Line[] {
	const texts = overlayFooters({...shown, keyHint, ends, ascii: frame.ascii});
	const footers = texts.map((text): Line => [{text, tone: 'muted'}]);
	return framePanel({...frame, key: keyHint('', command), statuses: [], footers, focused: true}, body);
}

export type OverlayRows = {
	readonly total: number;
	/** Rows that fit. */
	readonly shown: number;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly keyHint: KeyHint;
	/** The keys that are named last; the last ones are left out first. Default: the one that closes it. */
	readonly ends?: readonly string[] | undefined;
	readonly ascii: boolean;
};

/** Which rows of an overlay are shown, unless all are, and the keys for it: from long to short. */
export function overlayFooters({total, shown, scroll, keyHint, ends, ascii}: OverlayRows): readonly string[] {
	const keys = ends ?? [keyHint('closes', 'back')];
	const rows = `${scroll + 1}${ascii ? '-' : '–'}${Math.min(scroll + shown, total)} of ${formatExact(total)}`;
	const parts = (total <= shown ? keys : [rows, keyHint('scroll', 'up', 'down'), ...keys]).filter(Boolean);
	return parts.map((_, left) => dotted(parts.slice(0, parts.length - left), ascii));
}
