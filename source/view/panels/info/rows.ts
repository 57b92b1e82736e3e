import {freeText, type Size} from '../../../format/cells.ts';
import {capabilityFlags, type ExchangeInfo} from '../../../market/types.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize, overlayFooters} from '../../frame.ts';
import type {Line, Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {type OverlayView, resourcePanel} from '../../resource-panel.ts';
import {labelledRows} from '../../wrap.ts';

export type InfoPanelInput = OverlayView & {
	readonly info: Resource<ExchangeInfo>;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	/** Epoch ms. */
	readonly now: number;
};

/** The framed exchange info from row `scroll` on. */
export function infoPanel({info, scroll, ...view}: InfoPanelInput): readonly Line[] {
	const {keyHint, size, ascii} = view;
	const inner = bodySize(size);
	const rows = info.status === 'ready' ? infoBody(info.data, inner, ascii) : [];
	return resourcePanel({
		resource: info,
		command: 'info',
		titles: ['Exchange'],
		footers: overlayFooters({total: rows.length, shown: inner.rows, scroll, keyHint, ascii}),
		focused: true,
		...view,
		body: () => rows.slice(scroll),
		skeleton: infoSkeleton,
	});
}

const flagWords = {
	true: {text: 'true', tone: 'good'},
	false: {text: 'false', tone: 'plain'},
	null: {text: 'no value', tone: 'muted'},
} as const;

type Row = readonly [label: string, text: string | undefined, tone?: Tone];

const labelColumns = 18;
const capabilities: Line = [{text: ' Capabilities', tone: 'title'}];

const rowsOf = ([label, text, tone]: Row, size: Size, ascii: boolean): readonly Line[] => {
	const shown = text ? freeText(text, ascii) : marksFor(ascii).none;
	return labelledRows({label, labelTone: 'muted', text: shown, tone}, labelColumns, size);
};

/** How the exchange describes itself, and its eight capability flags, in as many rows as that needs at this width. */
export function infoBody(info: ExchangeInfo, size: Size, ascii: boolean): readonly Line[] {
	const description: readonly Row[] = [
		['name', info.name, 'strong'],
		['description', info.description],
		['location', info.location],
		['website', info.website],
		['logo', info.logo],
		['twitter', info.twitter],
		['interface version', info.version],
	];
	const flags = capabilityFlags.map((flag): Row => {
		const {text, tone} = flagWords[`${info.capability[flag]}`];
		return [flag, text, tone];
	});
	const linesOf = (rows: readonly Row[]) => rows.flatMap(row => rowsOf(row, size, ascii));
	return [...linesOf(description), [], capabilities, ...linesOf(flags)];
}

/** The labels of the flags while the answer is loading. */
export function infoSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = marksFor(ascii).skeleton.repeat(8);
	return [capabilities, ...capabilityFlags.flatMap(flag => rowsOf([flag, dots, 'muted'], size, ascii))];
}
