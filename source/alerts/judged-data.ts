import {lastTradeTime, quietIn} from '../store/trade-time.ts';
import type {JudgedOn, Needed} from './alert-event.ts';
import {answerIn} from './answers.ts';
import {type Quantity, quantitiesIn} from './condition.ts';
import type {KnownMarkets, News} from './news.ts';
import {type Data, dataOf, factsAt, type KnownMarket, type Moment, periodsOf} from './quantity-values.ts';
import {isByTicker, type Rule} from './rule.ts';

/** The data that a rule is judged on. */
export type JudgedData = {
	/** Before any is known. */
	readonly first: readonly Needed[];
	/** What must be known for it, its age, and where trades do not reach back. */
	readonly needs: readonly Needed[];
	/** Of what is known: also candles, where trades do not reach back. */
	in(news: Pick<News, 'known' | 'now'>): readonly Needed[];
};

/** `own`: key of the market that the rule is judged for. */
export function judgedDataOf(rule: Rule, own: string): JudgedData {
	const byTicker = isByTicker(rule);
	const quantities = quantitiesIn(rule.condition);
	const isVaried = quantities.some(quantity => quantity.windowMs !== undefined || isOfDay(quantity));
	const needed = (dataOfQuantity: (quantity: Quantity, market: string) => readonly Data[]): readonly Needed[] => {
		const all = quantities.flatMap(quantity => {
			const {market = own} = quantity;
			return dataOfQuantity(quantity, market).map(data => ({market, data}));
		});
		return [...new Map(all.map(each => [`${each.market} ${each.data}`, each])).values()];
	};
	const first = needed(quantity => dataOf(quantity, byTicker));
	return {
		first,
		needs: needed(quantity => neededFor(quantity, byTicker)),
		in({known, now}) {
			if (!isVaried) return first;
			const moment = {now, newest: 0, isTrade: false, byTicker};
			return needed((quantity, market) => dataAt(quantity, known.get(market), moment));
		},
	};
}

/** The rule, by the delayed ticker if a market lacks the trades that it needs. */
export const byTickerWhere = (lacksTrades: (market: string) => boolean, rule: Rule, own: string): Rule =>
	tapesIn(judgedDataOf(rule, own).first).some(lacksTrades) ? {...rule, byTicker: true} : rule;

/** The keys of the markets whose trades are among this. */
export const tapesIn = (needed: readonly Needed[]): readonly string[] =>
	needed.flatMap(({market, data}) => (data === 'trades' ? market : []));

/** The answer that a rule is judged on. */
export function judgedOnIn(known: KnownMarkets, needed: Needed): JudgedOn {
	const {market, data} = needed;
	const judgedOn = {...needed, receivedAt: answerIn(known, market, data)?.receivedAt};
	const tape = data === 'trades' ? known.get(market)?.state.trades : undefined;
	return tape ? {...judgedOn, lastTradeAt: lastTradeTime(tape), quietMs: quietIn(tape)?.ms} : judgedOn;
}

const neededFor = (quantity: Quantity, byTicker: boolean): readonly Data[] =>
	quantity.name === 'age' ? ['trades'] : [...dataOf(quantity, byTicker), ...periodsOf(quantity)];

/** What a quantity is calculated from, as far as that is known of the market. */
function dataAt(quantity: Quantity, known: KnownMarket | undefined, moment: Moment): readonly Data[] {
	const data = dataOf(quantity, moment.byTicker);
	if (!known) return data;
	const {windowMs} = quantity;
	if (windowMs === undefined) return isOfDay(quantity) && hasNoOpen(known) ? ['tickers'] : data;
	const facts = factsAt(known, moment);
	const periods = periodsOf(quantity);
	const isOfTrades = !facts.trades || periods.length === 0;
	return isOfTrades ? data : [...data, ...(facts.window(windowMs)?.candles ?? periods)];
}

const isOfDay = ({name, windowMs}: Quantity): boolean =>
	windowMs === undefined && (name === 'change' || name === 'changePercent');

/** Whether the ticker, stale or not, has no opening price, so that the day's change is its own. */
function hasNoOpen({state: {symbol = '', tickers}}: KnownMarket): boolean {
	const ticker = tickers.status === 'ready' ? tickers.data.get(symbol) : undefined;
	return ticker !== undefined && ticker.open === undefined;
}
