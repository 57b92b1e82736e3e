import {stripControl} from '../format/control.ts';
import type {Former} from '../market/continued-tape.ts';
import {decimalsOf, powerOfTen} from '../market/precision.ts';
import {tradeKey} from '../market/tape.ts';
import {type Interface, largestPage, type Side, type Trade} from '../market/types.ts';
import {
	type Columns,
	DamagedError,
	jsonTextOf,
	numberIn,
	requiredPrice,
	requiredQuantity,
	requiredTime,
} from './recorded-columns.ts';

const letters = {buy: 'b', sell: 's'} as const;
const unknownLetter = '-';
const sidesByLetter: Readonly<Record<string, Side | undefined>> = {b: 'buy', s: 'sell'};

/** The columns of the table `trade` that hold the trades of an answer, see schema.ts. Of `gaps`, only those before these trades. */
export function encodeTrades({trades, gaps, closed, startsOver}: RecordedTrades) {
	const marks = new Set(gaps);
	const ids = trades.map(({id}) => id);
	const [firstId = ''] = ids;
	const isCounted = ids.every((id, index) => id === countedId(firstId, index));
	const keys = trades.map(({key = null}) => key);
	const quantities = scaled(trades.map(({quantity}) => quantity));
	const fills = fillsOf(trades);
	const heads = fills.flatMap(([first = -1]) => trades[first] ?? []);
	const prices = scaled(heads.map(({price}) => price));
	const fromTime = heads[0]?.time ?? 0;
	const gapPlaces = trades.flatMap((trade, index) => (marks.has(tradeKey(trade)) ? index : []));
	const sizes = fills.map(fill => fill.map(index => quantities.values[index]));
	return {
		from_time: fromTime,
		to_time: heads.at(-1)?.time ?? 0,
		first_id: firstId,
		ids: isCounted ? null : JSON.stringify(ids),
		keys: keys.some(key => key !== null) ? JSON.stringify(keys) : null,
		times: JSON.stringify(
			differences(
				heads.map(({time}) => time),
				fromTime,
			),
		),
		price_scale: prices.scale,
		prices: JSON.stringify(prices.scale === null ? prices.values : differences(prices.values, 0)),
		quantity_scale: quantities.scale,
		quantities: JSON.stringify(sizes.map(several => (several.length === 1 ? several[0] : several))),
		sides: heads.map(({side}) => (side ? letters[side] : unknownLetter)).join(''),
		side_texts: heads.every(({side, sideText}) => side === sideText)
			? null
			: JSON.stringify(heads.map(({sideText = null}) => sideText)),
		gaps: gapPlaces.length > 0 ? JSON.stringify(gapPlaces) : null,
		closed_gaps: closed.length > 0 ? JSON.stringify(closed) : null,
		starts_over: startsOver ? 1 : null,
	};
}

export type RecordedTrades = {
	/** Oldest first. */
	readonly trades: readonly Trade[];
	/** Keys of trades before which others may be missing. */
	readonly gaps: readonly string[];
	/** Keys of trades of earlier answers before which none is missing any more. */
	readonly closed: readonly string[];
	/** The exchange had set its clock or begun its ids again: no earlier trade can be put in order with these. */
	readonly startsOver: boolean;
};

/** Notes of a page of trades: that the exchange has set its clock, or that trades are missing next to earlier ones. */
export type TapeNotes = {
	/** How much later than before the exchange dates the trades that are known. */
	readonly redatedMs?: number;
	/** Trades up to it are left out, as the exchange has set its clock back since. */
	readonly former?: Former;
	/** Keys of trades of earlier answers before which others may be missing since. */
	readonly gaps?: readonly string[];
	/** Absent: none are new, or an earlier version recorded them. */
	readonly missing?: readonly MissingTrades[];
};

/** A stretch in which trades may be missing (epoch ms), and why. `key`: of the trade after it, if a later answer can close it. */
export type MissingTrades = readonly [key: string | null, from: number, to: number, reason: string];

/** The trades that were new in an answer, with the gaps of its notes. */
export type AddedTrades = RecordedTrades & Omit<TapeNotes, 'gaps'>;

/** The trades that were new in an answer, with its interface. */
export type NewTrades = AddedTrades & {readonly interface: Interface};

/** The newest trades of a market that a recorder keeps to find the new ones in a page. */
export const keptTrades = 3 * largestPage;
/** No page has gaps before, or closes those of, more trades. */
export const mostKeys = keptTrades + largestPage;

