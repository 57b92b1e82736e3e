import {Box, type DOMElement, measureElement} from 'ink';
import {type ReactNode, useLayoutEffect, useRef} from 'react';
import type {Run} from '../format/style.ts';
import type {Line, Size} from './line.ts';
import {useScreen} from './use-market.ts';

/** A rectangle on the screen, in cells from its upper left corner. */
type Place = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

/** Shows rows of styled text, each pane's at a place of its own. */
export type Surface = {
	/** Shows `lines` where `place` says, instead of what `pane` showed. The place is asked for each frame anew. */
	put(pane: object, place: () => Place, lines: ReadonlyArray<readonly Run[]>): void;
	remove(pane: object): void;
};

const nowhere: Place = {x: 0, y: 0, width: 0, height: 0};

/** Ready rows on the surface, where Ink lays out an empty box of their size. The same `lines` again cost nothing. */
export function Pane({lines, size, stale}: {lines: readonly Line[]; size: Size; stale?: boolean}): ReactNode {
	const {theme, surface} = useScreen();
	const {columns, rows} = size;
	const box = useRef<DOMElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another size is drawn anew
	useLayoutEffect(() => {
		// Measured for each frame, as what moves a pane need not render it.
		const place = () => (box.current ? measureElement(box.current) : nowhere);
		surface.put(
			box,
			place,
			lines.map(line => theme.paint(line, stale)),
		);
	}, [surface, theme, lines, stale, columns, rows]);
	useLayoutEffect(() => () => surface.remove(box), [surface]);
	return <Box ref={box} width={columns} height={rows} flexShrink={0} />;
}
