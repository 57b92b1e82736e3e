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

/** What the checks find. */
type Report = {
	/** What was measured. */
	line(label: string, text: string): void;
	/** The text begins with the operation of the place, if there is one. */
	find(severity: Finding['severity'], code: string, text: string, place?: Place, more?: Details): void;
	/** A check that could not be made: `why` for programs, `reason` for people. */
	unchecked(check: string, why: Obstacle, reason?: string): void;
	/** Writes the line that `describe` makes of the result, or why there is none. */
	measured<T>(label: string, result: T | Obstacle, describe: (result: T) => string): void;
};

type Place = Pick<Finding, 'interface' | 'operation'>;
type Details = Pick<Finding, 'field' | 'example'>;

type Check = (inspection: Inspection, report: Report) => void;

/** Every check, in the order of the report; those that compare interfaces or need one write nothing without it. */
const checks: readonly Check[] = [
	...[missingData, failures, oneInterface],
	...[clocks, tradeClocks, tickerDelays, v2Bids, limits, rangeUnit, summary, states, agreement],
	...[caches, connections, rateLimit, shortLists, answerContents],
];

export type Judged = {
	/** What was measured, as labels and texts. */
	readonly facts: ReadonlyArray<readonly string[]>;
	/** What to know before relying on the exchange, worst first, with one for each reason why checks could not be made. */
	readonly findings: readonly Finding[];
	readonly verdict: Verdict;
};

export function judge(inspection: Inspection): Judged {
	const facts: (readonly string[])[] = [];
	const found: Finding[] = [];
	const impossible = new Map<string, {readonly why: Obstacle; readonly checks: string[]}>();
	const report: Report = {
		line: (...fact) => void facts.push(fact),
		find(severity, code, text, {interface: source, operation} = {}, more = {}) {
			const title = source && operation ? `${operationTitle({interface: source, operation})}: ` : '';
			found.push({severity, code, interface: source, operation, ...more, text: `${title}${text}`});
		},
		unchecked(check, why, reason = reasons[why]) {
			const group = impossible.get(reason) ?? {why, checks: []};
			impossible.set(reason, group);
			group.checks.push(check);
		},
		measured(label, result, describe) {
			if (!isObstacle(result)) return report.line(label, describe(result));
			report.line(label, `not measurable: ${reasons[result]}`);
			report.unchecked(label, result);
		},
	};
	for (const check of checks) check(inspection, report);
	for (const [reason, {why, checks: names}] of impossible)
		found.push({severity: 'unchecked', code: why, checks: names, text: `${names.join(', ')}: ${reason}`});
	const findings = Object.keys(verdicts).flatMap(severity => found.filter(finding => finding.severity === severity));
	return {facts, findings, verdict: findings[0] ? verdicts[findings[0].severity] : 'healthy'};
}

/** What the worst finding makes of an exchange, from the worst on. */
const verdicts: Readonly<Record<Finding['severity'], Verdict>> = {
	failure: 'unusable',
	warning: 'warnings',
	unchecked: 'incomplete',
	note: 'healthy',
};

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

const bothInterfaces = ['v2', 'legacy'] as const;

const hasAnswered = ({failures: failed, requests}: OperationReport): boolean => failed < requests;

const reportOf = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(each => each.interface === source && each.operation === operation);

/** What the monitor needs, and the operations that can provide it. */
const needs = [
	{code: 'no-markets', what: 'market list', from: [['v2', 'markets'] as const, ['legacy', 'ticker'] as const]},
	{code: 'no-book', what: 'order book', from: [['v2', 'depth'] as const, ['legacy', 'depth'] as const]},
	{code: 'no-trades', what: 'trades', from: [['v2', 'trades'] as const, ['legacy', 'trades'] as const]},
];

/** Operations that fill a panel by themselves. */
const panels: ReadonlySet<string> = new Set(['ticker', 'summary', 'depth', 'trades', 'candles']);

/** One panel with data makes an exchange usable: a user can name a market even without a list. */
function missingData(inspection: Inspection, {find}: Report): void {
	const isUsable = inspection.operations.some(each => panels.has(each.operation) && hasAnswered(each));
	for (const {code, what, from} of needs) {
		const providers = from.flatMap(([source, operation]) => reportOf(inspection, source, operation) ?? []);
		if (providers.some(hasAnswered)) continue;
		const why = providers.map(each => `${operationTitle(each)}: ${each.error?.brief ?? 'not requested'}`);
		find(isUsable ? 'warning' : 'failure', code, `no ${what} (${why.join('; ')})`);
	}
}

