import {formatAmount, formatBasisPoints, formatPrice} from '../../format/number.ts';
import {type Amount, costToFill, type Fill, parseAmount} from '../../market/fill.ts';
import type {Decimals} from '../../market/precision.ts';
import type {DepthBook, Level} from '../../market/types.ts';
import {fitLine, type Line, type Span} from '../line.ts';
import {firstFitting, type Marks, marksFor} from '../marks.ts';

/** The amount that the user asks the cost of. */
export type FillQuestion = {
	/** As typed. */
	readonly text: string;
	/** Keys are text for it. */
	readonly editing: boolean;
};

export type FillInput = FillQuestion & {
	readonly book: DepthBook;
	readonly base?: string | undefined;
	readonly quote?: string | undefined;
	readonly decimals: Decimals;
	readonly columns: number;
	readonly ascii: boolean;
};

/** Rows that the question and its two answers take: none where nothing is asked. */
export const fillRowCount = (fill: FillQuestion | undefined): number => (fill?.editing || fill?.text ? 3 : 0);

/** The question, then what buying and selling that much would cost now. */
export function fillRows(input: FillInput): readonly Line[] {
	const {book, columns, ascii} = input;
	const marks = marksFor(ascii);
	const amount = parseAmount(input.text, input);
	const answers = amount
		? [
				answerRow('buy ', book.asks, amount, input, marks),
				book.bids ? answerRow('sell', book.bids, amount, input, marks) : noBids(columns),
			]
		: [hintRow(input, columns), []];
	return [questionRow(input, amount, marks), ...answers].map(line => fitLine(line, columns));
}

function questionRow({text, editing, base, columns}: FillInput, amount: Amount | undefined, marks: Marks): Line {
	const unit = amount?.unit === 'base' && /^[\d.,_ ]*$/.test(text) && base ? ` ${base}` : '';
	const cursor: Span[] = editing ? [{text: ' ', inverse: true}] : [];
	const asked = text + (editing ? '' : unit);
	const between = ` ${marks.separator} `;
	const said = firstFitting(
		[`${between}average, from best price`, `${between}average, from best`, `${between}average`],
		columns - asked.length - 7,
	);
	return [
		{text: ' fill ', tone: 'accent'},
		{text: asked, tone: amount || editing ? 'strong' : 'warn'},
		...cursor,
		{text: amount && !editing ? said : '', tone: 'muted'},
	];
}

function hintRow({text, editing, base = 'base', quote = 'quote'}: FillInput, columns: number): Line {
	const tone = text && !editing ? 'warn' : 'muted';
	const examples = [`such as 2, 2 ${base}, 5000 ${quote}`, `2 ${base}, 5000 ${quote}`, '2 or 2 btc'];
	return [{text: ` ${firstFitting(examples, columns - 1)}`, tone}];
}

const noBids = (columns: number): Line => [
	{text: ` sell ${firstFitting(['no bids shown by this interface', 'no bids shown'], columns - 6)}`, tone: 'warn'},
];

function answerRow(name: string, levels: readonly Level[], amount: Amount, input: FillInput, marks: Marks): Line {
	const fill = costToFill(levels, amount);
	const label: Span = {text: ` ${name} `, tone: name === 'sell' ? 'down' : 'up'};
	const room = input.columns - label.text.length;
	return fill.complete
		? [label, ...answer(fill, amount, input, room)]
		: [label, tooThin(fill, amount, input, room, marks)];
}

function answer(fill: Fill, {unit}: Amount, {decimals, base, quote, ascii}: FillInput, room: number): Line {
	const price = formatPrice(fill.averagePrice && Number(fill.averagePrice.toFixed(Math.min(decimals.price, 100))), {
		decimals: decimals.price,
		ascii,
	});
	const points = formatBasisPoints(fill.slippage, {ascii});
	const [other, asset] = unit === 'base' ? [fill.quote, quote] : [fill.base, base];
	const total = `${formatAmount(other, {ascii})}${asset ? ` ${asset}` : ''}`;
	const shown = firstFitting([`${price}  ${points}  ${total}`, `${price}  ${points}`, points], room);
	return [{text: shown}];
}

function tooThin(fill: Fill, {size, unit}: Amount, {base, quote, ascii}: FillInput, room: number, marks: Marks): Span {
	const covered = formatAmount(unit === 'base' ? fill.base : fill.quote, {ascii});
	const asset = unit === 'base' ? base : quote;
	const of = `${covered} of ${formatAmount(size, {ascii})}`;
	const texts = [
		`book too thin: covers ${of}${asset ? ` ${asset}` : ''}`,
		`book too thin: covers ${of}`,
		`book too thin: ${of}`,
		`too thin: ${of}`,
		`too thin: ${covered}`,
		'too thin',
		marks.ellipsis,
	];
	return {text: firstFitting(texts, room), tone: 'warn'};
}
