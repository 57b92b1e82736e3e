import type {Trade} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {exchangeTime} from '../store/clock-skew.ts';
import type {Resource} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {type CandleSourceOptions, type CandleSources, createCandleSources} from './candle-sources.ts';
import {quantitiesIn} from './condition.ts';
import {createJudge, type Judge, type Judgement} from './judge.ts';
import {createNews, type News} from './news.ts';
import {printExpression} from './print-condition.ts';
import {type Data, dataOf} from './quantity-values.ts';
import type {Rule} from './rule.ts';

type OfRule = {
	readonly rule: Rule;
	/** The market that the rule is judged for. */
	readonly state: MarketState;
	/** Epoch ms. */
	readonly time: number;
};

/** A rule holds. */
export type Alert = OfRule & {
	readonly type: 'alert';
	/** The trade that made it hold; absent: it holds of what is known now. */
	readonly trade?: Trade | undefined;
	/** What the rule's quantities were then, by their text. */
	readonly values: Readonly<Record<string, number | null>>;
	/** Ms from that trade to now, by the exchange's clock. */
	readonly delayMs?: number | undefined;
	/** Since when the rule could not be judged before that trade was known, epoch ms; absent: it could. */
	readonly blindSince?: number | undefined;
};

/** A rule cannot be judged, or can be again. */
export type Blindness = OfRule & {
	readonly type: 'blind';
	/** Epoch ms. */
	readonly since: number;
	readonly why: string;
	/** It can be judged again. */
	readonly ended: boolean;
};

export type AlertEvent = Alert | Blindness;

/** Judges rules for several markets, and polls the candles that they need. */
export type AlertWatch = Pick<CandleSources, 'subscribe' | 'stop'> & {
	/** To be called whenever a market changes, and every now and then. `now`: epoch ms. */
	judge(states: readonly MarketState[], now: number): readonly AlertEvent[];
};

/** Data that is older than this cannot be judged. */
const blindAfterMs = 30 * secondMs;

export function createAlertWatch(rules: readonly Rule[], options: CandleSourceOptions): AlertWatch {
	const candles = createCandleSources(
		rules.map(({condition}) => condition),
		options,
	);
	const newsOf = createNews(candles);
	const judged = new Map(rules.map(rule => [rule, new Map<string, JudgedRule>()] as const));

	function judgedRule(rule: Rule, byMarket: Map<string, JudgedRule>, key: string, now: number): JudgedRule {
		const known = byMarket.get(key) ?? new JudgedRule(rule, key, now);
		byMarket.set(key, known);
		return known;
	}

	return {
		...candles,
		judge(states, now) {
			const news = newsOf(states, now);
			const events: AlertEvent[] = [];
			for (const [rule, byMarket] of judged) {
				for (const key of rule.market === undefined ? news.known.keys() : [rule.market]) {
					const own = news.known.get(key);
					if (own) events.push(...judgedRule(rule, byMarket, key, now).judge(news, own.state));
				}
			}

			return events;
		},
	};
}

/** A rule for one market. */
class JudgedRule {
	readonly #rule: Rule;
	readonly #startedAt: number;
	readonly #judge: Judge;
	readonly #data: ReadonlyArray<{readonly market: string; readonly data: Data}>;
	#firedAt: number | undefined;
	/** Whether the rule was false since it fired. */
	#isReleased = true;
	#unknownSince: number | undefined;
	#blind: {readonly since: number; readonly why: string} | undefined;

	constructor(rule: Rule, own: string, now: number) {
		this.#rule = rule;
		this.#startedAt = now;
		this.#judge = createJudge(rule.condition, own);
		this.#data = quantitiesIn(rule.condition).flatMap(quantity =>
			dataOf(quantity).map(data => ({market: quantity.market ?? own, data})),
		);
	}

	judge(news: News, state: MarketState): readonly AlertEvent[] {
		const {now} = news;
		const {until = Infinity, everyMs} = this.#rule;
		const isDone = now >= until || (this.#firedAt !== undefined && everyMs === undefined);
		if (isDone) return [];
		const judgement = this.#judge.judge(news);
		const of = {rule: this.#rule, state, time: now};
		const before = this.#blind;
		const alerts = this.#alerts(judgement, of, before?.since);
		this.#blind = this.#blindness(judgement, news);
		return [...alerts, ...this.#changed(before, of)];
	}

	#alerts({held, holdsNow}: Judgement, of: OfRule, blindSince: number | undefined): readonly Alert[] {
		const {everyMs = 0} = this.#rule;
		const mayFire = this.#isReleased && of.time - (this.#firedAt ?? -Infinity) >= everyMs;
		const fires = held !== undefined && mayFire;
		if (fires) {
			this.#firedAt = of.time;
			this.#isReleased = false;
		}

		if (!holdsNow) this.#isReleased = true;
		if (!fires) return [];
		const {trade, values} = held;
		const delayMs = trade && exchangeTime(of.state.tape, of.time) - trade.time;
		// Without a trade it is not known when it began to hold.
		return [{type: 'alert', ...of, trade, values, delayMs, ...(trade && {blindSince})}];
	}

	#blindness({unknown}: Judgement, news: News) {
		const {now} = news;
		const late = this.#latest(news);
		if (late) return late;
		const [first] = unknown;
		this.#unknownSince = first ? (this.#unknownSince ?? now) : undefined;
		if (!first || this.#unknownSince === undefined || now - this.#unknownSince < blindAfterMs) return undefined;
		return {since: this.#unknownSince, why: `${printExpression(first)} is not known`};
	}

	/** The data that is out of date for longest; undefined: none is. */
	#latest({known, now}: News) {
		let since = now;
		let oldest: Resource<unknown> | undefined;
		for (const {market, data} of this.#data) {
			const of = known.get(market);
			const resource = of && (typeof data === 'number' ? of.candlesOf(data) : of.state[data]);
			const at = resource?.status === 'ready' ? resource.receivedAt : this.#startedAt;
			if (resource && at < since) [since, oldest] = [at, resource];
		}

		return oldest && now - since >= blindAfterMs ? {since, why: whyOf(oldest)} : undefined;
	}

	#changed(before: {readonly since: number; readonly why: string} | undefined, of: OfRule): readonly Blindness[] {
		const after = this.#blind;
		if (before && !after) return [{type: 'blind', ...of, ...before, ended: true}];
		return after && !before ? [{type: 'blind', ...of, ...after, ended: false}] : [];
	}
}

function whyOf(resource: Resource<unknown>): string {
	const failure = resource.status === 'waiting' ? resource.held : resource.failure;
	return failure?.error.brief ?? 'no answer';
}
