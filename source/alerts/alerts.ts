import {type Clock, every} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import {secondMs} from '../market/units.ts';
import {createPublisher, createStore} from '../store/create-store.ts';
import {createAges} from './ages.ts';
import type {Feeds} from './feeds.ts';
import type {Alert, AlertEvent, Blind, Blindness} from './judged-rule.ts';
import {JudgedRule} from './judged-rule.ts';
import type {JudgedOn} from './market-data.ts';
import {
	answerTo,
	byTickerWhere,
	createNews,
	failureOf,
	type MarketsData,
	type Needed,
	type News,
	needKey,
} from './market-data.ts';
import {printRule, type Rule, type Scope} from './rule.ts';
import type {RuleMemory} from './rule-memory.ts';

/** Who stated a rule: the user in the monitor, whose rules are remembered, the config file, or a flag. */
type RuleOrigin = 'user' | 'config' | 'flag';

export type StatedRule = {
	readonly rule: Rule;
	readonly origin: RuleOrigin;
	/** Switched off: it is not judged. */
	readonly isOff: boolean;
	/** Since when it is judged, epoch ms; absent: from now on. */
	readonly armedAt?: number | undefined;
	/** What is remembered of it, by the keys of its markets. */
	readonly markets?: Memories | undefined;
};

type Memories = Readonly<Record<string, RuleMemory>>;

/** What must be known of a rule to go on with it later. */
type RememberedRule = Pick<StatedRule, 'origin' | 'isOff'> & {
	readonly armedAt: number;
	readonly markets: Memories;
};

/** A rule on one market. */
export type JudgedMarket = {
	readonly symbol: string;
	/** The last time that it fired. */
	readonly fired?: Alert | undefined;
	readonly blind?: Blind | undefined;
	/** The last time that it was blind, if it may have held then and did not fire since. */
	readonly uncertain?: Blindness | undefined;
	/** It fires no more. */
	readonly isDone: boolean;
	readonly judgedOn: readonly JudgedOn[];
	/** Ms between two polls of what it is judged on, trades or book, in the background; 0: all of it is on screen. */
	readonly pollMs: number;
};

export type AlertEntry = Omit<StatedRule, 'markets'> & {
	/** Its text, which no other entry has. */
	readonly id: string;
	readonly markets: readonly JudgedMarket[];
};

export type AlertsState = {
	/** In the order in which they were stated. */
	readonly entries: readonly AlertEntry[];
	/** What fired and was not acknowledged, newest first; only the newest thousand. */
	readonly unseen: readonly Alert[];
	/** What is not known of times in which rules were blind and was not acknowledged, newest first. Absent: nothing. */
	readonly missed?: readonly Blindness[] | undefined;
	/** Why the last call failed; absent: it did not. */
	readonly callFailure?: CallFailure | undefined;
};

type CallFailure = {
	readonly text: string;
	/** Epoch ms. */
	readonly time: number;
};

/** The user's rules: judges them on every change and every second. */
export type Alerts = ReturnType<typeof createAlerts>;

export type AlertsOptions = {
	readonly feeds: Feeds;
	readonly clock: Clock;
	readonly rules: readonly StatedRule[];
	/** The keys of the markets that a rule is judged for now, if it names none. */
	readonly marketsOf: (scope: Exclude<Scope, {readonly type: 'market'}>) => readonly string[];
	/** Whether there is the ticker of a market, but no trades: it then stands in for the last trade. Default: no. */
	readonly lacksTrades?: ((market: string) => boolean) | undefined;
	/** Data that is older than this cannot be judged, ms. Default 30 s. */
	readonly blindAfterMs?: number | undefined;
	/** Default: no limit. */
	readonly mostRules?: number | undefined;
	/** Whether rules may name programs to run. Default: they may. */
	readonly runsPrograms?: boolean | undefined;
	readonly onEvent: (event: AlertEvent) => void;
};

