import {Box, type DOMElement, measureElement} from 'ink';
import {type ReactNode, useLayoutEffect, useRef} from 'react';
import type {Place, Size} from '../format/cells.ts';
import type {Line} from './line.ts';
import {useScreen} from './use-market.ts';

/** Size and focus, which every panel gets. Numbers and booleans only, so that a memo can compare them. */
export type PanelProps = {
	readonly columns: number;
	readonly rows: number;
	readonly focused: boolean;
};

export const sizeOf = ({columns, rows}: PanelProps): Size => ({columns, rows});

const nowhere: Place = {x: 0, y: 0, width: 0, height: 0};

/** Puts rows on the surface at the place where Ink lays out an empty box of their size. The same `lines` again cost nothing. */
export function Pane({lines, size, stale}: {lines: readonly Line[]; size: Size; stale?: boolean}): ReactNode {
	const {theme, surface} = useScreen();
	const {columns, rows} = size;
	const box = useRef<DOMElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another size is drawn again
	useLayoutEffect(() => {
		// Measured for each frame, as a pane can move without being rendered.
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
