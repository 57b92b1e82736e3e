import {bodySize, footColumns, framePanel} from '../../frame.ts';
import type {Line, Size} from '../../line.ts';
import {overlayFoot} from '../../overlay-foot.ts';
import {type DiagnosisInput, diagnosisBody} from './rows.ts';

export type DiagnosisPanelInput = DiagnosisInput & {
	readonly size: Size;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly ascii: boolean;
};

/** The framed diagnosis; its lower border says how much of it is in sight. */
export function diagnosisPanel(input: DiagnosisPanelInput): readonly Line[] {
	const {size, scroll, ascii} = input;
	const inner = bodySize(size);
	const body = diagnosisBody(input, inner, ascii);
	const text = overlayFoot({total: body.length, shown: inner.rows, scroll, columns: footColumns(size), ascii});
	const foot: Line = [{text, tone: 'muted'}];
	const titles = ['Diagnosis since the start', 'Diagnosis'];
	return framePanel({key: 'd', titles, statuses: [], foot, focused: true, ascii, size}, body.slice(scroll));
}
