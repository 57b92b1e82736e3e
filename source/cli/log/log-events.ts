import type {Outcome} from '../../client/outcome.ts';
import {interfaceName} from '../../market/types.ts';

/** One line of the log, without its time. */
export type LogEvent = {
	readonly level: 'warn' | 'info';
	readonly message: string;
	readonly fields: Readonly<Record<string, unknown>>;
};

/** A failure that lasts. */
type Outage = {
	/** Epoch ms. */
	readonly since: number;
	readonly failures: number;
	/** How often it failed with what. */
	readonly causes: ReadonlyMap<string, number>;
};

/**
 * What there is to log of one request after another, per operation, interface and market: each outage when it begins, each
 * cause that is new to it, and its recovery with all of them. Nothing of those that go on as before, or to and fro.
 */
export function createLogEvents(): (outcome: Outcome) => LogEvent | undefined {
	const outages = new Map<string, Outage>();

	return outcome => {
		const key = [outcome.interface, outcome.operation, outcome.symbol].join(' ');
		const outage = outages.get(key);
		if (!outcome.error) {
			outages.delete(key);
			return outage && recovery(outcome, outage);
		}

		const cause = causeWord(outcome);
		const {since, failures, causes} = outage ?? {since: outcome.startedAt, failures: 0, causes: new Map()};
		const count = causes.get(cause) ?? 0;
		outages.set(key, {since, failures: failures + 1, causes: new Map([...causes, [cause, count + 1]])});
		return count > 0 ? undefined : failed(outcome, outcome.error);
	};
}

/** The statuses of a server in trouble change from one answer to the next, and are one cause. */
function causeWord({error, status}: Outcome): string {
	if (error?.kind !== 'http' || status === undefined) return error?.kind ?? '';
	return status >= 500 ? 'http 5xx' : `http ${status}`;
}

const fieldsOf = ({operation, interface: source, symbol, status, durationMs, url}: Outcome) => ({
	operation,
	interface: interfaceName(source),
	symbol,
	status: status ?? null,
	durationMs,
	url,
});

const failed = (outcome: Outcome, error: Error): LogEvent => ({
	level: 'warn',
	message: 'failed',
	fields: {...fieldsOf(outcome), error: error.name, reason: error.message, cause: causeOf(error)},
});

const recovery = (outcome: Outcome, {since, failures, causes}: Outage): LogEvent => ({
	level: 'info',
	message: 'recovered',
	fields: {
		...fieldsOf(outcome),
		failures,
		causes: Object.fromEntries(causes),
		failedForMs: outcome.startedAt + outcome.durationMs - since,
	},
});

/** Name, code and message of each cause, from the outside in; absent where there is none. */
function causeOf({cause}: Error): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	const code = 'code' in cause ? ` ${cause.code}` : '';
	const inner = causeOf(cause);
	return `${cause.name}${code}: ${cause.message}${inner === undefined ? '' : `; ${inner}`}`;
}
