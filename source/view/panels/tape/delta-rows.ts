import type {Size} from '../../../format/cells.ts';
import {formatAmount, formatFixed, formatSigned} from '../../../format/number.ts';
import {formatZonedClock} from '../../../format/time.ts';
import type {Assets} from '../../../market/fill.ts';
import {memo} from '../../../market/memo.ts';
import {DecimalSum} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {daySums, hasSides, isPartial, type SideSums, sideSums} from '../../../market/tape-sums.ts';
import type {Trade} from '../../../market/types.ts';
import {changeTone, fitLine, fitLines, fitParts, type Line, label, lineWidth, type Part} from '../../line.ts';
import {balanceRow, firstFitting, type Marks, marksFor} from '../../marks.ts';
import {gapMark, type PriceRowsInput, type TapeTrend, tapeTrend, trendEnds, trendLines} from '../../plot/tape-trend.ts';

/** `assets`: the names of the market's. Default: unknown. */
export type FlowInput = PriceRowsInput & {readonly assets?: Assets | undefined};

/** Rows of the curve's title. */
const titleRows = 1;
/** Cells between the curve and the numbers at its right. */
const axisGap = 1;

/** Cells that the numbers at the right take, with the blank before them. */
export function deltaAxis(input: FlowInput): number {
	const text = deltaTextOf(input);
	const sums = sideSums(input.tape);
	// Never beyond all that was bought or sold.
	return Math.max(text(sums.bought).length, text(-sums.sold).length) + axisGap;
}

/** The signed text of a quantity. */
const deltaTextOf =
	({decimals, ascii}: FlowInput) =>
	(value: number): string =>
		formatSigned(value, decimals.quantity, {ascii});

/**
 * The cumulative delta as a curve below its title, with its highest and lowest value at the right, and a line at 0. A gap
 * interrupts it and is marked. `hasTotals`: the delta stands in a row above, so the title does not repeat it. `axis`: cells for
 * the numbers, default as few as they need. Exactly `size`.
 */
export function deltaRows(input: FlowInput, size: Size, hasTotals = false, axis = deltaAxis(input)): readonly Line[] {
	const rows = Math.max(size.rows - titleRows, 0);
	const columns = size.columns - axis;
	const title = deltaTitle(input, hasTotals, size.columns);
	if (columns < leastColumns || rows === 0) return fitLines([title], size);
	const trend = deltaTrend(input.tape, columns);
	const {highest = 0, lowest = 0} = trendEnds(trend) ?? {};
	const ends = {highest: Math.max(highest, 0), lowest: Math.min(lowest, 0), base: 0};
	const look = {...ends, text: deltaTextOf(input), axis, ascii: input.ascii};
	return [fitLine(title, size.columns), ...trendLines(trend, look, {columns: size.columns, rows})];
}

/** A narrower curve is not drawn. */
const leastColumns = 8;

/** `Δ +0.49 BTC since 16:38:00 · 3.2 without a side not counted`; below the totals `cumulative Δ since 16:38:00`. */
function deltaTitle(input: FlowInput, hasTotals: boolean, columns: number): Line {
	const {tape, ascii, zone} = input;
	const {delta, separator, ellipsis, atLeast} = marksFor(ascii);
	const sums = sideSums(tape);
	const unit = unitOf(input);
	const dot = ` ${separator} `;
	const amount = `${sums.hasGaps ? atLeast : ''}${formatAmount(sums.unknown, {ascii})}`;
	const parts: readonly Part[] = [
		{
			spans: hasTotals
				? [label(` cumulative ${delta}`)]
				: [{text: ` ${delta} `}, {text: netText(sums, input), tone: changeTone(sums.delta)}],
			rank: 0,
		},
		{spans: sums.since === undefined ? [] : [label(`since ${formatZonedClock(sums.since, zone)}`)], rank: 2, gap: 1},
		{
			spans: sums.unknown > 0 ? [{text: `${dot}${amount}${unit} without side not counted`, tone: 'warn'}] : [],
			rank: 1,
		},
		{
			spans: tape.gaps.size > 0 ? [{text: `${dot}${gapMark(ascii)} trades may be missing`, tone: 'warn'}] : [],
			rank: 3,
		},
	];
	return fitParts(parts, columns, ellipsis);
}

