import {padEnd} from '../format/cells.ts';
import type {Line, Size, Tone} from './line.ts';
import {wrapped} from './wrap.ts';

export type Labelled = {
	readonly label: string;
	readonly labelTone: Tone;
	readonly text: string;
	readonly tone?: Tone | undefined;
};

/** A label and what it stands for; a text that is too long goes on below itself. */
export function labelledRows(
	{label, labelTone, text, tone}: Labelled,
	labelColumns: number,
	size: Size,
): readonly Line[] {
	const room = Math.max(size.columns - labelColumns - 1, 1);
	return wrapped(text, room).map((part, row) => [
		{text: ` ${padEnd(row === 0 ? label : '', labelColumns)}`, tone: labelTone},
		{text: part, tone},
	]);
}
