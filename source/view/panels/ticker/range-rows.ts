import {formatFixed, formatPrice} from '../../../format/number.ts';
import type {DayRange} from '../../../market/day.ts';
import {clamp} from '../../../market/numbers.ts';
import {fitParts, type Line, label, type Part, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {shareOfRange} from './gauge.ts';

export type RangeInput = {
	readonly range: DayRange;
	readonly last?: number | undefined;
	readonly open?: number | undefined;
	readonly bid?: number | undefined;
	readonly ask?: number | undefined;
	/** Digits of prices after the point. */
	readonly decimals: number;
	readonly ascii: boolean;
	/** Why there is no range. */
	readonly absence: string;
};

type Point = {readonly name: string; readonly glyph: string; readonly price: number; readonly tone: Tone};

/** The prices in the range, the most important last: it covers the others where they share a cell. */
function pointsOf({last, open, bid, ask, ascii}: RangeInput): readonly Point[] {
	const points: ReadonlyArray<Omit<Point, 'price'> & {readonly price: number | undefined}> = [
		{name: 'ask', glyph: 'a', price: ask, tone: 'down'},
		{name: 'bid', glyph: 'b', price: bid, tone: 'up'},
		{name: 'open', glyph: ascii ? 'o' : '○', price: open, tone: 'plain'},
		{name: 'last', glyph: ascii ? 'O' : '●', price: last, tone: 'strong'},
	];
	return points.flatMap(({price, ...point}) => (price === undefined ? [] : {...point, price}));
}

/** The gauge has at least so many cells. */
const leastGauge = 10;

/**
 * `61,001.00 ▕──○────b●a──▏ 62,745.14`, and below it what the marks are and where they lie, in percent from the low. A price
 * outside the range, of a trade more than a day old, stands at that end, without a percentage. Two rows.
 */
export function rangeRows(input: RangeInput, columns: number): readonly Line[] {
	const {range, decimals, ascii, absence} = input;
	const {low, high} = range;
	const {none, ellipsis} = marksFor(ascii);
	if (low === undefined || high === undefined) return [[label(` range 24 h  ${none}  ${absence}`)], []];
	const text = (price: number) => formatPrice(price, {decimals, ascii});
	const width = Math.floor((columns - leastGauge - 4) / 2);
	const endText = (price: number) =>
		firstFitting([text(price), formatPrice(price, {decimals, width, ascii}), ellipsis], width);
	const [left, right] = [` ${endText(low)} `, ` ${endText(high)} `];
	const points = pointsOf(input);
	const canvas = createCanvas({columns: columns - left.length - right.length, rows: 1});
	const {columns: cells} = canvas.size;
	const shareOf = (price: number) => shareOfRange(low, high, price) ?? 0;
	const [start, rail, end] = ascii ? ['[', '-', ']'] : ['▕', '─', '▏'];
	canvas.write(0, 0, start + rail.repeat(cells - 2) + end, 'muted');
	for (const {price, glyph, tone} of points) {
		canvas.write(0, 1 + Math.round(clamp(shareOf(price), 0, 1) * (cells - 3)), glyph, tone);
	}

	const places = points.toReversed().map(({name, glyph, price, tone}, index): Part => {
		const isInside = price >= low && price <= high;
		const place = isInside ? ` at ${formatFixed(shareOf(price) * 100, 0)} %` : ' outside';
		return {
			spans: [{text: ` ${glyph}`, tone}, label(` ${name} `), {text: text(price)}, label(place)],
			rank: index,
			gap: 2,
		};
	});
	const [gauge = []] = canvas.lines();
	return [[{text: left}, ...gauge, {text: right}], fitParts(places, columns, ellipsis)];
}
