import {memo} from 'react';
import {Pane} from '../../pane.tsx';
import {type StrayKeys, strayText} from '../../stray-keys.ts';
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

type StatusLineProps = Omit<StatusInput, 'state' | 'now' | 'ascii' | 'zone' | 'droppedFrames' | 'alert' | 'replay'> & {
	readonly stray: StrayKeys;
};

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const state = useMarket(...statusParts);
	const now = useNow();
	const droppedFrames = useDroppedFrames();
	const replay = useReplay();
	const alert = alertStatus(useAlerts(), useKeyHint(), ascii, zone);
	const notice = props.notice ?? strayText(props.stray, now);
	return (
		<Pane lines={statusLines({...props, notice, state, now, ascii, zone, droppedFrames, alert, replay})} size={props} />
	);
});
