import {
	type Agreement,
	type Compliance,
	type Deviation,
	type Finding,
	type Flaw,
	type Inspection,
	isObstacle,
	type LimitReport,
	type Obstacle,
	type OperationReport,
	type RangeUnit,
	type TradeAgreement,
	type Verdict,
} from '../../client/inspect/inspection.ts';
import {understoodUnit} from '../../client/inspect/shape.ts';
import {documentedLimit} from '../../client/inspect/specification.ts';
import {fixedDigits, formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatAge, formatDateTime} from '../../format/time.ts';
import {type Interface, operationTitle} from '../../market/types.ts';
import {minuteMs, secondMs} from '../../market/units.ts';

/** A line of the report, and what follows from it. */
type Fact = {
	/** Label and text; absent: the check has only findings. */
	readonly line?: readonly string[];
	readonly findings?: readonly Finding[];
	readonly unchecked?: readonly Unchecked[];
};

/** A check that could not be made: `why` for programs, `reason` for people. */
type Unchecked = {readonly check: string; readonly why: Obstacle; readonly reason: string};

type Check = (inspection: Inspection, plusMinus: string) => readonly Fact[];

/** Every check, in the order of the report; of those that compare interfaces or need one, no fact without it. */
const checks: readonly Check[] = [
	...[missingData, failures, oneInterface],
	...[clocks, tradeClocks, tickerDelays, v2Bids, limits, rangeUnit, summary, states, agreement],
	...[caches, connections, rateLimit, shortLists, answerContents],
];

/** What was measured, as labels and texts. */
export const factLines = (inspection: Inspection, plusMinus: string): ReadonlyArray<readonly string[]> =>
	checks.flatMap(check => check(inspection, plusMinus)).flatMap(({line}) => (line ? [line] : []));

/** What to know before relying on the exchange, worst first, with one finding for each reason why checks could not be made. */
export function findingsOf(inspection: Inspection): readonly Finding[] {
	const facts = checks.flatMap(check => check(inspection, ''));
	const impossible = facts.flatMap(fact => fact.unchecked ?? []);
	const found: readonly Finding[] = [
		...facts.flatMap(({findings = []}) => findings),
		...[...Map.groupBy(impossible, ({reason}) => reason)].map(([reason, group]) => {
			const names = group.map(({check}) => check);
			const text = `${names.join(', ')}: ${reason}`;
			return {severity: 'unchecked', code: group[0]?.why ?? '', checks: names, text} as const;
		}),
	];
	return (['failure', 'warning', 'unchecked', 'note'] as const).flatMap(severity =>
		found.filter(finding => finding.severity === severity),
	);
}

export function verdictOf(findings: readonly Finding[]): Verdict {
	const has = (wanted: Finding['severity']) => findings.some(({severity}) => severity === wanted);
	if (has('failure')) return 'unusable';
	if (has('warning')) return 'warnings';
	return has('unchecked') ? 'incomplete' : 'healthy';
}

/** Where the finding is: its text begins with the operation, if there is one. */
type Place = Pick<Finding, 'interface' | 'operation'>;

/** The finding, if it is found. */
function when(
	isFound: boolean,
	severity: Finding['severity'],
	code: string,
	text: string,
	{interface: source, operation}: Place = {},
): readonly Finding[] {
	if (!isFound) return [];
	const place = source && operation ? `${operationTitle({interface: source, operation})}: ` : '';
	return [{severity, code, interface: source, operation, text: `${place}${text}`}];
}

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

const unchecked = (check: string, why: Obstacle, reason = reasons[why]): Unchecked => ({check, why, reason});

/** The fact that `describe` finds in the result, or why there is none. */
function measured<T>(label: string, result: T | Obstacle, describe: (result: T) => Described): Fact {
	const fact: Described = isObstacle(result)
		? {text: `not measurable: ${reasons[result]}`, unchecked: [unchecked(label, result)]}
		: describe(result);
	return {...fact, line: [label, fact.text]};
}

type Described = Omit<Fact, 'line'> & {readonly text: string};

const bothInterfaces = ['v2', 'legacy'] as const;

const hasAnswered = (report: OperationReport): boolean => report.failures < report.requests;

const reportOf = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(report => report.interface === source && report.operation === operation);

