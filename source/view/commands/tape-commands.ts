import {nextMinSize} from '../../market/tape-sums.ts';
import {typedNumber} from '../../market/typed-number.ts';
import {scrolledAnchor} from '../panels/tape/rows.ts';
import {changed} from '../ui-state.ts';
import type {Command, Control} from './command.ts';

const sizeText = 'a size in base asset such as 0.5, or 0 for all';

export const tapeCommands: readonly Command[] = [
	{
		name: 'merge-fills',
		keys: ['m'],
		focused: true,
		help: 'toggle merging fills of the same time, price and side',
		hint: {word: 'merge fills', rank: 23},
		run: ({ui}) => ui.update(changed('tape', {merged: !ui.getSnapshot().tape.merged})),
	},
	{
		name: 'min-size',
		keys: [],
		help: 'hide smaller trades',
		argument: {
			takes: sizeText,
			run(text, {ui}) {
				const size = typedNumber(text);
				if ('fault' in size) return `${size.fault}; min-size takes ${sizeText}`;
				if (size.value < 0) return `min-size takes ${sizeText}`;
				ui.update(changed('tape', {minSize: size.value}));
				return undefined;
			},
		},
	},
];

/** Scrolls by rows, down or (negative) up. */
export function scrollTape(by: number, {store, ui, page, now}: Control): void {
	const {tape} = store.getSnapshot();
	if (tape.status !== 'ready') return;
	const view = ui.getSnapshot().tape;
	ui.update(changed('tape', {anchor: scrolledAnchor({...view, tape: tape.data, now}, page.rows, by)}));
}

/** Hides more or fewer of the small trades. */
export function scaleTape(by: 1 | -1, {store, ui}: Control): void {
	const {tape, decimals} = store.getSnapshot();
	if (tape.status !== 'ready') return;
	const {minSize} = ui.getSnapshot().tape;
	ui.update(changed('tape', {minSize: nextMinSize(minSize, by, tape.data.trades, decimals.quantity)}));
}
