import type {LimitAnswer} from '../../client/inspect/limits.ts';
import {type Interface, interfaceName} from '../../market/types.ts';
import type {Diagnosed} from './doctor-table.ts';

/** For programs: all that was found, and what it means. Times are epoch ms, durations ms, `null` is unknown. */
export function doctorDocument({inspection, findings, verdict, exchangeName, demo, checkedAt}: Diagnosed): object {
	const {symbol, requests, operations, clocks, limits, rangeUnit, tickerDelays, agreement} = inspection;
	const {connections, rateLimit, v2Bids} = inspection;
	return {
		verdict,
		exchange: exchangeName,
		demo,
		symbol,
		checkedAt,
		requests,
		operations: operations.map(report => ({
			...named(report),
			requests: report.requests,
			failures: report.failures,
			status: report.status ?? null,
			error: report.error?.message ?? null,
			p50Ms: report.p50Ms ?? null,
			p95Ms: report.p95Ms ?? null,
			sentBytes: report.sentBytes ?? null,
			bytes: report.bytes ?? null,
			encoding: report.encoding ?? null,
			entries: report.entries ?? null,
			dropped: report.dropped,
			deviations: report.deviations.map(({path, problem, expected, found, count, of}) => ({
				...{path, problem, expected: expected ?? null, found: found ?? null, count, of},
			})),
		})),
		v2Bids: v2Bids ?? null,
		clocks: clocks.map(named),
		tickerDelays: tickerDelays.map(named),
		limits: limits.map(({standard, most, answers, ...asked}) => ({
			...named(asked),
			default: standard ?? null,
			most: most ?? null,
			answers: answers.map(limitAnswer),
		})),
		rangeUnit: rangeUnit ?? null,
		agreement: {tickers: agreement.tickers ?? null, book: agreement.book ?? null},
		connections: connections.map(named),
		rateLimit: {...rateLimit, headers: rateLimit.headers.map(named)},
		findings,
	};
}

const named = <T extends {readonly interface: Interface}>(part: T) => ({
	...part,
	interface: interfaceName(part.interface),
});

const limitAnswer = ({limit, outcome, entries, status}: LimitAnswer) => ({
	...{limit, outcome, entries: entries ?? null, status: status ?? null},
});
