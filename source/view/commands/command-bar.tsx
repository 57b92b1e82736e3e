import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {useMarket, useScreen} from '../use-market.ts';
import {commandParts, type Known} from './commands.ts';
import {commandRows} from './rows.ts';
import type {CommandLine} from './state.ts';

type CommandBarProps = {
	readonly line: CommandLine;
	readonly lists: Known['lists'];
	readonly columns: number;
	readonly rows: 1 | 2;
};

export const CommandBar = memo(({line, lists, columns, rows}: CommandBarProps) => {
	const {ascii} = useScreen();
	const state = useMarket(...commandParts);
	const lines = commandRows({line, known: {...state, lists}, columns, rows, ascii});
	return <Pane lines={lines} size={{columns, rows}} />;
});