/**
 * The cumulative delta of a tape, bought minus sold since its oldest trade, in at most `columns` columns of equal time. Trades
 * without a side do not count.
 */
export const deltaTrend = memo((tape: Tape, columns: number): TapeTrend => {
	const sum = new DecimalSum();
	const sumAfter = ({side, quantity}: Trade): number => {
		if (side) sum.add(side === 'buy' ? quantity : -quantity);
		return sum.total;
	};
	return tapeTrend(tape, columns, sumAfter, true);
});

/** Minimum cells of the bar in the row of sums. */
const leastSumsBar = 6;

/**
 * `buy 4.31 ██████▒▒▒▒ 3.20 sell`: the volumes that takers bought and sold, at most `columns` wide. If trades may be missing
 * or sides are unknown, the sums are lower bounds (`≥`) and the share is approximate (`≈`).
 */
export function sumsRow(sums: SideSums, columns: number, marks: Marks): Line {
	const {bought, sold, unknown} = sums;
	const partial = isPartial(sums);
	const amount = (value: number) => (partial ? marks.atLeast : '') + formatAmount(value, {padded: true});
	if (!hasSides(sums)) {
		if (unknown === 0) return [];
		const texts = [` ${amount(unknown)} traded, sides unknown`, ' sides unknown'];
		return [{text: firstFitting(texts, columns), tone: 'muted'}];
	}

	const share = bought / (bought + sold);
	const percent = `${partial ? marks.about : ''}${formatFixed(share * 100, 0)} %`;
	const labels = [
		[`buy ${amount(bought)}`, `${amount(sold)} sell`],
		[`buy ${percent}`, 'sell'],
		[percent, ''],
	] as const;
	return balanceRow({share, labels, leastBar: leastSumsBar}, columns, marks);
}

/** ` BTC`; empty: the asset has no name. */
const unitOf = ({assets}: FlowInput): string => (assets?.base ? ` ${assets.base}` : '');

/** `≈+1.11 BTC`. */
const netText = (sums: SideSums, input: FlowInput): string =>
	(isPartial(sums) ? marksFor(input.ascii).about : '') + deltaTextOf(input)(sums.delta) + unitOf(input);

/**
 * `session since 09:14:00  buy 4.31 ████▒▒▒ 3.20 sell  Δ +1.11 BTC`, and below it that of the day which begins at `today`, epoch ms:
 * both as far as the tape reaches back.
 */
export function totalsRows(input: FlowInput, today: number, columns: number): readonly Line[] {
	const rows = [
		{name: 'session', sums: sideSums(input.tape)},
		{name: 'today', sums: daySums(input.tape, today)},
	];
	const deltas = rows.map(({sums}) => deltaSpans(sums, input));
	const deltaWidth = Math.max(...deltas.map(lineWidth));
	return rows.map(({name, sums}, index) => {
		const since = sums.since === undefined ? '' : ` since ${formatZonedClock(sums.since, input.zone)}`;
		const title = label(` ${name.padEnd(7)}${since}`);
		const balance = balanceOf(sums, columns - title.text.length - deltaWidth, marksFor(input.ascii));
		const gap = columns - title.text.length - lineWidth(balance) - deltaWidth;
		const delta = deltas[index] ?? [];
		return [title, ...balance, {text: ' '.repeat(Math.max(gap, 0))}, ...delta];
	});
}

const balanceOf = (sums: SideSums, columns: number, marks: Marks): Line =>
	sums.bought + sums.sold + sums.unknown === 0 ? [label(' no trades')] : sumsRow(sums, columns, marks);

/** `  Δ +1.11 BTC`; empty if no side is known. */
function deltaSpans(sums: SideSums, input: FlowInput): Line {
	if (!hasSides(sums)) return [];
	return [{text: ` ${marksFor(input.ascii).delta} ${netText(sums, input)} `, tone: changeTone(sums.delta)}];
}