/** Depth and trades are polled every second. */
const tolerableLatencyMs = secondMs;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** An interface on which every operation fails is one finding, not one per operation. */
function failures({operations}: Inspection, report: Report): void {
	for (const source of bothInterfaces) {
		const own = operations.filter(each => each.interface === source);
		const isSilent = own.length > 0 && !own.some(hasAnswered);
		if (!isSilent) for (const each of own) service(each, report);
		const briefs = [...new Set(own.map(({error}) => error?.brief ?? ''))];
		const text = `${source}: no operation answers (${briefs.join(', ')})`;
		if (isSilent) report.find('warning', 'no-answer', text, {interface: source});
	}
}

/** Failures, requests that were answered only when sent again, latency and size. */
function service(operation: OperationReport, {find}: Report): void {
	const {requests, failures: failed, repeats, repeatedAfter, error, p50Ms = 0, encoding, sentBytes = 0} = operation;
	const share =
		failed === requests ? 'no request succeeded' : `${formatExact(failed)} of ${formatExact(requests)} reads failed`;
	const again = `${formatCount(repeats, 'failed request')} ${repeats === 1 ? 'was' : 'were'} retried`;
	const latency = `median latency ${formatAge(p50Ms)}; its data is at least that old`;
	const size = `${formatFixed(sentBytes / 1000, 0)} kB sent uncompressed`;
	if (failed > 0) find('warning', 'failed', `${share}, last error: ${error?.brief ?? ''}`, operation);
	else if (repeats > 0) find('warning', 'repeated', `${again}, last error: ${repeatedAfter ?? ''}`, operation);
	if (p50Ms > tolerableLatencyMs) find('warning', 'slow', latency, operation);
	if (encoding === undefined && sentBytes > largeBytes) find('note', 'uncompressed', size, operation);
}

function oneInterface({operations}: Inspection, {find}: Report): void {
	const lacks = (source: Interface) => operations.every(each => each.interface !== source);
	const legacyOnly = 'only legacy: trades have no sides, and candles are built from the trades received so far';
	if (lacks('v2')) find('warning', 'one-interface', legacyOnly);
	else if (lacks('legacy')) find('note', 'one-interface', 'only v2: there is no fallback for failures');
}

const tolerableSkewMs = 2 * secondMs;
/** The exchange documents that its 24 h ticker is delayed, but not by how much. */
const tolerableTickerDelayMs = minuteMs;
/** An older answer does not show the market as it is. */
const tolerableAgeMs = 10 * secondMs;
const longestInMs = 10 * secondMs;

const durationText = (ms: number): string => (ms < longestInMs ? `${formatFixed(ms, 0)} ms` : formatAge(ms));

/** The clocks of the exchange, its interfaces one after the other. */
function clocks({clocks: all, operations}: Inspection, report: Report): void {
	for (const source of new Set(operations.map(each => each.interface))) {
		const own = all.filter(clock => clock.interface === source);
		for (const clock of own) writeClock(clock, all, report);
		const isUndated = operations.some(each => each.interface === source && hasAnswered(each));
		if (own.length === 0) report.measured(`${source} clock`, isUndated ? 'no-time' : 'failed', () => '');
	}
}

type Clocks = Inspection['clocks'];

const isWrong = ({skewMs, uncertaintyMs, frozenAt}: Clocks[number]): boolean =>
	frozenAt !== undefined || Math.abs(skewMs) - uncertaintyMs > tolerableSkewMs;

function writeClock(clock: Clocks[number], all: Clocks, {line, find}: Report): void {
	const {interface: source, operations = [], frozenAt, skewMs, uncertaintyMs} = clock;
	const owner = [source, operations.join(', ')].join(' ').trim();
	const operation = operations.length === 1 ? operations[0] : undefined;
	const direction = skewMs < 0 ? 'behind' : 'ahead of';
	const frozen = frozenAt === undefined ? undefined : `frozen at ${formatDateTime(frozenAt)} UTC`;
	const offset = `${durationText(Math.abs(skewMs))} ${direction} this computer's clock`;
	line(`${owner} clock`, frozen ?? `${offset}, ± ${durationText(uncertaintyMs)}`);
	if (!isWrong(clock)) return;
	// One clock that differs from the others is not a fault of this computer.
	const advice = all.every(isWrong) ? "; set this computer's clock if it is wrong" : '';
	const warning = frozen ?? `is ${formatAge(Math.abs(skewMs))} ${direction} this computer's${advice}`;
	const begin = operation ? '' : `${owner}: `;
	const code = frozen ? 'frozen-clock' : 'clock';
	find('warning', code, `${begin}clock ${warning}`, {interface: source, operation});
}

