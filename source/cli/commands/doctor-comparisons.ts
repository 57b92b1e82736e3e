import type {
	Agreement,
	Compliance,
	Finding,
	Inspection,
	RangeUnit,
	TradeAgreement,
} from '../../client/inspect/inspection.ts';
import {documentedLimit} from '../../client/inspect/specification.ts';
import {formatCount, formatExact} from '../../format/number.ts';
import {formatAge} from '../../format/time.ts';
import {operationTitle} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';
import {type Fact, measured, type Unchecked, unchecked} from './doctor-facts.ts';
import {about} from './finding.ts';

const tolerableDisagreement = 0.05;
/** How far the newest trades of two interfaces may be apart where none agrees. */
const tolerableLagMs = minuteMs;

/** Each operation with a `limit`, beside the documented default and maximum. */
export function limitFacts({operations, limits}: Inspection): readonly Fact[] {
	const limited = operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	return limited.map(report => {
		const bounds = limits.find(each => each.interface === report.interface && each.operation === report.operation);
		return measured(`${operationTitle(report)} limit`, bounds ?? 'failed', found => ({
			text: limitText(found),
			findings: limitFindings(found),
			unchecked: limitsUnchecked(found),
		}));
	});
}

type Bounds = Inspection['limits'][number];

const {default: documentedDefault, most: maximum} = documentedLimit;

const hasOutcome = ({answers}: Bounds, limit: number, outcome: Bounds['answers'][number]['outcome']): boolean =>
	answers.some(answer => answer.limit === limit && answer.outcome === outcome);

