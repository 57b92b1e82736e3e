import {memo} from 'react';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useMarket, useNow, useScreen} from '../../use-market.ts';
import {infoPanel} from './rows.ts';

export const InfoOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const {info} = useMarket('info');
	const now = useNow();
	const size = sizeOf(props);
	return <Pane lines={infoPanel({info, scroll: props.scroll, size, now, ascii})} size={size} stale={isStale(info)} />;
});
