import type {Operation} from '../../client/errors.ts';
import type {Inspection} from '../../client/inspect/reports.ts';
import type {Interface} from '../../market/types.ts';

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

/** The part of a finding that names its kind and the operation that it is about. */
export const about = (
	severity: Finding['severity'],
	code: string,
	{interface: source, operation}: {readonly interface: Interface; readonly operation: Operation},
) => ({severity, code, interface: source, operation});

/** Finds one kind of problem. */
export type Judge = (inspection: Inspection) => readonly Finding[];
