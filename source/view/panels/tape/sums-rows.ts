import {formatAmount, formatFixed, formatSigned} from '../../../format/number.ts';
import {formatZonedClock} from '../../../format/time.ts';
import type {Assets} from '../../../market/fill.ts';
import {hasSides, isPartial, type SideSums} from '../../../market/tape-sums.ts';
import type {Writing} from '../../line.ts';
import {type Line, label, lineWidth, type Span} from '../../line.ts';
import {balanceRow, firstFitting, type Marks, marksFor} from '../../marks.ts';

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

export type Totals = Writing & {
	/** Of all trades on the tape. */
	readonly session: SideSums;
	/** Of the trades of its day on the tape. */
	readonly day: SideSums;
	/** Digits of quantities after the point. */
	readonly decimals: number;
	readonly assets: Assets;
};

/** `session since 09:14:00  buy 4.31 ████▒▒▒ 3.20 sell  Δ +1.11 BTC`, and the day's below it. */
export function totalsRows({session, day, ...input}: Totals, columns: number): readonly Line[] {
	const rows = [
		{name: 'session', sums: session},
		{name: 'today', sums: day},
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
function deltaSpans(sums: SideSums, {decimals, assets, ascii}: Omit<Totals, 'session' | 'day'>): Line {
	if (!hasSides(sums)) return [];
	const partial = isPartial(sums) ? marksFor(ascii).about : '';
	const unit = assets.base ? ` ${assets.base}` : '';
	const {delta} = sums;
	const text = ` ${marksFor(ascii).delta} ${partial}${formatSigned(delta, decimals, {ascii})}${unit} `;
	return [{text, tone: delta > 0 ? 'up' : delta < 0 ? 'down' : 'muted'} satisfies Span];
}
