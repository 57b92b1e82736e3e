import type {Trade} from '../market/types.ts';
import {exchangeTime} from '../store/clock-skew.ts';
import type {Resource} from '../store/resource.ts';
import {quantitiesIn} from './condition.ts';
import {createJudge, type Judge, type Judgement} from './judge.ts';
import type {News} from './news.ts';
import {printExpression} from './print-condition.ts';
import {type Data, dataOf, type KnownMarket} from './quantity-values.ts';
import {isByTicker, type Rule} from './rule.ts';

type OfRule = {
	readonly rule: Rule;
	/** The market that the rule is judged for. */
	readonly symbol: string;
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
	/** Nothing has happened: the user tries the call. */
	readonly isTest?: true;
};

/** Why a rule cannot be judged. */
export type Blind = {
	/** Epoch ms. */
	readonly since: number;
	readonly why: string;
};

/** A rule cannot be judged, or can be again. */
export type Blindness = OfRule &
	Blind & {
		readonly type: 'blind';
		/** It can be judged again. */
		readonly ended: boolean;
	};

export type AlertEvent = Alert | Blindness;

/** An answer that a rule is judged on. */
export type JudgedOn = {
	/** Key of the market. */
	readonly market: string;
	readonly data: Data;
	/** Epoch ms. Absent: there was none. */
	readonly receivedAt?: number | undefined;
};

type JudgedRuleOptions = {
	readonly rule: Rule;
	/** Key of the market that it is judged for. */
	readonly own: string;
	/** Epoch ms. */
	readonly now: number;
	/** Data that is older than this cannot be judged. */
	readonly blindAfterMs: number;
};

/** A rule for one market. */
export class JudgedRule {
	readonly #rule: Rule;
	readonly #own: string;
	readonly #startedAt: number;
	readonly #blindAfterMs: number;
	readonly #judge: Judge;
	readonly #data: ReadonlyArray<{readonly market: string; readonly data: Data}>;
	#fired: Alert | undefined;
	/** Whether the rule was false since it fired. */
	#isReleased = true;
	#unknownSince: number | undefined;
	#blind: Blind | undefined;

	constructor({rule, own, now, blindAfterMs}: JudgedRuleOptions) {
		this.#rule = rule;
		this.#own = own;
		this.#startedAt = now;
		this.#blindAfterMs = blindAfterMs;
		this.#judge = createJudge(rule.condition, own, {byTicker: isByTicker(rule)});
		this.#data = quantitiesIn(rule.condition).flatMap(quantity =>
			dataOf(quantity, isByTicker(rule)).map(data => ({market: quantity.market ?? own, data})),
		);
	}

	/** The last time that it fired. */
	get fired(): Alert | undefined {
		return this.#fired;
	}

	get blind(): Blind | undefined {
		return this.#blind;
	}

	/** Whether it fires no more. `now`: epoch ms. */
	isDone(now: number): boolean {
		const {until = Infinity, everyMs} = this.#rule;
		return now >= until || (this.#fired !== undefined && everyMs === undefined);
	}

	judgedOn({known}: News): readonly JudgedOn[] {
		return this.#data.map(({market, data}) => {
			const resource = resourceOf(known.get(market), data);
			return {market, data, receivedAt: resource?.status === 'ready' ? resource.receivedAt : undefined};
		});
	}

	/** An alert with the values as they are now, to try the call. */
	test(news: Pick<News, 'known' | 'now'>, symbol: string): Alert {
		return {type: 'alert', rule: this.#rule, symbol, time: news.now, values: this.#judge.values(news), isTest: true};
	}

	/** `symbol`: of the market that it is judged for. */
	judge(news: News, symbol: string): readonly AlertEvent[] {
		const {now, known} = news;
		if (this.isDone(now)) return [];
		const judgement = this.#judge.judge(news);
		const of = {rule: this.#rule, symbol, time: now};
		const before = this.#blind;
		const tape = known.get(this.#own)?.state.tape;
		const alerts = this.#alerts(judgement, of, tape ? exchangeTime(tape, now) : now);
		this.#blind = this.#blindness(judgement, news);
		return [...alerts, ...this.#changed(before, of)];
	}

	/** `time`: epoch ms by the exchange's clock. */
	#alerts({held, holdsNow}: Judgement, of: OfRule, time: number): readonly Alert[] {
		const {everyMs = 0} = this.#rule;
		const mayFire = this.#isReleased && of.time - (this.#fired?.time ?? -Infinity) >= everyMs;
		const fires = held !== undefined && mayFire;
		if (!holdsNow) this.#isReleased = true;
		else if (fires) this.#isReleased = false;
		if (!fires) return [];
		const {trade, values} = held;
		const delayMs = trade && time - trade.time;
		// Without a trade it is not known when it began to hold.
		const blindSince = trade && this.#blind?.since;
		this.#fired = {type: 'alert', ...of, trade, values, delayMs, ...(blindSince !== undefined && {blindSince})};
		return [this.#fired];
	}

	#blindness({unknown}: Judgement, news: News): Blind | undefined {
		const {now} = news;
		const late = this.#latest(news);
		if (late) return late;
		const [first] = unknown;
		this.#unknownSince = first ? (this.#unknownSince ?? now) : undefined;
		if (!first || this.#unknownSince === undefined || now - this.#unknownSince < this.#blindAfterMs) return undefined;
		return {since: this.#unknownSince, why: `${printExpression(first)} is not known`};
	}

	/** The data that is out of date for longest; undefined: none is. */
	#latest({known, now}: News): Blind | undefined {
		let since = now;
		let oldest: Resource<unknown> | undefined;
		for (const {market, data} of this.#data) {
			const resource = resourceOf(known.get(market), data);
			const at = resource?.status === 'ready' ? resource.receivedAt : this.#startedAt;
			if (resource && at < since) [since, oldest] = [at, resource];
		}

		return oldest && now - since >= this.#blindAfterMs ? {since, why: whyOf(oldest)} : undefined;
	}

	#changed(before: Blind | undefined, of: OfRule): readonly Blindness[] {
		const after = this.#blind;
		if (before && !after) return [{type: 'blind', ...of, ...before, ended: true}];
		return after && !before ? [{type: 'blind', ...of, ...after, ended: false}] : [];
	}
}

function resourceOf(known: KnownMarket | undefined, data: Data): Resource<unknown> | undefined {
	return known && (typeof data === 'number' ? known.candlesOf(data) : known.state[data]);
}

function whyOf(resource: Resource<unknown>): string {
	const failure = resource.status === 'waiting' ? resource.held : resource.failure;
	return failure?.error.brief ?? 'no answer';
}
