import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {tapeSums} from '../../../market/tape-sums.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import type {Line, Size} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {resourcePanel} from '../../resource-panel.ts';
import type {TapeView} from './list.ts';
import {tapeBody, tapeSkeleton} from './rows.ts';
import {paceTexts} from './sums-row.ts';

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
		footers: sums ? paceTexts(sums, decimals.quantity, ascii, marksFor(ascii)) : [],
		footerTone: sums?.hasGaps || (sums?.unknown ?? 0) > 0 ? 'warn' : 'muted',
		body: (data, inner) => tapeBody({...input, tape: data, size: inner}),
		skeleton: tapeSkeleton,
	});
}
