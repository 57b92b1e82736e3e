import * as z from 'zod/mini';
import {ConditionError} from '../../alerts/parse-condition.ts';
import {parseRule, type Rule} from '../../alerts/rule.ts';
import type {Firing, RuleMemory} from '../../alerts/rule-memory.ts';
import {stripControl} from '../../format/control.ts';
import {symbolKey} from '../../market/symbol.ts';
import {dayMs} from '../../market/units.ts';
import {isRecord, own} from './saved-state.ts';

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
export type SavedRules = ReadonlyMap<string, SavedRule>;

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
	if (!isRecord(alerts))
		return {saved: new Map(), rules: new Map(), fault: 'the alerts in the state file are not a table'};
	const saved = new Map<string, SavedRule>();
	const rules = new Map<string, Rule>();
	const faults: string[] = [];
	for (const [text, value] of Object.entries(alerts)) {
		const read = readRule(text, value);
		if ('fault' in read) faults.push(`${JSON.stringify(stripControl(text).slice(0, 60))}: ${read.fault}`);
		else if (saved.size >= mostRules) faults.push(`there are more than ${mostRules}`);
		else {
			saved.set(text, read.saved);
			if (read.saved.origin === 'user') rules.set(text, read.rule);
		}
	}

	const [first, ...others] = faults;
	const more = others.length > 0 ? `, and ${others.length} more` : '';
	return {
		saved,
		rules,
		...(first !== undefined && {fault: `an alert in the state file cannot be used: ${first}${more}`}),
	};
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

export function isUnused({origin, armedAt, markets}: SavedRule, now: number): boolean {
	const judged = Object.values(markets).map(({judgedAt}) => judgedAt);
	return origin === 'config' && now - Math.max(armedAt, ...judged) > longestUnusedMs;
}

/**
 * Three-way merge: `theirs` with the changes from `base` to `mine`, rule by rule. Of each market the later judgement and the
 * later firing count. What cannot be read in `theirs` stays.
 */
export function mergedAlerts(base: SavedRules, mine: SavedRules, theirs: unknown = {}): unknown {
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
export type Claim = {
	/** The rule's text. */
	readonly id: string;
	readonly rule: Rule;
	/** Key of the market. */
	readonly market: string;
	readonly fired: Firing;
	/** When it fired last before that, as far as this instance knows, epoch ms. */
	readonly firedBefore?: number | undefined;
};

/** Whether another instance has called for the same event, by what it wrote into the file. */
export function isTaken(claim: Claim, {armedAt}: SavedRule, theirs: unknown): boolean {
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
