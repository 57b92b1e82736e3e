import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import {resourcePanel} from '../resource-panel.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {infoBody, infoSkeleton} from './rows.ts';

export const InfoOverlay = memo((props: PanelProps) => {
	const {ascii} = useScreen();
	const info = useMarket(state => state.info);
	const now = useNow();
	const size = sizeOf(props);
	const lines = resourcePanel({
		resource: info,
		key: 'i',
		titles: ['Exchange'],
		focused: true,
		size,
		now,
		ascii,
		body: data => infoBody(data, ascii),
		skeleton: infoSkeleton,
	});
	return <Pane lines={lines} size={size} stale={isStale(info)} />;
});