/** Where answers are stamped by another clock than the one that dates trades. */
function tradeClocks({tradeClocks: all}: Inspection, {line, find}: Report): void {
	for (const {interface: source, serverTimeAheadMs: aheadMs} of all) {
		if (aheadMs === undefined) continue;
		const text = `${formatAge(Math.abs(aheadMs))} ${aheadMs < 0 ? 'ahead of' : 'behind'} the server time`;
		const place = {interface: source, operation: 'trades'} as const;
		line(`${source} trade times`, `${text} of answers`);
		find('warning', 'trade-clock', `times of trades are ${text} of their answers`, place);
	}
}

function tickerDelays({tickerDelays: delays}: Inspection, {measured, find}: Report): void {
	for (const ticker of delays) {
		measured(`${operationTitle(ticker)} delay`, ticker.delay, ({samples, behind, atLeastMs, medianMs}) => {
			const typically = medianMs > 0 ? `${durationText(medianMs)} typically, ` : '';
			const times = `${formatExact(behind)} of ${formatExact(samples)} times`;
			const late = `behind the last trade ${times}, by at least ${typically}${durationText(atLeastMs)} at worst`;
			const same = `none: same price as the last trade, ${formatExact(samples)} of ${formatExact(samples)} times`;
			const warning = `typically at least ${formatAge(medianMs)} behind the ${ticker.interface} trades`;
			if (medianMs > tolerableTickerDelayMs) find('warning', 'ticker-delay', warning, ticker);
			return behind === 0 ? same : late;
		});
	}
}

function v2Bids(inspection: Inspection, {line, find}: Report): void {
	if (!reportOf(inspection, 'v2', 'depth')) return;
	const legacy = reportOf(inspection, 'legacy', 'depth');
	const {v2Bids: areShown} = inspection;
	line('v2 bids', areShown === undefined ? 'unknown' : areShown ? 'shown' : 'not shown');
	if (areShown !== false || (legacy && hasAnswered(legacy))) return;
	const why = legacy ? 'the legacy order book fails' : 'there is no legacy order book';
	find('warning', 'no-bids', `the v2 order book has no bids, and ${why}: the ladder shows only asks`);
}

