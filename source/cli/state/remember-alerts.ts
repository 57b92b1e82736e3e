import type {Alerts, StatedRule} from '../../alerts/alerts.ts';
import {type AlertEvent, firingOf} from '../../alerts/judged-rule.ts';
import {printRule, type Rule} from '../../alerts/rule.ts';
import type {Clock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {secondMs} from '../../market/units.ts';
import {
	type Claim,
	isTaken,
	isUnused,
	mergedAlerts,
	readAlerts,
	type SavedRule,
	type SavedRules,
} from './saved-alerts.ts';
import {exchangeStateOf} from './saved-session.ts';
import {isEqual} from './saved-state.ts';
import type {StateFile} from './state-file.ts';

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
	let claims: readonly Claimed[] = [];
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
		const taken = new Set<Claimed>();
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
			let cancel = clock.after(judgedMs, again);
			let soon: (() => void) | undefined;
			let texts = textsOf(alerts);

			function again() {
				cancel = clock.after(judgedMs, again);
				void save();
			}

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

type Claimed = Claim & {readonly call: () => void};

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
