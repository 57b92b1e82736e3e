import type {ExchangeInfo} from '../../../market/types.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize, footColumns} from '../../frame.ts';
import type {Line, Size} from '../../line.ts';
import {overlayFoot} from '../../overlay-foot.ts';
import {resourcePanel} from '../../resource-panel.ts';
import {infoBody, infoSkeleton} from './rows.ts';

export type InfoPanelInput = {
	readonly info: Resource<ExchangeInfo>;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed exchange info; its lower border says how much of it is in sight. */
export function infoPanel({info, scroll, size, now, ascii}: InfoPanelInput): readonly Line[] {
	const inner = bodySize(size);
	const rows = info.status === 'ready' ? infoBody(info.data, inner, ascii) : [];
	return resourcePanel({
		resource: info,
		key: 'i',
		titles: ['Exchange'],
		foot: overlayFoot({total: rows.length, shown: inner.rows, scroll, columns: footColumns(size), ascii}),
		focused: true,
		size,
		now,
		ascii,
		body: () => rows.slice(scroll),
		skeleton: infoSkeleton,
	});
}
