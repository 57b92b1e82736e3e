import type {Clock} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {createPublisher, createStore, type Store} from '../store/create-store.ts';
import {quantitiesIn} from './condition.ts';
import type {Feeds, Needs} from './feeds.ts';
import {type Alert, type AlertEvent, type Blind, type JudgedOn, JudgedRule} from './judged-rule.ts';
import {createNews, type News} from './news.ts';
import {type Data, dataOf, periodsOf} from './quantity-values.ts';
import {isByTicker, printRule, type Rule, type Scope} from './rule.ts';

/** Who stated a rule: the user in the monitor, whose rules are remembered, the config file, or a flag. */
type RuleOrigin = 'user' | 'config' | 'flag';

type StatedRule = {
	readonly rule: Rule;
	readonly origin: RuleOrigin;
	/** Switched off: it is not judged. */
	readonly isOff: boolean;
};

/** A rule on one market. */
type JudgedMarket = {
	readonly symbol: string;
	/** The last time that it fired. */
	readonly fired?: Alert | undefined;
	readonly blind?: Blind | undefined;
	/** It fires no more. */
	readonly isDone: boolean;
	readonly judgedOn: readonly JudgedOn[];
};

type AlertEntry = StatedRule & {
	/** Its text, which no other entry has. */
	readonly id: string;
	readonly markets: readonly JudgedMarket[];
};

type AlertsState = {
	/** In the order in which they were stated. */
	readonly entries: readonly AlertEntry[];
	/** What fired and was not acknowledged, newest first. */
	readonly unseen: readonly Alert[];
	/** Why the last call failed; absent: it did not. */
	readonly callFailure?: CallFailure | undefined;
};

type CallFailure = {
	readonly text: string;
	/** Epoch ms. */
	readonly time: number;
};

/** The user's rules: judges them on every change and every second. */
export type Alerts = Store<AlertsState> & {
	/** Adds a rule and judges it from now on; one that there is stays as it is, but is switched on. */
	add(rule: Rule, origin: RuleOrigin): void;
	remove(id: string): void;
	/** Puts a rule in the place of another. */
	replace(id: string, rule: Rule): void;
	/** Switches a rule off, or on: then it is armed anew. */
	setOff(id: string, isOff: boolean): void;
	/** Acknowledges the newest of what fired; false: there is nothing. */
	acknowledge(): boolean;
	/** Calls the user as if the rule fired now on the first of its markets. */
	test(id: string): void;
	/** The user could not be called. */
	callFailed(text: string): void;
	callSucceeded(): void;
	start(): void;
	stop(): void;
};

export type AlertsOptions = {
	readonly feeds: Feeds;
	readonly clock: Clock;
	readonly rules: readonly StatedRule[];
	/** The keys of the markets that a rule is judged for now, if it names none. */
	readonly marketsOf: (scope: Exclude<Scope, {readonly type: 'market'}>) => readonly string[];
	/** Data that is older than this cannot be judged, ms. Default 30 s. */
	readonly blindAfterMs?: number | undefined;
	readonly onEvent: (event: AlertEvent) => void;
};

/** Ages grow, and windows move on, while no data arrives. */
const checkMs = secondMs;

type Held = {
	stated: StatedRule;
	readonly judged: Map<string, JudgedRule>;
};

