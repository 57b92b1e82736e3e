import type {Period} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {tradeTime} from '../store/trade-time.ts';
import type {Ages} from './ages.ts';
import {crossingsIn, isJudgedOnTrades, isOfLast, linesNamedIn, printExpression, type Quantity} from './condition.ts';
import {type Holding, type Judgement, judge, type MarketCondition, marketsIn, type Side, valuesNow} from './judge.ts';
import type {JudgedOn} from './market-data.ts';
import {
	answerTo,
	areFresh,
	failureOf,
	type JudgedData,
	judgedDataOf,
	judgedOnIn,
	type Needed,
	type News,
	tapesIn,
} from './market-data.ts';
import type {Stretch} from './missed.ts';
import {isByTicker, type Rule} from './rule.ts';
import {type CaughtUp, caughtUp, type Firing, marksOf, periodSince, type RuleMemory} from './rule-memory.ts';

type OfRule = {
	readonly rule: Rule;
	/** The market that the rule is judged for. */
	readonly symbol: string;
	/** Epoch ms. */
	readonly time: number;
};

/** A rule holds. */
export type Alert = OfRule &
	Firing & {
		readonly type: 'alert';
		/** Keys of the markets whose values make it hold. Absent: it is not known any more. */
		readonly markets?: readonly string[] | undefined;
		/** Absent: it is not known any more. */
		readonly judgedOn?: readonly JudgedOn[] | undefined;
		/** Nothing has happened: the user tries the call. */
		readonly isTest?: true;
	};

/** What is remembered of an alert. */
export const firingOf = ({type, rule, symbol, markets, judgedOn, isTest, ...firing}: Alert): Firing => firing;

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
		/** It can be judged again, or has ended. */
		readonly ended: boolean;
		/** How what happened meanwhile was looked up; `nothing`: it is not known. Absent: the rule is still blind. */
		readonly lookedUp?: 'trades' | 'candles' | 'nothing' | undefined;
		/** When it may have held meanwhile, by the candles; absent: that is known, or nothing is. */
		readonly possible?: Stretch | undefined;
	};

export type AlertEvent = Alert | Blindness;

type JudgedRuleOptions = {
	readonly rule: Rule;
	/** Key of the market that it is judged for. */
	readonly own: string;
	readonly ages: Ages;
	/** Since when it is judged, epoch ms. */
	readonly armedAt: number;
	/** Where it was when it was judged last; absent: it was not. */
	readonly memory?: RuleMemory | undefined;
	/** Epoch ms. */
	readonly now: number;
};

/** How long candles are waited for. */
const longestLookUpMs = 30 * secondMs;

/** When a rule is judged, and on what. */
type Look = {
	readonly news: News;
	readonly symbolOf: (key: string) => string;
	/** Data that is as old cannot be judged, ms. */
	readonly blindAfterMs: number;
	/** Why data is as old. */
	readonly whyOld: (needed: Needed) => string;
};

/** A look with the data that the rule needs now, and why it cannot be judged on that. */
type At = Look & {readonly needed: readonly Needed[]; readonly late: Blind | undefined};

/** What a rule was judged on last. */
type Judged = Pick<RuleMemory, 'judgedAt'> & {
	/** Takes long, and is seldom asked for. */
	trades(): RuleMemory['trades'];
	/** Whether all data was known. */
	readonly isWhole: boolean;
};

/** A rule that must catch up with what happened since it was judged last. */
type Behind = {
	/** `gap`: trades are missing; `restart`: it is remembered from an earlier run; `other data`: that was not known, and no trade is missing. */
	readonly by: 'gap' | 'restart' | 'other data';
	/** Of the candles in which trades that are missing are looked up. */
	readonly period: Period;
	/** When those candles are waited for no more, by `ages.passed`; absent: they are not waited for. */
	readonly waitsUntil?: number | undefined;
};

const whyBehind: Readonly<Record<Behind['by'], string>> = {
	gap: 'trades are missing',
	restart: 'Tapewatch was not running',
	'other data': 'trades are missing',
};

