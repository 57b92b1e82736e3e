import {randomBytes} from 'node:crypto';
import {inspect, type Progress} from '../../client/inspect/inspect.ts';
import {isObstacle, measuredFields} from '../../client/inspect/inspection.ts';
import {formatAge} from '../../format/time.ts';
import type {Clock} from '../../market/clock.ts';
import {defaultSymbol, isNumbered, pairName, symbolKey} from '../../market/symbol.ts';
import type {Market} from '../../market/types.ts';
import type {doctor as schema} from '../../schema/doctor-schema.ts';
import type {Of, Origin} from '../../schema/parts.ts';
import {leastReportedWaitMs} from '../../store/polling.ts';
import {openLog, programClock, withAddress} from '../context.ts';
import {exitStatus, UsageError, untilInterrupted} from '../exit.ts';
import type {FlagsOf} from '../options/option-table.ts';
import {type Options, readOptions} from '../options/options.ts';
import {ownOutput, ownWidth, print, printTable, waitText} from '../output.ts';
import {clearProgress, note, showProgress} from '../standard-error.ts';
import {judge} from './doctor-checks.ts';
import {ownSurroundings, refuseOther, reportText, writeReport} from './doctor-report.ts';
import {type Diagnosed, doctorTable} from './doctor-table.ts';
import {originOf} from './documents.ts';
import {marketNamed} from './lookup.ts';

const defaultSamples = 5;
/** Used when the exchange lists no market. */
const lastResort = 'BTCUSDT';

/** As `inspectExchange`, with the settings of flags, variables and the config file. */
export async function doctor(flags: FlagsOf<'doctor'>, market: string | undefined): Promise<number> {
	const options = await readOptions({...flags, market}, process.env);
	const {json, report} = flags;
	if (json && report === '-') throw new UsageError('--report - and --json both print; give --report a file');
	return untilInterrupted(signal => inspectExchange(options, flags, signal));
}

/**
 * Inspects an exchange and prints a report. Settles with the exit status: 0 no problem found, 3 usable with warnings, 1
 * unusable. Rejects with a `UsageError` for a market that the exchange does not have.
 */
async function inspectExchange(options: Options, flags: FlagsOf<'doctor'>, signal: AbortSignal): Promise<number> {
	const {json, samples = defaultSamples, report} = flags;
	const clock = programClock(process.env, options.exchange);
	// Before the requests, which take a while.
	if (report !== undefined && report !== '-') await refuseOther(report);
	const log = await openLog(options, clock);
	const {market, timeoutMs, maxBytes, ascii, choice, maxRate = Infinity} = options;
	const rate = Math.min(options.rate, maxRate);
	const progress = createProgress(rate, clock);
	return withAddress(options, clock, async ({name, baseUrl, legacyBaseUrl}) => {
		const inspection = await inspect({
			baseUrl: choice === 'legacy' ? undefined : baseUrl,
			legacyBaseUrl: choice === 'v2' ? undefined : legacyBaseUrl,
			...{timeoutMs, rate, maxBytes, samples, clock, signal, observe: log?.observe},
			random: Math.random,
			choose: markets => symbolOf(markets, market),
			onProgress: progress.show,
		}).finally(progress.clear);
		const judged = judge(inspection);
		const demo = options.exchange === undefined;
		const diagnosed = {inspection, ...judged, exchangeName: name, demo, checkedAt: clock.now()};
		const text =
			report === undefined ? '' : reportText(diagnosed, options, ownSurroundings(process.env), randomBytes(16));
		if (json) await print(`${JSON.stringify(doctorDocument(diagnosed))}\n`);
		else if (report === '-') await print(text);
		else await printTable(doctorTable(diagnosed, {ascii, zone: options.zone, width: ownWidth(flags)}), ownOutput);
		if (report !== undefined && report !== '-') {
			await writeReport(report, text, clock);
			note(`wrote ${report}; read it before you pass it on`);
		}

		return {
			healthy: exitStatus.done,
			incomplete: exitStatus.done,
			warnings: exitStatus.warnings,
			unusable: exitStatus.failed,
		}[judged.verdict];
	});
}

function symbolOf(markets: readonly Market[] | undefined, text: string | undefined): string {
	if (text === undefined) return defaultSymbol(markets ?? []) ?? lastResort;
	const market = markets ? marketNamed(markets, text) : undefined;
	if (market && isNumbered(market)) {
		throw new UsageError(`other markets have the name of ${pairName(market)}; doctor needs one whose name is its own`);
	}

	return market?.symbol ?? symbolKey(text);
}

/**
 * Shows progress on stderr: on a terminal one line that counts, elsewhere one line at the start and one for each long wait
 * after a failure.
 */
function createProgress(rate: number, clock: Clock) {
	let isShown = false;
	return {
		show({made, expected, wait: due}: Progress): void {
			const waitMs = (due?.until ?? 0) - clock.now();
			const isLong = waitMs >= leastReportedWaitMs;
			const texts = {
				rate: `next in ${formatAge(waitMs)}`,
				'rate-limited': waitText(waitMs),
				failure: `request failed, retry in ${formatAge(waitMs)}`,
			};
			if (process.stderr.isTTY) {
				const wait = due && isLong ? `, ${texts[due.for]}` : '';
				showProgress(`request ${made + 1} of ${expected}${wait}`);
			} else {
				if (!isShown) note(`${expected} requests, at most ${rate} per second`);
				if (due && isLong && due.for !== 'rate') note(texts[due.for]);
			}

			isShown = true;
		},
		clear: clearProgress,
	};
}

/** The report for programs. Times are epoch ms, durations ms, `null` is unknown. */
export const doctorDocument = ({inspection, findings, verdict, exchangeName, demo, checkedAt}: Diagnosed): Document =>
	plain({
		...{verdict, ...originOf({exchangeName, demo}), checkedAt, ...inspection},
		operations: inspection.operations.map(report => ({...report, error: report.error?.message})),
		findings: findings.map(finding => ({...absent, ...finding})),
	}) as Document;

type Document = Of<typeof schema> & Origin;

const absent = {interface: undefined, operation: undefined, field: undefined, example: undefined, checks: undefined};

const isMeasured = (name: string): boolean => measuredFields.some(field => field === name);

/** Without obstacles (the finding with its code names the check), and with `null` for undefined values, which JSON would omit. */
function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== 'object' || value === null) return value ?? null;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, isMeasured(name) && isObstacle(entry) ? null : plain(entry)]),
	);
}