function limitText(bounds: Bounds): string {
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

function limitFindings(bounds: Bounds): readonly Finding[] {
	const {default: standard, most, exceeded, documented} = bounds;
	const findings: Finding[] = [];
	if (exceeded) {
		const text = `limit ${exceeded.limit} is ignored: ${formatExact(exceeded.entries)} entries`;
		findings.push(about(bounds, 'warning', 'limit-ignored', text));
	}

	for (const limit of [1, maximum].filter(each => hasOutcome(bounds, each, 'refused'))) {
		const cost = limit === maximum ? '; gaps are harder to close' : '';
		findings.push(about(bounds, 'warning', 'limit-refused', `refuses limit ${limit}${cost}`));
	}

	if (documented?.default === 'differs') {
		const text = `${formatExact(standard)} entries by default; documented: ${formatExact(documentedDefault)}`;
		findings.push(about(bounds, 'note', 'limit-default', text));
	}

	if (documented?.most === 'differs' && most && !exceeded && !hasOutcome(bounds, maximum, 'refused')) {
		const [entries, limit] = [most.entries, maximum].map(number => formatExact(number));
		const lower = `at most ${entries} entries in one answer; documented maximum: ${limit}; gaps are harder to close`;
		const higher = `answers with ${entries} entries; documented maximum: ${limit}`;
		const isLower = most.entries < maximum;
		findings.push(about(bounds, isLower ? 'warning' : 'note', 'limit-maximum', isLower ? lower : higher));
	}

	return findings;
}

function limitsUnchecked(bounds: Bounds): readonly Unchecked[] {
	const {operation, answers, most, documented} = bounds;
	const entries = `only ${formatCount(most?.entries ?? 0, operation.slice(0, -1))}`;
	const reason =
		most?.beyond === 'all' ? `${entries} exist${most.entries === 1 ? 's' : ''}` : `${entries} received, possibly all`;
	const tooFew = (part: string) =>
		unchecked(`${operationTitle(bounds)} ${part}`, 'too-few', most?.entries ? reason : `no ${operation} received`);
	const failed = (part: string) => unchecked(`${operationTitle(bounds)} ${part}`, 'failed');
	const hasFailed = (limit: number) => hasOutcome(bounds, limit, 'failed');
	return [
		...(hasFailed(1) ? [failed('limit')] : []),
		...(answers.some(({limit, entries}) => limit === 1 && entries === 0)
			? [
					most?.entries
						? unchecked(`${operationTitle(bounds)} limit`, 'too-few', 'an answer to limit 1 has none')
						: tooFew('limit'),
				]
			: []),
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

/** The unit of candle ranges; none without v2. */
export function rangeFacts({rangeUnit}: Inspection): readonly Fact[] {
	if (!rangeUnit) return [];
	return [
		measured('candle range unit', rangeUnit, unit => {
			const [text, problem] = rangeTexts[unit];
			const where = {interface: 'v2', operation: 'candles'} as const;
			const warning = `${problem}; older candles cannot be loaded`;
			return {text, findings: problem ? [about(where, 'warning', 'range', warning)] : []};
		}),
	];
}

export const shortListFindings = ({shortLists}: Inspection): readonly Finding[] =>
	shortLists.map(list => {
		const {missing, of} = list;
		const severity = missing.length > of * tolerableDisagreement ? 'warning' : 'note';
		const text = `lacks ${formatExact(missing.length)} of ${formatExact(of)} markets that other lists have: ${missing[0]}`;
		return {...about(list, severity, 'markets-missing', text), example: missing[0]};
	});

/** The entries of v2's ticker and summary; none without v2. */
export function summaryFacts({summary}: Inspection): readonly Fact[] {
	if (!summary) return [];
	return [
		measured('v2 ticker = summary', summary, ({last, bid, ask, state}) =>
			valuesFact({last, bid, ask, state}, ['v2 ticker', 'summary']),
		),
	];
}

/** The states of markets in the list, and in each list of tickers; none where nothing can be compared. */
export function stateFacts({states}: Inspection): readonly Fact[] {
	if (states.length === 0) return [];
	const counts = states.map(each => {
		const {compared, differing} = each;
		return `${operationTitle(each)} ${formatExact(compared - differing.length)} of ${formatExact(compared)}`;
	});
	return [{label: 'states = list', text: counts.join(', '), findings: states.flatMap(stateFindings)}];
}

function stateFindings(of: Inspection['states'][number]): readonly Finding[] {
	const {compared, differing} = of;
	const [first] = differing;
	if (!first) return [];
	const {symbol, listed, found} = first;
	const severity = differing.length > compared * tolerableDisagreement ? 'warning' : 'note';
	const count = `${formatExact(differing.length)} of ${formatExact(compared)} markets`;
	const text = `has other states than the list in ${count}: ${symbol} ${found}, in the list ${listed}`;
	return [{...about(of, severity, 'states-differ', text), example: symbol}];
}

/** What v2 and legacy both have; none where one of them is missing. */
export function agreementFacts({agreement}: Inspection): readonly Fact[] {
	if (!agreement) return [];
	return [
		measured('v2 = legacy tickers', agreement.tickers, ({last, bid, ask}) => valuesFact({last, bid, ask})),
		measured('v2 = legacy book', agreement.book, ({asks, bids}) => valuesFact({asks, bids})),
		measured('v2 = legacy trades', agreement.trades, tradesFact),
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

type Names = readonly [one: string, other: string];

const interfaces: Names = ['v2', 'legacy'];

function valuesFact(values: Values, names = interfaces): Omit<Fact, 'label'> {
	const facts = Object.entries(values).map(([name, found]) => valueFact(name as keyof Values, found, names));
	return {
		text: facts.map(({text}) => text).join(', '),
		findings: facts.flatMap(({findings = []}) => findings),
		unchecked: facts.flatMap(({unchecked: checks = []}) => checks),
	};
}

/** A value that is absent is one that the v2 book does not have. */
function valueFact(name: keyof Values, found: Agreement | undefined, [one, other]: Names): Omit<Fact, 'label'> {
	if (!found) return {text: `${name} only in legacy`};
	const [check, all] = valueWords[name];
	const {compared, agreeing, differing} = found;
	if (compared === 0) {
		return {text: `${name} none constant`, unchecked: [unchecked(`${one} = ${other} ${check}`, 'changing')]};
	}

	const text = `${name} ${formatExact(agreeing)} of ${formatExact(compared)}`;
	const [example] = differing;
	if (example === undefined) return {text};
	const count = `${formatExact(differing.length)} of ${formatExact(compared)}`;
	const difference = `${one} and ${other} differ in ${count} ${all}, in every comparison: ${example}`;
	const severity = differing.length > compared * tolerableDisagreement ? 'warning' : 'note';
	return {text, findings: [{severity, code: 'values-differ', example, text: difference}]};
}

function tradesFact({
	agreeing,
	sameIds,
	differing,
	legacyLagMs,
	onlyV2,
	onlyLegacy,
}: TradeAgreement): Omit<Fact, 'label'> {
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
		text: `time, price and quantity ${formatExact(agreeing)} of ${formatExact(all)}, id too ${formatExact(sameIds)}`,
		findings: parts.length > 0 ? [{severity: 'warning', code: 'trades-differ', text: warning}] : [],
	};
}
