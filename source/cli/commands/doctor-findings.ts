import type {Finding, Inspection, Verdict} from '../../client/inspect/inspection.ts';
import {
	agreementFacts,
	limitFacts,
	rangeFacts,
	shortListFindings,
	stateFacts,
	summaryFacts,
} from './doctor-comparisons.ts';
import {
	bidsFacts,
	cacheFacts,
	clockFacts,
	connectionFact,
	type Fact,
	rateFact,
	tickerDelayFacts,
	tradeClockFacts,
} from './doctor-facts.ts';
import {operationFindings} from './doctor-operations.ts';
import {serviceFindings} from './doctor-service.ts';

/** Everything measured of an exchange. */
export const factsOf = (inspection: Inspection, plusMinus = '±'): readonly Fact[] => [
	...clockFacts(inspection, plusMinus),
	...tradeClockFacts(inspection),
	...tickerDelayFacts(inspection),
	...bidsFacts(inspection),
	...limitFacts(inspection),
	...rangeFacts(inspection),
	...summaryFacts(inspection),
	...stateFacts(inspection),
	...agreementFacts(inspection),
	...cacheFacts(inspection),
	connectionFact(inspection),
	rateFact(inspection),
];

/** One finding for each reason why checks could not be made. */
function uncheckedFindings(facts: readonly Fact[]): readonly Finding[] {
	const byReason = Map.groupBy(
		facts.flatMap(({unchecked = []}) => unchecked),
		({reason}) => reason,
	);
	return [...byReason].map(([reason, group]) => {
		const checks = group.map(({check}) => check);
		return {severity: 'unchecked', code: group[0]?.why ?? '', checks, text: `${checks.join(', ')}: ${reason}`};
	});
}

/** What to know before relying on the exchange, worst first. */
export function findingsOf(inspection: Inspection): readonly Finding[] {
	const facts = factsOf(inspection);
	const found = [
		...serviceFindings(inspection),
		...facts.flatMap(({findings = []}) => findings),
		...shortListFindings(inspection),
		...operationFindings(inspection),
		...uncheckedFindings(facts),
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
