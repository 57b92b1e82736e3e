import type {Store} from '../store/create-store.ts';

/** Recorded time per real time, or as fast as it can be shown. */
export type Speed = number | 'max';

export const [slowest, fastest] = [0.1, 1000];

/** Reads `60`, `x60` or `max`. Undefined: it is no speed, or out of range. */
export function parseSpeed(text: string): Speed | undefined {
	if (text.toLowerCase() === 'max') return 'max';
	const speed = Number(text.replace(/^[x×]|[x×]$/gi, '') || Number.NaN);
	return speed >= slowest && speed <= fastest ? speed : undefined;
}

/** What is replayed, as the status line shows it. Times are epoch ms. */
export type ReplayStatus = {
	readonly time: number;
	readonly isPlaying: boolean;
	readonly speed: Speed;
	/** `REPLAY`, or how far a live session was stepped back. */
	readonly label: string;
	/** What else is to be known of it, where there is room. */
	readonly note?: string | undefined;
	readonly from: number;
	readonly to: number;
	/** What was not recorded. */
	readonly gaps: readonly Stretch[];
	/** When alerts called. */
	readonly alerts: readonly number[];
};

export type Stretch = {readonly from: number; readonly to: number};

/** Moves the screen through recorded time. The state is undefined while it shows the present. */
export type ReplayControls = Store<ReplayStatus | undefined> & {
	/** Whether a live screen goes on behind it. */
	readonly hasPresent: boolean;
	/** False: the present is shown, which does not play. */
	togglePlaying(): boolean;
	setSpeed(speed: Speed): void;
	/** Below 0: back, from the present too. False: there is nothing in that direction. */
	skip(ms: number): boolean;
	/** To the next or previous change of the market on screen. False: there is none. */
	step(by: 1 | -1): boolean;
	goTo(time: number): void;
	/** Back to the present. False: it is shown, or there is none. */
	end(): boolean;
};

/** What the user can do with the recording of a screen, and what is shown of it; undefined: none runs. */
export type RecordingControls = Store<RecordingMark | undefined> & {
	/** Ends the recording that runs, else begins one in a new file. */
	toggle(): void;
	/** Records to this file; one that runs ends. */
	recordTo(path: string): void;
};

export type RecordingMark = {
	/** How long it has been recorded. */
	readonly lastsMs: number;
};
