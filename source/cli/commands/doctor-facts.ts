import {type Finding, type Inspection, isObstacle, type Obstacle} from '../../client/inspect/inspection.ts';
import {fixedDigits, formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatAge, formatDateTime} from '../../format/time.ts';
import {operationTitle} from '../../market/types.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import {about} from './finding.ts';

/** Something measured: a line of the report, and what follows from it. */
export type Fact = {
	readonly label: string;
	readonly text: string;
	readonly findings?: readonly Finding[];
	readonly unchecked?: readonly Unchecked[];
};

/** A check that could not be made: `why` for programs, `reason` for people. */
export type Unchecked = {readonly check: string; readonly why: Obstacle; readonly reason: string};

const reasons: Readonly<Record<Obstacle, string>> = {
	failed: 'a required read failed',
	unreadable: 'entries were dropped',
	crossed: 'bids and asks are crossed',
	'no-time': 'the answers have no plausible time',
	'bad-times': 'the times of the entries are doubtful',
	cached: 'a cache gives older answers',
	'clocks-differ': 'the operations have different clocks',
	'no-price': 'the ticker has no last price',
	'no-trades': 'no trades to compare',
	'no-such-trade': 'no trade has the price of the ticker',
	'trades-differ': 'the trades of v2 and legacy differ',
	changing: 'no unchanged value to compare',
	'too-few': 'too few entries',
};

export const unchecked = (check: string, why: Obstacle, reason = reasons[why]): Unchecked => ({check, why, reason});

/** The fact that `describe` finds in the result, or why there is none. */
export function measured<T>(label: string, result: T | Obstacle, describe: (result: T) => Omit<Fact, 'label'>): Fact {
	return isObstacle(result) ? unmeasured(label, result) : {label, ...describe(result)};
}

const unmeasured = (label: string, why: Obstacle): Fact => {
	return {label, text: `not measurable: ${reasons[why]}`, unchecked: [unchecked(label, why)]};
};

const tolerableSkewMs = 2 * secondMs;
/** The exchange documents that its 24 h ticker is delayed, but not by how much. */
const tolerableTickerDelayMs = minuteMs;
/** An older answer does not show the market as it is. */
const tolerableAgeMs = 10 * secondMs;
const longestInMs = 10 * secondMs;

const durationText = (ms: number): string => (ms < longestInMs ? `${formatFixed(ms, 0)} ms` : formatAge(ms));

/** The clocks of the exchange, its interfaces one after the other. */
export function clockFacts(inspection: Inspection, plusMinus: string): readonly Fact[] {
	const {clocks, operations} = inspection;
	const interfaces = [...new Set(operations.map(report => report.interface))];
	return interfaces.flatMap(source => {
		const own = clocks.filter(clock => clock.interface === source);
		if (own.length > 0) return own.map(clock => clockFact(clock, clocks, plusMinus));
		const hasAnswer = operations.some(report => report.interface === source && report.failures < report.requests);
		return [unmeasured(`${source} clock`, hasAnswer ? 'no-time' : 'failed')];
	});
}

type Clocks = Inspection['clocks'];

function clockFact(clock: Clocks[number], all: Clocks, plusMinus: string): Fact {
	const {interface: source, operations = [], frozenAt, skewMs, uncertaintyMs} = clock;
	const owner = [source, operations.join(', ')].join(' ').trim();
	const isWrong = ({skewMs: skew, uncertaintyMs: unsure, frozenAt: frozen}: Clocks[number]) =>
		frozen !== undefined || Math.abs(skew) - unsure > tolerableSkewMs;
	const where = {interface: source, operation: operations.length === 1 ? operations[0] : undefined};
	const finding = (code: string, text: string): Finding => ({
		...{severity: 'warning', code, ...where, text: `${owner}: clock ${text}`},
	});
	const label = `${owner} clock`;
	if (frozenAt !== undefined) {
		const text = `frozen at ${formatDateTime(frozenAt)} UTC`;
		return {label, text, findings: [finding('frozen-clock', text)]};
	}

	const direction = skewMs < 0 ? 'behind' : 'ahead of';
	// One clock that differs from the others is not a fault of this computer.
	const advice = all.every(isWrong) ? "; set this computer's clock if it is wrong" : '';
	const warning = finding('clock', `is ${formatAge(Math.abs(skewMs))} ${direction} this computer's${advice}`);
	const offset = `${durationText(Math.abs(skewMs))} ${direction} this computer's clock`;
	return {
		label,
		text: `${offset}, ${plusMinus} ${durationText(uncertaintyMs)}`,
		findings: isWrong(clock) ? [warning] : [],
	};
}