/** Maximum alerts that wait for the user: nobody acknowledges those of a watch that runs for weeks. */
const mostUnseen = 1000;

/** Ages grow, and windows move on, while no data arrives. */
const checkMs = secondMs;

const isSameRule = (a: Alert, b: Alert): boolean => printRule(a.rule) === printRule(b.rule);

type Held = {
	stated: StatedRule;
	/** Since when it is judged, epoch ms. */
	readonly armedAt: number;
	/** By the keys of the markets that it is not judged for yet. */
	readonly memories: Map<string, RuleMemory>;
	readonly judged: Map<string, JudgedRule>;
};

export function createAlerts(options: AlertsOptions) {
	const {feeds, clock, marketsOf, lacksTrades = () => false, blindAfterMs = 30 * secondMs, onEvent} = options;
	const newsOf = createNews();
	const held = new Map<string, Held>();
	let unseen: readonly Alert[] = [];
	let missed: readonly Blindness[] = [];
	let callFailure: CallFailure | undefined;
	let news: News = {data: new Map(), trades: [], now: clock.now()};
	/** What was known at the last check, and what was needed. */
	let [lastData, needs]: [MarketsData, readonly Needed[]] = [news.data, []];
	const ages = createAges(clock);
	const store = createStore<AlertsState>({entries: [], unseen});
	const publisher = createPublisher(clock, checkMs, () => store.set(currentState()));
	let needsOfEach: ReadonlyArray<readonly Needed[]> = [];
	let isStarted = false;
	let isChecking = false;
	/** Ends the checks; undefined: there is nothing to judge. */
	let cancelChecks: (() => void) | undefined;

	function hold(stated: StatedRule) {
		const {rule, armedAt = clock.now(), markets = {}} = stated;
		held.set(printRule(rule), {stated, armedAt, memories: new Map(Object.entries(markets)), judged: new Map()});
	}

	const keysOf = ({scope}: Rule): readonly string[] => (scope.type === 'market' ? [scope.key] : marketsOf(scope));

	function judgedFrom(own: string, {stated: {rule}, armedAt, memories, judged}: Held, now: number): JudgedRule {
		const judgedAs = byTickerWhere(lacksTrades, rule, own);
		const created = new JudgedRule({rule: judgedAs, own, ages, armedAt, memory: memories.get(own), now});
		// What is remembered is the rule's from now on.
		memories.delete(own);
		judged.set(own, created);
		return created;
	}

	/** The rules that can still fire. Those that were stated or got a market since the last call are judged from now on. */
	function armed(now: number): readonly JudgedRule[] {
		const rules: JudgedRule[] = [];
		for (const each of held.values()) {
			const {stated, judged} = each;
			if (stated.isOff) continue;
			const keys = keysOf(stated.rule);
			for (const own of keys) {
				const judgedRule = judged.get(own) ?? judgedFrom(own, each, now);
				if (!judgedRule.isOver) rules.push(judgedRule);
			}

			if (judged.size === keys.length) continue;
			for (const [own, judgedRule] of judged) if (!judgedRule.isDone(now) && !keys.includes(own)) judged.delete(own);
		}

		return rules;
	}

	/** `isOfFeeds`: as data arrived, so that only rules are judged that it may concern. */
	function check(isOfFeeds = false) {
		// Markets that are followed anew call back.
		if (!isStarted || isChecking) return;
		isChecking = true;
		const now = clock.now();
		ages.look();
		const rules = armed(now);
		needs = needsOf(rules);
		feeds.follow(needs);
		// Once only: an answer is new to the first who looks, without a failure that came after it.
		const data = feeds.data();
		const slept = ages.slept(data);
		const place = {symbolOf, blindAfterMs, whyOld};
		const events: AlertEvent[] = [];
		if (slept) for (const rule of rules) events.push(...rule.wake({...place, news: {...news, now}}));
		ages.take(needs, data);
		const changed = isOfFeeds ? changedMarkets(data) : undefined;
		lastData = data;
		news = newsOf(ages.withoutOld(data, blindAfterMs, whyOld), now);
		const look = {...place, news};
		for (const rule of rules) {
			if (changed && !rule.needs.some(({market}) => changed.has(market))) continue;
			const ruleEvents = rule.judge(look);
			events.push(...ruleEvents);
			const {uncertain} = rule;
			if (uncertain && ruleEvents.includes(uncertain)) missed = [uncertain, ...missed];
		}

		const fired = events.filter(event => event.type === 'alert');
		if (fired.length > 0) unseen = [...fired.toReversed(), ...unseen].slice(0, mostUnseen);
		isChecking = false;
		if (events.length > 0) publisher.now();
		else publisher.soon();
		schedule();
		for (const event of events) onEvent(event);
	}

	/** Where polls are nearly as far apart as that, or further, they are the reason. */
	const whyOld = (needed: Needed): string =>
		2 * feeds.pollMs(needed) > blindAfterMs ? 'too many markets for the request budget' : 'no answer';

	/** What rules need together, each once; the same while that does not change. */
	function needsOf(rules: readonly JudgedRule[]): readonly Needed[] {
		const each = rules.map(rule => rule.needs);
		if (each.length === needsOfEach.length && each.every((of, index) => of === needsOfEach[index])) return needs;
		needsOfEach = each;
		return [...new Map(each.flat().map(needed => [needKey(needed), needed])).values()];
	}

	/** The keys of the markets of which there is news that is needed. */
	function changedMarkets(data: MarketsData): ReadonlySet<string> {
		const changed = needs.filter(needed => {
			const [before, after] = [answerTo(lastData, needed), answerTo(data, needed)];
			const isSame = before?.data === after?.data && before?.receivedAt === after?.receivedAt;
			return !isSame || failureOf(lastData, needed) !== failureOf(data, needed);
		});
		return new Set(changed.map(({market}) => market));
	}

	/** Checks go on while there is a rule to judge, or one may get a market. */
	function schedule() {
		const now = clock.now();
		const isNeeded = held.values().some(({stated: {rule, isOff}, judged}) => {
			const isOver = rule.scope.type === 'market' || now >= (rule.until ?? Infinity);
			return !isOff && !(isOver && judged.values().every(each => each.isOver));
		});
		if (isNeeded && isStarted) cancelChecks ??= checks();
		else {
			cancelChecks?.();
			cancelChecks = undefined;
			feeds.follow([]);
		}
	}

	function checks(): () => void {
		const unsubscribe = feeds.subscribe(() => check(true));
		const cancel = every(clock, checkMs, check);
		return () => {
			unsubscribe();
			cancel();
		};
	}

	const symbolOf = (key: string): string => news.data.get(key)?.state.symbol ?? key;

	/** Most of it is not read each time. */
	function currentState(): AlertsState {
		let entries: readonly AlertEntry[] | undefined;
		return {
			get entries() {
				entries ??= entriesOf();
				return entries;
			},
			...{unseen, missed, callFailure},
		};
	}

	function entriesOf(): readonly AlertEntry[] {
		return [...held].map(([id, {stated, judged}]) => {
			const keys = stated.isOff ? [...judged.keys()] : keysOf(stated.rule);
			return {...stated, id, markets: keys.map(key => marketOf(key, judged.get(key)))};
		});
	}

	function marketOf(key: string, judged: JudgedRule | undefined): JudgedMarket {
		const symbol = symbolOf(key);
		if (!judged) return {symbol, isDone: false, judgedOn: [], pollMs: 0};
		const polled = judged.isDone(news.now) ? [] : judged.needs.filter(({ask}) => ask !== 'candles');
		const pollMs = Math.max(0, ...polled.map(feeds.pollMs));
		const {fired, blind, uncertain} = judged;
		return {symbol, fired, blind, uncertain, isDone: judged.isDone(news.now), judgedOn: judged.judgedOn(news), pollMs};
	}

	/** Judges what changed. */
	function changed() {
		check();
		publisher.now();
	}

	for (const stated of options.rules) hold(stated);
	publisher.now();
	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		/** Adds a rule and judges it from now on; one that there is stays as it is, but is switched on. */
		add(rule: Rule, origin: RuleOrigin): void {
			const stated = held.get(printRule(rule))?.stated;
			if (stated && !stated.isOff) return;
			hold({rule, origin: stated?.origin ?? origin, isOff: false});
			changed();
		},
		remove(id: string): void {
			held.delete(id);
			changed();
		},
		/** Puts a rule in the place of another. */
		replace(id: string, rule: Rule): void {
			const entries = [...held];
			held.clear();
			for (const [each, entry] of entries) {
				if (each === id) hold({rule, origin: entry.stated.origin, isOff: false});
				else if (!held.has(each)) held.set(each, entry);
			}

			changed();
		},
		/** Switches a rule off, or on: then it is armed anew. */
		setOff(id: string, isOff: boolean): void {
			const entry = held.get(id);
			if (!entry || entry.stated.isOff === isOff) return;
			const {stated} = entry;
			if (isOff) entry.stated = {...stated, isOff};
			else hold({rule: stated.rule, origin: stated.origin, isOff});
			changed();
		},
		/**
		 * Acknowledges the newest of what fired, with all that its rule fired on that market before, else all that is not known of
		 * times without judging; false: there is neither.
		 */
		acknowledge(): boolean {
			const [newest] = unseen;
			const hadAny = newest !== undefined || missed.length > 0;
			if (!newest) missed = [];
			if (newest) unseen = unseen.filter(each => each.symbol !== newest.symbol || !isSameRule(each, newest));
			publisher.now();
			return hadAny;
		},
		/** Calls the user as if the rule fired now on one of its markets. */
		test(id: string, symbol: string): void {
			const {stated, judged} = held.get(id) ?? {};
			const own = symbolKey(symbol);
			if (!stated || !keysOf(stated.rule).includes(own)) return;
			const tried =
				judged?.get(own) ?? new JudgedRule({rule: stated.rule, own, ages, armedAt: news.now, now: news.now});
			onEvent(tried.test({data: news.data, now: clock.now()}, symbolOf(own)));
		},
		/** The user could not be called. */
		callFailed(text: string): void {
			callFailure = {text, time: clock.now()};
			publisher.now();
		},
		callSucceeded(): void {
			if (!callFailure) return;
			callFailure = undefined;
			publisher.now();
		},
		/** Up to when all rules are judged that can still fire, epoch ms: what is newer may have to be judged later. */
		judgedTo(): number {
			const all = [...held.values()].flatMap(({judged}) => [...judged.values()]);
			return Math.min(clock.now(), ...all.flatMap(({isOver, judgedTo}) => (isOver ? [] : (judgedTo ?? []))));
		},
		/** By the texts of the rules. */
		remembered(): ReadonlyMap<string, RememberedRule> {
			const rules = [...held].map(([id, {stated, armedAt, memories, judged}]) => {
				const judgedMemories = [...judged].flatMap(([key, {memory}]) => (memory ? [[key, memory] as const] : []));
				const {origin, isOff} = stated;
				return [id, {origin, isOff, armedAt, markets: Object.fromEntries([...memories, ...judgedMemories])}] as const;
			});
			return new Map(rules);
		},
		/** How many rules the user may state. */
		mostRules: options.mostRules ?? Infinity,
		/** Whether rules may name programs to run. */
		runsPrograms: options.runsPrograms ?? true,
		start(): void {
			isStarted = true;
			check();
		},
		stop(): void {
			isStarted = false;
			schedule();
			publisher.cancel();
		},
	};
}
