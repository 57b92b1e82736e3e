import {Box, type DOMElement, measureElement} from 'ink';
import {type ReactNode, useLayoutEffect, useRef} from 'react';
import type {Place, Size} from '../format/cells.ts';
import type {Run} from '../format/style.ts';
import type {Line} from './line.ts';
import type {Theme} from './theme/theme.ts';
import {useScreen} from './use-market.ts';

/** Lines and what the theme made of them. */
type Painted = {
	readonly lines: readonly Line[];
	readonly stale?: boolean | undefined;
	/** Absent: nothing was painted yet. */
	readonly theme?: Theme | undefined;
	readonly runs: ReadonlyArray<readonly Run[]>;
};

const nowhere: Place = {x: 0, y: 0, width: 0, height: 0};

/** Puts rows on the surface at the place where Ink lays out an empty box of their size. The same `lines` again cost nothing. */
export function Pane({lines, size, stale}: {lines: readonly Line[]; size: Size; stale?: boolean}): ReactNode {
	const {theme, surface} = useScreen();
	const {columns, rows} = size;
	const box = useRef<DOMElement>(null);
	const last = useRef<Painted>({lines: [], runs: []});
	// biome-ignore lint/correctness/useExhaustiveDependencies: another size is drawn again
	useLayoutEffect(() => {
		// Measured for each frame, as a pane can move without being rendered.
		const place = () => (box.current ? measureElement(box.current) : nowhere);
		const isSame = last.current.stale === stale && last.current.theme === theme;
		const before = isSame ? last.current : undefined;
		const runs = lines.map((line, index) => {
			const painted = before?.lines[index] === line ? before.runs[index] : undefined;
			return painted ?? theme.paint(line, stale);
		});
		last.current = {lines, stale, theme, runs};
		surface.put(box, place, runs);
	}, [surface, theme, lines, stale, columns, rows]);
	useLayoutEffect(() => () => surface.remove(box), [surface]);
	return <Box ref={box} width={columns} height={rows} flexShrink={0} />;
}
