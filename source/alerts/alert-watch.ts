import type {Trade} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {exchangeTime} from '../store/clock-skew.ts';
import type {Resource} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {type CandleSourceOptions, type CandleSources, createCandleSources} from './candle-sources.ts';
import {type Quantity, quantitiesIn} from './condition.ts';
import {knownMarkets} from './condition-watch.ts';
import {createJudge, type Judge, type Judgement, type KnownMarkets} from './judge.ts';
import {printExpression} from './print-condition.ts';
import {dataOf, type KnownMarket} from './quantity-values.ts';
import {printRule, type Rule} from './rule.ts';

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
	/** Since when the rule could not be judged when it happened, epoch ms; absent: it could. */
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
	const judged = new Map<string, JudgedRule>();

	function judgedRule(rule: Rule, key: string, now: number): JudgedRule {
		const name = `${key} ${printRule(rule)}`;
		const known = judged.get(name) ?? new JudgedRule(rule, key, now);
		judged.set(name, known);
		return known;
	}

	return {
		...candles,
		judge(states, now) {
			const known = knownMarkets(states, candles);
			return rules.flatMap(rule => {
				const keys = rule.market === undefined ? [...known.keys()] : [rule.market];
				return keys.flatMap(key => {
					const own = known.get(key);
					return own ? judgedRule(rule, key, now).judge(known, own.state, now) : [];
				});
			});
		},
	};
}

/** A rule for one market. */
class JudgedRule {
	readonly #rule: Rule;
	readonly #own: string;
	readonly #startedAt: number;
	readonly #judge: Judge;
	#firedAt: number | undefined;
	/** Whether the rule was false since it fired. */
	#isReleased = true;
	#unknownSince: number | undefined;
	#blind: {readonly since: number; readonly why: string} | undefined;

	constructor(rule: Rule, own: string, now: number) {
		this.#rule = rule;
		this.#own = own;
		this.#startedAt = now;
		this.#judge = createJudge(rule.condition, own);
	}

	judge(known: KnownMarkets, state: MarketState, now: number): readonly AlertEvent[] {
		const {until = Infinity, everyMs} = this.#rule;
		const isDone = now >= until || (this.#firedAt !== undefined && everyMs === undefined);
		if (isDone) return [];
		const judgement = this.#judge.judge(known, now);
		const of = {rule: this.#rule, state, time: now};
		const before = this.#blind;
		const alerts = this.#alerts(judgement, of, before?.since);
		this.#blind = this.#blindness(judgement, known, now);
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
		return [{type: 'alert', ...of, trade, values, delayMs, blindSince}];
	}

	#blindness({unknown}: Judgement, known: KnownMarkets, now: number) {
		const late = this.#latest(known, now);
		if (late) return late;
		const [first] = unknown;
		this.#unknownSince = first ? (this.#unknownSince ?? now) : undefined;
		if (!first || this.#unknownSince === undefined || now - this.#unknownSince < blindAfterMs) return undefined;
		return {since: this.#unknownSince, why: `${printExpression(first)} is not known`};
	}

	/** The data that is out of date for longest; undefined: none is. */
	#latest(known: KnownMarkets, now: number) {
		const since = (resource: Resource<unknown>) =>
			resource.status === 'ready' ? resource.receivedAt : this.#startedAt;
		const resources = quantitiesIn(this.#rule.condition).flatMap(each => this.#resourcesOf(each, known));
		const [oldest] = resources.toSorted((a, b) => since(a) - since(b));
		if (!oldest || now - since(oldest) < blindAfterMs) return undefined;
		return {since: since(oldest), why: whyOf(oldest)};
	}

	#resourcesOf(quantity: Quantity, known: KnownMarkets): ReadonlyArray<Resource<unknown>> {
		const market: KnownMarket | undefined = known.get(quantity.market ?? this.#own);
		if (!market) return [];
		return dataOf(quantity).map(data => (typeof data === 'number' ? market.candlesOf(data) : market.state[data]));
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
