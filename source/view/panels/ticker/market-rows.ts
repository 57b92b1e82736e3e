import {truncate} from '../../../format/cells.ts';
import {formatBasisPoints, formatCount, formatExact, formatFixed, formatPlain} from '../../../format/number.ts';
import {formatZonedClock} from '../../../format/time.ts';
import {spreadOf} from '../../../market/depth.ts';
import {type Decimals, powerOfTen} from '../../../market/precision.ts';
import type {DayAverage, TapeSums} from '../../../market/tape-sums.ts';
import type {DepthBook, Market} from '../../../market/types.ts';
import type {Writing} from '../../line.ts';
import {fitLine, type Line, label} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';

export type MarketFactsInput = Writing & {
	readonly symbol: string;
	/** The market's entry in the list; absent: it is not listed. */
	readonly market?: Market | undefined;
	/** The exchange's own word; absent: no interface has answered with one. */
	readonly state?: string | undefined;
	/** Absent: no interface has one. */
	readonly type?: string | undefined;
	readonly decimals: Decimals;
	readonly book?: DepthBook | undefined;
	/** Of the tape; absent: no trades are known. */
	readonly sums?: TapeSums | undefined;
	/** Epoch ms of the trades per minute, if that is not now. */
	readonly countedAt?: number | undefined;
	/** How many trades the tape holds. */
	readonly trades: number;
	readonly average?: DayAverage | undefined;
	/** Where the market is listed, such as `v2 list of 595 markets`. */
	readonly listed: string;
	/** Interface and age of each source, such as `trades v2, 0.4 s old`, from long to short, or why it has not answered. */
	readonly ages: ReadonlyArray<readonly string[]>;
};

/** Cells of the names of facts, with the blanks around them. */
const nameColumns = 9;

/** What is known of the market itself, one fact per row. A fact that is unknown is left out, or says why. */
export function marketRows(input: MarketFactsInput, columns: number): readonly Line[] {
	const {symbol, market, state, type, listed, ages, ascii} = input;
	const {none, ellipsis} = marksFor(ascii);
	const room = columns - nameColumns;
	const numbers = (texts: readonly string[]) => firstFitting([...texts, ellipsis], room);
	const facts: ReadonlyArray<readonly [name: string, text: string]> = [
		['market', market?.id === undefined ? symbol : `${symbol}, id ${market.id}`],
		['assets', `base ${market?.base ?? none}, quote ${market?.quote ?? none}`],
		['state', firstFitting([`${state ?? none}, type ${type ?? none}`, state ?? none], room) || (state ?? none)],
		['spread', numbers([spreadText(input)])],
		['trades', numbers(paceTexts(input))],
		['VWAP', numbers(averageTexts(input))],
		['prices', numbers(stepTexts(input.decimals.price))],
		['sizes', numbers(stepTexts(input.decimals.quantity))],
		['listed', listed],
		...ages.map(
			(texts, index) => [index === 0 ? 'ages' : '', firstFitting(texts, room) || (texts.at(-1) ?? '')] as const,
		),
	];
	return facts.map(([name, text]) =>
		fitLine([label(` ${name}`.padEnd(nameColumns)), {text: truncate(text, room, ascii)}], columns),
	);
}

/** The finest step of the prices or sizes received, from long to short: the exchange gives none. */
function stepTexts(decimals: number): readonly string[] {
	const step = `steps of ${formatPlain(1 / powerOfTen(decimals))} seen`;
	const count = formatCount(decimals, 'decimal');
	return [`${step}, ${count}`, step, `${count} seen`];
}

function spreadText({book, ascii}: MarketFactsInput): string {
	const spread = book && spreadOf(book);
	return spread ? formatBasisPoints(spread.basisPoints, {ascii}) : `${marksFor(ascii).none} needs bid and ask`;
}

/** From long to short. */
function paceTexts({sums, countedAt, trades, ascii, zone}: MarketFactsInput): readonly string[] {
	const {none, atLeast} = marksFor(ascii);
	if (sums?.since === undefined) return [`${none} none yet`];
	const when = countedAt === undefined ? '' : ` at ${formatZonedClock(countedAt, zone)}`;
	const rate = `${sums.perMinutePartial ? atLeast : ''}${formatFixed(sums.perMinute, 0)}/min${when}`;
	return [`${rate}, ${formatExact(trades)} since ${formatZonedClock(sums.since, zone)}`, rate];
}

/** From long to short. The exchange gives no average price: it is that of the trades received. */
function averageTexts({average, decimals, ascii, zone}: MarketFactsInput): readonly string[] {
	const {none, about} = marksFor(ascii);
	if (!average) return [`${none} no trades today`];
	const price = (average.hasGaps ? about : '') + formatFixed(average.price, decimals.price, {ascii});
	return [`${price} since ${formatZonedClock(average.since, zone)}`, price];
}
