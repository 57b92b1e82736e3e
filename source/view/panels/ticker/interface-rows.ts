import {padEnd, padStart, type Size, textWidth, truncate} from '../../../format/cells.ts';
import {formatAmount, formatAtLeast, formatPercent, formatPrice, formatSigned} from '../../../format/number.ts';
import {formatAge} from '../../../format/time.ts';
import {difference} from '../../../market/precision.ts';
import type {Interface, Ticker} from '../../../market/types.ts';
import type {Ready} from '../../../store/resource.ts';
import {type MarketState, selectedTicker} from '../../../store/state.ts';
import {fitLine, type Line, label} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {type TickerInput, type TickerState, whyAbsent} from './model.ts';

/** What one interface's ticker says of a market. */
type InterfaceTicker = {
	readonly ticker?: Ticker | undefined;
	/** Of the answer: `4.0 s`; absent: there is none. */
	readonly age?: string | undefined;
	/** Why there is no ticker, or why it is not current. */
	readonly why?: string | undefined;
};

type Style = Pick<TickerInput, 'base' | 'decimals' | 'ascii'>;
export type Tickers = Readonly<Record<Interface, InterfaceTicker>>;

/** The tickers of the other interface, or why they are not asked for. */
export type OtherTickers = MarketState['tickers'] | {readonly status: 'not asked'; readonly why: string};

export const notPolled = (why: string): OtherTickers => ({status: 'not asked', why});

/** The interface whose ticker is asked for beside that of the monitor; undefined: not before that has answered. */
export const otherInterface = ({tickers}: Pick<TickerState, 'tickers'>): Interface | undefined =>
	tickers.status === 'ready' ? (tickers.interface === 'v2' ? 'legacy' : 'v2') : undefined;

/** Why the interface `use` is not asked for its tickers; undefined: it is. */
export function whyNotPolled(situation: {
	/** The interfaces that are configured. */
	readonly interfaces: readonly Interface[];
	readonly use: Interface | undefined;
	readonly paused: boolean;
	/** A recorded moment is shown. */
	readonly isPast: boolean;
	/** This screen can ask. */
	readonly isAvailable: boolean;
}): string | undefined {
	const {interfaces, use, paused, isPast, isAvailable} = situation;
	if (isPast) return 'not recorded';
	if (use === undefined) return 'polled after v2';
	if (!interfaces.includes(use)) return 'not configured';
	if (!isAvailable) return 'not polled';
	return paused ? 'not polled while paused' : undefined;
}

/** What both interfaces' tickers say of the selected market. */
export function bothTickers({tickers, symbol}: TickerState, other: OtherTickers, now: number): Tickers {
	const second = otherInterface({tickers});
	if (tickers.status !== 'ready' || !second) return {v2: {why: whyAbsent(tickers)}, legacy: {why: 'polled after v2'}};
	const mine = answerIn(tickers, symbol, now);
	const theirs = otherTicker(other, symbol, second, now);
	return second === 'legacy' ? {v2: mine, legacy: theirs} : {v2: theirs, legacy: mine};
}

function otherTicker(other: OtherTickers, symbol: string | undefined, name: Interface, now: number): InterfaceTicker {
	if (other.status === 'not asked') return {why: other.why};
	if (other.status !== 'ready') return {why: whyAbsent(other)};
	// Another interface was asked before.
	if (other.interface !== name) return {why: other.failure?.error.brief ?? 'still loading'};
	return answerIn(other, symbol, now);
}

function answerIn(
	tickers: Ready<ReadonlyMap<string, Ticker>>,
	symbol: string | undefined,
	now: number,
): InterfaceTicker {
	const ticker = selectedTicker({tickers, symbol});
	const why = tickers.failure?.error.brief ?? (ticker ? undefined : 'not in the ticker list');
	return {ticker, age: formatAge(now - tickers.receivedAt), why};
}

type Field = {
	readonly name: string;
	text(ticker: Ticker): string | undefined;
	/** The size of a difference; absent: the texts are compared. */
	value?(ticker: Ticker): number | undefined;
	readonly decimals?: number;
	/** Where rows are short, fields with the highest ranks are left out first. */
	readonly rank: number;
};

/** What tickers have, from top to bottom, with prices in forms for `width` cells. */
function fieldsOf({base, decimals, ascii}: Style, width: number): readonly Field[] {
	type NumberName = 'last' | 'open' | 'high' | 'low' | 'change' | 'bid' | 'ask';
	const price = (name: NumberName, rank: number): Field => ({
		...{name, rank, decimals: decimals.price},
		value: ticker => ticker[name],
		text: ({[name]: value}) => textIf(value, number => formatPrice(number, {decimals: decimals.price, width, ascii})),
	});
	const size = (name: string, of: 'bidQuantity' | 'askQuantity', rank: number): Field => ({
		...{name, rank, decimals: decimals.quantity},
		value: ticker => ticker[of],
		text: ({[of]: value}) => textIf(value, number => formatAtLeast(number, decimals.quantity, {ascii})),
	});
	return [
		price('last', 0),
		{
			...price('change', 8),
			text: ({change}) => textIf(change, value => signedPrice(value, {base, decimals, ascii}, width)),
		},
		{
			...{name: 'change %', rank: 1, decimals: 2},
			value: ({changePercent}) => changePercent,
			text: ({changePercent}) => textIf(changePercent, value => formatPercent(value, {ascii})),
		},
		price('open', 6),
		price('high', 2),
		price('low', 3),
		price('bid', 4),
		size('bid size', 'bidQuantity', 11),
		price('ask', 5),
		size('ask size', 'askQuantity', 12),
		{
			...{name: 'volume', rank: 7},
			text: ({volume}) => textIf(volume, value => `${formatAmount(value, {ascii})}${base ? ` ${base}` : ''}`),
		},
		{
			...{name: 'total', rank: 9},
			text: ({quoteVolume}) => textIf(quoteVolume, value => `${formatAmount(value, {ascii})} unit?`),
		},
		{name: 'state', rank: 10, text: ({state}) => state},
		{name: 'type', rank: 13, text: ({type}) => type},
	];
}

