import {describe, expect, onTestFinished, test} from 'vitest';
import {doctorDocument} from '../../../source/cli/commands/doctor.ts';
import {judge} from '../../../source/cli/commands/doctor-checks.ts';
import {type Diagnosed, doctorTable} from '../../../source/cli/commands/doctor-table.ts';
import {inspect} from '../../../source/client/inspect/inspect.ts';
import {startDemo} from '../../../source/demo/server.ts';
import {paths, sends, v2} from '../../helpers/exchange-server.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';
import {schemaFaults} from '../../helpers/json-schemas.ts';
import {startSpecifiedExchange, ticker} from '../../helpers/specified-exchange.ts';
import {expectAtWidths, printed} from './table-widths.ts';

const start = Date.UTC(2026, 0, 1, 12, 30, 15, 250);

/** Time passes only before a request is sent again. */
async function diagnosed(baseUrl: string, legacyBaseUrl: string | undefined, demo: boolean): Promise<Diagnosed> {
	const clock = createHurriedClock(start);
	const settings = {timeoutMs: 3_600_000, rate: 1000, samples: 2, clock, random: () => 0, choose: () => 'BTCUSDT'};
	const inspection = await inspect({...settings, baseUrl, legacyBaseUrl});
	return {inspection, ...judge(inspection), exchangeName: 'sample', demo, checkedAt: clock.now()};
}

async function ofDemo(): Promise<Diagnosed> {
	const {url, close} = await startDemo({clock: createHurriedClock(start)});
	onTestFinished(close);
	return diagnosed(url, url, true);
}

/** How many connections one client opens at once is undici's affair. */
const expectTable = (table: readonly string[], name: string) =>
	expect(`${table.join('\n').replace(/\d(?= for \d+ requests)/, 'N')}\n`).toMatchFileSnapshot(
		`../../frames/doctor/${name}.txt`,
	);

describe('the doctor prints', () => {
	test('the demo exchange', async () => {
		await expectTable(doctorTable(await ofDemo(), {ascii: false}).lines, 'demo');
	});

	test('an exchange with one interface and some faults', async () => {
		const {url} = await startSpecifiedExchange({
			[paths.ticker]: v2([ticker, {...ticker, symbol: 'ETHUSDT', lastPrice: '10'}]),
			[paths.info]: sends('<html>down</html>', {status: 502}),
		});
		await expectTable(doctorTable(await diagnosed(url, undefined, false), {ascii: false}).lines, 'faults');
	});

	test('on a terminal in lines that fit', async () => {
		const {url} = await startSpecifiedExchange({
			[paths.ticker]: v2([ticker, {...ticker, symbol: 'ETHUSDT', lastPrice: '10'}]),
		});
		const diagnosis = await diagnosed(url, url, false);
		await expectAtWidths('doctor', async width => {
			const {stdout, stderr} = await printed(doctorTable(diagnosis, {ascii: false, width}));
			return {stdout: stdout.replace(/\d(?= for \d+ requests)/, 'N'), stderr};
		});
	});

	test('an exchange that answers nothing', async () => {
		const {url} = await startSpecifiedExchange(
			Object.fromEntries(Object.values(paths).map(path => [path, sends('no', {status: 404})])),
		);
		await expectTable(doctorTable(await diagnosed(url, url, false), {ascii: false}).lines, 'unusable');
	});
});

test('the document has the same facts for programs, and null for unknown ones', async () => {
	const {url} = await startSpecifiedExchange({[paths.candles]: sends('', {status: 404})});
	const report = await diagnosed(url, undefined, false);
	const document = JSON.parse(JSON.stringify(doctorDocument(report)));
	expect(schemaFaults('doctor', document)).toEqual([]);
	expect(document).toMatchObject({
		verdict: 'warnings',
		exchange: 'sample',
		demo: false,
		schemaVersion: 1,
		symbol: 'BTCUSDT',
		checkedAt: start,
		v2Bids: false,
		rangeUnit: null,
		agreement: null,
		tickerDelays: [
			{interface: 'v2', operation: 'ticker', delay: {samples: 2, behind: 0, atLeastMs: 0, medianMs: 0}},
			{interface: 'v2', operation: 'summary', delay: {samples: 2, behind: 0, atLeastMs: 0, medianMs: 0}},
		],
	});
	expect(document.operations.at(-1)).toEqual({
		interface: 'v2',
		operation: 'candles',
		requests: 2,
		failures: 2,
		repeats: 0,
		repeatedAfter: null,
		status: 404,
		error: `HTTP 404: not found (v2 candles at ${url}${paths.candles}?symbol=BTCUSDT&period=60)`,
		p50Ms: null,
		p95Ms: null,
		sentBytes: null,
		bytes: null,
		encoding: null,
		entries: null,
		dropped: 0,
		cut: 0,
		deviations: [],
		flaws: [],
	});
	expect(document.limits).toEqual([
		{
			interface: 'v2',
			operation: 'trades',
			default: 1,
			most: {entries: 1, beyond: 'unknown'},
			exceeded: null,
			documented: null,
			answers: [0, 1, 1000, 1001].map(limit => ({limit, outcome: 'answered', entries: 1, status: 200})),
		},
	]);
	expect(document.findings).toHaveLength(report.findings.length);
	expect(document.findings).toContainEqual({
		...{severity: 'warning', code: 'failed', interface: 'v2', operation: 'candles', field: null, example: null},
		...{checks: null, text: 'v2 candles: no request succeeded, last error: not found'},
	});
	expect(document.findings).toContainEqual({
		...{severity: 'unchecked', code: 'failed', interface: null, operation: null, field: null, example: null},
		...{checks: ['v2 candles limit', 'candle range unit']},
		text: 'v2 candles limit, candle range unit: a required read failed',
	});
});
