import {memo} from 'react';
import type {Command} from '../../commands/command.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {useScreen} from '../../use-market.ts';
import {helpPanel} from './rows.ts';

type HelpOverlayProps = PanelProps & {readonly commands: readonly Command[]; readonly scroll: number};

export const HelpOverlay = memo((props: HelpOverlayProps) => {
	const {ascii} = useScreen();
	const size = sizeOf(props);
	const {commands, scroll} = props;
	return <Pane lines={helpPanel({commands, size, scroll, ascii})} size={size} />;
});
