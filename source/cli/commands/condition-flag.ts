import {type Condition, isOfMoments, type Quantity, type QuantityName, quantitiesIn} from '../../alerts/condition.ts';
import {ConditionError} from '../../alerts/condition-text.ts';
import {type MarketNames, parseCondition} from '../../alerts/parse-condition.ts';
import {printExpression} from '../../alerts/print-condition.ts';
import {parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import type {InterfaceChoice} from '../../client/exchange.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketState} from '../../store/state.ts';
import {UsageError} from '../exit.ts';
import type {ExchangeAddress} from '../options/options.ts';

/**
 * The condition of `--until`. `watched`: the markets that may be named, in any spelling. Throws a `UsageError` with the text
 * and a caret under the fault.
 */
export function readCondition(text: string, watched: readonly string[], {once}: {readonly once: boolean}): Condition {
	const condition = withFlag('--until', () => parseCondition(text, namesOf(watched)));
	if (once && isOfMoments(condition)) {
		throw new UsageError('--until: crosses, tradeSize and tradeValue need more than one look; leave out --once');
	}

	return condition;
}

/** The rules of `--alert`, each once. Throws a `UsageError` as `readCondition` does. */
export function readRules(texts: readonly string[], watched: readonly string[], now: number): readonly Rule[] {
	const read = texts.map(text => withFlag('--alert', () => parseRule(text, {marketNamed: namesOf(watched), now})));
	return [...new Map(read.map(rule => [printRule(rule), rule])).values()];
}

function withFlag<Read>(flag: ConditionFlag, read: () => Read): Read {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof ConditionError)) throw error;
		throw new UsageError(`${flag}: ${error.message}`, {details: error.lines.map(line => `  ${line}`)});
	}
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

type ConditionFlag = '--until' | '--alert';
type Address = Pick<ExchangeAddress, 'baseUrl' | 'legacyBaseUrl'>;

const noOpen = 'the legacy interface shows neither the change nor the opening price (changePercent is known)';
const noCandles = 'the legacy interface has no candles';

/** What the legacy interface never shows, and why. */
const notInLegacy: Readonly<Partial<Record<QuantityName, string>>> = {
	volume: 'the legacy interface does not say which unit its volume has',
	change: noOpen,
	open: noOpen,
	sma: noCandles,
	ema: noCandles,
	rsi: noCandles,
	vwap: noCandles,
};

const ofBids: ReadonlySet<QuantityName> = new Set([
	...(['bid', 'mid', 'spread', 'spreadPercent', 'bidDepth', 'askDepth', 'imbalance'] as const),
]);

/**
 * Throws a `UsageError` if the condition compares what these interfaces never show. `address` undefined: the embedded
 * exchange, which has both.
 */
export function refuseNeverKnown(
	condition: Condition,
	address: Address | undefined,
	choice: InterfaceChoice,
	flag: ConditionFlag = '--until',
): void {
	const hasV2 = address === undefined || address.baseUrl !== undefined;
	if (hasV2 && choice !== 'v1') return;
	const advice = hasV2 ? 'use --interface auto' : 'set --base-url';
	for (const {name, windowMs} of quantitiesIn(condition)) {
		// Trades show what happened in a window.
		const reason = windowMs === undefined ? notInLegacy[name] : undefined;
		if (reason !== undefined) throw new UsageError(`${flag}: ${name} is never known: ${reason}; ${advice}`);
	}
}

/**
 * Why the condition compares what the books never show: they came from v2 alone, without bids. Undefined: it does not, or
 * some books are still missing.
 */
export function neverShown(condition: Condition, states: readonly MarketState[]): string | undefined {
	const isWithoutBids = ({market}: Quantity) => {
		const compared = states.filter(({symbol}) => market === undefined || symbolKey(symbol ?? '') === market);
		return compared.length > 0 && compared.every(({depth}) => hasNoBids(depth));
	};
	const first = quantitiesIn(condition).find(each => ofBids.has(each.name) && isWithoutBids(each));
	if (!first) return undefined;
	const name = printExpression({...first, market: undefined});
	const reason = "this exchange's v2 order book shows no bids";
	return `--until: ${name} is never known: ${reason}; set --legacy-base-url, with --interface auto or legacy`;
}

/** Where legacy is read too, the book has bids, or says why they are missing. */
const hasNoBids = (depth: MarketState['depth']): boolean =>
	depth.status === 'ready' && !depth.data.bids && !depth.data.bidsFailure;
