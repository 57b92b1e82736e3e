import {memo} from 'react';
import {type Vocabulary, vocabularyParts} from '../../commands/command.ts';
import {Pane} from '../../pane.tsx';
import type {CommandLine} from '../../ui-state.ts';
import {useMarket, useScreen} from '../../use-market.ts';
import {commandRows} from './rows.ts';

type CommandBarProps = {
	readonly line: CommandLine;
	readonly lists: Vocabulary['lists'];
	readonly columns: number;
	readonly rows: 1 | 2;
};

export const CommandBar = memo(({line, lists, columns, rows}: CommandBarProps) => {
	const {ascii} = useScreen();
	const parts = useMarket(...vocabularyParts);
	const lines = commandRows({line, vocabulary: {...parts, lists}, columns, rows, ascii});
	return <Pane lines={lines} size={{columns, rows}} />;
});
