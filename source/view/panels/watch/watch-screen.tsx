import {Box, useInput, usePaste, useWindowSize} from 'ink';
import {memo, type ReactNode, useEffect, useState} from 'react';
import type {Size} from '../../../format/cells.ts';
import type {ResourceName} from '../../../store/state.ts';
import type {Command} from '../../commands/command.ts';
import {interruptStatus} from '../../commands/general-commands.ts';
import {commands as delivered} from '../../commands/table.ts';
import {keyNames} from '../../keys.ts';
import {tooSmall} from '../../layout.ts';
import {Pane} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {LendTerminal, type TerminalLoan} from '../../terminal-loan.tsx';
import {type Screen, ScreenContext, useMarket, useNow, useScreen} from '../../use-market.ts';
import {worstFeed} from '../status/rows.ts';
import {StatusLine} from '../status/status-line.tsx';
import {smallestWatch, watchPage, watchStatus} from './model.ts';
import {tileLines, tileParts} from './rows.ts';

export type WatchProps = {
	/** One per market; at least one. */
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	readonly exchangeName: string;
	readonly demo: boolean;
	/** Whether there is a keyboard, for the keys that quit or suspend. */
	readonly keyboard: boolean;
	/** All commands, with the keys of the config file. Default: with their default keys. */
	readonly commands?: readonly Command[] | undefined;
	/** How long each page is shown if the markets do not fit on one. Default 10 s. */
	readonly rotateMs?: number | undefined;
	/** Polls markets on hidden pages too, as a condition or a rule is judged for them. Default false. */
	readonly pollHidden?: boolean | undefined;
	/** What the watch waits for, or what has happened. Asked once a second. */
	readonly status?: (() => string | undefined) | undefined;
	quit(status: number): void;
	suspend(): void;
	redraw(): void;
};

/** The hands-free screen: one tile per market, on rotating pages if they do not fit. */
export function Watch(props: WatchProps): ReactNode {
	const {screens, loan, keyboard} = props;
	const size = useWindowSize();
	return (
		<ScreenContext value={screens[0]}>
			<LendTerminal loan={loan} size={size} />
			{keyboard && <WatchKeys {...props} />}
			<Page {...props} size={size} />
		</ScreenContext>
	);
}

const watched: ReadonlySet<ResourceName> = new Set(['markets', 'tickers', 'depth', 'tape']);
const nothing: ReadonlySet<ResourceName> = new Set();

function Page(props: WatchProps & {readonly size: Size}): ReactNode {
	const {screens, rotateMs, pollHidden = false, status, exchangeName, demo, size} = props;
	const now = useNow();
	const {ascii} = useScreen();
	const [start] = useState(now);
	const page = watchPage({size, count: screens.length, start, now, rotateMs});
	const {area, tile, first, end} = page;
	const shown = screens.slice(first, end);
	useEffect(() => {
		for (const [index, {store}] of screens.entries()) {
			const isShown = index >= first && index < end;
			store.show(isShown || pollHidden ? watched : nothing);
		}
	}, [screens, first, end, pollHidden]);

	if (first === end) return <Pane lines={[[{text: tooSmall(size, ascii, smallestWatch)}]]} size={size} />;
	return (
		<Box position="absolute" flexDirection="column" width={size.columns} height={size.rows}>
			<Box flexWrap="wrap" alignContent="flex-start" width={area.columns} height={area.rows}>
				{shown.map((screen, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a tile's market is its place
					<ScreenContext key={index} value={screen}>
						<Tile columns={tile.columns} rows={tile.rows} />
					</ScreenContext>
				))}
			</Box>
			<ScreenContext value={worstFeed(shown, now)}>
				<StatusLine
					columns={size.columns}
					rows={1}
					exchangeName={exchangeName}
					demo={demo}
					more={watchStatus(page, {text: status?.(), ascii})}
				/>
			</ScreenContext>
		</Box>
	);
}

/** The market of the surrounding ScreenContext. Its props are numbers, so that the memo can compare them. */
const Tile = memo((size: Size) => {
	const {ascii} = useScreen();
	const state = useMarket(...tileParts);
	const now = useNow();
	const {columns, rows} = size;
	const lines = tileLines(state, {size: {columns, rows}, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(state.tape)} />;
});

/** Handles the keys that quit, suspend or draw again; draws nothing. */
function WatchKeys({commands = delivered, quit, suspend, redraw}: WatchProps): ReactNode {
	useInput((input, key) => {
		for (const pressed of keyNames(input, key)) {
			const runs = (name: string) => commands.some(command => command.name === name && command.keys.includes(pressed));
			if (runs('quit')) quit(0);
			if (runs('interrupt')) quit(interruptStatus);
			if (runs('suspend')) suspend();
			if (runs('redraw')) redraw();
		}
	});
	// Pasted text would act as keys if nobody took it.
	usePaste(() => {});
	return null;
}
