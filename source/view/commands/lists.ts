import type {CursorOverlay} from '../layout.ts';
import {alertList} from './alerts-commands.ts';
import type {Control} from './command.ts';
import {holdingList} from './holding-commands.ts';
import {levelList} from './level-commands.ts';
import {settingList} from './settings-commands.ts';

type List = {move(by: number, control: Control): void; copied(control: Control): string | undefined};

/** What moves the cursor of each list over the panels, and copies the row under it. */
export const lists: Readonly<Record<CursorOverlay, List>> = {
	...{alerts: alertList, levels: levelList, holdings: holdingList, settings: settingList},
};
