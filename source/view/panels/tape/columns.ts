/** Cells of the widest number of each column, in the forms that it can take. */
export type TapeWidths = {readonly price: number; readonly shortPrice: number; readonly quantity: number};

/** Blanks and cells of each column, in their order: time, arrow, price, quantity, rest. 0: not shown. */
export type TapeColumns = {
	readonly lead: number;
	readonly time: boolean;
	readonly priceGap: number;
	readonly price: number;
	readonly priceForm: 'price' | 'shortPrice';
	readonly quantityGap: number;
	readonly quantity: number;
	/** What is left at the right. */
	readonly rest: number;
};

type Candidate = {
	readonly gaps: readonly [lead: number, price: number, quantity: number];
	readonly without?: readonly ('time' | 'quantity')[];
	readonly priceForm?: 'shortPrice';
};

/** From the widest to the narrowest: time, then quantity give way; no number is ever cut. */
const candidates: readonly Candidate[] = [
	{gaps: [1, 2, 3]},
	{gaps: [1, 2, 2]},
	{gaps: [0, 1, 1]},
	{gaps: [0, 1, 1], priceForm: 'shortPrice'},
	{gaps: [0, 1, 1], without: ['time']},
	{gaps: [0, 1, 1], without: ['time'], priceForm: 'shortPrice'},
	{gaps: [0, 1, 0], without: ['time', 'quantity']},
	{gaps: [0, 1, 0], without: ['time', 'quantity'], priceForm: 'shortPrice'},
];

const clockWidth = '00:00:00 '.length;
const arrowWidth = 1;

export function tapeColumns(widths: TapeWidths, columns: number): TapeColumns {
	for (const {gaps, without = [], priceForm = 'price'} of candidates) {
		const [lead, priceGap, quantityGap] = gaps;
		const time = !without.includes('time');
		const price = widths[priceForm];
		const quantity = without.includes('quantity') ? 0 : widths.quantity;
		const rest = columns - (lead + (time ? clockWidth : 0) + arrowWidth + priceGap + price + quantityGap + quantity);
		if (rest >= 0) return {lead, time, priceGap, price, priceForm, quantityGap, quantity, rest};
	}

	const price = Math.max(columns - arrowWidth - 1, 0);
	return {lead: 0, time: false, priceGap: 1, price, priceForm: 'shortPrice', quantityGap: 0, quantity: 0, rest: 0};
}
