import {formatAmount, formatFixed, formatSigned} from '../../../format/number.ts';
import {formatClock} from '../../../format/time.ts';
import type {TapeSums} from '../../../market/tape-sums.ts';
import {type Line, lineWidth} from '../../line.ts';
import {firstFitting, type Marks} from '../../marks.ts';

/** Fewest cells of bar that tell something. */
const leastBar = 6;

/** `buy 4.31 ██████▒▒▒▒ 3.20 sell`, `columns` wide at most: what takers bought against what they sold; at least, and about, that where trades may be missing or sides are not known. */
export function sumsRow(sums: TapeSums, columns: number, marks: Marks): Line {
	const {bought, sold, unknown} = sums;
	const known = bought + sold;
	const partial = sums.hasGaps || (known > 0 && unknown > 0);
	const amount = (value: number) => (partial ? marks.atLeast : '') + formatAmount(value, {padded: true});
	if (known === 0) {
		if (unknown === 0) return [];
		const texts = [` ${amount(unknown)} traded, sides not said`, ' sides not said'];
		return [{text: firstFitting(texts, columns), tone: 'muted'}];
	}

	const share = `${partial ? marks.about : ''}${formatFixed((bought / known) * 100, 0)} %`;
	const texts: ReadonlyArray<readonly [string, string]> = [
		[`buy ${amount(bought)}`, `${amount(sold)} sell`],
		[`buy ${share}`, 'sell'],
		[share, ''],
	];
	for (const [left, right] of texts) {
		const head = {text: ` ${left} `, tone: 'up'} as const;
		const tail = {text: right && ` ${right}`, tone: 'down'} as const;
		const bar = columns - lineWidth([head, tail]) - 1;
		if (bar < leastBar) continue;
		const filled = Math.round((bought / known) * bar);
		return [
			head,
			{text: marks.full.repeat(filled), tone: 'upBar'},
			{text: marks.shade.repeat(bar - filled), tone: 'downBar'},
			tail,
		];
	}

	return [];
}

/** Cumulative delta and pace, from long to short; `partial` where trades may be missing or sides are not known. */
export function paceTexts(sums: TapeSums, quantityDecimals: number, ascii: boolean, marks: Marks): readonly string[] {
	if (sums.since === undefined) return [];
	const dot = ` ${marks.separator} `;
	const delta = `${marks.delta} ${formatSigned(sums.delta, quantityDecimals, {ascii})}`;
	const pace = `${sums.perMinutePartial ? marks.atLeast : ''}${formatFixed(sums.perMinute, 0)}/min`;
	const partial = sums.hasGaps || sums.unknown > 0 ? [`partial`] : [];
	const known = sums.bought + sums.sold > 0 ? [delta] : [];
	const short = [...partial, ...known, pace].join(dot);
	return [`${short}${dot}since ${formatClock(sums.since)}`, short, [...partial, pace].join(dot)];
}
