import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {useMarket, useScreen} from '../use-market.ts';
import {commandRows} from './rows.ts';
import type {CommandLine} from './state.ts';

type CommandBarProps = {readonly line: CommandLine; readonly columns: number; readonly rows: 1 | 2};

export const CommandBar = memo(({line, columns, rows}: CommandBarProps) => {
	const {ascii} = useScreen();
	const markets = useMarket(state => state.markets);
	const tickers = useMarket(state => state.tickers);
	const lines = commandRows({line, known: {markets, tickers}, columns, rows, ascii});
	return <Pane lines={lines} size={{columns, rows}} />;
});
