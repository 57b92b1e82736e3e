import {secondMs} from '../market/units.ts';
import {tradeTime} from '../store/trade-time.ts';
import type {Ages} from './ages.ts';
import {
	type Alert,
	type AlertEvent,
	type Blind,
	type Blindness,
	firingOf,
	type JudgedOn,
	type Needed,
} from './alert-event.ts';
import {answerIn, failureIn, isFresh, tapeIn} from './answers.ts';
import {type Behind, type CaughtUp, caughtUp, periodSince, sinceOf} from './catch-up.ts';
import {isJudgedOnTrades} from './condition.ts';
import {firesIn, type Rest} from './fires.ts';
import {createJudge, type Holding, type Judge, type Judgement} from './judge.ts';
import {type JudgedData, judgedDataOf, judgedOnIn, tapesIn} from './judged-data.ts';
import type {News, NewTrade} from './news.ts';
import {hasCrossing, isOfLast} from './price-range.ts';
import {printExpression} from './print-condition.ts';
import {isByTicker, type Rule} from './rule.ts';
import {type Firing, marksOf, type RuleMemory} from './rule-memory.ts';

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
	/** Whether any is as old, or has not come yet. */
	readonly isAnyOld: boolean;
};

/** A rule for one market. */
export class JudgedRule {
	readonly #rule: Rule;
	readonly #own: string;
	readonly #ages: Ages;
	readonly #armedAt: number;
	readonly #data: JudgedData;
	/** Whether it is judged on nothing but trades. */
	readonly #isOfTrades: boolean;
	#judge: Judge;
	#behind: Behind | undefined;
	/** What it was judged on last; undefined: it was not judged. */
	#judgedOn: Pick<News, 'known' | 'now'> | undefined;
	/** What is remembered when it fires no more. */
	#kept: RuleMemory | undefined;
	/** Whether a value was not known since it is blind, though there was data. */
	#sawUnknown = false;
	/** By `ages.passed`, as all times below. */
	readonly #startedAt: number;
	#fired: Alert | undefined;
	#rest: Rest = {isReleased: true, firedAt: Number.NEGATIVE_INFINITY};
	#unknownSince: number | undefined;
	#blind: Blind | undefined;
	/** Why it became blind. */
	#firstWhy = '';
	#uncertain: Blindness | undefined;
	#isOver = false;

	constructor({rule, own, ages, armedAt, memory, now}: JudgedRuleOptions) {
		this.#rule = rule;
		this.#own = own;
		this.#ages = ages;
		this.#armedAt = armedAt;
		this.#startedAt = ages.passed();
		this.#judge = createJudge(rule.condition, own, {byTicker: isByTicker(rule), sides: memory?.sides});
		this.#data = judgedDataOf(rule, own);
		const {first} = this.#data;
		this.#isOfTrades = first.length > 0 && first.every(({data}) => data === 'trades');
		if (!memory) {
			this.#isOver = this.isDone(now);
			return;
		}

		const {fired, isReleased} = memory;
		this.#behind = {memory, period: periodSince(memory.judgedAt, now), isRestored: true};
		this.#rest = {...this.#rest, isReleased};
		if (!fired) return;
		// The clock may have been set back since.
		const firedAt = this.#startedAt - Math.max(now - fired.time, 0);
		this.#rest = {isReleased, firedAt, tradeAt: fired.trade?.time};
		this.#fired = {type: 'alert', rule, symbol: own, ...fired};
		this.#isOver = this.#isSpent;
	}

