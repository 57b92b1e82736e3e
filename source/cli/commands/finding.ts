import type {Operation} from '../../client/errors.ts';
import type {Finding, Inspection} from '../../client/inspect/inspection.ts';
import {type Interface, operationTitle} from '../../market/types.ts';

/** A finding about one operation, which its text begins with. */
export const about = (
	{interface: source, operation}: {readonly interface: Interface; readonly operation: Operation},
	severity: Finding['severity'],
	code: string,
	text: string,
): Finding => ({
	severity,
	code,
	interface: source,
	operation,
	text: `${operationTitle({interface: source, operation})}: ${text}`,
});

/** Finds one kind of problem. */
export type Judge = (inspection: Inspection) => readonly Finding[];
