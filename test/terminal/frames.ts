import {plainStyle, type Style} from '../../source/format/style.ts';
import type {Surface} from '../../source/terminal/surface.ts';

const pane = {};

/** Shows rows of text on the whole surface, as one commit of a view does. */
export async function showFrame(surface: Surface, rows: readonly string[], style: Style = plainStyle): Promise<void> {
	const lines = rows.map(text => [{text, style}]);
	surface.put(pane, () => ({x: 0, y: 0, width: 1000, height: rows.length}), lines);
	await Promise.resolve();
}
