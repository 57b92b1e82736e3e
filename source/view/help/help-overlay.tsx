import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {useScreen} from '../use-market.ts';
import {helpPanel} from './panel.ts';

export const HelpOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const size = sizeOf(props);
	return <Pane lines={helpPanel({size, scroll: props.scroll, ascii})} size={size} />;
});