/** Each operation with a `limit`, beside the documented default and maximum. */
function limits({operations, limits: found}: Inspection, report: Report): void {
	for (const limited of operations.filter(({operation}) => operation === 'trades' || operation === 'candles')) {
		const bounds = found.find(each => each.interface === limited.interface && each.operation === limited.operation);
		report.measured(`${operationTitle(limited)} limit`, bounds ?? 'failed', of => {
			findLimits(of, report);
			findUnchecked(of, report);
			return limitText(of);
		});
	}
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

function findLimits(bounds: LimitReport, {find}: Report): void {
	const {default: standard, most, exceeded, documented} = bounds;
	const refused = [1, maximum].filter(limit => hasOutcome(bounds, limit, 'refused'));
	if (exceeded)
		find(
			'warning',
			'limit-ignored',
			`limit ${exceeded.limit} is ignored: ${formatExact(exceeded.entries)} entries`,
			bounds,
		);
	for (const limit of refused) {
		const cost = limit === maximum ? '; gaps are harder to close' : '';
		find('warning', 'limit-refused', `refuses limit ${limit}${cost}`, bounds);
	}

	const standardText = `${formatExact(standard)} entries by default; documented: ${formatExact(documentedDefault)}`;
	if (documented?.default === 'differs') find('note', 'limit-default', standardText, bounds);
	if (documented?.most !== 'differs' || !most || exceeded || refused.includes(maximum)) return;
	const [entries, documentedMost] = [most.entries, maximum].map(number => formatExact(number));
	if (most.entries < maximum) {
		const text = `at most ${entries} entries in one answer; documented maximum: ${documentedMost}; gaps are harder to close`;
		find('warning', 'limit-maximum', text, bounds);
	} else
		find('note', 'limit-maximum', `answers with ${entries} entries; documented maximum: ${documentedMost}`, bounds);
}

function findUnchecked(bounds: LimitReport, {unchecked}: Report): void {
	const {operation, answers, most, documented} = bounds;
	const entries = `only ${formatCount(most?.entries ?? 0, operation.slice(0, -1))}`;
	const reason =
		most?.beyond === 'all' ? `${entries} exist${most.entries === 1 ? 's' : ''}` : `${entries} received, possibly all`;
	const tooFew = (part: string, why = reason) =>
		unchecked(`${operationTitle(bounds)} ${part}`, 'too-few', most?.entries ? why : `no ${operation} received`);
	const failed = (part: string) => unchecked(`${operationTitle(bounds)} ${part}`, 'failed');
	const hasFailed = (limit: number) => hasOutcome(bounds, limit, 'failed');
	const isEmpty = answers.some(answer => answer.limit === 1 && answer.entries === 0);
	if (hasFailed(1)) failed('limit');
	if (isEmpty) tooFew('limit', 'an answer to limit 1 has none');
	if (documented?.default === 'unknown') tooFew('default');
	if (documented?.most !== 'unknown') return;
	if (hasFailed(maximum) || hasFailed(maximum + 1)) failed('maximum');
	else tooFew('maximum');
}

/** How the exchange reads a range, and what is wrong with that. */
const rangeTexts: Readonly<Record<RangeUnit, readonly [text: string, problem?: string]>> = {
	ms: ['milliseconds'],
	s: ['seconds'],
	both: ['milliseconds or seconds'],
	neither: ['ignored by the exchange', 'ignores startTime and endTime'],
	other: ['not understood by the exchange', 'answers startTime and endTime with other candles, or none'],
};

function rangeUnit({rangeUnit: found}: Inspection, {measured, find}: Report): void {
	if (!found) return;
	measured('candle range unit', found, unit => {
		const [text, problem] = rangeTexts[unit];
		const place = {interface: 'v2', operation: 'candles'} as const;
		if (problem !== undefined) find('warning', 'range', `${problem}; older candles cannot be loaded`, place);
		return text;
	});
}

const tolerableDisagreement = 0.05;
/** How far the newest trades of two interfaces may be apart where none agrees. */
const tolerableLagMs = minuteMs;

const severityOf = (differing: number, compared: number) =>
	differing > compared * tolerableDisagreement ? 'warning' : 'note';

const shareOf = (part: number, whole: number) => `${formatExact(part)} of ${formatExact(whole)}`;

function shortLists({shortLists: lists}: Inspection, {find}: Report): void {
	for (const list of lists) {
		const {missing, of} = list;
		const [example = ''] = missing;
		const text = `lacks ${shareOf(missing.length, of)} markets that other lists have: ${example}`;
		find(severityOf(missing.length, of), 'markets-missing', text, list, {example});
	}
}

/** The entries of v2's ticker and summary. */
function summary({summary: found}: Inspection, report: Report): void {
	if (found) report.measured('v2 ticker = summary', found, values => compare(values, report, ['v2 ticker', 'summary']));
}

/** The states of markets in the list, and in each list of tickers; none where nothing can be compared. */
function states({states: all}: Inspection, {line, find}: Report): void {
	if (all.length === 0) return;
	const counts = all.map(each => {
		const {compared, differing} = each;
		return `${operationTitle(each)} ${shareOf(compared - differing.length, compared)}`;
	});
	line('states = list', counts.join(', '));
	for (const tickers of all) {
		const {compared, differing} = tickers;
		const [first] = differing;
		if (!first) continue;
		const {symbol, listed, found} = first;
		const count = `${shareOf(differing.length, compared)} markets`;
		const text = `has other states than the list in ${count}: ${symbol} ${found}, in the list ${listed}`;
		find(severityOf(differing.length, compared), 'states-differ', text, tickers, {example: symbol});
	}
}

/** What v2 and legacy both have. */
function agreement({agreement: found}: Inspection, report: Report): void {
	if (!found) return;
	report.measured('v2 = legacy tickers', found.tickers, values => compare(values, report));
	// Bids that are absent are those that the v2 book does not have.
	report.measured('v2 = legacy book', found.book, ({asks, bids}) => compare({asks, bids}, report));
	report.measured('v2 = legacy trades', found.trades, trades => compareTrades(trades, report));
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

/** Returns the text of a line. `names`: of the two that have the values. */
const compare = (values: Values, report: Report, names: readonly string[] = bothInterfaces): string =>
	Object.entries(values)
		.map(([name, found]) => compareValue(name as keyof Values, found, names, report))
		.join(', ');

function compareValue(
	name: keyof Values,
	found: Agreement | undefined,
	names: readonly string[],
	{find, unchecked}: Report,
): string {
	if (!found) return `${name} only in legacy`;
	const [check, all] = valueWords[name];
	const {compared, agreeing, differing} = found;
	if (compared === 0) {
		unchecked(`${names.join(' = ')} ${check}`, 'changing');
		return `${name} none constant`;
	}

	const [example] = differing;
	const count = shareOf(differing.length, compared);
	const text = `${names.join(' and ')} differ in ${count} ${all}, in every comparison: ${example}`;
	if (example !== undefined) find(severityOf(differing.length, compared), 'values-differ', text, {}, {example});
	return `${name} ${shareOf(agreeing, compared)}`;
}

function compareTrades(
	{agreeing, sameIds, differing, legacyLagMs, onlyV2, onlyLegacy}: TradeAgreement,
	{find}: Report,
): string {
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
	if (parts.length > 0) find('warning', 'trades-differ', warning);
	return `time, price and quantity ${shareOf(agreeing, all)}, id too ${formatExact(sameIds)}`;
}

/** The caches between here and the exchange, one interface after the other. */
function caches({caches: all}: Inspection, {line, find}: Report): void {
	if (all.length === 0) line('cache', 'none found');
	for (const {interface: source, answers, hits, oldestMs, isSaid, via} of all) {
		const age = `up to ${formatAge(oldestMs)} old`;
		const share = `${shareOf(hits, answers)} answers from it`;
		const name = via ? [via] : isSaid ? [] : ['detected because answers repeat'];
		const severity = oldestMs >= tolerableAgeMs ? 'warning' : 'note';
		line(`${source} cache`, [share, ...(hits > 0 ? [age] : []), ...name].join(', '));
		if (hits > 0) find(severity, 'cache', `${source}: answers come from a cache, ${age}`, {interface: source});
	}
}

function connections({connections: all}: Inspection, {line, find}: Report): void {
	const sum = (field: 'requests' | 'opened' | 'reopened') => all.reduce((total, each) => total + each[field], 0);
	const [requests, opened, reopened] = [sum('requests'), sum('opened'), sum('reopened')];
	const news = `no keep-alive: ${formatExact(reopened)} new connections for ${formatExact(requests)} requests`;
	line('connections', `${formatExact(opened)} for ${formatExact(requests)} requests`);
	if (reopened > 2 && reopened > requests / 2)
		find('warning', 'no-keep-alive', `${news}, each costs a round trip or more`);
}

function rateLimit(
	{rateLimit: {refusals, allowed, longestWaitMs, headers}, requests}: Inspection,
	{line, find}: Report,
): void {
	const settled = `settled at ${fixedDigits(allowed, 1)} per second`;
	const wait = longestWaitMs === undefined ? '' : `, waits of up to ${formatAge(longestWaitMs)}`;
	const warning = `${shareOf(refusals, requests)} requests were rate-limited (429)${wait}; ${settled}`;
	const texts = headers.map(({interface: source, name, value}) => `${source} ${name}: ${value}`);
	const limited = refusals > 0 ? `${formatCount(refusals, 'request')} rate-limited; ${settled}` : 'not reached';
	line('rate limit', `${limited}; ${texts.join(', ') || 'no rate-limit headers'}`);
	if (refusals > 0) find('warning', 'rate-limited', warning);
}

/** What is wrong in the answers of single operations: entries, fields, values, times, order. */
function answerContents({operations}: Inspection, report: Report): void {
	for (const each of operations) {
		const {operation, dropped, cut, entries = 0} = each;
		const droppedText = `dropped ${shareOf(dropped, entries)} entries as invalid or contradicting others`;
		// A longer page than was asked for is found by its limit.
		const isTooLong = cut > 0 && operation !== 'trades' && operation !== 'candles';
		if (dropped > 0) report.find('warning', 'dropped', droppedText, each);
		if (isTooLong) report.find('warning', 'too-long', `${formatExact(cut)} entries not read: too many`, each);
		for (const flaw of each.flaws) findFlaw(each, flaw, report);
		for (const deviation of each.deviations) findDeviation(each, deviation, report);
	}
}

function findFlaw(of: OperationReport, {kind, part, example, ...counts}: Flaw, {find}: Report): void {
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
	find('warning', kind, texts[kind], of, {example});
}

const notes: ReadonlySet<Deviation['problem']> = new Set([
	...(['unknown', 'undocumented', 'long', 'rounded', 'unsorted'] as const),
]);

/** What is wrong, the number of times, and what follows. */
function findDeviation(operation: OperationReport, deviation: Deviation, {find}: Report): void {
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
	find(isHarmless ? 'note' : 'warning', problem, text, operation, {field: path, example: quoted});
}

const unitText = (unit: string) => (unit === 'ISO 8601' ? unit : `epoch ${unit}`);

/** What a time in the wrong unit is taken for: a number is epoch ms. */
function readingOf(found: string, example: string): string {
	if (found === understoodUnit) return ', understood';
	return found === 's' && Number(example) > 0 ? `, read as ${formatDateTime(Number(example))}` : '';
}
