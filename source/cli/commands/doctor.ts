import {inspect, type Progress} from '../../client/inspect/inspect.ts';
import type {LimitAnswer} from '../../client/inspect/limits.ts';
import {isObstacle, type Obstacle} from '../../client/inspect/operations.ts';
import {formatAge} from '../../format/time.ts';
import type {Clock} from '../../market/clock.ts';
import {defaultSymbol, symbolKey} from '../../market/symbol.ts';
import {type Interface, interfaceName, type Market} from '../../market/types.ts';
import {leastReportedWaitMs} from '../../store/polling.ts';
import {openLog, programClock, withAddress} from '../context.ts';
import {exitStatus} from '../exit.ts';
import type {Options} from '../options/options.ts';
import {note, print, waitText} from '../output.ts';
import {findingsOf, verdictOf} from './doctor-findings.ts';
import {type Diagnosed, doctorTable} from './doctor-table.ts';
import {marketNamed} from './lookup.ts';

export type DoctorRequest = {
	readonly json: boolean;
	/** Requests for each operation. Default 5. */
	readonly samples?: number | undefined;
};

const defaultSamples = 5;
/** Used when the exchange lists no market. */
const lastResort = 'BTCUSDT';

/**
 * Inspects an exchange and prints a report. Settles with the exit status: 0 no problem found, 3 usable with warnings, 1
 * unusable. Rejects with a `UsageError` for a market that the exchange does not have.
 */
export async function runDoctor(
	options: Options,
	{json, samples = defaultSamples}: DoctorRequest,
	signal: AbortSignal,
): Promise<number> {
	const clock = programClock(process.env, options.exchange);
	const observe = await openLog(options, clock);
	const {market, timeoutMs, ascii, choice, maxRate = Infinity} = options;
	const rate = Math.min(options.rate, maxRate);
	const progress = createProgress(rate, clock);
	return withAddress(options, clock, async ({name, baseUrl, legacyBaseUrl}) => {
		const inspection = await inspect({
			baseUrl: choice === 'v1' ? undefined : baseUrl,
			legacyBaseUrl: choice === 'v2' ? undefined : legacyBaseUrl,
			...{timeoutMs, rate, samples, clock, signal, observe},
			random: Math.random,
			choose: markets => symbolOf(markets, market),
			onProgress: progress.show,
		}).finally(progress.clear);
		const findings = findingsOf(inspection);
		const verdict = verdictOf(findings);
		const demo = options.exchange === undefined;
		const diagnosed = {inspection, findings, verdict, exchangeName: name, demo, checkedAt: clock.now()};
		await print(`${json ? JSON.stringify(doctorDocument(diagnosed)) : doctorTable(diagnosed, ascii).join('\n')}\n`);
		return {
			healthy: exitStatus.done,
			incomplete: exitStatus.done,
			warnings: exitStatus.warnings,
			unusable: exitStatus.failed,
		}[verdict];
	});
}

function symbolOf(markets: readonly Market[] | undefined, text: string | undefined): string {
	if (text === undefined) return defaultSymbol(markets ?? []) ?? lastResort;
	return markets ? marketNamed(markets, text).symbol : symbolKey(text);
}

/** Shows progress on stderr: on a terminal one line that counts, elsewhere one line at the start and one for each long wait. */
function createProgress(rate: number, clock: Clock) {
	const {stderr} = process;
	let isShown = false;
	return {
		show({made, expected, wait: due}: Progress): void {
			const waitMs = (due?.until ?? 0) - clock.now();
			const text = due?.for === 'retry' ? `request failed, retry in ${formatAge(waitMs)}` : waitText(waitMs);
			const wait = waitMs < leastReportedWaitMs ? '' : text;
			if (stderr.isTTY) {
				stderr.write(`\rtapewatch: request ${made + 1} of ${expected}${wait && `, ${wait}`}\u001B[K`);
			} else {
				if (!isShown) note(`${expected} requests, at most ${rate} per second`);
				if (wait) note(wait);
			}

			isShown = true;
		},
		clear(): void {
			if (isShown && stderr.isTTY) stderr.write('\r\u001B[K');
		},
	};
}

/** The report for programs. Times are epoch ms, durations ms, `null` is unknown. */
export function doctorDocument({inspection, findings, verdict, exchangeName, demo, checkedAt}: Diagnosed): object {
	const {symbol, requests, operations, clocks, limits, rangeUnit, tickerDelays, agreement} = inspection;
	const {connections, rateLimit, shortLists, v2Bids} = inspection;
	return {
		verdict,
		exchange: exchangeName,
		demo,
		symbol,
		checkedAt,
		requests,
		operations: operations.map(report => ({
			...withInterfaceName(report),
			requests: report.requests,
			failures: report.failures,
			repeats: report.repeats,
			status: report.status ?? null,
			error: report.error?.message ?? null,
			p50Ms: report.p50Ms ?? null,
			p95Ms: report.p95Ms ?? null,
			sentBytes: report.sentBytes ?? null,
			bytes: report.bytes ?? null,
			encoding: report.encoding ?? null,
			entries: report.entries ?? null,
			dropped: report.dropped,
			cut: report.cut,
			deviations: report.deviations.map(({path, problem, expected, found, example, count, of}) => ({
				...{path, problem, expected: expected ?? null, found: found ?? null, example: example ?? null, count, of},
			})),
			flaws: report.flaws.map(flaw => ({...flaw, example: flaw.example ?? null})),
		})),
		v2Bids: v2Bids ?? null,
		clocks: clocks.map(clock => ({
			...withInterfaceName(clock),
			...{operations: clock.operations ?? null, frozenAt: clock.frozenAt ?? null},
		})),
		tickerDelays: tickerDelays.map(({delay, ...ticker}) => ({
			...withInterfaceName(ticker),
			...measured('delay', delay),
		})),
		limits: limits.map(({standard, most, answers, exceeded, documented, ...rest}) => ({
			...withInterfaceName(rest),
			default: standard ?? null,
			most: most ?? null,
			exceeded: exceeded ?? null,
			documented: documented ? {default: documented.standard, most: documented.most} : null,
			answers: answers.map(limitAnswer),
		})),
		rangeUnit: isObstacle(rangeUnit) ? null : (rangeUnit ?? null),
		shortLists: shortLists.map(withInterfaceName),
		agreement: agreement
			? {
					...measured('tickers', agreement.tickers),
					...measured('book', agreement.book),
					...measured('trades', agreement.trades),
				}
			: null,
		connections: connections.map(withInterfaceName),
		rateLimit: {...rateLimit, headers: rateLimit.headers.map(withInterfaceName)},
		findings: findings.map(finding => ({
			severity: finding.severity,
			code: finding.code,
			interface: finding.interface ? interfaceName(finding.interface) : null,
			operation: finding.operation ?? null,
			field: finding.field ?? null,
			example: finding.example ?? null,
			checks: finding.checks ?? null,
			text: finding.text,
		})),
	};
}

/** What an obstacle prevented is unknown; the finding with its code names the check. */
const measured = <T>(name: string, result: T | Obstacle) => ({[name]: isObstacle(result) ? null : result});

const withInterfaceName = <T extends {readonly interface: Interface}>(part: T) => ({
	...part,
	interface: interfaceName(part.interface),
});

const limitAnswer = ({limit, outcome, entries, status}: LimitAnswer) => ({
	...{limit, outcome, entries: entries ?? null, status: status ?? null},
});
