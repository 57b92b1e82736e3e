import {memo} from 'react';
import {type Command, vocabularyParts} from '../../commands/command.ts';
import {vocabularyOf} from '../../commands/typed-rule.ts';
import type {LayoutName} from '../../layout.ts';
import {Pane} from '../../pane.tsx';
import type {CommandLine, UiState} from '../../ui-state.ts';
import {useMarket, useReplay, useScreen} from '../../use-market.ts';
import {commandBarRows} from './rows.ts';

type CommandBarProps = {
	readonly line: CommandLine;
	readonly ui: UiState;
	readonly commands: readonly Command[];
	/** Of the whole screen. */
	readonly layout: LayoutName;
	readonly columns: number;
	readonly rows: 1 | 2;
};

export const CommandBar = memo(({line, ui, commands, layout, columns, rows}: CommandBarProps) => {
	const {ascii} = useScreen();
	const parts = useMarket(...vocabularyParts);
	const replay = useReplay();
	const vocabulary = vocabularyOf(parts, ui, layout);
	const lines = commandBarRows({line, vocabulary, commands, columns, rows, ascii, replay});
	return <Pane lines={lines} size={{columns, rows}} />;
});