/** What the monitor needs, and the operations that can provide it. */
const needs = [
	{code: 'no-markets', what: 'market list', from: [['v2', 'markets'] as const, ['legacy', 'ticker'] as const]},
	{code: 'no-book', what: 'order book', from: [['v2', 'depth'] as const, ['legacy', 'depth'] as const]},
	{code: 'no-trades', what: 'trades', from: [['v2', 'trades'] as const, ['legacy', 'trades'] as const]},
];

/** Operations that fill a panel by themselves. */
const panels: ReadonlySet<string> = new Set(['ticker', 'summary', 'depth', 'trades', 'candles']);

/** One panel with data makes an exchange usable: a user can name a market even without a list. */
function missingData(inspection: Inspection): readonly Fact[] {
	const isUsable = inspection.operations.some(report => panels.has(report.operation) && hasAnswered(report));
	return needs.map(({code, what, from}) => {
		const reports = from.flatMap(([source, operation]) => reportOf(inspection, source, operation) ?? []);
		const why = reports.map(report => `${operationTitle(report)}: ${report.error?.brief ?? 'not requested'}`);
		const text = `no ${what} (${why.join('; ')})`;
		return {findings: when(!reports.some(hasAnswered), isUsable ? 'warning' : 'failure', code, text)};
	});
}

/** Depth and trades are polled every second. */
const tolerableLatencyMs = secondMs;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** An interface on which every operation fails is one finding, not one per operation. */
function failures({operations}: Inspection): readonly Fact[] {
	return bothInterfaces.map(source => {
		const own = operations.filter(report => report.interface === source);
		if (own.length === 0 || own.some(hasAnswered)) return {findings: own.flatMap(serviceFindings)};
		const briefs = [...new Set(own.map(({error}) => error?.brief ?? ''))];
		const text = `${source}: no operation answers (${briefs.join(', ')})`;
		return {findings: when(true, 'warning', 'no-answer', text, {interface: source})};
	});
}

/** Failures, requests that were answered only when sent again, latency and size. */
function serviceFindings(report: OperationReport): readonly Finding[] {
	const {requests, failures: failed, repeats, repeatedAfter, error, p50Ms = 0, encoding, sentBytes = 0} = report;
	const share =
		failed === requests ? 'no request succeeded' : `${formatExact(failed)} of ${formatExact(requests)} reads failed`;
	const again = `${formatCount(repeats, 'failed request')} ${repeats === 1 ? 'was' : 'were'} retried`;
	const latency = `median latency ${formatAge(p50Ms)}; its data is at least that old`;
	const size = `${formatFixed(sentBytes / 1000, 0)} kB sent uncompressed`;
	const isRepeated = repeats > 0 && failed === 0;
	return [
		...when(failed > 0, 'warning', 'failed', `${share}, last error: ${error?.brief ?? ''}`, report),
		...when(isRepeated, 'warning', 'repeated', `${again}, last error: ${repeatedAfter ?? ''}`, report),
		...when(p50Ms > tolerableLatencyMs, 'warning', 'slow', latency, report),
		...when(encoding === undefined && sentBytes > largeBytes, 'note', 'uncompressed', size, report),
	];
}

function oneInterface({operations}: Inspection): readonly Fact[] {
	const lacks = (source: Interface) => operations.every(report => report.interface !== source);
	const legacyOnly = 'only legacy: trades have no sides, and candles are built from the trades received so far';
	const v2Only = 'only v2: there is no fallback for failures';
	const code = 'one-interface';
	return [
		{findings: when(lacks('v2'), 'warning', code, legacyOnly)},
		{findings: when(lacks('legacy') && !lacks('v2'), 'note', code, v2Only)},
	];
}

const tolerableSkewMs = 2 * secondMs;
/** The exchange documents that its 24 h ticker is delayed, but not by how much. */
const tolerableTickerDelayMs = minuteMs;
/** An older answer does not show the market as it is. */
const tolerableAgeMs = 10 * secondMs;
const longestInMs = 10 * secondMs;

const durationText = (ms: number): string => (ms < longestInMs ? `${formatFixed(ms, 0)} ms` : formatAge(ms));

/** The clocks of the exchange, its interfaces one after the other. */
function clocks({clocks: all, operations}: Inspection, plusMinus: string): readonly Fact[] {
	return [...new Set(operations.map(report => report.interface))].flatMap(source => {
		const own = all.filter(clock => clock.interface === source);
		if (own.length > 0) return own.map(clock => clockFact(clock, all, plusMinus));
		const isUndated = operations.some(report => report.interface === source && hasAnswered(report));
		return [measured(`${source} clock`, isUndated ? 'no-time' : 'failed', () => ({text: ''}))];
	});
}

