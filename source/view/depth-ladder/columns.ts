/** Cells of the widest number of each column, in the forms that it can take. */
export type LadderWidths = {
	readonly price: number;
	readonly shortPrice: number;
	readonly quantity: number;
	readonly total: number;
	readonly shortTotal: number;
	/** 0: no traded volumes are known, and no column is kept for them. */
	readonly traded: number;
};

/** Cells of each column; 0: not shown. Numbers stand at the right of their column, the bar at the left of its own. */
export type LadderColumns = {
	readonly lead: number;
	readonly gap: number;
	readonly price: number;
	readonly priceForm: 'price' | 'shortPrice';
	readonly quantity: number;
	readonly total: number;
	readonly totalForm: 'total' | 'shortTotal';
	readonly traded: number;
	readonly bar: number;
};

type Candidate = {
	readonly gap: number;
	/** Fewest cells of bar that are worth their room; absent: no bar. */
	readonly bar?: number;
	readonly total?: LadderColumns['totalForm'];
	readonly price?: LadderColumns['priceForm'];
	readonly quantity?: false;
	readonly lead?: 0;
	readonly traded?: true;
};

/** From this width on what was traded at each price is worth the room. */
export const tradedFrom = 40;

/** From the widest to the narrowest: traded, then bar, then cumulative, then size give way; no number is ever cut. */
const candidates: readonly Candidate[] = [
	{gap: 3, bar: 8, total: 'total', traded: true},
	{gap: 2, bar: 6, total: 'total', traded: true},
	{gap: 1, bar: 4, total: 'total', traded: true},
	{gap: 3, bar: 8, total: 'total'},
	{gap: 2, bar: 6, total: 'total'},
	{gap: 1, bar: 4, total: 'total'},
	{gap: 2, bar: 5, total: 'shortTotal'},
	{gap: 1, bar: 3, total: 'shortTotal'},
	{gap: 1, total: 'shortTotal'},
	{gap: 2},
	{gap: 1},
	{gap: 1, price: 'shortPrice'},
	{gap: 1, price: 'shortPrice', lead: 0},
	{gap: 0, quantity: false},
	{gap: 0, quantity: false, lead: 0},
];

export function ladderColumns(widths: LadderWidths, columns: number): LadderColumns {
	for (const candidate of candidates) {
		const {gap, lead = 1, price: priceForm = 'price', total: totalForm} = candidate;
		const price = widths[priceForm];
		const quantity = candidate.quantity === false ? 0 : widths.quantity;
		const total = totalForm ? widths[totalForm] : 0;
		const traded = candidate.traded ? widths.traded : 0;
		if (candidate.traded && traded === 0) continue;
		const numbers = lead + price + (quantity && gap + quantity) + (total && gap + total) + (traded && gap + traded);
		const bar = candidate.bar === undefined ? 0 : columns - numbers - 1;
		if (numbers > columns || bar < (candidate.bar ?? 0)) continue;
		return {lead, gap, price, priceForm, quantity, total, totalForm: totalForm ?? 'total', traded, bar};
	}

	return {
		lead: 0,
		gap: 0,
		price: Math.min(widths.shortPrice, columns),
		priceForm: 'shortPrice',
		quantity: 0,
		total: 0,
		totalForm: 'total',
		traded: 0,
		bar: 0,
	};
}
