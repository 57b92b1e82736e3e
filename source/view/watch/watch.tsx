import {Box, Text, useInput, useWindowSize} from 'ink';
import {type ReactNode, useEffect} from 'react';
import {interruptStatus} from '../controller.ts';
import {actionFor, keyNames} from '../keymap.ts';
import {tooSmall} from '../layout.ts';
import {StatusLine} from '../status-line/status-line.tsx';
import {LendTerminal, type TerminalLoan} from '../terminal-loan.tsx';
import {TickerHeader} from '../ticker-panel/ticker-panel.tsx';
import {TradeTape} from '../trade-tape/trade-tape.tsx';
import {type Screen, ScreenContext} from '../use-market.ts';
import {tileHeaderRows, tilesFor, watchedResources} from './tiles.ts';

export type WatchProps = {
	/** One a market. */
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	readonly exchangeName: string;
	readonly demo: boolean;
	/** Whether there is one to hear `q` and Ctrl-C on. */
	readonly keyboard: boolean;
	quit(status: number): void;
	suspend(): void;
};

/** Hands-free: a tile a market with its ticker panel and its newest trades. */
export function Watch(props: WatchProps): ReactNode {
	const {screens, loan, exchangeName, demo, keyboard} = props;
	const size = useWindowSize();
	const {tile, shown} = tilesFor({columns: size.columns, rows: size.rows - 1}, screens.length);
	const [first] = screens;
	useEffect(() => {
		screens.forEach(({store}, index) => {
			store.show(index < shown ? watchedResources : new Set());
		});
	}, [screens, shown]);

	if (!first) return null;
	const hidden = screens.length - shown;
	return (
		<ScreenContext value={first}>
			<LendTerminal loan={loan} size={size} />
			{keyboard && <WatchKeys {...props} />}
			{shown === 0 ? (
				<Text>{tooSmall(size, first.ascii)}</Text>
			) : (
				<Box flexDirection="column" width={size.columns} height={size.rows}>
					<Box flexWrap="wrap" width={size.columns} height={size.rows - 1}>
						{screens.slice(0, shown).map((screen, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: a tile's market is its place
							<ScreenContext key={index} value={screen}>
								<Box flexDirection="column" width={tile.columns} height={tile.rows}>
									<TickerHeader columns={tile.columns} rows={tileHeaderRows} focused={false} />
									<TradeTape columns={tile.columns} rows={tile.rows - tileHeaderRows} focused={false} scroll={0} />
								</Box>
							</ScreenContext>
						))}
					</Box>
					<StatusLine
						columns={size.columns}
						rows={1}
						exchangeName={exchangeName}
						demo={demo}
						keyboard={false}
						more={hidden > 0 ? `${hidden} more do not fit` : undefined}
					/>
				</Box>
			)}
		</ScreenContext>
	);
}

/** Hears the keys that leave; draws nothing. */
function WatchKeys({quit, suspend}: WatchProps): ReactNode {
	useInput((input, key) => {
		for (const name of keyNames(input, key)) {
			const action = actionFor(name, 'tape');
			if (action?.type === 'quit') quit(0);
			if (action?.type === 'interrupt') quit(interruptStatus);
			if (action?.type === 'suspend') suspend();
		}
	});
	return null;
}
