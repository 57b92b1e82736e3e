import {memo} from 'react';
import {bodySize, framePanel} from '../frame.ts';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {useScreen} from '../use-market.ts';
import {helpBody} from './rows.ts';

export const HelpOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const size = sizeOf(props);
	const frame = {key: '?', titles: ['Keys'], statuses: [], focused: true, ascii, size};
	return <Pane lines={framePanel(frame, helpBody(bodySize(size), ascii).slice(props.scroll))} size={size} />;
});