type Clocks = Inspection['clocks'];

const isWrong = ({skewMs, uncertaintyMs, frozenAt}: Clocks[number]): boolean =>
	frozenAt !== undefined || Math.abs(skewMs) - uncertaintyMs > tolerableSkewMs;

function clockFact(clock: Clocks[number], all: Clocks, plusMinus: string): Fact {
	const {interface: source, operations = [], frozenAt, skewMs, uncertaintyMs} = clock;
	const owner = [source, operations.join(', ')].join(' ').trim();
	const operation = operations.length === 1 ? operations[0] : undefined;
	const fact = (text: string, code: string, warning: string): Fact => {
		const finding = {
			severity: 'warning',
			code,
			interface: source,
			operation,
			text: `${owner}: clock ${warning}`,
		} as const;
		return {line: [`${owner} clock`, text], findings: isWrong(clock) ? [finding] : []};
	};
	if (frozenAt !== undefined) {
		const text = `frozen at ${formatDateTime(frozenAt)} UTC`;
		return fact(text, 'frozen-clock', text);
	}

	const direction = skewMs < 0 ? 'behind' : 'ahead of';
	const offset = `${durationText(Math.abs(skewMs))} ${direction} this computer's clock`;
	// One clock that differs from the others is not a fault of this computer.
	const advice = all.every(isWrong) ? "; set this computer's clock if it is wrong" : '';
	const warning = `is ${formatAge(Math.abs(skewMs))} ${direction} this computer's${advice}`;
	return fact(`${offset}, ${plusMinus} ${durationText(uncertaintyMs)}`, 'clock', warning);
}

/** Where answers are stamped by another clock than the one that dates trades. */
function tradeClocks({tradeClocks: all}: Inspection): readonly Fact[] {
	return all.flatMap(({interface: source, serverTimeAheadMs: aheadMs}) => {
		if (aheadMs === undefined) return [];
		const text = `${formatAge(Math.abs(aheadMs))} ${aheadMs < 0 ? 'ahead of' : 'behind'} the server time`;
		const warning = `times of trades are ${text} of their answers`;
		const place = {interface: source, operation: 'trades'} as const;
		return [
			{
				line: [`${source} trade times`, `${text} of answers`],
				findings: when(true, 'warning', 'trade-clock', warning, place),
			},
		];
	});
}

function tickerDelays({tickerDelays: delays}: Inspection): readonly Fact[] {
	return delays.map(ticker =>
		measured(`${operationTitle(ticker)} delay`, ticker.delay, ({samples, behind, atLeastMs, medianMs}) => {
			const typically = medianMs > 0 ? `${durationText(medianMs)} typically, ` : '';
			const times = `${formatExact(behind)} of ${formatExact(samples)} times`;
			const late = `behind the last trade ${times}, by at least ${typically}${durationText(atLeastMs)} at worst`;
			const same = `none: same price as the last trade, ${formatExact(samples)} of ${formatExact(samples)} times`;
			const warning = `typically at least ${formatAge(medianMs)} behind the ${ticker.interface} trades`;
			return {
				text: behind === 0 ? same : late,
				findings: when(medianMs > tolerableTickerDelayMs, 'warning', 'ticker-delay', warning, ticker),
			};
		}),
	);
}

function v2Bids(inspection: Inspection): readonly Fact[] {
	if (!reportOf(inspection, 'v2', 'depth')) return [];
	const legacy = reportOf(inspection, 'legacy', 'depth');
	const {v2Bids: areShown} = inspection;
	const text = areShown === undefined ? 'unknown' : areShown ? 'shown' : 'not shown';
	const isMissing = areShown === false && !(legacy && hasAnswered(legacy));
	const why = legacy ? 'the legacy order book fails' : 'there is no legacy order book';
	const warning = `the v2 order book has no bids, and ${why}: the ladder shows only asks`;
	return [{line: ['v2 bids', text], findings: when(isMissing, 'warning', 'no-bids', warning)}];
}

/** Each operation with a `limit`, beside the documented default and maximum. */
function limits({operations, limits: found}: Inspection): readonly Fact[] {
	const limited = operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	return limited.map(report => {
		const bounds = found.find(each => each.interface === report.interface && each.operation === report.operation);
		return measured(`${operationTitle(report)} limit`, bounds ?? 'failed', of => ({
			text: limitText(of),
			findings: limitFindings(of),
			unchecked: limitsUnchecked(of),
		}));
	});
}

