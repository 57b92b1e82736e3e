/** Cells of the widest number of each column, in the forms that it can take. */
export type LadderWidths = {
	readonly price: number;
	readonly shortPrice: number;
	readonly quantity: number;
	readonly total: number;
	readonly shortTotal: number;
	readonly value: number;
	/** 0: no traded volumes are known, and no column is kept for them. */
	readonly traded: number;
};

/** The sum from the best price outwards, in base or in quote asset. */
export type TotalName = 'total' | 'value';

/** Cells of each column; 0: not shown. Numbers stand at the right of their column, the bar at the left of its own. */
export type LadderColumns = {
	readonly lead: number;
	readonly gap: number;
	readonly price: number;
	readonly priceForm: 'price' | 'shortPrice';
	readonly quantity: number;
	readonly total: number;
	readonly totalForm: 'total' | 'shortTotal';
	readonly value: number;
	readonly traded: number;
	readonly bar: number;
};

type Candidate = {
	readonly gap: number;
	/** Fewest cells of bar that are worth their room; absent: no bar. */
	readonly bar?: number;
	/** `both`: in base asset and in quote asset; else the one that was chosen. */
	readonly total?: LadderColumns['totalForm'] | 'both';
	readonly price?: LadderColumns['priceForm'];
	readonly quantity?: false;
	readonly lead?: 0;
	readonly traded?: true;
};

/** From this width on what was traded at each price is worth the room. */
export const tradedFrom = 40;

/** From the widest to the narrowest: value, traded, then bar, then cumulative, then size give way; no number is ever cut. */
const candidates: readonly Candidate[] = [
	{gap: 3, bar: 12, total: 'both', traded: true},
	{gap: 2, bar: 10, total: 'both', traded: true},
	{gap: 3, bar: 8, total: 'total', traded: true},
	{gap: 2, bar: 6, total: 'total', traded: true},
	{gap: 1, bar: 3, total: 'total', traded: true},
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

export function ladderColumns(widths: LadderWidths, columns: number, chosen: TotalName): LadderColumns {
	for (const candidate of candidates) {
		const {gap, lead = 1, price: priceForm = 'price', total} = candidate;
		const totalForm = total === 'shortTotal' ? 'shortTotal' : 'total';
		const shows = (name: TotalName) => total === 'both' || (total !== undefined && name === chosen);
		const cells = {
			price: widths[priceForm],
			quantity: candidate.quantity === false ? 0 : widths.quantity,
			total: shows('total') ? widths[totalForm] : 0,
			value: shows('value') ? widths.value : 0,
			traded: candidate.traded ? widths.traded : 0,
		};
		if (candidate.traded && widths.traded === 0) continue;
		const shown = Object.values(cells).filter(width => width > 0);
		const numbers = lead + shown.reduce((sum, width) => sum + width, 0) + gap * (shown.length - 1);
		// A blank, the mark of a change, the bar.
		const bar = candidate.bar === undefined ? 0 : columns - numbers - 2;
		if (numbers > columns || bar < (candidate.bar ?? 0)) continue;
		return {lead, gap, ...cells, priceForm, totalForm, bar};
	}

	return {
		lead: 0,
		gap: 0,
		price: Math.min(widths.shortPrice, columns),
		priceForm: 'shortPrice',
		quantity: 0,
		total: 0,
		totalForm: 'total',
		value: 0,
		traded: 0,
		bar: 0,
	};
}
