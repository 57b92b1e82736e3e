import {formatFixed, formatSigned} from '../../../format/number.ts';
import {formatClock} from '../../../format/time.ts';
import {memo} from '../../../market/memo.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {type TapeSums, tapeSums} from '../../../market/tape-sums.ts';
import {dayMs, dayOf} from '../../../market/units.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {TapeView} from './list.ts';
import {tapeBody, tapeSkeleton} from './rows.ts';

type TapePanelInput = PanelView &
	TapeView & {
		readonly tape: Resource<Tape>;
		readonly decimals: Decimals;
	};

/** The body of the panel, which changes at midnight (UTC) with dates, but not each second. */
const panelBody = memo((input: TapePanelInput, day: number): readonly Line[] => {
	const {tape, size} = input;
	return tape.status === 'ready' ? tapeBody({...input, tape: tape.data, size: bodySize(size), now: day * dayMs}) : [];
});

/** The framed tape. For the same `input` only its age is computed again. */
export function tapePanel(input: TapePanelInput, now: number): readonly Line[] {
	const {tape, decimals, ascii} = input;
	const sums = tape.status === 'ready' ? tapeSums(tape.data, exchangeTime(tape, tape.receivedAt)) : undefined;
	return resourcePanel({
		...input,
		now,
		resource: tape,
		command: 'go-to-tape',
		titles: ['Tape'],
		footers: sums && paceTexts(sums, decimals.quantity, ascii, outdatedAt(tape, now)),
		footerTone: sums?.hasGaps || (sums?.unknown ?? 0) > 0 ? 'warn' : 'muted',
		body: () => panelBody(input, dayOf(now)),
		skeleton: tapeSkeleton,
	});
}

/** When the tape was received, if it is not current, as while paused; else undefined. */
const outdatedAt = (tape: Resource<Tape>, now: number): number | undefined =>
	tape.status === 'ready' && (tape.failure !== undefined || now - tape.receivedAt >= leastOutdatedMs)
		? tape.receivedAt
		: undefined;

/** A younger tape counts as current. */
const leastOutdatedMs = 10_000;

/**
 * Cumulative delta and trades per minute, from long to short, marked `≥` or `≈` if trades may be missing or sides are
 * unknown. `at`: epoch ms at which the trades per minute were counted, if that is not now; it is named, or they are left out.
 */
export function paceTexts(sums: TapeSums, quantityDecimals: number, ascii: boolean, at?: number): readonly string[] {
	if (sums.since === undefined) return [];
	const marks = marksFor(ascii);
	const dot = ` ${marks.separator} `;
	const delta = `${marks.delta} ${formatSigned(sums.delta, quantityDecimals, {ascii})}`;
	const rate = `${sums.perMinutePartial ? marks.atLeast : ''}${formatFixed(sums.perMinute, 0)}/min`;
	const pace = at === undefined ? [rate] : [];
	const partial = sums.hasGaps || sums.unknown > 0 ? ['partial'] : [];
	const short = [...partial, ...(sums.bought + sums.sold > 0 ? [delta] : []), ...pace];
	const since = `since ${formatClock(sums.since)}`;
	const dated = at === undefined ? [] : [[...short, `${rate} at ${formatClock(at)}`]];
	return [...dated, [...short, since], short, [...partial, ...pace]].map(parts => parts.join(dot)).filter(Boolean);
}