/** Where a rule is between two alerts. */
type Rest = {
	/** Whether it was false since it fired. */
	readonly isReleased: boolean;
	/** When it fired last, by `ages.passed`; before all that: it did not. */
	readonly firedAt: number;
	/** The time of the trade at which it did, epoch ms by the exchange's clock; absent: it was none. */
	readonly tradeAt?: number | undefined;
};

/** The trades to judge: new ones, or all since the rule was judged last, with what the candles tell of gaps. */
type Since = Pick<CaughtUp, 'trades'> & Partial<CaughtUp>;

/** The part of an alert that says how the rule fired. */
type Fired = Omit<Firing, 'time'> & Pick<Alert, 'markets'>;

/** How blindness ends. `unreported`: a time without judging whose beginning was not reported. */
type End = Pick<Blindness, 'lookedUp' | 'possible'> & {readonly unreported?: Blind | undefined};

/** A rule for one market. */
export class JudgedRule {
	readonly #options: JudgedRuleOptions;
	readonly #of: MarketCondition;
	readonly #data: JudgedData;
	/** Whether it is judged on nothing but trades. */
	readonly #isOfTrades: boolean;
	/** By `ages.passed`, as all times below. */
	readonly #startedAt: number;
	/** Absent: it was not judged. */
	#judged: Judged | undefined;
	#behind: Behind | undefined;
	#sides: readonly Side[] | undefined;
	/** The lines that it names, as when it was judged last; absent: it names none, or was not judged. */
	#lines: string | undefined;
	#rest: Rest = {isReleased: true, firedAt: Number.NEGATIVE_INFINITY};
	/** The last time that it fired. */
	fired: Alert | undefined;
	blind: Blind | undefined;
	/** Why it became blind. */
	#firstWhy = '';
	#unknownSince: number | undefined;
	/** Whether a value was not known since it is blind, though there was data. */
	#hadUnknown = false;
	/** The last time that it was blind, if it may have held then and did not fire since. */
	uncertain: Blindness | undefined;
	/** Whether it fires no more, and has said what is known of the times in which it was not judged. */
	isOver = false;

	constructor(options: JudgedRuleOptions) {
		const {rule, own, ages, memory, now} = options;
		this.#options = options;
		this.#startedAt = ages.passed();
		this.#of = {condition: rule.condition, own, byTicker: isByTicker(rule)};
		this.#data = judgedDataOf(rule, own);
		const {first} = this.#data;
		this.#isOfTrades = first.length > 0 && first.every(({ask}) => ask === 'trades');
		if (!memory) {
			this.isOver = this.isDone(now);
			return;
		}

		const {judgedAt, trades, sides, lines, isReleased, fired} = memory;
		this.#judged = {judgedAt, trades: () => trades, isWhole: true};
		this.#behind = {by: 'restart', period: periodSince(judgedAt, now)};
		this.#sides = sides;
		this.#lines = lines;
		// The clock may have been set back since.
		const firedAt = this.#startedAt - Math.max(now - (fired?.time ?? -Infinity), 0);
		this.#rest = {isReleased, firedAt, tradeAt: fired?.trade?.time};
		this.fired = fired && {type: 'alert', rule, symbol: own, ...fired};
		this.isOver = this.#isSpent;
	}

