import {type Condition, isOfMoments} from '../../alerts/condition.ts';
import {neverKnown} from '../../alerts/never-known.ts';
import {type MarketNames, parseCondition} from '../../alerts/parse-condition.ts';
import {printExpression} from '../../alerts/print-condition.ts';
import {parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import type {InterfaceChoice} from '../../client/exchange.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Interface} from '../../market/types.ts';
import type {MarketStore} from '../../store/state.ts';
import {interfacesOf} from '../context.ts';
import {UsageError} from '../exit.ts';
import {parsed} from '../options/config-rules.ts';
import type {ExchangeAddress} from '../options/option-table.ts';

/**
 * The condition of `--until`. `watched`: the markets that may be named, in any spelling. Throws a `UsageError` with the text
 * and a caret under the fault.
 */
export function readCondition(text: string, watched: readonly string[], {once}: {readonly once: boolean}): Condition {
	const condition = parsed('--until', () => parseCondition(text, namesOf(watched)));
	if (once && isOfMoments(condition)) {
		throw new UsageError('--until: crosses, tradeSize and tradeValue need more than one answer; leave out --once');
	}

	return condition;
}

/** The rules of `--alert`, each once; they may name any market. Throws a `UsageError` as `readCondition` does. */
export function readRules(texts: readonly string[], now: number): readonly Rule[] {
	const marketNamed = (name: string) => ({key: symbolKey(name)});
	const read = texts.map(text => parsed('--alert', () => parseRule(text, {marketNamed, now})));
	return [...new Map(read.map(rule => [printRule(rule), rule])).values()];
}

function namesOf(watched: readonly string[]): MarketNames {
	const keys = new Set(watched.map(symbolKey));
	return name => {
		const key = symbolKey(name);
		if (keys.has(key)) return {key};
		const remedy = watched.length > 0 ? `watched: ${watched.join(', ')}` : `name it: tapewatch watch ${name}`;
		return {fault: `${name} is not watched; ${remedy}`};
	};
}

/** A condition and its place, for the user. */
export type PlacedCondition = {readonly condition: Condition; readonly where: string};

type AskedInterfaces = {
	/** Absent: the embedded exchange. */
	readonly exchange?: ExchangeAddress | undefined;
	readonly choice: InterfaceChoice;
};

/**
 * Throws a `UsageError` if the condition compares what these interfaces never show. Only the books tell whether v2 alone shows
 * bids: see `onceBooksCame`. `hasV2Bids`: what they told; absent: none has come.
 */
export function refuseNeverKnown(
	{condition, where}: PlacedCondition,
	{exchange: address, choice}: AskedInterfaces,
	hasV2Bids?: boolean,
): void {
	const interfaces = interfacesOf(address);
	const refused = neverKnown(condition, {interfaces, choice, hasV2Bids});
	if (!refused) return;
	const {quantity, reason, needs} = refused;
	const setting = `set ${addressFlags[needs]}${choice === 'auto' ? '' : ', with --interface auto'}`;
	const advice = interfaces.includes(needs) ? 'use --interface auto' : setting;
	const name = printExpression({...quantity, market: undefined});
	throw new UsageError(`${where}: ${name} is never available: ${reason}; ${advice}`);
}

/**
 * Passes a `UsageError` to `fail` for a condition on bids where v2 alone is read, once all of these markets have a book and none
 * has bids. Returns the function that stops this.
 */
export function onceBooksCame(
	stores: readonly MarketStore[],
	conditions: readonly PlacedCondition[],
	asked: AskedInterfaces,
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
			for (const each of conditions) refuseNeverKnown(each, asked, false);
		} catch (error) {
			fail(error);
		}
	};
	if (conditions.length > 0) stops.push(...stores.map(store => store.subscribe(check)));
	return stop;
}

const addressFlags = {v2: '--base-url', legacy: '--legacy-base-url'} satisfies Record<Interface, string>;
