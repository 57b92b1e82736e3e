import {lastTradeTime, quietIn} from '../store/trade-time.ts';
import type {JudgedOn} from './alert-event.ts';
import {type Quantity, quantitiesIn} from './condition.ts';
import {answerTo, type MarketsData, type Needed, type News, needKey} from './market-data.ts';
import {
	candlesOf,
	dataOf,
	factsAt,
	type MarketData,
	type Moment,
	type NeededData,
	periodsOf,
} from './quantity-values.ts';
import {isByTicker, type Rule} from './rule.ts';

/** The data that a rule is judged on. */
export type JudgedData = ReturnType<typeof judgedDataOf>;

/** `own`: key of the market that the rule is judged for. */
export function judgedDataOf(rule: Rule, own: string) {
	const byTicker = isByTicker(rule);
	const quantities = quantitiesIn(rule.condition);
	const isVaried = quantities.some(quantity => quantity.windowMs !== undefined || isOfDay(quantity));
	const needed = (dataFor: (quantity: Quantity, market: string) => readonly NeededData[]): readonly Needed[] => {
		const all = quantities.flatMap(quantity => {
			const {market = own} = quantity;
			return dataFor(quantity, market).map(data => ({...data, market}));
		});
		return [...new Map(all.map(each => [needKey(each), each])).values()];
	};
	const first = needed(quantity => dataOf(quantity, byTicker));
	return {
		/** Before any is known. */
		first,
		/** What must be known for it, its age, and where trades do not reach back. */
		needs: needed(quantity => neededFor(quantity, byTicker)),
		/** Of what is known: also candles, where trades do not reach back. */
		in({data, now}: Pick<News, 'data' | 'now'>): readonly Needed[] {
			if (!isVaried) return first;
			const moment = {now, newest: 0, isTrade: false, byTicker};
			return needed((quantity, market) => dataAt(quantity, data.get(market), moment));
		},
	};
}

/** The rule, by the delayed ticker if a market lacks the trades that it needs. */
export const byTickerWhere = (lacksTrades: (market: string) => boolean, rule: Rule, own: string): Rule =>
	tapesIn(judgedDataOf(rule, own).first).some(lacksTrades) ? {...rule, byTicker: true} : rule;

/** The keys of the markets whose trades are among this. */
export const tapesIn = (needed: readonly Needed[]): readonly string[] =>
	needed.flatMap(({market, ask}) => (ask === 'trades' ? market : []));

/** The answer that a rule is judged on. */
export function judgedOnIn(data: MarketsData, needed: Needed): JudgedOn {
	const judgedOn = {...needed, receivedAt: answerTo(data, needed)?.receivedAt};
	const tape = needed.ask === 'trades' ? data.get(needed.market)?.state.trades : undefined;
	return tape ? {...judgedOn, lastTradeAt: lastTradeTime(tape), quietMs: quietIn(tape)?.ms} : judgedOn;
}

const neededFor = (quantity: Quantity, byTicker: boolean): readonly NeededData[] =>
	quantity.name === 'age' ? [{ask: 'trades'}] : [...dataOf(quantity, byTicker), ...periodsOf(quantity).map(candlesOf)];

/** What a quantity is calculated from, as far as that is known of the market. */
function dataAt(quantity: Quantity, marketData: MarketData | undefined, moment: Moment): readonly NeededData[] {
	const first = dataOf(quantity, moment.byTicker);
	if (!marketData) return first;
	const {windowMs} = quantity;
	if (windowMs === undefined) return isOfDay(quantity) && hasNoOpen(marketData) ? [{ask: 'tickers'}] : first;
	const facts = factsAt(marketData, moment);
	const periods = periodsOf(quantity);
	const isOfTrades = !facts.trades || periods.length === 0;
	return isOfTrades ? first : [...first, ...(facts.window(windowMs)?.candles ?? periods).map(candlesOf)];
}

const isOfDay = ({name, windowMs}: Quantity): boolean =>
	windowMs === undefined && (name === 'change' || name === 'changePercent');

/** Whether the ticker, stale or not, has no opening price, so that the day's change is its own. */
function hasNoOpen({state: {symbol = '', tickers}}: MarketData): boolean {
	const ticker = tickers.status === 'ready' ? tickers.data.get(symbol) : undefined;
	return ticker !== undefined && ticker.open === undefined;
}