/** `+0.0₁₁3` where `+0.000000000003` has no room. */
function signedPrice(value: number, {decimals, ascii}: Style, width: number) {
	const whole = formatSigned(value, decimals.price, {ascii});
	if (textWidth(whole) <= width) return whole;
	const sign = whole.slice(0, 1);
	return sign + formatPrice(Math.abs(value), {decimals: decimals.price, width: width - textWidth(sign), ascii});
}

const textIf = <Value>(value: Value | undefined, text: (value: Value) => string): string | undefined =>
	value === undefined ? undefined : text(value);

/** Cells of the names of fields, with the blanks around them. */
const nameColumns = 10;
/** The most cells of a number or a text of an exchange. */
const mostText = 24;
/** Of the mark of a difference, with the blank before it. */
const markColumns = 3;
const gap = 2;

/** Of the row of ages: the exchange delays its tickers, by how much is unknown. */
const answerName = 'answer';

type Row = {
	readonly name: string;
	readonly v2: string;
	readonly legacy: string;
	readonly difference: string;
	readonly differs: boolean;
};

/**
 * Both interfaces' tickers side by side, field by field, with what the legacy one has more or less than v2. Fields that both lack
 * are left out, and where `rows` are short the least important ones. Why an interface has no ticker stands below its name.
 */
export function interfaceRows(tickers: Tickers, style: Style, {columns, rows}: Size): readonly Line[] {
	const {ascii} = style;
	const reasons = (['v2', 'legacy'] as const).flatMap(name => {
		const {why} = tickers[name];
		return why ? [[label(` ${truncate(`${name}: ${why}`, columns - 1, ascii)}`)]] : [];
	});
	const room = rows - reasons.length - 2;
	const width = Math.min(Math.floor((columns - nameColumns - gap - markColumns) / 2), mostText);
	const ageText = ({age}: InterfaceTicker) => (age === undefined ? '' : firstFitting([`${age} old`, age], width));
	const age: Row = {
		...{name: answerName, v2: ageText(tickers.v2), legacy: ageText(tickers.legacy)},
		...{difference: '', differs: false},
	};
	const table = shownFields(tickers, style, width, room).map(field => fieldRow(field, width, tickers, ascii));
	return [...tableRows([...table, age], columns, ascii), ...reasons];
}

function shownFields({v2, legacy}: Tickers, style: Style, width: number, count: number): readonly Field[] {
	const fields = fieldsOf(style, width).filter(({text}) =>
		[v2, legacy].some(({ticker}) => ticker && text(ticker) !== undefined),
	);
	const kept = new Set(fields.toSorted((a, b) => a.rank - b.rank).slice(0, Math.max(count, 0)));
	return fields.filter(field => kept.has(field));
}

function fieldRow({name, text, value, decimals = 0}: Field, width: number, {v2, legacy}: Tickers, ascii: boolean): Row {
	const {none, ellipsis} = marksFor(ascii);
	const fitted = (cell: string) => {
		if (textWidth(cell) <= width) return cell;
		return /\d/.test(cell) ? ellipsis : truncate(cell, width, ascii);
	};
	const textOf = ({ticker}: InterfaceTicker) => (ticker ? fitted(text(ticker) ?? none) : '');
	const [first, second] = [v2.ticker, legacy.ticker];
	const row = {name, v2: textOf(v2), legacy: textOf(legacy)};
	if (!first || !second) return {...row, difference: '', differs: false};
	const [one, other] = [value?.(first), value?.(second)];
	if (one !== undefined && other !== undefined) {
		const apart = difference(other, one);
		return {...row, difference: apart === 0 ? 'same' : formatSigned(apart, decimals, {ascii}), differs: apart !== 0};
	}

	const [mine, theirs] = [text(first), text(second)];
	if (value || mine === undefined || theirs === undefined) return {...row, difference: '', differs: false};
	return {...row, difference: mine === theirs ? 'same' : 'differs', differs: mine !== theirs};
}

function tableRows(rows: readonly Row[], columns: number, ascii: boolean): readonly Line[] {
	const head: Row = {name: 'ticker', v2: 'v2', legacy: 'legacy', difference: 'difference', differs: false};
	const all = [head, ...rows];
	const width = (name: 'v2' | 'legacy' | 'difference') => Math.max(...all.map(row => textWidth(row[name])));
	const [v2, legacy, last] = [width('v2'), width('legacy'), width('difference')];
	const hasDifference = nameColumns + v2 + legacy + last + 2 * gap < columns;
	const unequal = ascii ? '!=' : '≠';
	return all.map(row => {
		const isMuted = row === head || row.name === answerName;
		const values = ` ${' '.repeat(gap - 1)}`;
		const text = (value: string, cells: number) => ({
			text: padStart(value, cells),
			tone: isMuted ? ('muted' as const) : ('plain' as const),
		});
		const difference = hasDifference ? values + padStart(row.difference, last) : row.differs ? ` ${unequal}` : '';
		const tone = row.differs ? 'warn' : 'muted';
		const name = label(` ${padEnd(row.name, nameColumns - 1)}`);
		return fitLine(
			[name, text(row.v2, v2), {text: values}, text(row.legacy, legacy), {text: difference, tone}],
			columns,
		);
	});
}
