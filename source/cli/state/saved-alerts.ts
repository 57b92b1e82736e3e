import * as z from 'zod/mini';
import type {Alerts, StatedRule} from '../../alerts/alerts.ts';
import {type AlertEvent, firingOf} from '../../alerts/judged-rule.ts';
import {ConditionError} from '../../alerts/parse-condition.ts';
import {parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import type {Firing, RuleMemory} from '../../alerts/rule-memory.ts';
import {type Clock, every} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {dayMs, secondMs} from '../../market/units.ts';
import {faultText, notTable, quoted} from './saved-entries.ts';
import {exchangeStateOf} from './saved-session.ts';
import {isEqual, isRecord, own} from './saved-state.ts';
import type {StateFile} from './state-file.ts';

const positive = z.number().check(z.positive());

const firingSchema = z.looseObject({
	time: z.number(),
	values: z.record(z.string(), z.nullable(z.number())),
	trade: z.optional(
		z.object({
			id: z.string(),
			key: z.optional(z.string()),
			time: z.number(),
			price: positive,
			quantity: positive,
			side: z.optional(z.enum(['buy', 'sell'])),
		}),
	),
	delayMs: z.optional(z.number()),
	blindSince: z.optional(z.number()),
	gap: z.optional(
		z.looseObject({from: z.number(), to: z.number(), high: z.optional(positive), low: z.optional(positive)}),
	),
});

const memorySchema = z.looseObject({
	judgedAt: z.number(),
	trades: z.record(
		z.string(),
		z.looseObject({
			time: z.number(),
			key: z.string(),
			minute: z.optional(z.looseObject({low: positive, high: positive})),
		}),
	),
	sides: z.array(z.literal([-1, 0, 1])),
	lines: z.optional(z.string()),
	isReleased: z.boolean(),
	fired: z.optional(firingSchema),
});

/** Loose, so that fields of a later version are kept when this one writes. */
const ruleSchema = z.looseObject({
	/** Who stated it. Of a rule of the config file only what is remembered counts. */
	origin: z.enum(['user', 'config']),
	isOff: z.optional(z.boolean()),
	/** Since when it is judged, epoch ms: what it did before is of no account. */
	armedAt: z.number(),
	/** By the keys of its markets. */
	markets: z.record(z.string(), memorySchema),
});

/** A rule as the state file keeps it. */
export type SavedRule = {
	readonly origin: 'user' | 'config';
	readonly isOff?: boolean | undefined;
	readonly armedAt: number;
	readonly markets: Readonly<Record<string, RuleMemory>>;
};

/** By the texts of the rules, in the order in which they were stated. */
type SavedRules = ReadonlyMap<string, SavedRule>;

type ReadRules = {
	readonly saved: SavedRules;
	/** The rules of the user that count, by their texts. */
	readonly rules: ReadonlyMap<string, Rule>;
	/** What is wrong with the others, one line; absent: nothing. */
	readonly fault?: string | undefined;
};

/** More rules than anybody states. */
const mostRules = 1000;

/** Reads the rules of a state. What cannot be read is left out, with a fault. */
export function readAlerts(alerts: unknown = {}): ReadRules {
	const saved = new Map<string, SavedRule>();
	const rules = new Map<string, Rule>();
	if (!isRecord(alerts)) return {saved, rules, fault: notTable('alerts')};
	const faults: string[] = [];
	for (const [text, value] of Object.entries(alerts)) {
		const read = readRule(text, value);
		if ('fault' in read) faults.push(`${quoted(text)}: ${read.fault}`);
		else if (saved.size >= mostRules) faults.push(`there are more than ${mostRules}`);
		else {
			saved.set(text, read.saved);
			if (read.saved.origin === 'user') rules.set(text, read.rule);
		}
	}

	return {saved, rules, fault: faultText('an alert', faults)};
}

function readRule(text: string, value: unknown): {saved: SavedRule; rule: Rule} | {fault: string} {
	const result = ruleSchema.safeParse(value);
	if (!result.success) {
		const [issue] = result.error.issues;
		return {fault: [...(issue?.path.length ? [issue.path.join('.')] : []), issue?.message].join(': ')};
	}

	try {
		// A rule whose end is past is one that has ended.
		return {saved: result.data, rule: parseRule(text, {now: 0, marketNamed: name => ({key: symbolKey(name)})})};
	} catch (error) {
		if (error instanceof ConditionError) return {fault: error.message};
		throw error;
	}
}

/** What is remembered of a rule of the config file that has not been judged for so long is dropped. */
const longestUnusedMs = 30 * dayMs;

function isUnused({origin, armedAt, markets}: SavedRule, now: number): boolean {
	const judged = Object.values(markets).map(({judgedAt}) => judgedAt);
	return origin === 'config' && now - Math.max(armedAt, ...judged) > longestUnusedMs;
}

/**
 * Three-way merge: `theirs` with the changes from `base` to `mine`, rule by rule. Of each market the later judgement and the
 * later firing count. What cannot be read in `theirs` stays.
 */
function mergedAlerts(base: SavedRules, mine: SavedRules, theirs: unknown = {}): unknown {
	if (!isRecord(theirs)) return theirs;
	const texts = new Set([...Object.keys(theirs), ...mine.keys()]);
	const entries = [...texts].flatMap(text => {
		const [before, my, raw] = [base.get(text), mine.get(text), own(theirs, text)];
		if (!my) return before ? [] : [[text, raw] as const];
		const isRemoved = raw === undefined && before?.armedAt === my.armedAt && my.origin === 'user';
		if (isRemoved) return [];
		const their = ruleSchema.safeParse(raw);
		return [[text, their.success ? mergedRule(before, my, their.data) : my] as const];
	});
	return Object.fromEntries(entries);
}

function mergedRule(before: SavedRule | undefined, mine: SavedRule, theirs: SavedRule): SavedRule {
	const armedAt = Math.max(mine.armedAt, theirs.armedAt);
	const keys = new Set([...Object.keys(theirs.markets), ...Object.keys(mine.markets)]);
	const markets = [...keys].flatMap(key => {
		const all = [own(mine.markets, key), own(theirs.markets, key)].flatMap(each =>
			each && each.judgedAt >= armedAt ? each : [],
		);
		const [later] = all.toSorted((a, b) => b.judgedAt - a.judgedAt);
		const fired = lastFired(all);
		return later ? [[key, {...later, fired: fired && fired.time >= armedAt ? fired : undefined}] as const] : [];
	});
	return {
		...theirs,
		...mine,
		origin: mine.origin === 'user' ? 'user' : theirs.origin,
		isOff: before && before.isOff === mine.isOff ? theirs.isOff : mine.isOff,
		armedAt,
		markets: Object.fromEntries(markets),
	};
}

function lastFired(memories: readonly RuleMemory[]): Firing | undefined {
	const [last] = memories.flatMap(({fired}) => fired ?? []).toSorted((a, b) => b.time - a.time);
	return last;
}

/** A rule that fired on a market, of which the user is about to be called. */
type Claim = {
	/** The rule's text. */
	readonly id: string;
	readonly rule: Rule;
	/** Key of the market. */
	readonly market: string;
	readonly fired: Firing;
	/** When it fired last before that, as far as this instance knows, epoch ms. */
	readonly firedBefore?: number | undefined;
	readonly call: () => void;
};

/** Whether another instance has called for the same event, by what it wrote into the file. */
function isTaken(claim: Claim, {armedAt}: SavedRule, theirs: unknown): boolean {
	const {id, rule, market, fired, firedBefore = Number.NEGATIVE_INFINITY} = claim;
	const result = ruleSchema.safeParse(isRecord(theirs) ? own(theirs, id) : undefined);
	const their = result.success ? own(result.data.markets, market) : undefined;
	const {isReleased = true, fired: taken} = their ?? {};
	const {everyMs = Infinity} = rule;
	// Within this time both fired for the same event.
	if (!taken || taken.time < armedAt || taken.time <= firedBefore + everyMs) return false;
	if (!isReleased || fired.time - taken.time < everyMs) return true;
	const at = taken.trade?.time;
	if (at === undefined) return false;
	const {trade, gap} = fired;
	return (trade !== undefined && trade.time <= at) || (gap !== undefined && gap.from <= at && at <= gap.to);
}

/** A change of the rules is written after this time. */
const settleMs = secondMs;
/** And when they were last judged as often: not each second, as that changes all day. */
const judgedMs = 30 * secondMs;
/** The file stays far below the megabyte that is read of it. */
const mostMemories = 1000;

export type AlertMemory = ReturnType<typeof createAlertMemory>;

type AlertMemoryOptions = {
	readonly file: StateFile;
	readonly exchangeName: string;
	readonly clock: Clock;
	/** Those of the config file. */
	readonly configured: readonly Rule[];
	/** Whether the rules that the user stated in the monitor are judged too. */
	readonly withUsers: boolean;
	/** Gets one line that says what cannot be read. */
	readonly onFault: (text: string) => void;
};

/**
 * What rules remember in the state file: across a restart they go on where they were. After a crash up to 30 s are judged
 * again, but nothing that fired, as that was saved at once. Two instances judge each rule of their own, and one of them calls;
 * rules that are added, changed or removed in one appear in the other one when it starts next.
 */
export function createAlertMemory(options: AlertMemoryOptions) {
	const {file, exchangeName, clock, configured, withUsers, onFault} = options;
	const {saved: stored, rules: users, fault} = readAlerts(exchangeStateOf(file.state, exchangeName).alerts);
	if (fault !== undefined) onFault(fault);
	const rules = statedRules(stored, configured, withUsers ? users : new Map());
	/** Texts of the rules that this instance judges, or did: the others stay as they are in the file. */
	const own = new Set([...rules.map(({rule}) => printRule(rule)), ...(withUsers ? users.keys() : [])]);
	/** As in the file, as far as this instance knows. */
	let base: SavedRules = stored;
	let followed: Alerts | undefined;
	let claims: readonly Claim[] = [];
	/** What is to be saved at once. */
	let atOnce: SavedRules | undefined;

	function current(): SavedRules {
		const others = [...base].filter(([text, rule]) => !own.has(text) && !isUnused(rule, clock.now()));
		const remembered = [...(followed?.remembered() ?? [])].flatMap(([id, rule]) => {
			const {origin, isOff, armedAt, markets} = rule;
			if (origin === 'flag') return [];
			own.add(id);
			return [[id, {origin, ...(origin === 'user' && isOff && {isOff}), armedAt, markets}] as const];
		});
		return new Map([...others, ...withMost(remembered)]);
	}

	async function save(): Promise<void> {
		const [before, mine, claimed] = [base, atOnce ?? current(), claims];
		[atOnce, claims] = [undefined, []];
		if (claimed.length === 0 && isEqual(Object.fromEntries(before), Object.fromEntries(mine))) return;
		const taken = new Set<Claim>();
		const isSaved = await file.update(state => {
			const of = exchangeStateOf(state, exchangeName);
			for (const claim of claimed) {
				const rule = mine.get(claim.id);
				if (rule && isTaken(claim, rule, of.alerts)) taken.add(claim);
			}

			const alerts = mergedAlerts(before, mine, of.alerts);
			return {...state, exchanges: {...state.exchanges, [exchangeName]: {...of, alerts}}};
		});
		if (isSaved) base = mine;
		for (const claim of claimed) if (!taken.has(claim)) claim.call();
	}

	return {
		/** The rules of the state file and these of the config file, each once, with what is remembered of them. */
		rules,
		/** Saves the rules of `alerts` as they change. The returned function stops that and settles when everything is written. */
		follow(alerts: Alerts): () => Promise<void> {
			followed = alerts;
			const cancel = every(clock, judgedMs, () => void save());
			let soon: (() => void) | undefined;
			let texts = textsOf(alerts);

			const unsubscribe = alerts.subscribe(() => {
				const before = texts;
				texts = textsOf(alerts);
				if (texts === before) return;
				soon ??= clock.after(settleMs, () => {
					soon = undefined;
					void save();
				});
			});
			return () => {
				unsubscribe();
				cancel();
				soon?.();
				return save();
			};
		},
		/**
		 * Saves at once that a rule fired, and then calls, within two seconds: unless another instance has called for the same event.
		 * If the file cannot be used it calls, as twice is better than never. What is not remembered calls at once.
		 */
		calling(event: AlertEvent, call: () => void): void {
			const {rule, symbol} = event;
			const id = printRule(rule);
			if (event.type === 'blind' || event.isTest) return call();
			// All that fires at one moment is written at once.
			atOnce ??= current();
			queueMicrotask(() => {
				if (atOnce) void save();
			});
			if (!atOnce.has(id)) return call();
			const market = symbolKey(symbol);
			const firedBefore = base.get(id)?.markets[market]?.fired?.time;
			claims = [...claims, {id, rule, market, fired: firingOf(event), firedBefore, call}];
		},
	};
}

/** Changes with what is to be saved soon. */
const textsOf = (alerts: Alerts): string =>
	alerts
		.getSnapshot()
		.entries.map(({id, isOff}) => `${isOff} ${id}`)
		.join('\n');

/** The rules to judge, each once. */
function statedRules(
	stored: SavedRules,
	configured: readonly Rule[],
	users: ReadonlyMap<string, Rule>,
): readonly StatedRule[] {
	const texts = new Set(configured.map(printRule));
	const ofConfig = configured.map(rule => {
		const {armedAt, markets} = stored.get(printRule(rule)) ?? {};
		return {rule, origin: 'config', isOff: false, armedAt, markets} as const;
	});
	const ofUser = [...users].flatMap(([text, rule]) => {
		const {isOff = false, armedAt, markets} = stored.get(text) ?? {};
		return texts.has(printRule(rule)) ? [] : [{rule, origin: 'user', isOff, armedAt, markets} as const];
	});
	return [...ofConfig, ...ofUser];
}

/** What is remembered of markets on which a rule fired goes first. */
function withMost(rules: ReadonlyArray<readonly [id: string, rule: SavedRule]>): SavedRules {
	let left = mostMemories - rules.flatMap(([, {markets}]) => Object.values(markets).filter(({fired}) => fired)).length;
	return new Map(
		rules.map(([id, rule]) => {
			const kept = Object.entries(rule.markets).filter(([, {fired}]) => fired !== undefined || left-- > 0);
			return [id, {...rule, markets: Object.fromEntries(kept)}] as const;
		}),
	);
}
