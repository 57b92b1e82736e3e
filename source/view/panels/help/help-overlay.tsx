import {memo} from 'react';
import type {Binding} from '../../keymap.ts';
import {Pane} from '../../pane.tsx';
import {type PanelProps, sizeOf} from '../../panel-props.ts';
import {useScreen} from '../../use-market.ts';
import {helpPanel} from './model.ts';

export const HelpOverlay = memo(
	(props: PanelProps & {readonly bindings: readonly Binding[]; readonly scroll: number}) => {
		const {ascii} = useScreen();
		const size = sizeOf(props);
		const {bindings, scroll} = props;
		return <Pane lines={helpPanel({bindings, size, scroll, ascii})} size={size} />;
	},
);
