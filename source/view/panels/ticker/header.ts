import {formatAge, formatElapsed} from '../../../format/time.ts';
import type {RecordingMark} from '../../../recording/replay-controls.ts';
import {fitParts, type Line, label, type Part, partsWidth, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {missingBids, type Quote, type TickerFacts, tickerFacts} from './facts.ts';
import {rangeGauge} from './gauge.ts';
import {type TickerInput, type TickerState, type TickerView, tickerInput} from './model.ts';

type Recorded = {
	/** The recording that runs; absent: there is none. */
	readonly recording?: RecordingMark | undefined;
};

/** The rows above the other panels. */
export function tickerHeader(
	state: TickerState,
	view: TickerView & {readonly columns: number; readonly rows: 1 | 2; readonly focused: boolean} & Recorded,
): readonly Line[] {
	const isLoading = [state.trades, state.tickers, state.depth].every(({status}) => status === 'waiting');
	const input = {...tickerInput(state, view), ...view};
	const lines = isLoading ? tickerSkeleton(input) : tickerLines(input);
	if (!view.focused) return lines;
	// The header has no border to show the focus, so the name of its market is inverse instead.
	return lines.map(line => line.map(span => (span.tone === 'title' ? {...span, tone: 'focus', inverse: true} : span)));
}

const gaugeColumns = 12;
const lead = ' ';

/** Shown in place of `24 h` where its numbers are stale, or much older than the rest; undefined: they are not. */
export function oldDay({tickerIsStale, tickerIsOlder, tickerReceivedAt, now}: TickerInput): Part | undefined {
	if (tickerIsStale) return {spans: [{text: '24 h stale', tone: 'warn'}], rank: 2, gap: 2};
	if (!tickerIsOlder || tickerReceivedAt === undefined) return undefined;
	return {spans: [label(`24 h answer ${formatAge(now - tickerReceivedAt)} old`)], rank: 2, gap: 2};
}

/**
 * The header, exactly `columns` wide. With one row, only the upper one. Where room is short, its parts are dropped in this
 * order. Upper row: `24 h`, turnover, gauge, the words `last trade`, volume, high and low, change, the mark of a price beyond bid or ask and the fault of
 * the market's entry in the list, percent, stale note, state, the time since the last trade, price; the market stays. Lower row: the ticker's distance to the last trade, spread, the ticker's age,
 * its price, sizes, the ticker's change; then sizes and spread return, and are dropped before source, stale note, a crossed
 * spread and the ask; the bid stays.
 */
export function tickerLines(
	input: TickerInput & {readonly columns: number; readonly rows: 1 | 2} & Recorded,
): readonly Line[] {
	const facts = tickerFacts(input);
	const upper = [...upperParts(input, facts), ...recordingParts(input)];
	const rows = input.rows === 1 ? [upper] : [upper, lowerParts(input, facts, input.columns)];
	const {ellipsis} = marksFor(input.ascii);
	return rows.map(parts => fitParts(parts, input.columns, ellipsis));
}

function upperParts(input: TickerInput, facts: TickerFacts): readonly Part[] {
	const gauge = rangeGauge({...input.range, price: facts.current, columns: gaugeColumns, ascii: input.ascii});
	const isQuiet = facts.tradedAgo.text !== '';
	const day: Tone = input.tickerIsStale ? 'muted' : 'plain';
	return [
		{spans: [{text: lead + input.pair, tone: 'title'}], rank: 0},
		{spans: facts.state.text ? [facts.state] : [], rank: 2, gap: 2},
		{spans: [facts.contradiction], rank: 4, gap: 1},
		{spans: [facts.entryNote], rank: 4, gap: 2},
		{spans: facts.price, rank: 1, gap: 2},
		{spans: isQuiet ? [{text: 'last trade', tone: 'warn'}] : [], rank: 7.5, gap: 2},
		{spans: isQuiet ? [facts.tradedAgo] : [], rank: 1.4, gap: 1},
		{spans: [facts.outside], rank: 4, gap: isQuiet ? 2 : 1},
		{spans: [facts.change], rank: 5, gap: 2},
		{spans: facts.percent, rank: 3, gap: 2},
		oldDay(input) ?? {spans: [label('24 h')], rank: 10, gap: 1},
		{
			spans: [label('H '), {text: facts.high, tone: day}, label('  L '), {text: facts.low, tone: day}],
			rank: 6,
			gap: 2,
		},
		{spans: [label(gauge)], rank: 8, gap: 2},
		{spans: [label('vol '), {text: facts.volume, tone: day}], rank: 7, gap: 2},
		{spans: [label(facts.turnover)], rank: 9, gap: 2},
	];
}

/** `● REC 00:12:44`: dropped just before the price, its time first. */
function recordingParts({recording, ascii}: Recorded & {readonly ascii: boolean}): readonly Part[] {
	if (!recording) return [];
	return [
		{spans: [{text: `${ascii ? '*' : '●'} REC`, tone: 'error'}], rank: 1.2, gap: 2, right: true},
		{spans: [{text: formatElapsed(recording.lastsMs), tone: 'error'}], rank: 1.6, gap: 1},
	];
}

/** What the lower row shows besides prices and source. */
type LowerForm = {
	readonly hasSizes: boolean;
	readonly hasSpread: boolean;
	readonly ticker?: string;
	readonly lag?: string;
};

/** From long to short. Sizes and spread are in the ladder too, but the ticker's change in no other panel. */
function lowerForms({own, tickerLag}: TickerFacts): readonly LowerForm[] {
	const {price = '', change = '', percent = '', age = '', shortAge = ''} = own ?? {};
	const text = (...parts: readonly string[]) => ['ticker', ...parts.filter(part => part !== '')].join(' ');
	const changes = percent ? [text(price, change, percent), text(percent)] : [];
	const forms = (tickers: readonly string[], hasSizes: boolean): readonly LowerForm[] =>
		tickers.flatMap(ticker => [true, false].map(hasSpread => ({hasSizes, hasSpread, ticker})));
	const ages = age === '' ? [''] : [age, shortAge];
	const longest = own ? ages.map(each => text(price, change, percent) + each) : [];
	return [
		...longest.map(ticker => ({hasSizes: true, hasSpread: true, ticker, lag: tickerLag})),
		...forms([...longest, ...changes], true),
		...forms(changes, false),
		...(own ? forms([text(price)], true) : []),
		{hasSizes: true, hasSpread: true},
	];
}

function lowerParts(input: TickerInput, facts: TickerFacts, columns: number): readonly Part[] {
	const name = (side: string, quote: Quote) => label(quote.fromTicker ? `ticker ${side} ` : `${side} `);
	const {bid, ask, spread} = facts;
	const isCrossed = spread.tone === 'warn';
	const row = (
		{hasSizes, hasSpread, ticker = '', lag = ''}: LowerForm,
		source: string,
		reason: Line,
	): readonly Part[] => [
		{spans: [{text: lead}, name('bid', bid), bid.price], rank: 0},
		{spans: hasSizes ? [bid.quantity] : [], rank: 6, gap: 1},
		{spans: [name('ask', ask), ask.price], rank: 1, gap: 2},
		{spans: hasSizes ? [ask.quantity] : [], rank: 6, gap: 1},
		{spans: hasSpread || isCrossed ? [label('spread '), spread] : [], rank: isCrossed ? 2 : 5, gap: 2},
		{spans: reason, rank: 3, gap: 2},
		{spans: [label(ticker)], rank: 7, gap: 2},
		{spans: [label(lag)], rank: 8, gap: 2},
		{spans: [label(source)], rank: 4, gap: 3, right: true},
	];
	const sources = input.sources.length > 0 ? input.sources : [''];
	const shortest: LowerForm = {hasSizes: false, hasSpread: false};
	const forms = [...lowerForms(facts), shortest];
	let parts: readonly Part[] = [];
	for (const reason of reasonsFor(input, facts, columns)) {
		for (const form of forms) {
			for (const source of sources) {
				parts = row(form, source, reason);
				if (partsWidth(parts) <= columns) return parts;
			}
		}
	}

	return parts;
}

/** Why the first number of the header is unknown or not current, from long to short; one empty line if all are known. */
function reasonsFor(input: TickerInput, facts: TickerFacts, columns: number): readonly Line[] {
	const {lastTrade, absences = {}} = input;
	const {none} = marksFor(input.ascii);
	const isUnknown = (...texts: readonly string[]) => texts.every(text => text.trim() === none);
	if (input.bookNote.length > 0) return [input.bookNote];
	if (absences.trades !== undefined) return reasons('warn', `trades: ${absences.trades}`, 'no trades');
	if (!lastTrade) return reasons('muted', 'no trades yet', 'no trades');
	const ofBook = bookReasons(input, facts);
	if (ofBook.length > 0) return ofBook;
	if (absences.ticker !== undefined) return reasons('muted', `ticker: ${absences.ticker}`, 'no ticker');
	if (isUnknown(facts.change.text, facts.high, facts.low, facts.volume)) {
		return reasons('muted', 'ticker: no values', 'no ticker');
	}

	if (isUnknown(facts.change.text)) return reasons('muted', 'no opening price', 'no open');
	if (isUnknown(facts.high, facts.low)) return reasons('muted', 'no high and low');
	return isUnknown(facts.volume) && columns >= volumeColumns ? reasons('muted', 'no volume') : [[]];
}

/** Narrower headers have no room for the volume. */
const volumeColumns = 100;

/** Why bid or ask is unknown, from long to short; empty if both are known. */
export function bookReasons({book, absences, ascii}: TickerInput, {bid, ask}: TickerFacts): readonly Line[] {
	const {none} = marksFor(ascii);
	if (absences?.book !== undefined) return reasons('warn', `book: ${absences.book}`, 'no book');
	const failed = book && missingBids(book);
	if (failed) return reasons('warn', ...failed, 'no bids');

	if (bid.price.text === none) return reasons('muted', book?.bids ? 'no bids received' : 'bids not shown', 'no bids');
	return ask.price.text === none ? reasons('muted', 'no asks received', 'no asks') : [];
}

const reasons = (tone: Tone, ...texts: readonly string[]): readonly Line[] => texts.map(text => [{text, tone}]);

/** The header's shape before the first answer: the pair, and dots in place of its numbers. */
function tickerSkeleton(
	input: Recorded & {
		readonly pair: string;
		readonly columns: number;
		readonly rows: 1 | 2;
		readonly ascii: boolean;
	},
): readonly Line[] {
	const {pair, columns, rows, ascii} = input;
	const {skeleton, ellipsis} = marksFor(ascii);
	const dots = (count: number, rank: number): Part => ({
		spans: [{text: skeleton.repeat(count), tone: 'muted'}],
		rank,
		gap: 2,
	});
	const title: Part = {spans: [{text: lead + pair, tone: 'title'}], rank: 0};
	const upper = [
		title,
		dots(9, 1),
		dots(8, 2),
		dots(7, 3),
		dots(11, 4),
		dots(11, 5),
		dots(gaugeColumns, 6),
		...recordingParts(input),
	];
	const lower = [
		{...dots(16, 0), spans: [{text: lead + skeleton.repeat(16), tone: 'muted' as const}]},
		dots(16, 1),
		dots(11, 2),
	];
	return [upper, lower].slice(0, rows).map(parts => fitParts(parts, columns, ellipsis));
}
