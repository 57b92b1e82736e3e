import {padStart, truncate} from '../../../format/cells.ts';
import {
	formatBasisPoints,
	formatCompact,
	formatExact,
	formatFixed,
	formatPercent,
	formatPrice,
} from '../../../format/number.ts';
import {formatAge} from '../../../format/time.ts';
import type {PastName} from '../../../market/past-figures.ts';
import {thinned} from '../../../market/price-trail.ts';
import {activeState, type Ticker} from '../../../market/types.ts';
import {hourMs, minuteMs} from '../../../market/units.ts';
import {profitText, valueText} from '../../holding-texts.ts';
import {changeTone, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {sparkline} from '../../plot/sparkline.ts';
import {rangeGauge} from '../ticker/gauge.ts';
import {
	basisOf,
	changeOf,
	entryState,
	type PickerEntry,
	spreadOf,
	type Trails,
	tradeTimeOf,
	volumeOf,
} from './entries.ts';

/** In the order in which they are shown unless the user chose others. */
export const columnNames = [
	...(['last', 'change', '1h', '4h', '7d', 'volume', 'rvol', 'range', 'high', 'low'] as const),
	...(['bid', 'ask', 'spread', 'age', 'trend', 'holding', 'value', 'profit'] as const),
] as const;
export type ColumnName = (typeof columnNames)[number];

export const isColumnName = (text: string): text is ColumnName => columnNames.some(name => name === text);

/** What the cells of a list depend on besides their entry. */
export type ColumnContext = {
	readonly list: readonly PickerEntry[];
	/** Of the volumes. */
	readonly currency: string;
	readonly trails: Trails;
	/** A column that is shown because the list is sorted by it, unless the user chose the columns. Absent: none. */
	readonly sorted?: PastName | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly ascii: boolean;
};

export type Cell = {
	readonly text: string;
	/** Default: that of the row. */
	readonly tone?: Tone | undefined;
	/** The number that it shows; absent: none, or it is unknown. */
	readonly value?: number | undefined;
	/** How many letters at its end are its age, which is muted. Default: none. */
	readonly ageLength?: number | undefined;
};

export type Column = {
	/** From long to short. */
	titles(context: ColumnContext): readonly string[];
	/** The fewest cells that it takes, and the most that it makes use of. */
	readonly least: number;
	readonly most: number;
	/** Numbers stand on their decimal point. Default: at the right. */
	readonly onPoint?: true | undefined;
	/** Its cell in at most `width` cells if it can be written so. Absent `width`: as wide as the column would like it. */
	cell(entry: PickerEntry, context: ColumnContext, width?: number): Cell;
};

/** A price with the most decimals of the market so far, so that digits do not jump when a price ends in 0. */
const price = (title: string, value: (ticker: Ticker) => number | undefined, tone?: Tone): Column => ({
	titles: () => [title],
	least: 9,
	most: 24,
	onPoint: true,
	cell({market, ticker}, {trails, ascii}, width = longestPrice) {
		const number = ticker && value(ticker);
		const decimals = trails.get(market.symbol)?.decimals.price ?? 0;
		return {text: formatPrice(number, {decimals, width: Math.min(width, longestPrice), ascii}), tone, value: number};
	},
});

/** Longer prices are written without zeros: the column would be too wide. */
const longestPrice = 10;

/** Of the change: `+1.20 M`, or the first eight characters of a state. */
const mostChange = 8;

/** The change or, for a market that is not active, its state; that its entry was unreadable, if neither is known. */
function changeCell(entry: PickerEntry, {ascii}: ColumnContext): Cell {
	const {market, ticker} = entry;
	const state = market.unreadable && !ticker ? 'unreadable' : entryState(entry);
	if (state !== activeState) return {text: truncate(state, mostChange, ascii), tone: 'warn'};
	return percentCell(changeOf(entry), ascii);
}

function percentCell(value: number | undefined, ascii: boolean): Cell {
	const text = firstFitting([formatPercent(value, {ascii, unit: false}), marksFor(ascii).ellipsis], mostChange);
	return {text, value, tone: changeTone(value)};
}

/** The change to the last price from that of some time ago; empty while that is unknown. */
const changeSinceColumn = (name: Exclude<PastName, 'rvol'>, title: string): Column => ({
	titles: () => [title],
	...{least: 6, most: mostChange, onPoint: true},
	cell: ({past}, {ascii}) => (past?.[name] === undefined ? {text: ''} : percentCell(past[name], ascii)),
});

/** Hours are read again soon after their end: an older one should have been. */
const staleHourMs = hourMs + 5 * minuteMs;
/** `59 min`. */
const mostAge = 6;

/** The relative volume, and how long ago its hour ended. */
function relativeVolumeCell({past}: PickerEntry, {now, ascii}: ColumnContext): Cell {
	const {rvol, rvolEndedAt} = past ?? {};
	if (rvol === undefined || rvolEndedAt === undefined) return {text: ''};
	const number = rvol < largeRatio ? formatFixed(rvol, 2, {ascii}) : formatCompact(rvol, {ascii}).trimEnd();
	const ageMs = now - rvolEndedAt;
	const tone = ageMs >= staleHourMs ? ({tone: 'muted'} as const) : {};
	const age = padStart(formatAge(ageMs), mostAge);
	return {text: `${number} ${age}`, value: rvol, ageLength: age.length, ...tone};
}

/** Larger ones are written with a unit. */
const largeRatio = 1000;

/** The volume in the currency, marked where other markets converted it; of an unknown unit as it is. */
function volumeCell(entry: PickerEntry, {currency, ascii}: ColumnContext): Cell {
	const value = volumeOf(entry);
	const isConverted = value !== undefined && entry.basis !== 'unknown' && entry.market.quote !== currency;
	const about = isConverted ? marksFor(ascii).about : '';
	return {text: about + formatCompact(value, {ascii}), tone: 'muted', value};
}

/** How long ago a trade showed in the tickers; if none did since the start, at least that long. */
function ageCell({market}: PickerEntry, {trails, now, ascii}: ColumnContext): Cell {
	const trail = trails.get(market.symbol);
	const time = tradeTimeOf(trail);
	const {none, atLeast} = marksFor(ascii);
	if (time === undefined) return {text: none, tone: 'muted'};
	// The clock of the screen may lag behind the last answer.
	const age = formatAge(Math.max(now - time, 0));
	return {text: trail?.tradedAt === undefined ? `${atLeast}${age}` : age, tone: 'muted'};
}

function trendCell({market}: PickerEntry, {trails, ascii}: ColumnContext, width = 0): Cell {
	const {prices = []} = trails.get(market.symbol) ?? {};
	if (prices.length > 0 && prices.every(each => each === prices[0])) {
		const flat = marksFor(ascii).rule.repeat(Math.min(prices.length, width));
		return {text: padStart(flat, width), tone: 'muted'};
	}

	const [[drawn] = []] = sparkline(thinned(prices, width), {columns: width, rows: 1}, ascii);
	return {text: drawn?.text ?? '', tone: drawn?.tone};
}

export const pickerColumns: Readonly<Record<ColumnName, Column>> = {
	last: price('last', ({last}) => last),
	change: {titles: () => ['24 h %'], least: 6, most: mostChange, onPoint: true, cell: changeCell},
	'1h': changeSinceColumn('1h', '1 h %'),
	'4h': changeSinceColumn('4h', '4 h %'),
	'7d': changeSinceColumn('7d', '7 d %'),
	high: price('high', ({high}) => high, 'muted'),
	low: price('low', ({low}) => low, 'muted'),
	bid: price('bid', ({bid}) => bid, 'muted'),
	ask: price('ask', ({ask}) => ask, 'muted'),
	spread: {
		titles: () => ['spread bp'],
		least: 9,
		most: 12,
		onPoint: true,
		cell({ticker}, {ascii}) {
			const value = spreadOf(ticker);
			return {text: formatBasisPoints(value, {ascii, unit: false}), tone: 'muted', value};
		},
	},
	volume: {
		titles({list, currency, ascii}) {
			const basis = basisOf(list);
			if (basis === 'unknown') return ['volume ?', '?'];
			// It is the volume in base asset at the last price.
			const {about} = marksFor(ascii);
			if (basis === 'last v2') return [`${about} ${basis} ${currency}`, `${about} ${basis}`, basis];
			return [`${about} volume ${currency}`, `${about} ${currency}`, about];
		},
		least: 8,
		most: 16,
		cell: volumeCell,
	},
	rvol: {titles: () => ['rvol, age'], least: 11, most: 14, cell: relativeVolumeCell},
	range: {
		titles: () => ['24 h range', 'range'],
		least: 8,
		most: 14,
		cell({ticker}, {ascii}, width = 0) {
			const gauge = rangeGauge({low: ticker?.low, high: ticker?.high, price: ticker?.last, columns: width, ascii});
			return {text: gauge || marksFor(ascii).none, tone: 'muted'};
		},
	},
	age: {titles: () => ['age'], least: 6, most: 8, cell: ageCell},
	trend: {titles: () => ['trend since start', 'trend'], least: 6, most: 32, cell: trendCell},
	holding: {
		titles: () => ['holding'],
		least: 7,
		most: 20,
		onPoint: true,
		cell: ({held}, {ascii}) => ({text: held ? formatExact(held.amount, {ascii}) : '', value: held?.amount}),
	},
	value: {
		titles: ({currency}) => [`value ${currency}`, 'value'],
		least: 9,
		most: 20,
		onPoint: true,
		cell: ({held}, {ascii}) => ({text: held ? valueText(held.value, ascii) : '', value: held?.value}),
	},
	profit: {
		titles: ({currency}) => [`profit ${currency}`, 'profit'],
		least: 9,
		most: 20,
		onPoint: true,
		cell({held}, {ascii}) {
			const value = held?.profit;
			return {text: profitText(value, ascii), tone: changeTone(value), value};
		},
	},
};
