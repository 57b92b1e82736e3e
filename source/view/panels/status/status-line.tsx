import {memo} from 'react';
import type {ResourceName} from '../../../store/state.ts';
import type {Command} from '../../commands/command.ts';
import type {PanelName} from '../../layout.ts';
import {Pane} from '../../pane.tsx';
import {useDroppedFrames, useMarket, useNow, useScreen} from '../../use-market.ts';
import {statusLines, statusParts} from './rows.ts';

export type StatusLineProps = {
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly visible?: ReadonlySet<ResourceName> | undefined;
	/** The commands whose keys are hinted at; absent: no keyboard, no hints. */
	readonly commands?: readonly Command[] | undefined;
	/** The panel whose own keys are hinted at. */
	readonly focus?: PanelName | undefined;
	/** Said after the state of the feed. */
	readonly more?: string | undefined;
};

export const StatusLine = memo((props: StatusLineProps) => {
	const {ascii} = useScreen();
	const state = useMarket(...statusParts);
	const now = useNow();
	const droppedFrames = useDroppedFrames();
	return <Pane lines={statusLines({...props, state, now, ascii, droppedFrames})} size={props} />;
});
