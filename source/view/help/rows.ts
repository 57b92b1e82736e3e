import {keymap} from '../keymap.ts';
import {labelledRows} from '../labelled.ts';
import type {Line, Size} from '../line.ts';

/** Key and meaning of every binding, as the help overlay and the README list them. */
export const keyHelp: ReadonlyArray<{readonly keys: string; readonly help: string}> = keymap
	.filter(binding => binding.help)
	.map(({keys, shown, help}) => ({keys: shown ?? keys.map(keyLabel).join(' '), help}));

function keyLabel(key: string): string {
	return key.length === 1 ? key : (key[0] ?? '').toUpperCase() + key.slice(1);
}

const labelColumns = 16;
const arrows: Record<string, string> = {'↑': 'Up', '↓': 'Down', '←': 'Left', '→': 'Right', '–': '-'};

/** Every key, then how to read the screen. As many rows as that takes at this width. */
export function helpBody(size: Size, ascii: boolean): readonly Line[] {
	const plain = (text: string) => (ascii ? text.replaceAll(/[↑↓←→–]/g, found => arrows[found] ?? found) : text);
	const legend: ReadonlyArray<readonly [string, string]> = [
		[ascii ? '^ v' : '▲ ▼', 'the taker bought, sold; a dot: the exchange does not say which'],
		[ascii ? '^' : '▴', 'the candle that is still forming; its strokes are broken'],
		[ascii ? ':' : '┊', 'candles are missing here'],
		['a, b', 'best ask and bid in the chart, where they stand apart from the last price'],
		[ascii ? '-' : '–', 'the exchange names no value'],
		[
			ascii ? '+ ^ v x' : '+ ▲ ▼ ×',
			'beside a price of the book: came, grew, shrank, was pulled since the answer before',
		],
		[ascii ? 'o O' : '○ ●', 'a trade of 5, of 20 times the usual (median) size'],
		[ascii ? '>=' : '≥', 'at least: trades may be missing, or their sides are not known'],
		['v2, legacy', 'the interface that a panel’s data came from, and its age'],
		['stale since', 'the last good answer; what is shown below is that old'],
		['dropped', 'entries that the exchange sent with a missing or wrong field'],
	];
	const rows = (label: string, help: string) => {
		const text = ascii ? help.replaceAll('’', "'") : help;
		return labelledRows({label, labelTone: 'accent', text}, labelColumns, size);
	};
	return [
		...keyHelp.flatMap(({keys, help}) => rows(plain(keys), help)),
		[],
		[{text: ' On the screen', tone: 'title'}],
		...legend.flatMap(([sign, meaning]) => rows(sign, meaning)),
	];
}
