import {padStart, textWidth} from '../../../format/cells.ts';
import {formatAmount, formatBasisPoints, formatCompact, formatFixed, formatUpTo} from '../../../format/number.ts';
import {type Amount, costToFill, type Fill, parseAmount} from '../../../market/fill.ts';
import {type Decimals, decimalsOf, roundDecimals} from '../../../market/precision.ts';
import {splitNumber} from '../../../market/typed-number.ts';
import type {DepthBook, Level} from '../../../market/types.ts';
import {fitLine, type Line, type Span} from '../../line.ts';
import {firstFitting, type Marks, marksFor} from '../../marks.ts';
import {shortPrice} from '../../price-texts.ts';
import {endOf} from '../../text-edit.ts';
import {wrapped} from '../../wrap.ts';
import type {FillQuestion} from './book-state.ts';
import {noBidsTexts} from './rungs.ts';

export type FillInput = FillQuestion & {
	readonly book: DepthBook;
	readonly base?: string | undefined;
	readonly quote?: string | undefined;
	/** How many levels of the answer were cut off; absent: none. */
	readonly cut?: number | undefined;
	readonly decimals: Decimals;
	readonly columns: number;
	readonly ascii: boolean;
};

/** Rows of the question and its two answers; 0 without a question. */
export const fillRowCount = (fill: FillQuestion | undefined): number => (fill?.editing || fill?.text ? 3 : 0);

/** The question, then the cost of buying and of selling that amount now, in aligned columns. */
export function fillRows(input: FillInput): readonly Line[] {
	const {book, columns, ascii} = input;
	const marks = marksFor(ascii);
	const parsed = parseAmount(input.text, input);
	const amount = 'value' in parsed ? parsed.value : undefined;
	const fault = input.fault ?? ('fault' in parsed && !input.editing ? parsed.fault : undefined);
	const hints = fault === undefined ? [hintRow(input)] : faultRows(fault, columns);
	const rows = amount ? answerRows(book, amount, input, marks) : hints;
	const lines = [questionRow(input, amount, marks), ...rows];
	return Array.from({length: fillRowCount(input)}, (_, row) => fitLine(lines[row] ?? [], columns));
}

function answerRows({asks, bids}: DepthBook, amount: Amount, input: FillInput, marks: Marks): readonly Line[] {
	const buy = costToFill(asks, amount);
	const sell = bids && costToFill(bids, amount);
	const room = answerRoom(input);
	const filled = [buy, sell].flatMap(fill => (fill?.complete ? fill : []));
	const digits = otherDigits(filled, amount, input);
	const textsOf = (fill: Fill) => answerTexts(fill, amount, digits, input);
	const inColumns = columnsOf(filled.map(textsOf), room);
	const answer = (fill: Fill, {length}: readonly Level[]): Span =>
		fill.complete ? {text: inColumns(textsOf(fill))} : shortfall(fill, amount, length, input, marks);
	return [
		[{text: ' buy  ', tone: 'up'}, answer(buy, asks)],
		sell ? [{text: ' sell ', tone: 'down'}, answer(sell, bids)] : noBids(input.columns),
	];
}

function questionRow({text, editing, base, columns, ascii}: FillInput, amount: Amount | undefined, marks: Marks): Line {
	const unit = amount?.unit === 'base' && splitNumber(text)[1] === '' && base ? ` ${base}` : '';
	const cursor: Span[] = editing ? [{text: ' ', inverse: true}] : [];
	const question = endOf(text, columns - 7 - unit.length, ascii) + (editing ? '' : unit);
	const between = ` ${marks.separator} `;
	const legend = firstFitting(
		[`${between}average, from best price`, `${between}average, from best`, `${between}average`],
		columns - question.length - 7,
	);
	return [
		{text: ' fill ', tone: 'accent'},
		{text: question, tone: amount || editing ? 'strong' : 'warn'},
		...cursor,
		{text: amount && !editing ? legend : '', tone: 'muted'},
	];
}

function hintRow({base = 'base', quote = 'quote', columns}: FillInput): Line {
	const examples = [`e.g. 2, 2 ${base}, 5000 ${quote}`, `2 ${base}, 5000 ${quote}`, '2 or 2 btc'];
	return [{text: ` ${firstFitting(examples, columns - 1)}`, tone: 'muted'}];
}

const faultRows = (fault: string, columns: number): readonly Line[] =>
	wrapped(fault, columns - 1).map(text => [{text: ` ${text}`, tone: 'warn'}]);

