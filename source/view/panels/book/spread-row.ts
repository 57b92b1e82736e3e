import {formatAmount, formatBasisPoints, formatFixed} from '../../../format/number.ts';
import {spreadOf, totalsOf} from '../../../market/depth.ts';
import type {DepthBook} from '../../../market/types.ts';
import {type Line, lineWidth} from '../../line.ts';
import {type Marks, rule} from '../../marks.ts';

/** `── spread 0.01 · <0.01 bp ───`, `columns` wide; a book that an exchange would have matched is a warning. */
export function spreadRow(book: DepthBook, priceDecimals: number, columns: number, marks: Marks): Line {
	const spread = spreadOf(book);
	if (!spread) return rule([`spread ${marks.none}`], columns, marks, 'muted');
	const between = ` ${marks.separator} `;
	const points = formatBasisPoints(Math.abs(spread.basisPoints));
	const size = formatFixed(Math.abs(spread.spread), priceDecimals);
	switch (spread.state) {
		case 'open': {
			const width = `spread ${size}`;
			return rule([width + between + points, width], columns, marks, 'plain', 'muted');
		}

		case 'locked':
			return rule([`LOCKED${between}spread ${size}`, 'LOCKED'], columns, marks, 'warn');
		case 'crossed': {
			const by = `CROSSED by ${size}`;
			return rule([by + between + points, by, 'CROSSED'], columns, marks, 'warn');
		}
	}
}

/** Fewest cells of bar that tell something. */
const leastBar = 8;

/** All that was received of both sides against each other, `columns` wide at most: `bids 12.3 56 % █████▒▒▒▒ 9.87 asks`. */
export function totalsRow(book: DepthBook, columns: number, marks: Marks): Line {
	const totals = totalsOf(book);
	if (!totals) return [];
	const bids = formatAmount(totals.bids, {padded: true});
	const asks = formatAmount(totals.asks, {padded: true});
	const share = `${formatFixed(totals.bidShare * 100, 0)} %`;
	const texts: ReadonlyArray<readonly [string, string]> = [
		[`bids ${bids} ${marks.separator} ${share}`, `${asks} asks`],
		[`bids ${bids} ${share}`, asks],
		[`bids ${share}`, ''],
	];
	for (const [left, right] of texts) {
		const labels: Line = [
			{text: ` ${left} `, tone: 'up'},
			{text: right && ` ${right}`, tone: 'down'},
		];
		const bar = columns - lineWidth(labels) - 1;
		if (bar < leastBar) continue;
		const filled = Math.round(totals.bidShare * bar);
		const [head = {text: ''}, tail = {text: ''}] = labels;
		return [
			head,
			{text: marks.full.repeat(filled), tone: 'upBar'},
			{text: marks.shade.repeat(bar - filled), tone: 'downBar'},
			tail,
		];
	}

	return [];
}
