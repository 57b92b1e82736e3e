import type {Store} from '../store/create-store.ts';

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
