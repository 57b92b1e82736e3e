import type {Alert} from '../../alerts/alert-event.ts';
import type {Exchange} from '../../client/exchange.ts';
import type {MarketStore} from '../../store/state.ts';
import type {Context} from '../context.ts';
import type {Shown} from './draw.tsx';
import {createMonitorRecording} from './monitor-recording.ts';
import {type Rewindable, rewindable, rewindableExchange} from './monitor-rewind.ts';

/** What a monitor keeps of what it reads. */
export type MonitorHistory = {
	/** What is read of it is kept. */
	readonly exchange: Exchange;
	/** The live screen with what is kept. */
	shownOf(live: Shown & {readonly store: MarketStore}): Shown;
	addAlert(alert: Alert): void;
	/** Settles when all is kept, or after two seconds. */
	stop(): Promise<void>;
};

/** Steps back, and records to files, `record` from the start. `say`: shows the user what becomes of a recording. */
export function createHistory(
	context: Context,
	{record, say}: {readonly record?: string | undefined; readonly say: (notice: string) => void},
): MonitorHistory {
	const recording = createMonitorRecording(context, say);
	if (record !== undefined) recording.controls.recordTo(record);
	const kept = {...context, exchange: recording.exchange};
	const {exchange, log} = rewindableExchange(kept);
	const rewound = createSharedHistory(kept, {log});
	return {
		exchange,
		shownOf: live => ({...rewound.shownOf(live), recording: recording.controls}),
		addAlert(alert) {
			recording.addAlert(alert);
			rewound.addAlert(alert);
		},
		async stop() {
			await Promise.all([recording.stop(), rewound.stop()]);
		},
	};
}

/** Steps back in a log that all screens of one exchange share. */
export function createSharedHistory(
	{exchange, clock}: Pick<Context, 'exchange' | 'clock'>,
	{log}: Pick<Rewindable, 'log'>,
): MonitorHistory {
	let screen: ReturnType<typeof rewindable> | undefined;
	return {
		exchange,
		shownOf(live) {
			if (!log) return live;
			screen = rewindable(live, {clock, log});
			return screen.shown;
		},
		addAlert: alert => screen?.addAlert(alert),
		async stop() {
			screen?.stop();
		},
	};
}