/** The trades of a row of the table `trade`. Throws an Error if it is damaged. */
export function decodeTrades(row: Columns): RecordedTrades {
	const [priceScale, quantityScale] = [numberIn(row.price_scale), numberIn(row.quantity_scale)];
	const times = sums(numbers(row.times), requiredTime(row.from_time));
	const written = numbers(row.prices);
	const prices = priceScale === undefined ? written : sums(written, 0);
	const sizes = sizesIn(row.quantities);
	const sides = jsonTextOf(row.sides);
	const sideTexts = listIn<string | null>(row.side_texts);
	if ([prices, sizes, sides, sideTexts ?? times].some(each => each.length !== times.length)) {
		damaged('lists of one length', prices);
	}

	const ids = listIn<string>(row.ids);
	const keys = listIn<string | null>(row.keys);
	const firstId = Number(jsonTextOf(row.first_id));
	const trades: Trade[] = [];
	for (const [fill, time] of times.entries()) {
		requiredTime(time);
		const side = sidesByLetter[sides[fill] ?? unknownLetter];
		const sideText = sideTexts ? sideTexts[fill] : side;
		const price = requiredPrice((prices[fill] ?? 0) / (priceScale ?? 1));
		const filled = sizes[fill] ?? [];
		for (const size of typeof filled === 'number' ? [filled] : filled) {
			const place = trades.length;
			if (place === largestPage) damaged(`at most ${largestPage} trades`, filled);
			const key = keys?.[place];
			const trade: {-readonly [Name in keyof Trade]: Trade[Name]} = {
				id: ids ? stripControl(String(ids[place])) : String(firstId + place),
				time,
				price,
				quantity: requiredQuantity(size / (quantityScale ?? 1)),
			};
			if (typeof key === 'string') trade.key = key;
			if (side) trade.side = side;
			if (typeof sideText === 'string') trade.sideText = stripControl(sideText);
			trades.push(trade);
		}
	}

	const gapPlaces = new Set(listIn<number>(row.gaps));
	return {
		trades,
		gaps: trades.filter((_, index) => gapPlaces.has(index)).map(tradeKey),
		closed: listIn<string>(row.closed_gaps) ?? [],
		startsOver: Boolean(row.starts_over),
	};
}

/** Undefined for NULL. */
const listIn = <T>(column: unknown): readonly T[] | undefined => (column === null ? undefined : list<T>(column));

function list<T>(column: unknown): readonly T[] {
	const values = JSON.parse(jsonTextOf(column));
	if (!Array.isArray(values)) damaged('a list', values);
	if (values.length > mostKeys) damaged(`at most ${mostKeys} entries`, values);
	return values;
}

/** Reads a list of numbers. Adding texts would concatenate them, ever longer. */
function numbers(column: unknown): readonly number[] {
	const values = list<unknown>(column);
	return values.map(value => (Number.isFinite(value) ? Number(value) : damaged('a number', value)));
}

function sizesIn(column: unknown): readonly (number | readonly number[])[] {
	const isNumber = (value: unknown): value is number => typeof value === 'number';
	return list<unknown>(column).map(value => {
		if (isNumber(value) || (Array.isArray(value) && value.every(isNumber))) return value;
		return damaged('quantities', value);
	});
}

function damaged(expected: string, value: unknown): never {
	throw new DamagedError(expected, value);
}

/** The id that is `count` higher; empty if it cannot be counted. */
function countedId(first: string, count: number): string {
	const id = Number(first) + count;
	return Number.isSafeInteger(id) ? String(id) : '';
}

/** The places of the trades of each fill. */
function fillsOf(trades: readonly Trade[]): readonly (readonly number[])[] {
	const fills: number[][] = [];
	for (const [index, trade] of trades.entries()) {
		const before = trades[index - 1];
		const isSame =
			before?.time === trade.time &&
			before.price === trade.price &&
			before.side === trade.side &&
			before.sideText === trade.sideText;
		if (isSame) fills.at(-1)?.push(index);
		else fills.push([index]);
	}

	return fills;
}

/** `values` times the smallest power of ten that makes all of them whole numbers; without a scale, the values themselves. */
function scaled(values: readonly number[]): {readonly scale: number | null; readonly values: readonly number[]} {
	const scale = powerOfTen(values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0));
	const steps = values.map(value => Math.round(value * scale));
	const isExact = steps.every((count, index) => Number.isSafeInteger(count) && count / scale === values[index]);
	return isExact ? {scale, values: steps} : {scale: null, values};
}

const differences = (values: readonly number[], from: number): number[] =>
	values.map((value, index) => value - (values[index - 1] ?? from));

function sums(values: readonly number[], from: number): readonly number[] {
	let sum = from;
	return values.map(value => {
		sum += value;
		return sum;
	});
}
