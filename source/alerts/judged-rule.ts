import type {Trade} from '../market/types.ts';
import {exchangeTime} from '../store/clock-skew.ts';
import type {Failure} from '../store/resource.ts';
import type {Ages} from './ages.ts';
import {type Quantity, quantitiesIn} from './condition.ts';
import {createJudge, type Judge, type Judgement} from './judge.ts';
import type {News} from './news.ts';
import {printExpression} from './print-condition.ts';
import {type Data, dataOf, type KnownMarket, neededFor, resourceOf} from './quantity-values.ts';
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
	/** Absent: it is not known any more. */
	readonly judgedOn?: readonly JudgedOn[] | undefined;
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

/** `market`: its key. */
type Needed = {readonly market: string; readonly data: Data};

/** An answer that a rule is judged on. */
export type JudgedOn = Needed & {
	/** Epoch ms. Absent: there was none. */
	readonly receivedAt?: number | undefined;
};

type JudgedRuleOptions = {
	readonly rule: Rule;
	/** Key of the market that it is judged for. */
	readonly own: string;
	readonly ages: Ages;
};

/** When a rule is judged, and on what. */
type Look = {
	readonly news: News;
	readonly symbolOf: (key: string) => string;
	/** Data that is as old cannot be judged, ms. */
	readonly blindAfterMs: number;
};

/** A rule for one market. */
export class JudgedRule {
	readonly #rule: Rule;
	readonly #own: string;
	readonly #ages: Ages;
	readonly #judge: Judge;
	readonly #data: readonly Needed[];
	/** The data that it needs; some of it only where trades do not reach back. */
	readonly needs: readonly Needed[];
	/** By `ages.passed`, as all times below. */
	readonly #startedAt: number;
	#fired: Alert | undefined;
	#firedAt = Number.NEGATIVE_INFINITY;
	/** Whether the rule was false since it fired. */
	#isReleased = true;
	#unknownSince: number | undefined;
	#blind: Blind | undefined;

	constructor({rule, own, ages}: JudgedRuleOptions) {
		this.#rule = rule;
		this.#own = own;
		this.#ages = ages;
		this.#startedAt = ages.passed();
		const byTicker = isByTicker(rule);
		const quantities = quantitiesIn(rule.condition);
		const needed = (dataOfQuantity: (quantity: Quantity) => readonly Data[]) =>
			quantities.flatMap(quantity => dataOfQuantity(quantity).map(data => ({market: quantity.market ?? own, data})));
		this.#judge = createJudge(rule.condition, own, {byTicker});
		this.#data = needed(quantity => dataOf(quantity, byTicker));
		this.needs = needed(quantity => neededFor(quantity, byTicker));
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
			const of = known.get(market);
			const resource = of && resourceOf(of, data);
			return {market, data, receivedAt: resource?.status === 'ready' ? resource.receivedAt : undefined};
		});
	}

	/** An alert with the values as they are now, to try the call. */
	test(news: Pick<News, 'known' | 'now'>, symbol: string): Alert {
		return {type: 'alert', rule: this.#rule, symbol, time: news.now, values: this.#judge.values(news), isTest: true};
	}

	judge(look: Look): readonly AlertEvent[] {
		const {now} = look.news;
		if (this.isDone(now)) {
			this.#blind = undefined;
			return [];
		}

		const judgement = this.#judge.judge(look.news);
		const alert = this.#alert(judgement, look);
		const blindness = this.#see(this.#late(look) ?? this.#unknown(judgement, look), look);
		if (!alert && !blindness) return none;
		return [...(alert ? [alert] : none), ...(blindness ? [blindness] : none)];
	}

	/** To be called after the computer slept: what happened meanwhile was not judged. */
	wake(look: Look): readonly AlertEvent[] {
		const late = this.#late(look);
		const blindness = late && this.#see({...late, why: 'the computer slept'}, look);
		return blindness ? [blindness] : none;
	}

	#alert({held, holdsNow, unknown}: Judgement, {news, symbolOf}: Look): Alert | undefined {
		const {everyMs = 0} = this.#rule;
		const {known, now} = news;
		const passed = this.#ages.passed();
		const fires = held !== undefined && this.#isReleased && passed - this.#firedAt >= everyMs;
		if (holdsNow && fires) this.#isReleased = false;
		// What is not known may hold.
		else if (!holdsNow && unknown.length === 0) this.#isReleased = true;
		if (!fires) return undefined;
		const {trade, values} = held;
		const tape = known.get(this.#own)?.state.tape;
		const delayMs = trade && (tape ? exchangeTime(tape, now) : now) - trade.time;
		// Without a trade it is not known when it began to hold.
		const blindSince = trade && this.#blind?.since;
		const of = {rule: this.#rule, symbol: symbolOf(this.#own), time: now};
		this.#firedAt = passed;
		const judgedOn = this.judgedOn(news);
		this.#fired = {
			type: 'alert',
			...of,
			trade,
			values,
			delayMs,
			judgedOn,
			...(blindSince !== undefined && {blindSince}),
		};
		return this.#fired;
	}

	/** Why it cannot be judged by the data that is out of date for longest; undefined: none is. */
	#late({news, blindAfterMs}: Look): Blind | undefined {
		let oldest: Needed | undefined;
		let oldestMs = 0;
		for (const each of this.#data) {
			const ms = this.#ages.of(each.market, each.data) ?? this.#ages.passed() - this.#startedAt;
			if (ms > oldestMs) [oldest, oldestMs] = [each, ms];
		}

		if (!oldest || oldestMs < blindAfterMs) return undefined;
		const failure = failureOf(news.known.get(oldest.market), oldest.data);
		return {since: news.now - oldestMs, why: failure?.error.brief ?? 'no answer'};
	}

	/** Why it cannot be judged, by a value that is not known for long, though there is data. */
	#unknown({unknown: [first]}: Judgement, {news: {known, now}, blindAfterMs}: Look): Blind | undefined {
		const passed = this.#ages.passed();
		this.#unknownSince = first && (this.#unknownSince ?? passed);
		if (!first || this.#unknownSince === undefined) return undefined;
		const ms = passed - this.#unknownSince;
		if (ms < blindAfterMs) return undefined;
		const failing = this.#data.flatMap(({market, data}) => failureOf(known.get(market), data) ?? []);
		return {since: now - ms, why: failing[0]?.error.brief ?? `${printExpression(first)} is not known`};
	}

	/** `blind`: from now on. */
	#see(blind: Blind | undefined, {news, symbolOf}: Look): Blindness | undefined {
		const before = this.#blind;
		this.#blind = blind && {since: before?.since ?? blind.since, why: blind.why};
		if (!before === !blind) return undefined;
		const of = {type: 'blind', rule: this.#rule, symbol: symbolOf(this.#own), time: news.now} as const;
		return before ? {...of, ...before, ended: true} : this.#blind && {...of, ...this.#blind, ended: false};
	}
}

const none: readonly never[] = [];

function failureOf(known: KnownMarket | undefined, data: Data): Failure | undefined {
	const resource = known && resourceOf(known, data);
	return resource?.status === 'waiting' ? resource.held : resource?.failure;
}