export function createAlerts(options: AlertsOptions): Alerts {
	const {feeds, clock, marketsOf, blindAfterMs = 30 * secondMs, onEvent} = options;
	const newsOf = createNews();
	const held = new Map<string, Held>();
	let unseen: readonly Alert[] = [];
	let callFailure: CallFailure | undefined;
	let news: News = {known: new Map(), trades: [], now: clock.now()};
	const store = createStore<AlertsState>({entries: [], unseen});
	const publisher = createPublisher(clock, checkMs, () => store.set({entries: entriesOf(), unseen, callFailure}));
	let cancels: readonly (() => void)[] = [];

	function hold(stated: StatedRule) {
		held.set(printRule(stated.rule), {stated, judged: new Map()});
	}

	const keysOf = ({scope}: Rule): readonly string[] => (scope.type === 'market' ? [scope.key] : marketsOf(scope));

	/** The rules that are judged, each with the keys of its markets. */
	const targets = () =>
		[...held.values()]
			.filter(({stated}) => !stated.isOff)
			.map(({stated, judged}) => ({rule: stated.rule, judged, keys: keysOf(stated.rule)}));

	function check() {
		if (held.size === 0) return feeds.follow(new Map());
		const now = clock.now();
		const all = targets();
		feeds.follow(needsOf(all.flatMap(({rule, judged, keys}) => wanted(rule, judged, keys, now))));
		news = newsOf(feeds.known(), now);
		const events: AlertEvent[] = [];
		for (const {rule, judged, keys} of all) {
			for (const own of keys) {
				const symbol = symbolOf(own);
				const known = judged.get(own) ?? new JudgedRule({rule, own, now, blindAfterMs});
				judged.set(own, known);
				if (news.known.has(own)) events.push(...known.judge(news, symbol));
			}
		}

		unseen = [...events.filter(event => event.type === 'alert').toReversed(), ...unseen];
		if (events.length > 0) publisher.now();
		else publisher.soon();
		for (const event of events) onEvent(event);
	}

	const symbolOf = (key: string): string => news.known.get(key)?.state.symbol ?? key;

	function entriesOf(): readonly AlertEntry[] {
		return [...held].map(([id, {stated, judged}]) => {
			const keys = stated.isOff ? [...judged.keys()] : keysOf(stated.rule);
			return {...stated, id, markets: keys.map(key => marketOf(key, judged.get(key)))};
		});
	}

	function marketOf(key: string, judged: JudgedRule | undefined): JudgedMarket {
		const symbol = symbolOf(key);
		if (!judged) return {symbol, isDone: false, judgedOn: []};
		const {fired, blind} = judged;
		return {symbol, fired, blind, isDone: judged.isDone(news.now), judgedOn: judged.judgedOn(news)};
	}

	/** Judges what changed now, if it is judged at all. */
	function changed() {
		if (cancels.length > 0) check();
		publisher.now();
	}

	for (const stated of options.rules) hold(stated);
	publisher.now();
	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		add(rule, origin) {
			const known = held.get(printRule(rule))?.stated;
			if (known && !known.isOff) return;
			hold({rule, origin: known?.origin ?? origin, isOff: false});
			changed();
		},
		remove(id) {
			held.delete(id);
			changed();
		},
		replace(id, rule) {
			const entries = [...held];
			held.clear();
			for (const [each, entry] of entries) {
				if (each === id) hold({...entry.stated, rule, isOff: false});
				else if (!held.has(each)) held.set(each, entry);
			}

			changed();
		},
		setOff(id, isOff) {
			const entry = held.get(id);
			if (!entry || entry.stated.isOff === isOff) return;
			if (!isOff) entry.judged.clear();
			entry.stated = {...entry.stated, isOff};
			changed();
		},
		acknowledge() {
			const [newest, ...rest] = unseen;
			unseen = rest;
			publisher.now();
			return newest !== undefined;
		},
		test(id) {
			const {stated, judged} = held.get(id) ?? {};
			const own = stated && keysOf(stated.rule)[0];
			if (!stated || own === undefined) return;
			const now = clock.now();
			const tried = judged?.get(own) ?? new JudgedRule({rule: stated.rule, own, now, blindAfterMs});
			onEvent(tried.test({known: news.known, now}, symbolOf(own)));
		},
		callFailed(text) {
			callFailure = {text, time: clock.now()};
			publisher.now();
		},
		callSucceeded() {
			if (!callFailure) return;
			callFailure = undefined;
			publisher.now();
		},
		start() {
			const schedule = (): (() => void) => {
				let cancel = clock.after(checkMs, function again() {
					cancel = clock.after(checkMs, again);
					check();
				});
				return () => cancel();
			};
			cancels = [feeds.subscribe(check), schedule()];
			check();
		},
		stop() {
			for (const cancel of cancels) cancel();
			cancels = [];
			publisher.cancel();
			feeds.stop();
		},
	};
}

type Wanted = {readonly market: string; readonly data: readonly Data[]};

function wanted(
	rule: Rule,
	judged: ReadonlyMap<string, JudgedRule>,
	keys: readonly string[],
	now: number,
): readonly Wanted[] {
	return keys
		.filter(own => judged.get(own)?.isDone(now) !== true)
		.flatMap(own =>
			quantitiesIn(rule.condition).map(quantity => ({
				market: quantity.market ?? own,
				data: quantity.name === 'age' ? ['tape'] : [...dataOf(quantity, isByTicker(rule)), ...periodsOf(quantity)],
			})),
		);
}

function needsOf(all: readonly Wanted[]): Needs {
	const needs = new Map<string, Set<Data>>();
	for (const {market, data} of all) {
		const known = needs.get(market) ?? new Set();
		for (const each of data) known.add(each);
		needs.set(market, known);
	}

	return needs;
}
