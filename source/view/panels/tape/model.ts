import {formatFixed, formatSigned} from '../../../format/number.ts';
import {formatClock} from '../../../format/time.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {type TapeSums, tapeSums} from '../../../market/tape-sums.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import type {Line, Size} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {resourcePanel} from '../../resource-panel.ts';
import type {TapeView} from './list.ts';
import {tapeBody, tapeSkeleton} from './rows.ts';

export type TapePanelInput = TapeView & {
	readonly tape: Resource<Tape>;
	readonly decimals: Decimals;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed tape. */
export function tapePanel(input: TapePanelInput): readonly Line[] {
	const {tape, decimals, ascii} = input;
	const sums = tape.status === 'ready' ? tapeSums(tape.data, exchangeTime(tape, tape.receivedAt)) : undefined;
	return resourcePanel({
		...input,
		resource: tape,
		key: '4',
		titles: ['Tape'],
		footers: sums && paceTexts(sums, decimals.quantity, ascii),
		footerTone: sums?.hasGaps || (sums?.unknown ?? 0) > 0 ? 'warn' : 'muted',
		body: (data, inner) => tapeBody({...input, tape: data, size: inner}),
		skeleton: tapeSkeleton,
	});
}

/** Cumulative delta and pace, from long to short; `partial` where trades may be missing or sides are unknown. */
export function paceTexts(sums: TapeSums, quantityDecimals: number, ascii: boolean): readonly string[] {
	if (sums.since === undefined) return [];
	const marks = marksFor(ascii);
	const dot = ` ${marks.separator} `;
	const delta = `${marks.delta} ${formatSigned(sums.delta, quantityDecimals, {ascii})}`;
	const pace = `${sums.perMinutePartial ? marks.atLeast : ''}${formatFixed(sums.perMinute, 0)}/min`;
	const partial = sums.hasGaps || sums.unknown > 0 ? ['partial'] : [];
	const short = [...partial, ...(sums.bought + sums.sold > 0 ? [delta] : []), pace].join(dot);
	return [`${short}${dot}since ${formatClock(sums.since)}`, short, [...partial, pace].join(dot)];
}
