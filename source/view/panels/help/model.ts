import {bodySize, frameOverlay} from '../../frame.ts';
import type {Binding} from '../../keymap.ts';
import type {Line, Size} from '../../line.ts';
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
	return frameOverlay({key: '?', titles: ['Keys'], scroll, size, ascii}, helpBody(bindings, bodySize(size), ascii));
}
