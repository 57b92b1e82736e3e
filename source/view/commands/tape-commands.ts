import {type Minimum, nextMinimum, parseMinimum} from '../../market/minimum.ts';
import type {Market} from '../../market/types.ts';
import {selectedMarket} from '../../store/state.ts';
import {scrolledAnchor} from '../panels/tape/rows.ts';
import {changed} from '../ui-state.ts';
import {completeAmount} from './book-commands.ts';
import {beginning, type Command, type Control} from './command.ts';

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
		name: 'min',
		keys: [],
		help: 'hide trades below a size or a value',
		argument: {
			takes: '0.5, 0.5 btc, 10k usdt, or off for all',
			complete(text, vocabulary) {
				const examples = [...minimumsOf(selectedMarket(vocabulary) ?? {}).slice(1), 'off'];
				return [...new Set([...beginning(examples)(text), ...completeAmount(text, vocabulary)])];
			},
			run(text, {store, ui}) {
				const market = selectedMarket(store.getSnapshot());
				const minimum = parseMinimum(text, market ?? {});
				if ('fault' in minimum) return `${minimum.fault}; min takes ${minimumsOf(market ?? {}).join(', ')}, off`;
				ui.update(minimumSet(minimum.value));
				return undefined;
			},
		},
	},
];

/** Examples of minimums. */
const minimumsOf = ({base, quote}: Partial<Market>): readonly string[] => [
	'0.5',
	...(base ? [`0.5 ${base.toLowerCase()}`] : []),
	...(quote ? [`10k ${quote.toLowerCase()}`] : []),
];

const minimumSet = (minimum: Minimum) => changed('tape', {minimum});

/** Scrolls by rows, down or (negative) up. */
export function scrollTape(by: number, {store, ui, page, now}: Control): void {
	const {trades: tape} = store.getSnapshot();
	if (tape.status !== 'ready') return;
	const {tape: view, zoomed, zone} = ui.getSnapshot();
	ui.update(changed('tape', {anchor: scrolledAnchor({...view, zoomed, tape: tape.data, size: page, now, zone}, by)}));
}

/** Hides more or fewer of the small trades, in the unit that is set. */
export function scaleTape(by: 1 | -1, {store, ui}: Control): void {
	const {trades: tape, decimals} = store.getSnapshot();
	if (tape.status !== 'ready') return;
	const {minimum} = ui.getSnapshot().tape;
	const finest = minimum.unit === 'base' ? decimals.quantity : decimals.price;
	ui.update(minimumSet(nextMinimum(minimum, by, tape.data.trades, finest)));
}
