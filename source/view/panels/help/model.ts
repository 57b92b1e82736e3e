import {bodySize, footColumns, framePanel} from '../../frame.ts';
import type {Binding} from '../../keymap.ts';
import type {Line, Size} from '../../line.ts';
import {overlayFoot} from '../../overlay-foot.ts';
import {helpBody} from './rows.ts';

export type HelpPanelInput = {
	readonly bindings: readonly Binding[];
	readonly size: Size;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly ascii: boolean;
};

/** The framed help; its lower border says how much of it is in sight. */
export function helpPanel({bindings, size, scroll, ascii}: HelpPanelInput): readonly Line[] {
	const inner = bodySize(size);
	const body = helpBody(bindings, inner, ascii);
	const text = overlayFoot({total: body.length, shown: inner.rows, scroll, columns: footColumns(size), ascii});
	const foot: Line = [{text, tone: 'muted'}];
	return framePanel({key: '?', titles: ['Keys'], statuses: [], foot, focused: true, ascii, size}, body.slice(scroll));
}