const noBids = (columns: number): Line => [{text: ` sell ${firstFitting(noBidsTexts, columns - 6)}`, tone: 'warn'}];

/** `exact`, `short` and `compact` are the amount in the other asset. */
type AnswerTexts = Readonly<
	Record<'price' | 'shortPrice' | 'points' | 'exact' | 'exactAsset' | 'short' | 'shortAsset' | 'compact', string>
>;

type AnswerForm = ReadonlyArray<keyof AnswerTexts>;

/** From long to short, with the amount in the other asset in all of them. */
const roomyForms: readonly AnswerForm[] = (['exactAsset', 'exact', 'shortAsset', 'short', 'compact'] as const).flatMap(
	amount => [
		['price', 'points', amount],
		['shortPrice', 'points', amount],
	],
);
const tightForms: readonly AnswerForm[] = [
	['shortPrice', 'points', 'compact'],
	['shortPrice', 'compact'],
	['points', 'compact'],
	['compact'],
];

const otherAmount = ({base, quote}: Fill, {unit}: Amount): number => (unit === 'base' ? quote : base);

/** The fewest digits of the amount in the other asset. */
const leastDigits = 3;

/** Decimals of the amounts in the other asset: those of the book, more where a small amount would lose its first digits. */
const otherDigits = (fills: readonly Fill[], amount: Amount, {decimals}: FillInput): number =>
	Math.max(
		amount.unit === 'base' ? decimals.price : decimals.quantity,
		...fills.map(fill => decimalsOf(Number(otherAmount(fill, amount).toPrecision(leastDigits)))),
	);

/** `digits`: decimals of the amount in the other asset. */
function answerTexts(fill: Fill, amount: Amount, digits: number, input: FillInput): AnswerTexts {
	const {decimals, base, quote, ascii} = input;
	const other = otherAmount(fill, amount);
	const asset = (amount.unit === 'base' ? quote : base) ?? '';
	const exact = formatUpTo(other, digits, {ascii});
	const short = formatAmount(other, {ascii});
	const price = formatUpTo(fill.averagePrice, decimals.price, {ascii});
	const average = fill.averagePrice && roundDecimals(fill.averagePrice, decimals.price);
	return {
		price,
		shortPrice: shortPrice(average || fill.averagePrice, decimals.price, ascii),
		points: formatBasisPoints(fill.slippage, {ascii}),
		exact,
		exactAsset: `${exact} ${asset}`.trimEnd(),
		short,
		shortAsset: `${short} ${asset}`.trimEnd(),
		compact: formatCompact(other, {ascii}).trimEnd(),
	};
}

/** Writes answers in columns, in the longest form that fits for all of them. */
function columnsOf(answers: readonly AnswerTexts[], room: number): (texts: AnswerTexts) => string {
	const width = (name: keyof AnswerTexts) => Math.max(0, ...answers.map(texts => textWidth(texts[name])));
	const fits = (gap: number) => (form: AnswerForm) => form.reduce((sum, name) => sum + width(name) + gap, -gap) <= room;
	const roomy = roomyForms.find(fits(2));
	const form = roomy ?? tightForms.find(fits(1)) ?? [];
	return texts => form.map(name => padStart(texts[name], width(name))).join(roomy ? '  ' : ' ');
}

const answerRoom = ({columns}: FillInput): number => columns - ' sell '.length;

/** How much of the amount the known levels fill. Whether the market has more is unknown: no interface says how long its list is. */
function shortfall(fill: Fill, {size, unit}: Amount, levels: number, input: FillInput, marks: Marks): Span {
	const {base, quote, cut = 0, ascii} = input;
	const count = `${formatFixed(levels, 0)} ${levels === 1 ? 'level' : 'levels'}`;
	if (levels === 0) return {text: firstFitting(['no levels received', 'no levels'], answerRoom(input)), tone: 'warn'};
	const limit = `only ${count} ${cut > 0 ? 'kept' : 'received'}`;
	const filled = formatAmount(unit === 'base' ? fill.base : fill.quote, {ascii});
	const asset = unit === 'base' ? base : quote;
	const of = `${filled} of ${formatAmount(size, {ascii})}`;
	const texts = [
		`${limit}: fills ${of}${asset ? ` ${asset}` : ''}`,
		`${limit}: fills ${of}`,
		`${limit}: ${of}`,
		`${count}: ${of}`,
		`${count} ${levels === 1 ? 'fills' : 'fill'} ${filled}`,
		`${count}: ${filled}`,
		count,
		marks.ellipsis,
	];
	return {text: firstFitting(texts, answerRoom(input)), tone: 'warn'};
}
