import {memo} from 'react';
import {Pane} from '../../pane.tsx';
import {
	useAlerts,
	useDroppedFrames,
	useKeyHint,
	useMarket,
	useNow,
	useReplay,
	useScreen,
	useZone,
} from '../../use-market.ts';
import {alertStatus} from '../alerts/status-texts.ts';
import {type StatusInput, statusLines, statusParts} from './rows.ts';

type StatusLineProps = Omit<StatusInput, 'state' | 'now' | 'ascii' | 'zone' | 'droppedFrames' | 'alert' | 'replay'>;

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const state = useMarket(...statusParts);
	const now = useNow();
	const droppedFrames = useDroppedFrames();
	const replay = useReplay();
	const alert = alertStatus(useAlerts(), useKeyHint(), ascii, zone);
	return <Pane lines={statusLines({...props, state, now, ascii, zone, droppedFrames, alert, replay})} size={props} />;
});
