import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import {resourcePanel} from '../resource-panel.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {infoBody, infoSkeleton} from './rows.ts';

export const InfoOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
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
		body: (data, inner) => infoBody(data, inner, ascii).slice(props.scroll),
		skeleton: infoSkeleton,
	});
	return <Pane lines={lines} size={size} stale={isStale(info)} />;
});
