import type {Resource} from '../store/resource.ts';
import {bodySize, framePanel} from './frame.ts';
import type {Line, Size, Tone} from './line.ts';
import {droppedNote, failureBody, panelStatuses} from './panel-status.ts';

export type ResourcePanel<T> = {
	readonly resource: Resource<T>;
	/** Where interface and age come from another resource than the body. Default: `resource`. */
	readonly dated?: Resource<unknown> | undefined;
	/** The key that focuses the panel. */
	readonly key: string;
	/** From long to short. */
	readonly titles: readonly string[];
	/** Said in the bottom border, where it fits. */
	readonly foot?: string | undefined;
	/** Default `muted`. */
	readonly footTone?: Tone | undefined;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
	body(data: T, size: Size): readonly Line[];
	/** The shape of the body while its data is awaited. */
	skeleton(size: Size, ascii: boolean): readonly Line[];
};

/** A framed panel that never stands empty: its data, its shape while it waits, or what failed. Exactly `size`. */
export function resourcePanel<T>(panel: ResourcePanel<T>): readonly Line[] {
	const {resource, dated = resource, key, titles, focused, size, now, ascii} = panel;
	const inner = bodySize(size);
	const body = (): readonly Line[] => {
		if (resource.status === 'ready') return panel.body(resource.data, inner);
		return resource.status === 'failed' ? failureBody(resource.failure, now, inner) : panel.skeleton(inner, ascii);
	};
	const said: Line = panel.foot ? [{text: panel.foot, tone: panel.footTone ?? 'muted'}] : [];
	const dropped = droppedNote([...new Set([resource, dated])]);
	const between: Line = said.length > 0 && dropped.length > 0 ? [{text: ascii ? ' - ' : ' · ', tone: 'muted'}] : [];
	const foot = [...said, ...between, ...dropped];
	const statuses = panelStatuses(dated, now, ascii);
	return framePanel({key, titles, foot, statuses, focused, ascii, size}, body());
}
