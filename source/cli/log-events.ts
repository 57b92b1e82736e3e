import type {Outcome} from '../client/outcome.ts';
import {interfaceName} from '../market/types.ts';

/** One line of the log, without its time. */
export type LogEvent = {
	readonly level: 'warn' | 'info';
	readonly message: string;
	readonly fields: Readonly<Record<string, unknown>>;
};

/** A failure that lasts. */
type Outage = {
	/** What it failed with; another way to fail is another event. */
	readonly kind: string;
	/** Epoch ms. */
	readonly since: number;
	readonly failures: number;
};

/**
 * What there is to log of one request after another: each failure when it begins or becomes another one, and each recovery,
 * per operation, interface and market. Nothing of those that go on as before.
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

		const kind = `${outcome.error.kind} ${outcome.status}`;
		const {since, failures} = outage ?? {since: outcome.startedAt, failures: 0};
		outages.set(key, {kind, since, failures: failures + 1});
		return outage?.kind === kind ? undefined : failed(outcome, outcome.error);
	};
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

const recovery = (outcome: Outcome, {since, failures}: Outage): LogEvent => ({
	level: 'info',
	message: 'recovered',
	fields: {...fieldsOf(outcome), failures, failedForMs: outcome.startedAt + outcome.durationMs - since},
});

/** Name, code and message of each cause, from the outside in; absent where there is none. */
function causeOf({cause}: Error): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	const code = 'code' in cause ? ` ${cause.code}` : '';
	const inner = causeOf(cause);
	return `${cause.name}${code}: ${cause.message}${inner === undefined ? '' : `; ${inner}`}`;
}
