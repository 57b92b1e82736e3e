import type {Period} from '../../../market/types.ts';
import {oneColumn, type Zoom} from '../chart/chart-state.ts';

/** The user's view of the comparison. */
export type CompareState = {
	readonly zoom: Zoom;
	/** The step at the right edge, by its start, epoch ms. Absent, or of another period than is shown: always the newest. */
	readonly edge?: {readonly time: number; readonly period: Period} | undefined;
	/** A time in the step under the crosshair, epoch ms; absent: no crosshair. */
	readonly cross?: number | undefined;
	/** A time in the step from which changes count, epoch ms; absent: the left edge. */
	readonly base?: number | undefined;
};

export const initialCompare: CompareState = {zoom: oneColumn};
