import type {Answer, CallOptions} from '../../client/exchange.ts';
import {formatCount, formatExact, formatPercent} from '../../format/number.ts';
import {formatFullTime} from '../../format/time.ts';
import {type HeldAsset, type Valuation, valuationOf} from '../../market/holdings.ts';
import {unlistedMarkets} from '../../market/symbol.ts';
import type {Market, Ticker} from '../../market/types.ts';
import type {holdings as schema} from '../../schema/document-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import {profitText, shareText, unitPriceText, valueText} from '../../view/holding-texts.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import {currencyOf, pathsOf} from '../../view/panels/markets/entries.ts';
import type {Context} from '../context.ts';
import {holdingKeys} from '../options/option-table.ts';
import {note} from '../standard-error.ts';
import {readHoldings} from '../state/saved-entries.ts';
import {exchangeStateOf} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {listProvenance, pick} from './documents.ts';
import {type TableStyle, titleLines} from './tables.ts';

type Entry = Of<typeof schema>['holdings'][number];

/** The user's holdings of the config file and those of the monitor, valued at the tickers of the exchange. */
export async function readHeld(context: Context, call: CallOptions) {
	const {exchange, options, exchangeName, clock} = context;
	const file = await openStateFile(statePath(process.env), clock);
	const {holdings, fault} = readHoldings(exchangeStateOf(file.state, exchangeName).holdings, options.holdings);
	for (const notice of [...file.notices(), ...(fault === undefined ? [] : [fault])]) note(notice);
	const [list, tickers] = await Promise.allSettled([exchange.markets(call), exchange.tickers(call)]);
	if (tickers.status === 'rejected') throw tickers.reason;
	const answer = tickers.value;
	const valuation = valued(
		holdings.values(),
		list.status === 'fulfilled' ? list.value : undefined,
		answer,
		options.quoteCurrency,
	);
	const entries = valuation.assets.map(held => entryOf(held, holdings.get(held.asset)?.origin ?? 'user'));
	const {currency, total, profit} = valuation;
	const uncounted = entries.filter(({value}) => value === null).map(({asset}) => asset);
	const sums = {currency, total: total ?? null, profit: profit ?? null, uncounted};
	return {
		answer,
		document: {holdings: entries, ...sums, ...listProvenance(answer)},
		table: (style: TableStyle): Table => holdingsTable(valuation, answer, style),
		remarks: uncounted.length > 0 ? [`not counted: no market converts ${uncounted.join(', ')} to ${currency}`] : [],
	};
}

function valued(
	holdings: Parameters<typeof valuationOf>[0],
	list: Answer<readonly Market[]> | undefined,
	{data, receivedAt}: Answer<readonly Ticker[]>,
	chosen: string | undefined,
): Valuation {
	const tickers = new Map(data.map(ticker => [ticker.symbol, ticker]));
	const markets = list?.data ?? unlistedMarkets([...tickers.keys()]);
	const currency = currencyOf(markets, chosen);
	const paths = pathsOf(markets, tickers, currency, list && list.receivedAt > receivedAt);
	return valuationOf(holdings, {currency, paths, tickers, tickersAt: receivedAt});
}

const entryOf = ({source, cost, ...held}: HeldAsset, origin: Entry['origin']): Entry =>
	pick({...held, cost: cost?.price, costQuote: cost?.quote, markets: source?.markets.join(' '), origin}, holdingKeys);

const columns: readonly Column[] = [
	{titles: ['asset']},
	{titles: ['amount'], alignment: 'point'},
	{titles: ['cost'], alignment: 'point', rank: 3},
	{titles: ['price'], alignment: 'point', rank: 2},
	{titles: ['value'], alignment: 'point'},
	{titles: ['share'], alignment: 'right', rank: 4},
	{titles: ['profit'], alignment: 'point', rank: 1},
	{titles: ['profit %'], alignment: 'point', rank: 1},
	{titles: ['markets'], rank: 5},
];

function holdingsTable(
	{currency, assets, total, profit}: Valuation,
	answer: Answer<unknown>,
	style: TableStyle,
): Table {
	const {ascii, zone} = style;
	const source = [answer.interface, formatFullTime(answer.receivedAt, zone)];
	const heading = titleLines([formatCount(assets.length, 'holding'), `values in ${currency}`, ...source], style);
	if (assets.length === 0) return {lines: [...heading, 'none'], hidden: []};
	const rows = assets.map(({asset, amount, cost, price, value, share, source: from, ...gain}) => [
		...[asset, formatExact(amount, style), cost ? `${formatExact(cost.price, style)} ${cost.quote}` : ''],
		...[price === undefined ? '' : unitPriceText(price, ascii), valueText(value, ascii), shareText(share, ascii)],
		profitText(gain.profit, ascii),
		gain.profit === undefined ? '' : formatPercent(gain.profitPercent, {ascii, unit: false}),
		from?.markets.join(' ') ?? '',
	]);
	const sums = ['total', '', '', '', valueText(total, ascii), '', profitText(profit, ascii), '', ''];
	const {lines, hidden} = table(columns, [...rows, sums], style);
	return {lines: [...heading, ...lines], hidden};
}