const {default: documentedDefault, most: maximum} = documentedLimit;

const hasOutcome = (
	{answers}: LimitReport,
	limit: number,
	outcome: LimitReport['answers'][number]['outcome'],
): boolean => answers.some(answer => answer.limit === limit && answer.outcome === outcome);

function limitText(bounds: LimitReport): string {
	const {default: standard, answers, most, exceeded, documented} = bounds;
	const refused = answers.filter(({outcome}) => outcome === 'refused');
	const least = answers.find(({limit, entries}) => entries === limit)?.limit;
	const isExact = refused.find(({limit}) => limit > 1)?.limit === (most?.entries ?? 0) + 1;
	const beyond = {
		refused: isExact ? '' : ' or slightly more',
		cut: ', more are cut off',
		more: ' and more',
		all: ', all that exist',
		unknown: ' received, possibly all',
	};
	const from = least === undefined ? 'up to' : `${least} to`;
	const range = most?.entries ? `${from} ${formatExact(most.entries)}${beyond[most.beyond]}` : 'bounds unknown';
	const usual = standard === undefined ? 'unknown' : formatExact(standard);
	return [
		`${usual} by default${complianceText(documented?.default, documentedDefault)}`,
		`${exceeded ? 'ignored' : range}${complianceText(documented?.most, maximum, ' maximum')}`,
		...(refused.length > 0 ? [`refused: ${refused.map(({limit, status}) => `${limit} (${status})`).join(', ')}`] : []),
	].join('; ');
}

function complianceText(compliance: Compliance | undefined, documented: number, what = ''): string {
	if (compliance === undefined) return '';
	const number = formatExact(documented);
	return {
		ok: ` (documented${what})`,
		differs: ` (documented${what}: ${number})`,
		unknown: ` (documented${what}: ${number}, unchecked)`,
	}[compliance];
}

function limitFindings(bounds: LimitReport): readonly Finding[] {
	const {default: standard, most, exceeded, documented} = bounds;
	const ignored = exceeded && `limit ${exceeded.limit} is ignored: ${formatExact(exceeded.entries)} entries`;
	const standardText = `${formatExact(standard)} entries by default; documented: ${formatExact(documentedDefault)}`;
	const refused = [1, maximum].filter(limit => hasOutcome(bounds, limit, 'refused'));
	const isOther = documented?.most === 'differs' && most !== undefined && !exceeded && !refused.includes(maximum);
	const isLower = most !== undefined && most.entries < maximum;
	const [entries, documentedMost] = [most?.entries ?? 0, maximum].map(number => formatExact(number));
	const maximumText = isLower
		? `at most ${entries} entries in one answer; documented maximum: ${documentedMost}; gaps are harder to close`
		: `answers with ${entries} entries; documented maximum: ${documentedMost}`;
	return [
		...when(ignored !== undefined, 'warning', 'limit-ignored', ignored ?? '', bounds),
		...refused.flatMap(limit => {
			const cost = limit === maximum ? '; gaps are harder to close' : '';
			return when(true, 'warning', 'limit-refused', `refuses limit ${limit}${cost}`, bounds);
		}),
		...when(documented?.default === 'differs', 'note', 'limit-default', standardText, bounds),
		...when(isOther, isLower ? 'warning' : 'note', 'limit-maximum', maximumText, bounds),
	];
}

function limitsUnchecked(bounds: LimitReport): readonly Unchecked[] {
	const {operation, answers, most, documented} = bounds;
	const entries = `only ${formatCount(most?.entries ?? 0, operation.slice(0, -1))}`;
	const reason =
		most?.beyond === 'all' ? `${entries} exist${most.entries === 1 ? 's' : ''}` : `${entries} received, possibly all`;
	const tooFew = (part: string, why = reason) =>
		unchecked(`${operationTitle(bounds)} ${part}`, 'too-few', most?.entries ? why : `no ${operation} received`);
	const failed = (part: string) => unchecked(`${operationTitle(bounds)} ${part}`, 'failed');
	const hasFailed = (limit: number) => hasOutcome(bounds, limit, 'failed');
	const isEmpty = answers.some(answer => answer.limit === 1 && answer.entries === 0);
	return [
		...(hasFailed(1) ? [failed('limit')] : []),
		...(isEmpty ? [tooFew('limit', 'an answer to limit 1 has none')] : []),
		...(documented?.default === 'unknown' ? [tooFew('default')] : []),
		...(documented?.most === 'unknown'
			? [hasFailed(maximum) || hasFailed(maximum + 1) ? failed('maximum') : tooFew('maximum')]
			: []),
	];
}

