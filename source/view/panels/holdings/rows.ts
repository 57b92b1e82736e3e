import {formatExact, formatPercent} from '../../../format/number.ts';
import {formatAge} from '../../../format/time.ts';
import type {Valuation, ValueSource} from '../../../market/holdings.ts';
import {bodySize} from '../../frame.ts';
import {profitText, shareText, unitPriceText, valueText} from '../../holding-texts.ts';
import {cursorList} from '../../kit/cursor-list.ts';
import {type Column, table} from '../../kit/table.ts';
import type {Line} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import type {OverlayView} from '../../resource-panel.ts';
import {notedIn} from '../../wrap.ts';

export type HoldingsPanelInput = OverlayView & {
	readonly valuation: Valuation;
	/** Why there are no values at all; absent: there are. */
	readonly unvalued?: string | undefined;
	/** The asset under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** Epoch ms. */
	readonly now: number;
};

/** The framed list of holdings and their total: the page of it with the row under the cursor. Exactly `size`. */
export function holdingsPanel(input: HoldingsPanelInput): readonly Line[] {
	const {valuation, keyHint, size, ascii} = input;
	const {assets, currency} = valuation;
	const {columns} = bodySize(size);
	const [heading = '', ...lines] = tableOf(input, columns - 2);
	const sums = lines.slice(assets.length).map((text): Line => [{text: ` ${text}`, tone: 'strong'}]);
	const counted = assets.length > 0 ? `Holdings ${assets.length}` : 'Holdings';
	const adds = keyHint('adds one, such as BTC 0.5 @ 61000 USDT', 'holding-add');
	return cursorList({
		...input,
		command: 'holdings',
		titles: [`${counted} ${marksFor(ascii).separator} in ${currency}`, counted, 'Holdings'],
		heading,
		rows: assets.map(({asset, value}, index) => ({
			key: asset,
			lines: [[{text: ` ${lines[index]}`, tone: value === undefined ? 'muted' : 'plain'}]],
		})),
		below: [...sums, ...notedIn(noteOf(input), 'warn', columns)],
		empty: ['no holdings yet', adds].filter(Boolean).join('; '),
	});
}

/** Which holdings have no value, and why; empty: all have. */
function noteOf({valuation, unvalued}: HoldingsPanelInput): string {
	if (unvalued !== undefined) return unvalued;
	const {assets, currency} = valuation;
	const uncounted = assets.filter(({value}) => value === undefined).map(({asset}) => asset);
	return uncounted.length > 0 ? `not counted: no market converts ${uncounted.join(', ')} to ${currency}` : '';
}

const columns: readonly Column[] = [
	{titles: ['asset']},
	{titles: ['amount'], alignment: 'point'},
	{titles: ['price'], alignment: 'point', rank: 5},
	{titles: ['value'], alignment: 'point'},
	{titles: ['share'], alignment: 'right', rank: 3},
	{titles: ['profit'], alignment: 'point', rank: 1},
	{titles: ['profit %'], alignment: 'point', rank: 4},
	{titles: ['age'], alignment: 'right'},
	{titles: ['valued at'], rank: 2, least: 14, cuts: true},
];

/** Below the names of the columns a row for each asset, then the sum of the values that there are. */
function tableOf(input: HoldingsPanelInput, width: number): readonly string[] {
	const {valuation, now, ascii} = input;
	const {assets, total, profit} = valuation;
	const rows = assets.map(({asset, amount, price, value, share, source, ...gained}) => [
		...[asset, formatExact(amount, {ascii})],
		price === undefined ? '' : unitPriceText(price, ascii),
		...[valueText(value, ascii), shareText(share, ascii)],
		profitText(gained.profit, ascii),
		gained.profit === undefined ? '' : formatPercent(gained.profitPercent, {ascii, unit: false}),
		source?.receivedAt === undefined ? '' : formatAge(Math.max(now - source.receivedAt, 0)),
		sourceText(source),
	]);
	const sums = ['total', '', '', valueText(total, ascii), '', profitText(profit, ascii), '', '', ''];
	return table(columns, total === undefined ? rows : [...rows, sums], {width, ascii}).lines;
}

function sourceText(source: ValueSource | undefined): string {
	if (!source || source.markets.length === 0) return '';
	const word = source.type === 'trade' ? 'trade' : 'ticker';
	return `${word} ${source.markets.join(', ')}`;
}
