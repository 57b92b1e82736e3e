import {memo} from 'react';
import type {ResourceName} from '../../store/state.ts';
import {Pane} from '../pane.tsx';
import {useDroppedFrames, useMarket, useNow, useScreen} from '../use-market.ts';
import {statusLines} from './rows.ts';

export type StatusLineProps = {
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly visible?: ReadonlySet<ResourceName> | undefined;
	readonly keyboard: boolean;
	/** Said after the state of the feed. */
	readonly more?: string | undefined;
};

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const state = useMarket(whole => whole);
	const now = useNow();
	const droppedFrames = useDroppedFrames();
	return <Pane lines={statusLines({...props, state, now, ascii, droppedFrames})} size={props} />;
});