	/** The data that it needs; some of it only where trades do not reach back. */
	get needs(): readonly Needed[] {
		if (this.#behind?.waitsUntil === undefined) return this.#data.needs;
		const {period, memory} = this.#behind;
		return [...this.#data.needs, ...Object.keys(memory.trades).map(market => ({market, data: period}))];
	}

	/** What must be known to go on from here later; undefined: it was not judged. */
	get memory(): RuleMemory | undefined {
		const last = this.#judgedOn;
		if (this.#behind || !last) return this.#behind?.memory ?? this.#kept;
		const judgedOn = this.#data.in(last);
		const answers = judgedOn.map(({market, data}) => answerIn(last.known, market, data));
		const received = answers.flatMap(answer => answer?.receivedAt ?? []);
		if (received.length < answers.length && !this.#fired) return undefined;
		return {
			judgedAt: Math.max(Math.min(last.now, ...received), this.#armedAt),
			trades: marksOf(tapesIn(judgedOn).map(market => [market, tapeIn(last.known, market)] as const)),
			sides: this.#judge.sides(),
			isReleased: this.#rest.isReleased,
			...(this.#fired && {fired: firingOf(this.#fired)}),
		};
	}

	/** Up to when it is judged, epoch ms: what is newer may have to be judged later. Undefined: it was not judged. */
	get judgedTo(): number | undefined {
		return this.#behind?.memory.judgedAt ?? this.#judgedOn?.now;
	}

	/** The last time that it fired. */
	get fired(): Alert | undefined {
		return this.#fired;
	}

	get blind(): Blind | undefined {
		return this.#blind;
	}

	/** The last time that it was blind, if it may have held then and did not fire since. */
	get uncertain(): Blindness | undefined {
		return this.#uncertain;
	}

	/** Whether it fires no more. `now`: epoch ms. */
	isDone(now: number): boolean {
		const {until = Infinity, everyMs} = this.#rule;
		return now >= until || (this.#fired !== undefined && everyMs === undefined);
	}

	judgedOn(news: News): readonly JudgedOn[] {
		return this.#data.in(news).map(each => judgedOnIn(news.known, each));
	}

	/** An alert with the values as they are now, to try the call. */
	test(news: Pick<News, 'known' | 'now'>, symbol: string): Alert {
		return {type: 'alert', rule: this.#rule, symbol, time: news.now, values: this.#judge.values(news), isTest: true};
	}

	/** Whether it fires no more, and has said what is known of the times in which it was not judged. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Whether it fired, once and for all. */
	get #isSpent(): boolean {
		return this.#fired !== undefined && this.#rule.everyMs === undefined;
	}

	judge(look: Look): readonly AlertEvent[] {
		const {news} = look;
		if (this.isDone(news.now)) return this.#events(none, this.#end(look));
		const late = this.#late(look);
		// Blindness says that it is not known what happened.
		if (late && this.#behind?.isHeldBack) this.#behind = undefined;
		this.#behind ??= this.#gapIn(news) ?? (late ? undefined : this.#heldBackIn(news));
		const events = this.#behind ? this.#catchUp(this.#behind, late, look) : this.#judgeNews(late, look);
		if (this.isDone(news.now)) [this.#kept, this.#judgedOn] = [this.memory, undefined];
		return events;
	}

	#judgeNews(late: Blind | undefined, look: Look): readonly AlertEvent[] {
		// Of what happened while it was blind nothing is left out.
		const onEach = (this.#blind !== undefined && this.#isOfTrades) || undefined;
		const {news} = look;
		// Trades that come with the first answer happened before the rule was stated.
		const judgement = this.#judge.judge(this.#judgedOn ? news : {...news, trades: none}, onEach);
		const alerts = this.#alerts(judgement, look, this.#blind?.since);
		this.#note(judgement, news);
		const blind = late ?? this.#unknown(judgement, look);
		return this.#events(alerts, this.#see(blind, look, {lookedUp: this.#byTrades}));
	}

	/** Goes on where it was: with the trades since then, and with what candles tell of those that are missing. */
	#catchUp(behind: Behind, late: Blind | undefined, look: Look): readonly AlertEvent[] {
		const {news, blindAfterMs} = look;
		const {memory, period, isRestored, isHeldBack} = behind;
		const {condition} = this.#rule;
		if (late) return this.#events(none, this.#see(late, look));
		const needed = this.#data.in(news);
		const isKnown = areFresh(news.known, needed);
		const caught =
			isKnown || isHeldBack ? caughtUp({condition, memory, period, tapes: tapesIn(needed)}, news.known) : undefined;
		if (!caught) return none;
		const {trades, gaps, missed} = caught;
		const judgement = this.#judge.judge({...news, trades}, this.#isOfTrades || undefined);
		const {waitsUntil = this.#ages.passed() + longestLookUpMs} = behind;
		// Candles tell nothing of a market that had no trades before.
		const canBeLookedUp = isOfLast(condition) && Object.keys(memory.trades).length > 0;
		const isLookedUp = missed?.type !== 'unknown' || !canBeLookedUp || this.#ages.passed() >= waitsUntil;
		const isWaiting = !isLookedUp || (isHeldBack && judgement.wasUnknown && !isKnown);
		if (isWaiting && this.#firesIn(judgement).holdings.length === 0) {
			this.#behind = isLookedUp ? behind : {...behind, waitsUntil};
			this.#judge = createJudge(condition, this.#own, {byTicker: isByTicker(this.#rule), sides: memory.sides});
			return none;
		}

		this.#behind = undefined;
		const since = this.#blind?.since ?? (isRestored ? memory.judgedAt : undefined);
		// Nobody waits at the start for all that happened before it.
		const alerts = this.#alerts(judgement, look, since, caught, isRestored ? 1 : undefined);
		this.#note(judgement, news);
		const lookedUp = !missed ? this.#byTrades : missed.type === 'unknown' ? 'nothing' : 'candles';
		const possible = missed?.type === 'possible' ? missed.stretch : undefined;
		const isShort = isHeldBack || (isRestored && news.now - memory.judgedAt < blindAfterMs);
		const isOpen = possible !== undefined || lookedUp === 'nothing';
		const unsaid = isOpen && !(isShort && gaps.size === 0) && !isByTicker(this.#rule) ? sinceOf(behind) : undefined;
		return this.#events(alerts, this.#see(this.#unknown(judgement, look), look, {lookedUp, possible, unsaid}));
	}

	/** It fires no more: what happened before its end while it was not judged stays unknown. */
	#end(look: Look): Blindness | undefined {
		this.#isOver = true;
		if (this.#isSpent) this.#blind = undefined;
		const {memory} = this;
		if (this.#isSpent || !memory) return this.#see(undefined, look, {lookedUp: 'nothing'});
		const unjudgedMs = (this.#rule.until ?? Infinity) - memory.judgedAt;
		const {why} = this.#behind ? sinceOf(this.#behind) : {why: 'the computer slept, or its clock was set'};
		const isSkipped = unjudgedMs >= (this.#behind ? 1 : look.blindAfterMs);
		[this.#behind, this.#judgedOn] = [undefined, undefined];
		this.#kept = {...memory, judgedAt: look.news.now};
		const unsaid = isSkipped ? {since: memory.judgedAt, why} : undefined;
		return this.#see(undefined, look, {lookedUp: 'nothing', unsaid});
	}

	/** Trades are missing that it is to be judged on. */
	#gapIn({trades, now}: News): Behind | undefined {
		const tapes = tapesIn(this.#data.first);
		const isGap = ({market, isAfterGap}: NewTrade) => isAfterGap && tapes.includes(market);
		if (!this.#judgedOn || !trades.some(isGap)) return undefined;
		const isNeeded = this.#blind !== undefined || isJudgedOnTrades(this.#rule.condition);
		const memory = isNeeded ? this.memory : undefined;
		return memory && {memory, period: periodSince(memory.judgedAt, now), isRestored: false};
	}

	/** New trades cannot be judged, as other data is not known for now. */
	#heldBackIn(news: News): Behind | undefined {
		if (!this.#judgedOn || this.#blind || !isJudgedOnTrades(this.#rule.condition)) return undefined;
		const needed = this.#data.in(news);
		const isNew = tapesIn(needed).some(market => news.trades.some(trade => trade.market === market));
		const memory = isNew && !areFresh(news.known, needed) ? this.memory : undefined;
		return memory && {memory, period: periodSince(memory.judgedAt, news.now), isRestored: false, isHeldBack: true};
	}

	/** It was judged on this. */
	#note({unknown, wasUnknown}: Judgement, news: News) {
		// Where it was before data became unusable is not forgotten.
		const needed = this.#data.in(news);
		const isUsable = this.#judgedOn
			? needed.every(({market, data}) => answerIn(news.known, market, data))
			: tapesIn(needed).every(market => isFresh(news.known, market, 'trades'));
		if (isUsable) this.#judgedOn = news;
		const isWithout = unknown.length > 0 && areFresh(news.known, needed);
		this.#sawUnknown = wasUnknown || isWithout || (this.#sawUnknown && this.#blind !== undefined);
	}

	get #byTrades(): 'trades' | 'nothing' {
		return this.#isOfTrades && !this.#sawUnknown ? 'trades' : 'nothing';
	}

	/** To be called after the computer slept: what happened meanwhile was not judged. */
	wake(look: Look): readonly AlertEvent[] {
		const late = this.#late(look);
		const blindness = late && this.#see({...late, why: 'the computer slept'}, look);
		return blindness ? [blindness] : none;
	}

	#firesIn(judgement: Judgement) {
		return firesIn(judgement, this.#rest, this.#rule.everyMs, this.#ages.passed());
	}

	/** `blindSince`: since when it was not judged before this. */
	#alerts(judgement: Judgement, look: Look, blindSince?: number, caught?: CaughtUp, most?: number): readonly Alert[] {
		const {news, symbolOf} = look;
		const {holdings, rest} = this.#firesIn(judgement);
		const gap = caught && this.#gapOf(holdings[0], news, caught);
		// What happened in a gap is said once.
		const firings = gap ? [gap] : holdings.slice(0, most).map(holding => this.#firing(holding, news));
		this.#rest = gap ? {isReleased: !judgement.holdsNow, firedAt: this.#ages.passed()} : rest;
		if (firings.length === 0) return none;
		const of = {type: 'alert', rule: this.#rule, symbol: symbolOf(this.#own), time: news.now} as const;
		const judgedOn = this.judgedOn(news);
		const alerts = firings.map((firing): Alert => {
			// Of what is known now it is not known when it began to hold.
			const since = firing.trade || firing.gap ? blindSince : undefined;
			return {...of, ...firing, judgedOn, ...(since !== undefined && {blindSince: since})};
		});
		this.#fired = alerts.at(-1) ?? this.#fired;
		return alerts;
	}

	#firing({trade, values}: Holding, news: News): Omit<Firing, 'time'> {
		const tape = news.known.get(this.#own)?.state.trades;
		return {trade, values, delayMs: trade && (tape ? tradeTime(tape, news.now) : news.now) - trade.time};
	}

	/** That it began to hold where trades are missing; undefined: it did not, or that is not known. */
	#gapOf(first: Holding | undefined, news: News, {missed, gaps}: CaughtUp): Omit<Firing, 'time'> | undefined {
		const isDue = this.#ages.passed() - this.#rest.firedAt >= (this.#rule.everyMs ?? 0);
		if (missed?.type === 'held' && isDue) {
			const values = Object.keys(this.#judge.values(news)).map(name => [name, null] as const);
			return {values: Object.fromEntries(values), gap: missed.stretch};
		}

		const trade = first?.trade;
		const from = trade && gaps.get(trade);
		// It can have crossed at a trade that is missing.
		if (!trade || from === undefined || missed?.type === 'none' || !hasCrossing(this.#rule.condition)) return undefined;
		return {values: first.values, gap: {from, to: trade.time}};
	}

	/** Why it cannot be judged by the data that is out of date for longest; undefined: none is. */
	#late({news, blindAfterMs, whyOld, isAnyOld}: Look): Blind | undefined {
		if (!isAnyOld) return undefined;
		let oldest: Needed | undefined;
		let oldestMs = 0;
		for (const each of this.#data.in(news)) {
			// What was received before the rule was stated may have been polled no more.
			const startedMs = this.#ages.passed() - this.#startedAt;
			const ms = Math.min(this.#ages.of(each.market, each.data) ?? startedMs, startedMs);
			if (ms > oldestMs) [oldest, oldestMs] = [each, ms];
		}

		if (!oldest || oldestMs < blindAfterMs) return undefined;
		const failure = failureIn(news.known, oldest.market, oldest.data);
		return {since: news.now - oldestMs, why: failure?.error.brief ?? whyOld(oldest)};
	}

	/** Why it cannot be judged, by a value that is not known for long, though there is data. */
	#unknown({unknown: [first]}: Judgement, {news, blindAfterMs}: Look): Blind | undefined {
		const {known, now} = news;
		const passed = this.#ages.passed();
		this.#unknownSince = first && (this.#unknownSince ?? passed);
		if (!first || this.#unknownSince === undefined) return undefined;
		const ms = passed - this.#unknownSince;
		// Once it is blind, it is until all is known.
		if (ms < blindAfterMs && !this.#blind) return undefined;
		const failing = this.#data.in(news).flatMap(({market, data}) => failureIn(known, market, data) ?? []);
		return {since: now - ms, why: failing[0]?.error.brief ?? `${printExpression(first)} is unknown`};
	}

	/** An alert says what a time was about in which the rule was blind. */
	#events(alerts: readonly Alert[], blindness: Blindness | undefined): readonly AlertEvent[] {
		if (alerts.length > 0) this.#uncertain = undefined;
		else if (blindness?.possible || blindness?.lookedUp === 'nothing') this.#uncertain = blindness;
		return blindness ? [...alerts, blindness] : alerts;
	}

	/** `blind`: from now on. */
	#see(blind: Blind | undefined, {news, symbolOf}: Look, end?: End): Blindness | undefined {
		const before = this.#blind;
		if (!blind && !before && !end?.unsaid) return undefined;
		const over = blind ? undefined : (before ?? end?.unsaid);
		const {judgedAt = Infinity} = this.#behind?.memory ?? {};
		if (blind && !before) this.#firstWhy = blind.why;
		this.#blind = blind && {
			since: before?.since ?? Math.min(blind.since, judgedAt),
			why: blind.why === this.#firstWhy ? blind.why : `${this.#firstWhy}, then ${blind.why}`,
		};
		const began = before ? undefined : this.#blind;
		const of = {type: 'blind', rule: this.#rule, symbol: symbolOf(this.#own), time: news.now} as const;
		if (began) return {...of, ...began, ended: false};
		return over && {...of, ...over, ended: true, lookedUp: end?.lookedUp, possible: end?.possible};
	}
}

const areFresh = (known: News['known'], needed: readonly Needed[]): boolean =>
	needed.every(({market, data}) => isFresh(known, market, data));

/** How blindness ends. `unsaid`: a time that was not judged, though that was not said when it began. */
type End = Pick<Blindness, 'lookedUp' | 'possible'> & {readonly unsaid?: Blind | undefined};

const none: readonly never[] = [];
