import type {Agreements, Deviation, Inspection, OperationReport} from '../../../source/client/inspect/inspection.ts';

const report = (source: 'legacy' | 'v2', operation: OperationReport['operation']): OperationReport => ({
	...{operation, interface: source, requests: 5, failures: 0, repeats: 0, status: 200, p50Ms: 20, p95Ms: 40},
	...{sentBytes: 900, bytes: 4000, encoding: 'gzip', entries: 100, dropped: 0, cut: 0, deviations: [], flaws: []},
});

export const allAgree = {compared: 100, agreeing: 100, differing: []};

type Bounds = Inspection['limits'][number];

/** The bounds of a limit that is as documented. */
function limit(name: 'v2 trades' | 'v2 candles' | 'legacy trades', changes: Partial<Bounds> = {}): Bounds {
	const [source, operation] = name.split(' ') as ['legacy' | 'v2', 'trades' | 'candles'];
	return {
		...{interface: source, operation, default: 500, most: {entries: 1000, beyond: 'refused'}},
		answers: [answered(1), answered(1000), {limit: 1001, outcome: 'refused', status: 422}],
		...(name !== 'v2 trades' && {documented: {default: 'ok', most: 'ok'}}),
		...changes,
	};
}

export function answered(entries: number): Bounds['answers'][number] {
	return {limit: entries, outcome: 'answered', entries, status: 200};
}

export function delay(source: 'legacy' | 'v2', medianMs: number): Inspection['tickerDelays'][number] {
	const behind = medianMs > 0 ? 5 : 0;
	return {interface: source, operation: 'ticker', delay: {samples: 5, behind, atLeastMs: 3 * medianMs, medianMs}};
}

export const healthy: Inspection = {
	symbol: 'BTCUSDT',
	requests: 70,
	operations: [
		...(['info', 'markets', 'ticker', 'summary', 'depth', 'trades', 'candles'] as const).map(name =>
			report('v2', name),
		),
		...(['ticker', 'depth', 'trades'] as const).map(name => report('legacy', name)),
	],
	v2Bids: false,
	clocks: [
		{interface: 'v2', skewMs: 1500, uncertaintyMs: 10},
		{interface: 'legacy', skewMs: 0, uncertaintyMs: 10},
	],
	limits: (['v2 trades', 'v2 candles', 'legacy trades'] as const).map(name => limit(name)),
	rangeUnit: 's',
	tradeClocks: [{interface: 'v2'}, {interface: 'legacy'}],
	tickerDelays: [delay('v2', 30_000), delay('legacy', 0)],
	shortLists: [],
	summary: {last: allAgree, bid: allAgree, ask: allAgree, state: allAgree},
	states: [],
	agreement: {
		tickers: {last: allAgree, bid: allAgree, ask: allAgree},
		book: {asks: allAgree},
		trades: {agreeing: 100, sameIds: 80, differing: [], legacyLagMs: 0, onlyV2: [], onlyLegacy: []},
	},
	caches: [],
	connections: [{interface: 'v2', requests: 70, opened: 2, reopened: 0}],
	rateLimit: {refusals: 0, allowed: 5, headers: []},
};

/** The report with changes to some operations, by interface and name. */
export const changed = (changes: Readonly<Record<string, Partial<OperationReport>>>): Inspection => ({
	...healthy,
	operations: healthy.operations.map(each => ({...each, ...changes[`${each.interface} ${each.operation}`]})),
});

/** The report with changes to the limit of candles. */
export const limited = (changes: Partial<Bounds>): Inspection => ({
	...healthy,
	limits: healthy.limits.map(each => (each.operation === 'candles' ? limit('v2 candles', changes) : each)),
});

export const compared = (changes: Partial<Agreements>): Inspection => ({
	...healthy,
	agreement: healthy.agreement && {...healthy.agreement, ...changes},
});

/** An inspection in which `operation` (interface and name) deviates from the specification. */
export const deviating = (operation: string, deviation: Deviation) => changed({[operation]: {deviations: [deviation]}});

/** The report of an exchange with one interface, and bids in its v2 book. */
export function only(source: 'legacy' | 'v2'): Inspection {
	const isOwn = (each: {readonly interface: 'legacy' | 'v2'}) => each.interface === source;
	return {
		...healthy,
		...{v2Bids: source === 'v2' ? true : undefined, agreement: undefined},
		summary: source === 'v2' ? healthy.summary : undefined,
		...{rangeUnit: source === 'v2' ? healthy.rangeUnit : undefined, operations: healthy.operations.filter(isOwn)},
		...{clocks: healthy.clocks.filter(isOwn), limits: healthy.limits.filter(isOwn)},
		tradeClocks: healthy.tradeClocks.filter(isOwn),
		tickerDelays: healthy.tickerDelays.filter(isOwn),
	};
}

export const failing = {failures: 5, status: undefined, error: {brief: 'timed out', message: '', advice: ''}};