/** How the exchange reads a range, and what is wrong with that. */
const rangeTexts: Readonly<Record<RangeUnit, readonly [text: string, problem?: string]>> = {
	ms: ['milliseconds'],
	s: ['seconds'],
	both: ['milliseconds or seconds'],
	neither: ['ignored by the exchange', 'ignores startTime and endTime'],
	other: ['not understood by the exchange', 'answers startTime and endTime with other candles, or none'],
};

function rangeUnit({rangeUnit: found}: Inspection): readonly Fact[] {
	if (!found) return [];
	return [
		measured('candle range unit', found, unit => {
			const [text, problem] = rangeTexts[unit];
			const warning = `${problem}; older candles cannot be loaded`;
			const place = {interface: 'v2', operation: 'candles'} as const;
			return {text, findings: when(problem !== undefined, 'warning', 'range', warning, place)};
		}),
	];
}

const tolerableDisagreement = 0.05;
/** How far the newest trades of two interfaces may be apart where none agrees. */
const tolerableLagMs = minuteMs;

const severityOf = (differing: number, compared: number) =>
	differing > compared * tolerableDisagreement ? 'warning' : 'note';

const shareOf = (part: number, whole: number) => `${formatExact(part)} of ${formatExact(whole)}`;

function shortLists({shortLists: lists}: Inspection): readonly Fact[] {
	return lists.map(list => {
		const {missing, of} = list;
		const [example = ''] = missing;
		const text = `lacks ${shareOf(missing.length, of)} markets that other lists have: ${example}`;
		const findings = when(true, severityOf(missing.length, of), 'markets-missing', text, list);
		return {findings: findings.map(finding => ({...finding, example}))};
	});
}

/** The entries of v2's ticker and summary. */
function summary({summary: found}: Inspection): readonly Fact[] {
	return found ? [measured('v2 ticker = summary', found, values => valuesFact(values, ['v2 ticker', 'summary']))] : [];
}

/** The states of markets in the list, and in each list of tickers; none where nothing can be compared. */
function states({states: all}: Inspection): readonly Fact[] {
	if (all.length === 0) return [];
	const counts = all.map(each => {
		const {compared, differing} = each;
		return `${operationTitle(each)} ${shareOf(compared - differing.length, compared)}`;
	});
	return [{line: ['states = list', counts.join(', ')], findings: all.flatMap(stateFindings)}];
}

function stateFindings(of: Inspection['states'][number]): readonly Finding[] {
	const {compared, differing} = of;
	const [first] = differing;
	if (!first) return [];
	const {symbol, listed, found} = first;
	const count = `${shareOf(differing.length, compared)} markets`;
	const text = `has other states than the list in ${count}: ${symbol} ${found}, in the list ${listed}`;
	const findings = when(true, severityOf(differing.length, compared), 'states-differ', text, of);
	return findings.map(finding => ({...finding, example: symbol}));
}

/** What v2 and legacy both have. */
function agreement({agreement: found}: Inspection): readonly Fact[] {
	if (!found) return [];
	return [
		measured('v2 = legacy tickers', found.tickers, valuesFact),
		// Bids that are absent are those that the v2 book does not have.
		measured('v2 = legacy book', found.book, ({asks, bids}) => valuesFact({asks, bids})),
		measured('v2 = legacy trades', found.trades, tradesFact),
	];
}

/** The values that are compared, one and all, in words. */
const valueWords = {
	last: ['ticker last', 'last prices'],
	bid: ['ticker bid', 'best bids'],
	ask: ['ticker ask', 'best asks'],
	asks: ['asks', 'asks of the order book'],
	bids: ['bids', 'bids of the order book'],
	state: ['state', 'states'],
} as const;

type Values = {readonly [name in keyof typeof valueWords]?: Agreement | undefined};

function valuesFact(values: Values, names: readonly string[] = bothInterfaces): Described {
	const facts = Object.entries(values).map(([name, found]) => valueFact(name as keyof Values, found, names));
	return {
		text: facts.map(({text}) => text).join(', '),
		findings: facts.flatMap(({findings = []}) => findings),
		unchecked: facts.flatMap(fact => fact.unchecked ?? []),
	};
}

