import type {MarketState} from '../../../source/store/state.ts';
import type {UiState} from '../../../source/view/ui-state.ts';
import type {OpenMonitor} from '../monitor.tsx';

export type Seen = {readonly ui: UiState; readonly state: MarketState; readonly monitor: OpenMonitor};
/** A key and what it does, on the sample exchange. */
export type Case = {
	/** The key under test, as the keymap names it. */
	readonly key: string;
	/** Typed before it. */
	readonly after?: readonly string[];
	readonly what: string;
	readonly see: (seen: Seen) => unknown;
	readonly from: unknown;
	readonly to: unknown;
};