/** Where answers are stamped by another clock than the one that dates trades. */
export const tradeClockFacts = ({tradeClocks}: Inspection): readonly Fact[] =>
	tradeClocks.flatMap(({interface: source, serverTimeAheadMs: aheadMs}) => {
		if (aheadMs === undefined) return [];
		const where = {interface: source, operation: 'trades'} as const;
		const text = `${formatAge(Math.abs(aheadMs))} ${aheadMs < 0 ? 'ahead of' : 'behind'} the server time`;
		const finding = about(where, 'warning', 'trade-clock', `times of trades are ${text} of their answers`);
		return {label: `${source} trade times`, text: `${text} of answers`, findings: [finding]};
	});

export const tickerDelayFacts = ({tickerDelays}: Inspection): readonly Fact[] =>
	tickerDelays.map(ticker =>
		measured(`${operationTitle(ticker)} delay`, ticker.delay, ({samples, behind, atLeastMs, medianMs}) => {
			const typically = medianMs > 0 ? `${durationText(medianMs)} typically, ` : '';
			const times = `${formatExact(behind)} of ${formatExact(samples)} times`;
			const late = `behind the last trade ${times}, by at least ${typically}${durationText(atLeastMs)} at worst`;
			const same = `none: same price as the last trade, ${formatExact(samples)} of ${formatExact(samples)} times`;
			const warning = `typically at least ${formatAge(medianMs)} behind the ${ticker.interface} trades`;
			return {
				text: behind === 0 ? same : late,
				findings: medianMs > tolerableTickerDelayMs ? [about(ticker, 'warning', 'ticker-delay', warning)] : [],
			};
		}),
	);

/** Whether the v2 book has bids; none without v2. */
export function bidsFacts({operations, v2Bids}: Inspection): readonly Fact[] {
	const [v2, legacy] = (['v2', 'legacy'] as const).map(source =>
		operations.find(report => report.interface === source && report.operation === 'depth'),
	);
	if (!v2) return [];
	const text = v2Bids === undefined ? 'unknown' : v2Bids ? 'shown' : 'not shown';
	const isMissing = v2Bids === false && (!legacy || legacy.failures === legacy.requests);
	const why = legacy ? 'the legacy order book fails' : 'there is no legacy order book';
	const warning = `the v2 order book has no bids, and ${why}: the ladder shows only asks`;
	return [{label: 'v2 bids', text, findings: isMissing ? [{severity: 'warning', code: 'no-bids', text: warning}] : []}];
}

/** The caches between here and the exchange, one interface after the other. */
export function cacheFacts({caches}: Inspection): readonly Fact[] {
	if (caches.length === 0) return [{label: 'cache', text: 'none found'}];
	return caches.map(({interface: source, answers, hits, oldestMs, isSaid, via}) => {
		const share = `${formatExact(hits)} of ${formatExact(answers)} answers from it`;
		const age = hits > 0 ? [`up to ${formatAge(oldestMs)} old`] : [];
		const name = via ? [via] : isSaid ? [] : ['detected because answers repeat'];
		const text = `${source}: answers come from a cache, up to ${formatAge(oldestMs)} old`;
		const finding = {
			severity: oldestMs >= tolerableAgeMs ? 'warning' : 'note',
			code: 'cache',
			interface: source,
			text,
		} as const;
		return {label: `${source} cache`, text: [share, ...age, ...name].join(', '), findings: hits > 0 ? [finding] : []};
	});
}

export function connectionFact({connections}: Inspection): Fact {
	const sum = (field: 'requests' | 'opened' | 'reopened') => connections.reduce((all, each) => all + each[field], 0);
	const [requests, opened, reopened] = [sum('requests'), sum('opened'), sum('reopened')];
	const isReopening = reopened > 2 && reopened > requests / 2;
	const news = `no keep-alive: ${formatExact(reopened)} new connections for ${formatExact(requests)} requests`;
	const warning = `${news}, each costs a round trip or more`;
	return {
		label: 'connections',
		text: `${formatExact(opened)} for ${formatExact(requests)} requests`,
		findings: isReopening ? [{severity: 'warning', code: 'no-keep-alive', text: warning}] : [],
	};
}

export function rateFact({rateLimit: {refusals, allowed, longestWaitMs, headers}, requests}: Inspection): Fact {
	const settled = `settled at ${fixedDigits(allowed, 1)} per second`;
	const wait = longestWaitMs === undefined ? '' : `, waits of up to ${formatAge(longestWaitMs)}`;
	const warning = `${formatExact(refusals)} of ${formatExact(requests)} requests were rate-limited (429)${wait}; ${settled}`;
	const texts = headers.map(({interface: source, name, value}) => `${source} ${name}: ${value}`);
	const limited = refusals > 0 ? `${formatCount(refusals, 'request')} rate-limited; ${settled}` : 'not reached';
	return {
		label: 'rate limit',
		text: `${limited}; ${texts.join(', ') || 'no rate-limit headers'}`,
		findings: refusals > 0 ? [{severity: 'warning', code: 'rate-limited', text: warning}] : [],
	};
}
