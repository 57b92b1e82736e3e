import {access, constants, stat} from 'node:fs/promises';
import type {AlertsOptions, StatedRule} from '../../alerts/alerts.ts';
import {type Condition, linesNamedIn, quantitiesIn} from '../../alerts/condition.ts';
import {missingLineText} from '../../alerts/judged-rule.ts';
import type {LinesOf} from '../../alerts/quantity-values.ts';
import {isOfMany, namedMarkets, parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import {unavailableQuantity, unavailableQuantityText} from '../../alerts/unavailable-quantity.ts';
import type {InterfaceChoice} from '../../client/exchange.ts';
import {stripControl} from '../../format/control.ts';
import {hasCode} from '../../format/file-fault.ts';
import {formatFullTime} from '../../format/time.ts';
import type {Clock} from '../../market/clock.ts';
import {nearestWord, sharedNameText, symbolKey} from '../../market/symbol.ts';
import type {Interface} from '../../market/types.ts';
import {hasMarkets, type MarketStore} from '../../store/state.ts';
import {interfacesOf} from '../context.ts';
import {UsageError} from '../exit.ts';
import type {ExchangeAddress} from '../options/option-table.ts';
import {demoName} from '../options/option-table.ts';
import type {Options} from '../options/options.ts';
import {parsed, readConfigRules, readRules} from '../options/rule-options.ts';
import {note} from '../standard-error.ts';
import type {AlertMemory} from '../state/saved-alerts.ts';
import type {StateFile} from '../state/state-file.ts';
import {type MarketList, marketNamed} from './lookup.ts';

/** The rules that a watch judges. */
export type WatchRules = {
	/** Each once, those of the config file first. */
	readonly stated: readonly StatedRule[];
	/** Those of the config file and of flags, which are refused if this exchange never lets them be judged. */
	readonly conditions: readonly PlacedCondition[];
	/** The keys of the user's favourites, and of the user's lists by their names. */
	readonly favourites: readonly string[];
	readonly lists: ReadonlyMap<string, readonly string[]>;
	/** The user's lines. Absent: no condition names one. */
	readonly linesOf?: LinesOf | undefined;
	/** Of the rules of the config file and of the monitor; absent: none of them are judged. */
	readonly memory?: AlertMemory | undefined;
};

/** The keys of the markets that a rule is judged for, if it names none. `watched`: those of a watch. */
export const marketsOf =
	({favourites, lists}: Pick<WatchRules, 'favourites' | 'lists'>, watched: () => readonly string[]) =>
	(scope: Parameters<AlertsOptions['marketsOf']>[0]): readonly string[] => {
		if (scope.type === 'list') return lists.get(scope.name) ?? [];
		return scope.type === 'favourites' ? favourites : watched();
	};

export const noRules: WatchRules = {stated: [], conditions: [], favourites: [], lists: new Map()};

type Wanted = {
	/** Those of `--alert`. */
	readonly texts: readonly string[];
	readonly watched: readonly string[];
	/** Whether the rules that the user stated in the monitor are judged too. Default: not. */
	readonly withUsers?: boolean;
};

/**
 * The rules of the config file, of the flags and, if wanted, of the monitor, for the markets `watched`. Rejects with a `UsageError` for a
 * wrong one, for one that this exchange never lets be judged, and for a list that the user does not have there. A rule without
 * markets is noted.
 */
export async function readWatchRules(
	options: Options,
	{texts, watched, withUsers = false}: Wanted,
	clock: Clock,
): Promise<WatchRules> {
	const now = clock.now();
	const configured = readConfigRules(options.alerts, now);
	const typed = readRules(texts, now);
	const flags = typed.flatMap(rule => byName(rule, watched, [...configured, ...typed]));
	const conditions: readonly PlacedCondition[] = [
		...configured.map(({condition}, index) => ({condition, where: options.alerts[index]?.where ?? 'alerts'})),
		...flags.map(({condition}) => ({condition, where: '--alert'})),
	];
	for (const each of conditions) refuseUnavailable(each, options);
	const stated = [
		...configured.map(rule => ({rule, origin: 'config', isOff: false}) as const),
		...flags.map(rule => ({rule, origin: 'flag', isOff: false}) as const),
	].toReversed();
	const once = [...new Map(stated.map(each => [printRule(each.rule), each])).values()].toReversed();
	if (once.length === 0 && !withUsers) return noRules;
	const rules = {...(await remembered(options, {stated: once, withUsers}, clock)), conditions};
	const places = new Map(configured.map((rule, index) => [printRule(rule), options.alerts[index]?.where] as const));
	// What became of the monitor's rules is in its list.
	const others = rules.stated.filter(({origin}) => origin !== 'user');
	for (const {rule} of others) checkMarkets(rule, rules, places.get(printRule(rule)) ?? '--alert');
	for (const each of others) noteFired(each);
	return rules;
}

/** A rule of all watched markets, by their names if `others` state it for one of them: that one is judged once. */
function byName(rule: Rule, watched: readonly string[], others: readonly Rule[]): readonly Rule[] {
	if (rule.scope.type !== 'watched') return [rule];
	const named = watched.map((text): Rule => ({...rule, scope: {type: 'market', key: symbolKey(text)}}));
	const stated = new Set(others.map(printRule));
	return named.some(each => stated.has(printRule(each))) ? named : [rule];
}

/** The rules with what the state file has of them and of their markets. */
async function remembered(
	options: Options,
	{stated, withUsers}: Pick<WatchRules, 'stated'> & {readonly withUsers: boolean},
	clock: Clock,
): Promise<Omit<WatchRules, 'conditions'>> {
	const [configured, flags] = [stated.filter(isOfConfig), stated.filter(each => !isOfConfig(each))];
	const isRemembered = configured.length > 0 || withUsers;
	if (!isRemembered && !stated.some(({rule}) => isOfMany(rule.scope))) return {...noRules, stated};
	const exchangeName = options.exchange?.name ?? demoName;
	// Most watches need neither the state file nor the code of the monitor, which says what is in it.
	const [{file, ...markets}, {createAlertMemory}] = await Promise.all([
		readUsersMarkets(exchangeName, clock),
		import('../state/saved-alerts.ts'),
	]);
	if (!isRemembered) return {...markets, stated};
	const rules = configured.map(({rule}) => rule);
	const memory = createAlertMemory({
		...{file, exchangeName, clock, configured: rules, withUsers},
		onFault: note,
	});
	const ruleTexts = new Set(memory.rules.map(({rule}) => printRule(rule)));
	return {...markets, memory, stated: [...memory.rules, ...flags.filter(({rule}) => !ruleTexts.has(printRule(rule)))]};
}

/**
 * The rules with the user's lines, if they or `until` name one. `watched`: markets in any spelling; none: the default one. Rejects with a
 * `UsageError` if `until` names one that none of them has.
 */
export async function withUsersLines(
	rules: WatchRules,
	{until, watched}: {readonly until?: Condition | undefined; readonly watched: readonly string[]},
	exchangeName: string,
	clock: Clock,
): Promise<WatchRules> {
	const conditions = [...(until ? [until] : []), ...rules.stated.map(({rule}) => rule.condition)];
	if (!conditions.some(condition => linesNamedIn(condition).length > 0)) return rules;
	const {linesOf} = await readUsersMarkets(exchangeName, clock);
	if (until) refuseMissingLines(until, watched, linesOf);
	return {...rules, linesOf};
}

/** Throws a `UsageError` if the condition of `--until` names a line that none of the watched markets has. */
export function refuseMissingLines(until: Condition, watched: readonly string[], linesOf: LinesOf): void {
	for (const {line = 0, market} of linesNamedIn(until)) {
		const keys = market === undefined ? watched.map(symbolKey) : [market];
		const faults = keys.map(key => missingLineText(line, linesOf(key, line), key));
		const [fault] = faults;
		if (fault !== undefined && !faults.includes(undefined)) throw new UsageError(`--until: ${fault}`);
	}
}

/** The markets of an exchange that the user has marked, and lines, as `WatchRules` has them, and the file that they are from. */
export async function readUsersMarkets(exchangeName: string, clock: Clock) {
	const [{exchangeStateOf, linesIn}, {openStateFile, statePath}] = await Promise.all([
		import('../state/saved-session.ts'),
		import('../state/state-file.ts'),
	]);
	const file = withNotes(await openStateFile(statePath(process.env), clock));
	const {favourites = [], lists = {}} = exchangeStateOf(file.state, exchangeName);
	const keysOf = (symbols: readonly string[]) => symbols.map(symbolKey);
	return {
		file,
		linesOf: linesIn(file.state, exchangeName),
		favourites: keysOf(favourites),
		lists: new Map(Object.entries(lists).map(([name, symbols]) => [name, keysOf(symbols)])),
	};
}

/** The file, whose notices are noted as soon as there are new ones. */
function withNotes(file: StateFile): StateFile {
	let noted: readonly string[] = [];
	function noteNew() {
		const notices = file.notices();
		for (const notice of notices) if (!noted.includes(notice)) note(notice);
		noted = notices;
	}

	noteNew();
	return {...file, update: change => file.update(change).finally(noteNew)};
}

const isOfConfig = ({origin}: StatedRule): boolean => origin === 'config';

/** Notes the markets on which a rule of the config file has called once and for all. */
function noteFired({rule, markets = {}}: StatedRule): void {
	if (rule.everyMs !== undefined) return;
	for (const [market, {fired}] of Object.entries(markets)) {
		if (!fired) continue;
		const when = formatFullTime(fired.time);
		note(stripControl(`${printRule(rule)}: fired for ${market} at ${when}, and without every it will not fire again`));
	}
}

/**
 * Checks the markets that the rules name in the exchange's first list: passes a `UsageError` to `fail` for a market of a flag
 * that is not listed, and for a name in `until` that several markets share; one of the config file, which is for all exchanges, is noted.
 * Returns the function that stops this.
 */
export function onceMarketsListed(
	store: MarketStore | undefined,
	{rules: {stated}, until}: {readonly rules: WatchRules; readonly until?: Condition | undefined},
	fail: (error: unknown) => void,
): () => void {
	const names = until ? quantitiesIn(until).flatMap(({market}) => market ?? []) : [];
	if (!store || (names.length === 0 && stated.every(({rule}) => namedMarkets(rule).length === 0))) return () => {};
	const unsubscribe = store.subscribe(() => {
		const {markets} = store.getSnapshot();
		if (!hasMarkets(markets)) return;
		unsubscribe();
		try {
			for (const name of names) {
				const shared = sharedNameText(markets.data, name);
				if (shared !== undefined) throw new UsageError(`--until: ${shared}`);
			}

			for (const each of stated) checkListed(each, markets);
		} catch (error) {
			fail(error);
		}
	});
	return unsubscribe;
}

function checkListed({rule, origin}: StatedRule, {data, dropped}: MarketList): void {
	// What became of it is in the monitor's list.
	if (origin === 'user') return;
	const faultOf = (name: string): string | undefined => {
		try {
			marketNamed(data, name, dropped);
			return undefined;
		} catch (error) {
			if (error instanceof UsageError) return error.message;
			throw error;
		}
	};
	const faults = namedMarkets(rule).flatMap(name => faultOf(name) ?? []);
	if (faults.length === 0) return;
	const text = printRule(rule);
	if (origin === 'flag') {
		const listed = (name: string) => {
			const fault = faultOf(name);
			return fault === undefined ? {key: symbolKey(name)} : {fault};
		};
		parsed('--alert', () => parseRule(text, {marketNamed: listed, now: 0}));
	}

	for (const fault of faults) note(stripControl(`${text}: ${fault}`));
}

/**
 * Throws a `UsageError` for a list that the user does not have, and notes a rule without markets. `where`: the rule's place, for
 * the user.
 */
export function checkMarkets(
	rule: Rule,
	{favourites, lists}: Pick<WatchRules, 'favourites' | 'lists'>,
	where: string,
): void {
	const {scope} = rule;
	const text = stripControl(printRule(rule));
	if (scope.type === 'favourites' && favourites.length === 0) {
		note(`${text}: not judged: there are no favourites (f in the monitor marks them)`);
	}

	if (scope.type !== 'list') return;
	const list = lists.get(scope.name);
	if (list?.length === 0) note(`${text}: not judged: the list ${scope.name} is empty`);
	if (list) return;
	const names = [...lists.keys()];
	const nearest = nearestWord(scope.name, names);
	const listing =
		names.length === 0 ? 'there are no lists (:list-add in the monitor makes one)' : `lists: ${names.join(', ')}`;
	const advice = nearest === undefined ? listing : `did you mean ${nearest}?`;
	throw new UsageError(stripControl(`${where}: ${text}: no list ${scope.name}; ${advice}`));
}

/** A condition and its place, for the user. */
export type PlacedCondition = {readonly condition: Condition; readonly where: string};

type RequestedInterfaces = {
	/** Absent: the embedded exchange. */
	readonly exchange?: ExchangeAddress | undefined;
	readonly choice: InterfaceChoice;
};

/**
 * Throws a `UsageError` if the condition compares what these interfaces never show. Only the books tell whether v2 alone shows
 * bids: see `onceBooksCame`. `hasV2Bids`: what they told; absent: none has come.
 */
export function refuseUnavailable(
	{condition, where}: PlacedCondition,
	{exchange: address, choice}: RequestedInterfaces,
	hasV2Bids?: boolean,
): void {
	const interfaces = interfacesOf(address);
	const refused = unavailableQuantity(condition, {interfaces, choice, hasV2Bids});
	if (!refused) return;
	const {needs} = refused;
	const setting = `set ${addressFlags[needs]}${choice === 'auto' ? '' : ', with --interface auto'}`;
	const advice = interfaces.includes(needs) ? 'use --interface auto' : setting;
	throw new UsageError(`${where}: ${unavailableQuantityText(refused)}; ${advice}`);
}

/**
 * Passes a `UsageError` to `fail` for a condition on bids where v2 alone is read, once all of these markets have a book and none
 * has bids. Returns the function that stops this.
 */
export function onceBooksCame(
	stores: readonly MarketStore[],
	conditions: readonly PlacedCondition[],
	requested: RequestedInterfaces,
	fail: (error: unknown) => void,
): () => void {
	const stops: (() => void)[] = [];
	const stop = () => {
		for (const unsubscribe of stops.splice(0)) unsubscribe();
	};
	const check = () => {
		const books = stores.flatMap(store => {
			const {depth} = store.getSnapshot();
			return depth.status === 'ready' ? [depth.data] : [];
		});
		const hasBids = books.some(({bids}) => bids !== undefined);
		if (!hasBids && books.length < stores.length) return;
		stop();
		if (hasBids) return;
		try {
			for (const each of conditions) refuseUnavailable(each, requested, false);
		} catch (error) {
			fail(error);
		}
	};
	if (conditions.length > 0) stops.push(...stores.map(store => store.subscribe(check)));
	return stop;
}

const addressFlags = {v2: '--base-url', legacy: '--legacy-base-url'} satisfies Record<Interface, string>;

/** Rejects with a `UsageError` if the program of an alert is missing, is not to be run, or is given as a path and cannot be run. */
export async function refuseWrongCommand({onAlert, notify}: Options): Promise<void> {
	if (!onAlert) {
		if (notify.includes('command')) throw new UsageError('notify has command, but there is no program: set on-alert');
		return;
	}

	if (!notify.includes('command')) throw new UsageError('on-alert is not run: add command to notify');
	if (!onAlert.isPath) return;
	const {program} = onAlert;
	try {
		if (!(await stat(program)).isFile()) throw new UsageError(`on-alert: ${program} is not a program`);
		await access(program, constants.X_OK);
	} catch (cause) {
		if (cause instanceof UsageError) throw cause;
		const fault = hasCode(cause, 'ENOENT') ? 'does not exist' : 'cannot be run';
		throw new UsageError(`on-alert: ${program} ${fault}; give the path of a program`, {cause});
	}
}
