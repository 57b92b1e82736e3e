import type {Decimals} from '../../market/precision.ts';
import type {Tape} from '../../market/tape.ts';
import type {Resource} from '../../store/resource.ts';
import type {Line, Size} from '../line.ts';
import {resourcePanel} from '../resource-panel.ts';
import {tapeBody, tapeSkeleton} from './rows.ts';

export type TapePanelInput = {
	readonly tape: Resource<Tape>;
	readonly decimals: Decimals;
	readonly scroll: number;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed tape. */
export function tapePanel(input: TapePanelInput): readonly Line[] {
	const {tape, decimals, scroll, ascii} = input;
	return resourcePanel({
		...input,
		resource: tape,
		key: '4',
		titles: ['Tape'],
		body: (data, size) => tapeBody({tape: data, decimals, scroll, size, ascii, now: input.now}),
		skeleton: tapeSkeleton,
	});
}
