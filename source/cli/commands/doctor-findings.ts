import type {Inspection} from '../../client/inspect/reports.ts';
import {comparisonFindings} from './doctor-comparisons.ts';
import {operationFindings} from './doctor-operations.ts';
import {serviceFindings} from './doctor-service.ts';
import {uncheckedFindings} from './doctor-unchecked.ts';
import type {Finding} from './finding.ts';

/** `incomplete`: no problem found, but not every check could be made. */
export type Verdict = 'healthy' | 'incomplete' | 'warnings' | 'unusable';

/** What to know before relying on the exchange, worst first. */
export function findingsOf(inspection: Inspection): readonly Finding[] {
	const judges = [serviceFindings, operationFindings, comparisonFindings, uncheckedFindings];
	const found = judges.flatMap(judge => judge(inspection));
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
