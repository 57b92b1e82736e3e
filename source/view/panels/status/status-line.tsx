import {latest} from '../../../market/memo.ts';
import {type StrayKeys, strayText} from '../../keys.ts';
import {type Live, livePanel} from '../../pane.tsx';
import type {OverlayView, PanelProps} from '../../resource-panel.ts';
import {partsSelector} from '../../use-market.ts';
import {alertStatus} from '../alerts/status-texts.ts';
import {type StatusInput, statusLines, statusParts} from './rows.ts';

type StatusLineProps = Omit<PanelProps, 'focused'> &
	Omit<StatusInput, 'state' | 'now' | 'ascii' | 'zone' | 'droppedFrames' | 'alert' | 'replay'> & {
		readonly stray: StrayKeys;
	};

export const StatusLine = livePanel<StatusLineProps>(() => {
	const partsOf = partsSelector(statusParts);
	const alertOf = latest(({alerts, keyHint, ascii, zone}: Pick<Live, 'alerts'> & Omit<OverlayView, 'size'>) =>
		alertStatus(alerts, keyHint, ascii, zone),
	);
	const lines = latest(statusLines);
	return ({stray, notice, keyHint, ...input}, {state, now, alerts, droppedFrames, replay}) => {
		const {ascii, zone} = input;
		return {
			lines: lines({
				...{...input, state: partsOf(state), now, droppedFrames, replay},
				alert: alertOf({alerts, keyHint, ascii, zone}),
				notice: notice ?? strayText(stray, now),
			}),
		};
	};
});
