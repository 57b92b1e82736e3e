import type {Operation} from '../../client/errors.ts';
import type {Inspection} from '../../client/inspect/reports.ts';
import {type Interface, operationTitle} from '../../market/types.ts';

/**
 * `failure`: the exchange cannot be watched. `warning`: something is missing, late or doubtful. `note`: a harmless deviation
 * from the specification. `unchecked`: checks that could not be made.
 */
export type Finding = {
	readonly severity: 'failure' | 'warning' | 'note' | 'unchecked';
	/** Names the kind of finding for programs. */
	readonly code: string;
	readonly text: string;
	/** Absent: it is about more than one, or the exchange as a whole. */
	readonly interface?: Interface | undefined;
	readonly operation?: Operation | undefined;
	/** The path of a field in the answers, e.g. `data[].time`. */
	readonly field?: string | undefined;
	/** A value as sent. */
	readonly example?: string | undefined;
	/** Only of `unchecked`: the names of the checks. */
	readonly checks?: readonly string[] | undefined;
};

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
