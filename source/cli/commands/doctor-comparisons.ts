import type {Agreement} from '../../client/inspect/agreement.ts';
import type {Inspection} from '../../client/inspect/reports.ts';
import {documentedLimit} from '../../client/inspect/specification.ts';
import type {TradeAgreement} from '../../client/inspect/trade-agreement.ts';
import {formatExact} from '../../format/number.ts';
import {formatAge} from '../../format/time.ts';
import {interfaceName, operationTitle} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';
import {about, type Finding, type Judge} from './finding.ts';

/** The exchange documents that its 24 h ticker is delayed, but not by how much. */
const tolerableTickerDelayMs = minuteMs;
const tolerableDisagreement = 0.05;

/** Where answers contradict the documented limits, each other, or the other interface. */
export function comparisonFindings(inspection: Inspection): readonly Finding[] {
	return [limits, range, tickerDelays, shortLists, agreement].flatMap(judge => judge(inspection));
}

const limits: Judge = inspection =>
	inspection.limits.flatMap(bounds => {
		const title = operationTitle(bounds);
		const {standard, answers, most, exceeded, documented} = bounds;
		const refuses = (limit: number) => answers.find(answer => answer.limit === limit)?.outcome === 'refused';
		const {standard: documentedDefault, most: maximum} = documentedLimit;
		const findings: Finding[] = [];
		if (exceeded) {
			const text = `${title}: limit ${exceeded.limit} is ignored: ${formatExact(exceeded.entries)} entries`;
			findings.push({...about('warning', 'limit-ignored', bounds), text});
		}

		for (const limit of [1, maximum].filter(refuses)) {
			const text = `${title}: refuses limit ${limit}${limit === maximum ? '; gaps are harder to close' : ''}`;
			findings.push({...about('warning', 'limit-refused', bounds), text});
		}

		if (documented?.standard === 'differs') {
			const text = `${title}: ${formatExact(standard)} entries by default; documented: ${documentedDefault}`;
			findings.push({...about('note', 'limit-default', bounds), text});
		}

		if (documented?.most === 'differs' && most && !exceeded && !refuses(maximum)) {
			const isLower = most.entries < maximum;
			const entries = isLower
				? `at most ${formatExact(most.entries)} entries in one answer`
				: `answers with ${formatExact(most.entries)} entries`;
			const text = `${title}: ${entries}; documented maximum: ${formatExact(maximum)}${isLower ? '; gaps are harder to close' : ''}`;
			findings.push({...about(isLower ? 'warning' : 'note', 'limit-maximum', bounds), text});
		}

		return findings;
	});

const range: Judge = ({rangeUnit}) => {
	const problems: Readonly<Record<string, string>> = {
		neither: 'ignores startTime and endTime',
		other: 'answers startTime and endTime with other candles, or none',
	};
	const problem = problems[rangeUnit ?? ''];
	if (problem === undefined) return [];
	const text = `v2 candles: ${problem}; older candles cannot be loaded`;
	return [{...about('warning', 'range', {interface: 'v2', operation: 'candles'}), text}];
};

const tickerDelays: Judge = inspection =>
	inspection.tickerDelays.flatMap(ticker => {
		const {interface: source, delay} = ticker;
		if (typeof delay === 'string' || delay.medianMs <= tolerableTickerDelayMs) return [];
		const text = `${operationTitle(ticker)}: typically at least ${formatAge(delay.medianMs)} behind the ${interfaceName(source)} trades`;
		return [{...about('warning', 'ticker-delay', ticker), text}];
	});

const shortLists: Judge = inspection =>
	inspection.shortLists.map(list => {
		const {missing, of} = list;
		const severity = missing.length > of * tolerableDisagreement ? 'warning' : 'note';
		return {
			...about(severity, 'markets-missing', list),
			example: missing[0],
			text: `${operationTitle(list)}: lacks ${formatExact(missing.length)} of ${formatExact(of)} markets that other lists have: ${missing[0]}`,
		};
	});

const agreement: Judge = inspection => {
	if (!inspection.agreement) return [];
	const {tickers, book, trades} = inspection.agreement;
	const prices = typeof tickers === 'string' ? undefined : tickers;
	const levels = typeof book === 'string' ? undefined : book;
	return [
		...valuesFinding('last prices', prices?.last),
		...valuesFinding('best bids', prices?.bid),
		...valuesFinding('best asks', prices?.ask),
		...valuesFinding('asks of the order book', levels?.asks),
		...valuesFinding('bids of the order book', levels?.bids),
		...(typeof trades === 'string' ? [] : tradesFinding(trades)),
	];
};

function valuesFinding(what: string, found: Agreement | undefined): readonly Finding[] {
	const [example] = found?.differing ?? [];
	if (!found || example === undefined) return [];
	const {compared, differing} = found;
	const text = `v2 and legacy differ in ${formatExact(differing.length)} of ${formatExact(compared)} ${what}, each time that they were compared: ${example}`;
	const severity = differing.length > compared * tolerableDisagreement ? 'warning' : 'note';
	return [{severity, code: 'values-differ', example, text}];
}

function tradesFinding({agreeing, differing, onlyV2, onlyLegacy}: TradeAgreement): readonly Finding[] {
	const fields = (['time', 'price', 'quantity'] as const).flatMap(name => {
		const pairs = differing.filter(pair => pair.fields.includes(name));
		const [first] = pairs;
		if (!first) return [];
		return [
			`${name} of ${formatExact(pairs.length)} (id ${first.v2.id}: ${first.v2[name]}, legacy ${first.legacy[name]})`,
		];
	});
	const parts = [
		...fields,
		...(onlyV2.length > 0 ? [`${formatExact(onlyV2.length)} only in v2`] : []),
		...(onlyLegacy.length > 0 ? [`${formatExact(onlyLegacy.length)} only in legacy`] : []),
	];
	if (parts.length === 0) return [];
	const text = `trades of v2 and legacy differ: ${parts.join('; ')}; ${formatExact(agreeing)} are equal`;
	return [{severity: 'warning', code: 'trades-differ', text}];
}
