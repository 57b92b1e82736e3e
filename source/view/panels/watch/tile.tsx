import {memo} from 'react';
import type {Size} from '../../line.ts';
import {Pane} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useMarket, useNow, useScreen} from '../../use-market.ts';
import {tickerParts} from '../ticker/model.ts';
import {tileLines} from './tile-rows.ts';

/** The market of the screen around it. Numbers only, so that the memo can compare them. */
export const Tile = memo((size: Size) => {
	const {ascii} = useScreen();
	const state = useMarket(...tickerParts);
	const now = useNow();
	const {columns, rows} = size;
	const lines = tileLines(state, {size: {columns, rows}, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(state.tape)} />;
});
