import type {Alert} from '../../alerts/alert-event.ts';
import type {Alerts} from '../../alerts/alerts.ts';
import type {OpenedMonitor, TileToOpen} from '../../view/panels/watch/watch-screen.tsx';
import type {Context} from '../context.ts';
import {withSavedLook} from '../state/saved-session.ts';
import type {StateFile} from '../state/state-file.ts';
import type {Drawing} from './draw.tsx';
import type {MonitorHistory} from './monitor-history.ts';
import {prepareMonitor} from './prepare-monitor.tsx';

/** Opens monitors on the terminal of the tiles. */
type TileMonitors = {
	openMonitor(tile: TileToOpen): Promise<OpenedMonitor>;
	/** Passes an alert to the one that is open, which may record it. */
	addAlert(alert: Alert): void;
	/** Closes the one that is open. Settles when all is saved. */
	end(): Promise<void>;
};

type Shared = {
	/** Judged for the tiles, which every monitor shows. */
	alerts(): Alerts;
	/** What every monitor begins with. */
	readonly file: StateFile;
	/** Default: each has a history of its own. */
	history?: (() => MonitorHistory) | undefined;
};

export function createTileMonitors(
	context: Context,
	{fail, ...drawing}: Omit<Drawing, 'screens' | 'onEnd'>,
	{alerts, file, history}: Shared,
): TileMonitors {
	let close = () => {};
	let addAlert = (_: Alert) => {};
	let {state: saved} = file;
	/** Each settles when a monitor has saved all. */
	const endings: Promise<void>[] = [];
	return {
		async openMonitor({symbol, screen, leave, say}) {
			const monitor = prepareMonitor(context, {
				file,
				saved,
				market: symbol,
				alerts: alerts(),
				history: history?.(),
				leave,
				say,
			});
			({addAlert} = monitor);
			const {stores, start, ...shown} = monitor.shown;
			const [store = screen.store] = stores;
			close = () => {
				close = () => {};
				addAlert = () => {};
				saved = monitor.saved();
				for (const each of stores) each.stop();
				shown.tick.stop();
				endings.push(monitor.end());
			};
			const view = monitor.view({...drawing, fail, screens: [{...screen, ...shown, store}]});
			start(fail);
			return {
				view,
				close() {
					close();
					return withSavedLook(context.options, saved.view);
				},
			};
		},
		addAlert: alert => addAlert(alert),
		async end() {
			close();
			await Promise.all(endings);
		},
	};
}
