import {fitLines, type Line, lineWidth, type Size, type Span, type Tone} from './line.ts';

type Border = {
	readonly topLeft: string;
	readonly topRight: string;
	readonly bottomLeft: string;
	readonly bottomRight: string;
	readonly horizontal: string;
	readonly vertical: string;
};

const light: Border = {topLeft: '╭', topRight: '╮', bottomLeft: '╰', bottomRight: '╯', horizontal: '─', vertical: '│'};
const heavy: Border = {topLeft: '┏', topRight: '┓', bottomLeft: '┗', bottomRight: '┛', horizontal: '━', vertical: '┃'};
const asciiLight: Border = {
	topLeft: '+',
	topRight: '+',
	bottomLeft: '+',
	bottomRight: '+',
	horizontal: '-',
	vertical: '|',
};
const asciiHeavy: Border = {
	topLeft: '#',
	topRight: '#',
	bottomLeft: '#',
	bottomRight: '#',
	horizontal: '=',
	vertical: '#',
};

export type Frame = {
	/** The key that focuses the panel; absent: none does. */
	readonly key?: string | undefined;
	/** From long to short; the longest that fits is shown. */
	readonly titles: readonly string[];
	/** Where the data came from and how old it is, from long to short. */
	readonly statuses: readonly Line[];
	/** Said in the bottom border, where it fits. */
	readonly foot?: Line | undefined;
	readonly focused: boolean;
	readonly ascii: boolean;
	readonly size: Size;
};

/** What is left for the body inside a frame of this size. */
export const bodySize = ({columns, rows}: Size): Size => ({
	columns: Math.max(columns - 2, 0),
	rows: Math.max(rows - 2, 0),
});

/** Cells that `foot` can have in a frame of this size: the border goes on at both sides of it. */
export const footColumns = ({columns}: Size): number => Math.max(columns - 6, 0);

/** The first pair of title and status that leaves the border in one piece: the title gives way before the status. */
function headline(frame: Frame, room: number): {title: string; status: Line} {
	for (const status of [...frame.statuses, []]) {
		for (const title of frame.titles) {
			const statusWidth = status.length > 0 ? lineWidth(status) + 3 : 0;
			if (lineWidth([{text: title}]) + 2 + statusWidth <= room) return {title, status};
		}
	}

	return {title: '', status: []};
}

/** The body inside a border that carries title and status: exactly `size`. */
export function framePanel(frame: Frame, body: readonly Line[]): readonly Line[] {
	const {foot = [], focused, ascii, size} = frame;
	const border = ascii ? (focused ? asciiHeavy : asciiLight) : focused ? heavy : light;
	const tone: Tone = focused ? 'focus' : 'border';
	const edge = (text: string): Span => ({text, tone});
	const lead: Line = frame.key === undefined ? [] : [{text: frame.key, tone: 'accent'}, {text: ' '}];
	// Corner, dash and blank at both sides, key and a blank before the title.
	const room = size.columns - 4 - lineWidth(lead);
	const {title, status} = headline(frame, room);
	const left: Line = [
		edge(`${border.topLeft}${border.horizontal} `),
		...lead,
		{text: `${title} `, tone: focused ? 'focus' : 'title'},
	];
	const right: Line = status.length > 0 ? [{text: ' '}, ...status, edge(` ${border.horizontal}`)] : [];
	const fill = Math.max(size.columns - 1 - lineWidth(left) - lineWidth(right), 0);
	const top = [...left, edge(border.horizontal.repeat(fill)), ...right, edge(border.topRight)];
	const inner = bodySize(size);
	const said: Line = foot.length > 0 ? [edge(`${border.horizontal} `), ...foot, edge(' ')] : [];
	const below = lineWidth(said) < inner.columns ? said : [];
	const rest = border.horizontal.repeat(inner.columns - lineWidth(below));
	const bottom = [edge(border.bottomLeft), ...below, edge(rest + border.bottomRight)];
	return fitLines(
		[top, ...fitLines(body, inner).map(line => [edge(border.vertical), ...line, edge(border.vertical)]), bottom],
		size,
	);
}
