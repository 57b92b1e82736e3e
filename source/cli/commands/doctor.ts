import {inspect} from '../../client/inspect/inspect.ts';
import {type Clock, systemClock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Market} from '../../market/types.ts';
import {defaultSymbol} from '../../store/default-market.ts';
import {openLog, withAddress} from '../context.ts';
import {exitStatus} from '../exit.ts';
import type {Options} from '../options/options.ts';
import {note, print} from '../output.ts';
import {doctorDocument} from './doctor-document.ts';
import {findingsOf, verdictOf} from './doctor-findings.ts';
import {doctorTable} from './doctor-table.ts';
import {marketNamed} from './lookup.ts';
import {waitText} from './wait-notes.ts';

export type DoctorRequest = {
	readonly json: boolean;
	/** Looks at each operation. Default 5. */
	readonly samples?: number | undefined;
};

const defaultSamples = 5;
/** Asked about when the exchange names no market at all. */
const lastResort = 'BTCUSDT';

/**
 * Looks an exchange over and prints what it found. Settles with the exit status: 0 healthy, 3 usable with warnings, 1
 * unusable. Rejects with a `UsageError` for a market that the exchange does not have.
 */
export async function runDoctor(
	options: Options,
	{json, samples = defaultSamples}: DoctorRequest,
	signal: AbortSignal,
	clock: Clock = systemClock,
): Promise<number> {
	const observe = await openLog(options, clock);
	const {market, timeoutMs, ascii, choice, maxRate = Infinity} = options;
	const rate = Math.min(options.rate, maxRate);
	const progress = createProgress(rate, clock);
	return withAddress(options, async ({name, baseUrl, legacyBaseUrl}) => {
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
		return {healthy: exitStatus.done, warnings: exitStatus.warnings, unusable: exitStatus.failed}[verdict];
	});
}

function symbolOf(markets: readonly Market[] | undefined, text: string | undefined): string {
	if (text === undefined) return defaultSymbol(markets ?? []) ?? lastResort;
	return markets ? marketNamed(markets, text).symbol : symbolKey(text);
}

/** A shorter wait needs no words. */
const leastWaitMs = 2000;

/** On a terminal a line that counts; elsewhere one line that says how long it takes, and one for each long wait. */
function createProgress(rate: number, clock: Clock) {
	const {stderr} = process;
	let said = false;
	return {
		show(made: number, expected: number, freeAt?: number): void {
			const waitMs = (freeAt ?? 0) - clock.now();
			const wait = waitMs < leastWaitMs ? '' : waitText(waitMs);
			if (stderr.isTTY) {
				stderr.write(`\rtapewatch: request ${made + 1} of ${expected}${wait && `, ${wait}`}\u001B[K`);
			} else {
				if (!said) note(`${expected} requests, ${rate} a second at most`);
				if (wait) note(wait);
			}

			said = true;
		},
		clear(): void {
			if (said && stderr.isTTY) stderr.write('\r\u001B[K');
		},
	};
}