function valueFact(name: keyof Values, found: Agreement | undefined, names: readonly string[]): Described {
	if (!found) return {text: `${name} only in legacy`};
	const [check, all] = valueWords[name];
	const {compared, agreeing, differing} = found;
	if (compared === 0) {
		return {text: `${name} none constant`, unchecked: [unchecked(`${names.join(' = ')} ${check}`, 'changing')]};
	}

	const text = `${name} ${shareOf(agreeing, compared)}`;
	const [example] = differing;
	if (example === undefined) return {text};
	const count = shareOf(differing.length, compared);
	const difference = `${names.join(' and ')} differ in ${count} ${all}, in every comparison: ${example}`;
	const severity = severityOf(differing.length, compared);
	return {text, findings: [{severity, code: 'values-differ', example, text: difference}]};
}

function tradesFact({agreeing, sameIds, differing, legacyLagMs, onlyV2, onlyLegacy}: TradeAgreement): Described {
	const all = agreeing + differing.length + onlyV2.length + onlyLegacy.length;
	const fields = (['time', 'price', 'quantity'] as const).flatMap(name => {
		const pairs = differing.filter(pair => pair.fields.includes(name));
		const [first] = pairs;
		if (!first) return [];
		const example = `id ${first.v2.id}: ${first.v2[name]}, legacy ${first.legacy[name]}`;
		return [`${name} of ${formatExact(pairs.length)} (${example})`];
	});
	const isApart = agreeing === 0 && Math.abs(legacyLagMs) > tolerableLagMs;
	const [older, newer] = legacyLagMs > 0 ? ['legacy', 'v2'] : ['v2', 'legacy'];
	const parts = [
		...(isApart ? [`the newest of ${older} is ${formatAge(Math.abs(legacyLagMs))} older than that of ${newer}`] : []),
		...fields,
		...(onlyV2.length > 0 ? [`${formatExact(onlyV2.length)} only in v2`] : []),
		...(onlyLegacy.length > 0 ? [`${formatExact(onlyLegacy.length)} only in legacy`] : []),
	];
	const warning = `trades of v2 and legacy differ: ${parts.join('; ')}; ${formatExact(agreeing)} are equal`;
	return {
		text: `time, price and quantity ${shareOf(agreeing, all)}, id too ${formatExact(sameIds)}`,
		findings: when(parts.length > 0, 'warning', 'trades-differ', warning),
	};
}

/** The caches between here and the exchange, one interface after the other. */
function caches({caches: all}: Inspection): readonly Fact[] {
	if (all.length === 0) return [{line: ['cache', 'none found']}];
	return all.map(({interface: source, answers, hits, oldestMs, isSaid, via}) => {
		const age = `up to ${formatAge(oldestMs)} old`;
		const share = `${shareOf(hits, answers)} answers from it`;
		const name = via ? [via] : isSaid ? [] : ['detected because answers repeat'];
		const severity = oldestMs >= tolerableAgeMs ? 'warning' : 'note';
		const text = `${source}: answers come from a cache, ${age}`;
		return {
			line: [`${source} cache`, [share, ...(hits > 0 ? [age] : []), ...name].join(', ')],
			findings: when(hits > 0, severity, 'cache', text, {interface: source}),
		};
	});
}

function connections({connections: all}: Inspection): readonly Fact[] {
	const sum = (field: 'requests' | 'opened' | 'reopened') => all.reduce((total, each) => total + each[field], 0);
	const [requests, opened, reopened] = [sum('requests'), sum('opened'), sum('reopened')];
	const news = `no keep-alive: ${formatExact(reopened)} new connections for ${formatExact(requests)} requests`;
	const warning = `${news}, each costs a round trip or more`;
	return [
		{
			line: ['connections', `${formatExact(opened)} for ${formatExact(requests)} requests`],
			findings: when(reopened > 2 && reopened > requests / 2, 'warning', 'no-keep-alive', warning),
		},
	];
}

