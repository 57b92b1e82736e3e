import {memo} from 'react';
import {vocabularyParts} from '../../commands/command.ts';
import {vocabularyOf} from '../../commands/typed-rule.ts';
import {Pane} from '../../pane.tsx';
import type {CommandLine, UiState} from '../../ui-state.ts';
import {useMarket, useScreen} from '../../use-market.ts';
import {commandRows} from './rows.ts';

type CommandBarProps = {
	readonly line: CommandLine;
	readonly ui: UiState;
	readonly columns: number;
	readonly rows: 1 | 2;
};

export const CommandBar = memo(({line, ui, columns, rows}: CommandBarProps) => {
	const {ascii} = useScreen();
	const parts = useMarket(...vocabularyParts);
	const lines = commandRows({line, vocabulary: vocabularyOf(parts, ui), columns, rows, ascii});
	return <Pane lines={lines} size={{columns, rows}} />;
});
