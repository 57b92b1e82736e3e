import {memo} from 'react';
import {Pane} from '../../pane.tsx';
import {useDroppedFrames, useMarket, useNow, useScreen} from '../../use-market.ts';
import {type StatusInput, statusLines, statusParts} from './rows.ts';

type StatusLineProps = Omit<StatusInput, 'state' | 'now' | 'ascii' | 'droppedFrames'>;

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const state = useMarket(...statusParts);
	const now = useNow();
	const droppedFrames = useDroppedFrames();
	return <Pane lines={statusLines({...props, state, now, ascii, droppedFrames})} size={props} />;
});
