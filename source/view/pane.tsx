import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import type {Line, Size} from './line.ts';
import {useScreen} from './use-market.ts';

/** Ready rows, painted: one Text a panel costs half of a Box a cell. */
export function Pane({lines, size, stale}: {lines: readonly Line[]; size: Size; stale?: boolean}): ReactNode {
	const {theme} = useScreen();
	return (
		<Box width={size.columns} height={size.rows} flexShrink={0}>
			<Text>{theme.paintLines(lines, stale)}</Text>
		</Box>
	);
}