	/** The data that it needs; some of it only where trades do not reach back. */
	get needs(): readonly Needed[] {
		if (this.#behind?.waitsUntil === undefined) return this.#data.needs;
		const {period} = this.#behind;
		const markets = Object.keys(this.#judged?.trades() ?? {});
		return [...this.#data.needs, ...markets.map(market => ({ask: 'candles', market, period}) as const)];
	}

	/** What must be known to go on from here later; undefined: it was not judged. */
	get memory(): RuleMemory | undefined {
		if (!this.#judged || !(this.#judged.isWhole || this.fired)) return undefined;
		const {judgedAt, trades} = this.#judged;
		const {isReleased} = this.#rest;
		const fired = this.fired && {fired: firingOf(this.fired)};
		const lines = this.#lines === undefined ? {} : {lines: this.#lines};
		return {judgedAt, trades: trades(), sides: this.#sides ?? [], ...lines, isReleased, ...fired};
	}

	/** Up to when it is judged, epoch ms: what is newer may have to be judged later. Undefined: it was not judged. */
	get judgedTo(): number | undefined {
		return this.#judged?.judgedAt;
	}

	/** Whether it fires no more. `now`: epoch ms. */
	isDone(now: number): boolean {
		return now >= (this.#options.rule.until ?? Infinity) || this.#isSpent;
	}

	/** Whether it fired, once and for all. */
	get #isSpent(): boolean {
		return this.fired !== undefined && this.#options.rule.everyMs === undefined;
	}

	judgedOn(news: News): readonly JudgedOn[] {
		return this.#data.in(news).map(each => judgedOnIn(news.data, each));
	}

	/** An alert with the values as they are now, to try the call. */
	test(news: Pick<News, 'data' | 'now'>, symbol: string): Alert {
		const {rule} = this.#options;
		return {type: 'alert', rule, symbol, time: news.now, values: valuesNow(this.#of, news), isTest: true};
	}

	/** To be called after the computer slept: what happened meanwhile was not judged. */
	wake(look: Look): readonly AlertEvent[] {
		const late = this.#late(this.#data.in(look.news), look);
		return late ? this.#events(none, this.#see({...late, why: 'the computer slept'}, look)) : none;
	}

	/** To be called with all news, in order. */
	judge(look: Look): readonly AlertEvent[] {
		const {news} = look;
		if (this.isDone(news.now)) return this.#events(none, this.#end(look));
		this.#startAnewOnOtherLines(news);
		const needed = this.#data.in(news);
		const late = this.#late(needed, look);
		// Blindness says that it is not known what happened.
		if (late && this.#behind?.by === 'other data') this.#behind = undefined;
		this.#behind ??= this.#behindBy(news, needed, late);
		const behind = this.#behind;
		if (behind && late) return this.#events(none, this.#see(late, look));
		// Trades that come with the first answer happened before the rule was stated.
		const since = behind ? this.#caughtUp(behind, needed, news) : {trades: this.#judged ? news.trades : none};
		if (!since) return none;
		// Of what happened while it was not judged nothing is left out.
		const onEach = (this.#isOfTrades && (behind ?? this.blind) !== undefined) || undefined;
		const judgement = judge(this.#of, {...news, trades: since.trades}, this.#sides, onEach);
		if (behind && this.#isWaiting(behind, since, judgement, areFresh(news.data, needed))) return none;
		return this.#take(judgement, since, {...look, needed, late});
	}

	/** What was above one line may be below another one that has its number now, and has not crossed it. */
	#startAnewOnOtherLines({data}: News) {
		const named = linesNamedIn(this.#of.condition).map(({line = 0, market = this.#options.own}) => {
			const of = data.get(market);
			return of && (of.linesOf?.(line) ?? []).map(({from, to, log}) => [from.time, from.price, to.time, to.price, log]);
		});
		if (named.length === 0 || named.includes(undefined)) return;
		const lines = JSON.stringify(named);
		if (this.#lines !== undefined && this.#lines !== lines) {
			this.#sides = undefined;
			this.#judged = undefined;
			this.#behind = undefined;
		}

		this.#lines = lines;
	}

	/** What has happened since it was judged; undefined: that is not known now. */
	#caughtUp({by, period}: Behind, needed: readonly Needed[], {data}: News): CaughtUp | undefined {
		const {memory} = this;
		if (!memory || !(by === 'other data' || areFresh(data, needed))) return undefined;
		return caughtUp({condition: this.#options.rule.condition, memory, period, tapes: tapesIn(needed)}, data);
	}

	/** Whether what it lacks is waited for, as it does not hold by what is known. */
	#isWaiting(behind: Behind, {missed}: Since, judgement: Judgement, isKnown: boolean): boolean {
		const passed = this.#options.ages.passed();
		const {by, waitsUntil = passed + longestLookUpMs} = behind;
		// Candles tell nothing of a market that had no trades before.
		const canBeLookedUp =
			isOfLast(this.#options.rule.condition) && Object.keys(this.#judged?.trades() ?? {}).length > 0;
		const isLookedUp = missed?.type !== 'unknown' || !canBeLookedUp || passed >= waitsUntil;
		const isHeldBack = by === 'other data' && !isKnown;
		if ((isLookedUp && !isHeldBack) || this.#firesIn(judgement).holdings.length > 0) return false;
		this.#behind = isLookedUp ? behind : {...behind, waitsUntil};
		return true;
	}

	/** It is where the judgement leaves it. */
	#take(judgement: Judgement, since: Since, at: At): readonly AlertEvent[] {
		const {news, blindAfterMs, late} = at;
		const {by} = this.#behind ?? {};
		const {judgedAt = news.now} = this.#judged ?? {};
		this.#behind = undefined;
		this.#sides = judgement.sides;
		const isRestored = by === 'restart';
		const alerts = this.#alerts(judgement, since, at, isRestored ? judgedAt : undefined);
		this.#note(judgement, at);
		const {missed, gaps} = since;
		const byTrades = this.#isOfTrades && !this.#hadUnknown ? 'trades' : 'nothing';
		const lookedUp = !missed ? byTrades : missed.type === 'unknown' ? 'nothing' : 'candles';
		const possible = missed?.type === 'possible' ? missed.stretch : undefined;
		const isShort = by === 'other data' || (isRestored && news.now - judgedAt < blindAfterMs);
		const isOpen = possible !== undefined || lookedUp === 'nothing';
		const isReported = !isOpen || (isShort && gaps?.size === 0) || isByTicker(this.#options.rule);
		const unreported = by && !isReported ? {since: judgedAt, why: whyBehind[by]} : undefined;
		const blind = late ?? this.#unknown(judgement, at);
		return this.#events(alerts, this.#see(blind, at, {lookedUp, possible, unreported}));
	}

	/** It fires no more: what happened before its end while it was not judged stays unknown. */
	#end(look: Look): Blindness | undefined {
		this.isOver = true;
		// A rule that has ended is still saved, and must not hold the data of all markets in memory.
		const trades = this.#judged?.trades() ?? {};
		if (this.#judged) this.#judged = {...this.#judged, trades: () => trades};
		if (this.#isSpent) this.blind = undefined;
		const last = this.#isSpent || !this.memory ? undefined : this.#judged;
		if (!last) return this.#see(undefined, look, {lookedUp: 'nothing'});
		const why = this.#behind ? whyBehind[this.#behind.by] : 'the computer slept, or its clock was set';
		const unjudgedMs = (this.#options.rule.until ?? Infinity) - last.judgedAt;
		const isSkipped = unjudgedMs >= (this.#behind ? 1 : look.blindAfterMs);
		this.#behind = undefined;
		this.#judged = {...last, judgedAt: look.news.now};
		const unreported = isSkipped ? {since: last.judgedAt, why} : undefined;
		return this.#see(undefined, look, {lookedUp: 'nothing', unreported});
	}

	/** Why the new trades cannot be judged as they are; undefined: they can. */
	#behindBy({data, trades, now}: News, needed: readonly Needed[], late: Blind | undefined): Behind | undefined {
		if (!this.blind && !isJudgedOnTrades(this.#of.condition)) return undefined;
		const tapes = tapesIn(needed);
		const newTrades = trades.filter(({market}) => tapes.includes(market));
		const isGap = newTrades.some(({isAfterGap}) => isAfterGap);
		const isHeldBack = newTrades.length > 0 && !late && !areFresh(data, needed);
		if (!isGap && !isHeldBack) return undefined;
		const {memory} = this;
		return memory && {by: isGap ? 'gap' : 'other data', period: periodSince(memory.judgedAt, now)};
	}

	/** It was judged on this. */
	#note({unknown, wasUnknown}: Judgement, {needed, news: {data, now}}: At) {
		const received = needed.flatMap(each => answerTo(data, each)?.receivedAt ?? []);
		const isWhole = received.length === needed.length;
		// Where it was before data became unusable is not forgotten.
		if (
			this.#judged
				? isWhole
				: areFresh(
						data,
						needed.filter(({ask}) => ask === 'trades'),
					)
		) {
			const judgedAt = Math.max(Math.min(now, ...received), this.#options.armedAt);
			this.#judged = {judgedAt, isWhole, trades: () => marksOf(tapesIn(needed), data)};
		}

		const isWithout = unknown.length > 0 && areFresh(data, needed);
		this.#hadUnknown = wasUnknown || isWithout || (this.#hadUnknown && this.blind !== undefined);
	}

	/**
	 * When it fires: each time that it begins to hold, at most once in the time of `every` (absent: once), by the times of the
	 * trades, else by `ages.passed`.
	 */
	#firesIn({moments, holdsNow}: Judgement): {readonly holdings: readonly Holding[]; readonly rest: Rest} {
		const {rule, ages} = this.#options;
		const passed = ages.passed();
		const holdings: Holding[] = [];
		let rest = this.#rest;
		for (const {holding, isFalse} of moments) {
			if (isFalse && !rest.isReleased) rest = {...rest, isReleased: true};
			const isSpent = rule.everyMs === undefined && holdings.length > 0;
			if (!holding || !rest.isReleased || isSpent || sinceMs(rest, holding, passed) < (rule.everyMs ?? 0)) continue;
			holdings.push(holding);
			rest = {isReleased: false, firedAt: passed, tradeAt: holding.trade?.time};
		}

		// A single trade that holds is over with it, though what else the rule needs may be unknown after it.
		return {holdings, rest: holdings.length > 0 && !holdsNow ? {...rest, isReleased: true} : rest};
	}

	/** `restoredAt`: up to when it was judged in an earlier run; undefined: in this one. */
	#alerts(judgement: Judgement, since: Since, {news, symbolOf}: At, restoredAt: number | undefined): readonly Alert[] {
		const {rule, own, ages} = this.#options;
		const {holdings, rest} = this.#firesIn(judgement);
		const gap = this.#gapOf(holdings[0], news, since);
		// Nobody waits at the start for all that happened before it, and what happened in a gap is said once.
		const most = restoredAt === undefined ? undefined : 1;
		const firings = gap ? [gap] : holdings.slice(0, most).map(holding => this.#firing(holding, news));
		this.#rest = gap ? {isReleased: !judgement.holdsNow, firedAt: ages.passed()} : rest;
		if (firings.length === 0) return none;
		const of = {type: 'alert', rule, symbol: symbolOf(own), time: news.now} as const;
		const judgedOn = this.judgedOn(news);
		const alerts = firings.map((firing): Alert => {
			// Of what is known now it is not known when it began to hold.
			const blindSince = firing.trade || firing.gap ? (this.blind?.since ?? restoredAt) : undefined;
			return {...of, ...firing, judgedOn, ...(blindSince !== undefined && {blindSince})};
		});
		this.fired = alerts.at(-1) ?? this.fired;
		return alerts;
	}

	#firing({markets, trade, values}: Holding, {data, now}: News): Fired {
		const tape = data.get(this.#options.own)?.state.trades;
		return {markets, trade, values, delayMs: trade && (tape ? tradeTime(tape, now) : now) - trade.time};
	}

	/** That it began to hold where trades are missing; undefined: it did not, or that is not known. */
	#gapOf(first: Holding | undefined, news: News, {missed, gaps}: Since): Fired | undefined {
		const {rule, own, ages} = this.#options;
		const isDue = ages.passed() - this.#rest.firedAt >= (rule.everyMs ?? 0);
		if (missed?.type === 'held' && isDue) {
			const values = Object.keys(valuesNow(this.#of, news)).map(name => [name, null] as const);
			const markets = marketsIn(rule.condition, own);
			return {markets, values: Object.fromEntries(values), gap: missed.stretch};
		}

		const trade = first?.trade;
		const from = trade && gaps?.get(trade);
		// It can have crossed at a trade that is missing.
		if (!trade || from === undefined || crossingsIn(this.#of.condition).length === 0) return undefined;
		return {markets: first.markets, values: first.values, gap: {from, to: trade.time}};
	}

	/** Why it cannot be judged by the data that is out of date for longest; undefined: none is. */
	#late(needed: readonly Needed[], {news, blindAfterMs, whyOld}: Look): Blind | undefined {
		const {ages} = this.#options;
		// What was received before the rule was stated may have been polled no more.
		const startedMs = ages.passed() - this.#startedAt;
		const late = needed.map(each => ({each, ms: Math.min(ages.of(each) ?? startedMs, startedMs)}));
		const [oldest] = late.toSorted((a, b) => b.ms - a.ms);
		if (!oldest || oldest.ms < blindAfterMs) return undefined;
		const {each, ms} = oldest;
		return {since: news.now - ms, why: failureOf(news.data, each)?.error.brief ?? whyOld(each)};
	}

	/** Why it cannot be judged, by a value that is not known for long, though there is data. */
	#unknown({unknown: [first]}: Judgement, {needed, news, blindAfterMs}: At): Blind | undefined {
		const passed = this.#options.ages.passed();
		this.#unknownSince = first && (this.#unknownSince ?? passed);
		if (!first || this.#unknownSince === undefined) return undefined;
		const ms = passed - this.#unknownSince;
		const noLine = this.#missingLine(first, news);
		// Once it is blind, it is until all is known. A line does not come with data.
		if (ms < blindAfterMs && !this.blind && noLine === undefined) return undefined;
		const [failure] = needed.flatMap(each => failureOf(news.data, each) ?? []);
		return {since: news.now - ms, why: noLine ?? failure?.error.brief ?? `${printExpression(first)} is unknown`};
	}

	#missingLine({line, market = this.#options.own}: Quantity, {data}: News): string | undefined {
		const of = data.get(market);
		return of && line !== undefined
			? missingLineText(line, of.linesOf?.(line) ?? [], of.state.symbol ?? market)
			: undefined;
	}

	/** An alert says what a time was about in which the rule was blind. */
	#events(alerts: readonly Alert[], blindness: Blindness | undefined): readonly AlertEvent[] {
		if (alerts.length > 0) this.uncertain = undefined;
		else if (blindness?.possible || blindness?.lookedUp === 'nothing') this.uncertain = blindness;
		return blindness ? [...alerts, blindness] : alerts;
	}

	/** `blind`: from now on. */
	#see(blind: Blind | undefined, {news, symbolOf}: Look, end?: End): Blindness | undefined {
		const before = this.blind;
		const over = blind ? undefined : (before ?? end?.unreported);
		const judgedAt = (this.#behind && this.#judged?.judgedAt) ?? Infinity;
		if (blind && !before) this.#firstWhy = blind.why;
		this.blind = blind && {
			since: before?.since ?? Math.min(blind.since, judgedAt),
			why: blind.why === this.#firstWhy ? blind.why : `${this.#firstWhy}, then ${blind.why}`,
		};
		const {rule, own} = this.#options;
		const of = {type: 'blind', rule, symbol: symbolOf(own), time: news.now} as const;
		if (this.blind && !before) return {...of, ...this.blind, ended: false};
		return over && {...of, ...over, ended: true, lookedUp: end?.lookedUp, possible: end?.possible};
	}
}

/** Why a number names no line of a market, by the lines that have it; undefined: it names one. */
export function missingLineText(number: number, {length}: readonly unknown[], symbol: string): string | undefined {
	if (length === 1) return undefined;
	return length === 0 ? `no line ${number} in ${symbol}` : `${length} lines are line ${number} in ${symbol}`;
}

/** Ms since it fired last. The exchange may have set its clock back since. */
function sinceMs({firedAt, tradeAt = Infinity}: Rest, {trade}: Holding, passed: number): number {
	return trade && trade.time >= tradeAt ? trade.time - tradeAt : passed - firedAt;
}

const none: readonly never[] = [];
