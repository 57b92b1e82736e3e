import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {statusLines} from './rows.ts';

export type StatusLineProps = {
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly keyboard: boolean;
	/** Said after the state of the feed. */
	readonly more?: string | undefined;
};

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const state = useMarket(whole => whole);
	const now = useNow();
	return <Pane lines={statusLines({...props, state, now, ascii})} size={props} />;
});