function rateLimit({rateLimit: {refusals, allowed, longestWaitMs, headers}, requests}: Inspection): readonly Fact[] {
	const settled = `settled at ${fixedDigits(allowed, 1)} per second`;
	const wait = longestWaitMs === undefined ? '' : `, waits of up to ${formatAge(longestWaitMs)}`;
	const warning = `${shareOf(refusals, requests)} requests were rate-limited (429)${wait}; ${settled}`;
	const texts = headers.map(({interface: source, name, value}) => `${source} ${name}: ${value}`);
	const limited = refusals > 0 ? `${formatCount(refusals, 'request')} rate-limited; ${settled}` : 'not reached';
	return [
		{
			line: ['rate limit', `${limited}; ${texts.join(', ') || 'no rate-limit headers'}`],
			findings: when(refusals > 0, 'warning', 'rate-limited', warning),
		},
	];
}

/** What is wrong in the answers of single operations: entries, fields, values, times, order. */
function answerContents({operations}: Inspection): readonly Fact[] {
	return operations.map(report => {
		const {operation, dropped, cut, entries = 0} = report;
		const droppedText = `dropped ${shareOf(dropped, entries)} entries as invalid or contradicting others`;
		// A longer page than was asked for is found by its limit.
		const isTooLong = cut > 0 && operation !== 'trades' && operation !== 'candles';
		return {
			findings: [
				...when(dropped > 0, 'warning', 'dropped', droppedText, report),
				...when(isTooLong, 'warning', 'too-long', `${formatExact(cut)} entries not read: too many`, report),
				...report.flaws.flatMap(flaw => flawFindings(report, flaw)),
				...report.deviations.flatMap(deviation => deviationFindings(report, deviation)),
			],
		};
	});
}

function flawFindings(report: OperationReport, {kind, part, example, ...counts}: Flaw): readonly Finding[] {
	const share = `${shareOf(counts.count, counts.of)} ${part}`;
	const texts: Readonly<Record<Flaw['kind'], string>> = {
		empty: `no ${part}`,
		absent: `no readable entry for ${example}`,
		unreadable: `the entry of ${example} is unreadable`,
		inactive: `state of the inspected market is ${JSON.stringify(example)}, not active`,
		crossed: part === 'book' ? `bids reach asks: ${example}` : `bid above ask in ${share}: ${example}`,
		unpriced: `no last price, but volume, in ${share}: ${example}`,
		spacing: `${share} do not follow at multiples of 60 min: ${example}`,
		sideless: `side unknown in ${share}`,
	};
	return when(true, 'warning', kind, texts[kind], report).map(finding => ({...finding, example}));
}

const notes: ReadonlySet<Deviation['problem']> = new Set([
	...(['unknown', 'undocumented', 'long', 'rounded', 'unsorted'] as const),
]);

/** What is wrong, the number of times, and what follows. */
function deviationFindings(report: OperationReport, deviation: Deviation): readonly Finding[] {
	const {path, problem, expected = '', found = '', example = '', count, of} = deviation;
	const times = `, ${shareOf(count, of)} times`;
	const texts: Readonly<Record<Deviation['problem'], string>> = {
		missing: `is missing${times}`,
		mistyped: `is ${found}, not ${expected}${times}`,
		sign: `is not ${expected}${times}: ${example}`,
		unit: `is ${unitText(found)}, not ${unitText(expected)}${times}: ${example}${readingOf(found, example)}`,
		implausible: `is not a plausible time${times}: ${example}`,
		future: `is later than the answer${times}: ${example}`,
		offset: `has no UTC offset${times}: ${example}, read as UTC`,
		control: `contains control characters${times}`,
		repeated: `repeats an earlier entry${times}`,
		unsorted: `is not in order of ${expected}${times}; sorted here`,
		unknown: `(${found}) is not in the specification${times}; ignored`,
		undocumented: `has the undocumented value ${JSON.stringify(found)}${times}; shown as is`,
		long: `is beyond 2^53${times}; all digits are kept`,
		rounded: `has more digits than a number holds${times}: ${example}`,
	};
	const isHarmless = notes.has(problem) || (problem === 'unit' && found === understoodUnit);
	const text = `${path || 'the answer'} ${texts[problem]}`;
	const quoted = problem === 'undocumented' ? deviation.found : deviation.example;
	return when(true, isHarmless ? 'note' : 'warning', problem, text, report).map(finding => ({
		...{...finding, field: path, example: quoted},
	}));
}

const unitText = (unit: string) => (unit === 'ISO 8601' ? unit : `epoch ${unit}`);

/** What a time in the wrong unit is taken for: a number is epoch ms. */
function readingOf(found: string, example: string): string {
	if (found === understoodUnit) return ', understood';
	return found === 's' && Number(example) > 0 ? `, read as ${formatDateTime(Number(example))}` : '';
}
