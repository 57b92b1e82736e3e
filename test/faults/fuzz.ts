/** Spoiled bodies through the decoders of every operation: `npm run fuzz`, or with a count for each operation. */

import {parseJson} from '../../source/client/body.ts';
import {ExchangeError, SchemaError} from '../../source/client/errors.ts';
import type {Answer} from '../../source/client/exchange.ts';
import type {Http} from '../../source/client/http.ts';
import {type OperationName, operationPaths} from '../../source/demo/operations.ts';
import {hashText, Random} from '../../source/demo/random.ts';
import {startDemo} from '../../source/demo/server.ts';
import type {Clock} from '../../source/market/clock.ts';
import {legacyClient, readSummary, v2Client} from '../helpers/clients.ts';
import {hostileTexts} from './invariants.ts';
import {mutate} from './mutations.ts';

/** What came of the bodies of one operation. */
export type FuzzRow = {
	readonly operation: string;
	readonly bodies: number;
	readonly values: number;
	/** Values of which entries were dropped. */
	readonly dropping: number;
	readonly errors: number;
	/** Of the processor: what else the machine does makes no difference. */
	readonly slowestMs: number;
	/** The first bodies that gave anything else, with what they gave. */
	readonly offences: readonly string[];
};

const seed = 1;
/** Entries of each list that are kept of a real body, so that most mutations hit what matters. */
const keptEntries = 12;
const shownOffences = 5;
const standingStill: Clock = {now: () => Date.UTC(2026, 10, 20, 10, 30), after: () => () => {}};

type Target = {
	readonly name: string;
	readonly body: OperationName;
	read(http: Http): Promise<Answer<unknown>>;
};

const v2 = (http: Http) => v2Client(http, {clock: standingStill});
const v1 = (http: Http) => legacyClient(http, {clock: standingStill});

const targets: readonly Target[] = [
	{name: 'v2 info', body: 'v2.info', read: http => v2(http).info()},
	{name: 'v2 markets', body: 'v2.markets', read: http => v2(http).markets()},
	{name: 'v2 summary', body: 'v2.summary', read: http => readSummary(http, {clock: standingStill})},
	{name: 'v2 ticker', body: 'v2.ticker', read: http => v2(http).tickers()},
	{name: 'v2 depth', body: 'v2.depth', read: http => v2(http).depth('BTCUSDT')},
	{name: 'v2 trades', body: 'v2.trades', read: http => v2(http).trades('BTCUSDT')},
	{name: 'v2 candles', body: 'v2.candles', read: http => v2(http).candles('BTCUSDT', {period: 60})},
	{name: 'legacy markets', body: 'legacy.ticker', read: http => v1(http).markets()},
	{name: 'legacy ticker', body: 'legacy.ticker', read: http => v1(http).tickers()},
	{name: 'legacy depth', body: 'legacy.depth', read: http => v1(http).depth('BTCUSDT')},
	{name: 'legacy trades', body: 'legacy.trades', read: http => v1(http).trades('BTCUSDT')},
];

/** The same bodies every time. Rejects when the unspoiled body of an operation does not give a value. */
export async function fuzz(bodiesEach: number): Promise<readonly FuzzRow[]> {
	const rows: FuzzRow[] = [];
	for (const {target, body} of await realBodies()) rows.push(await fuzzOne(target, body, bodiesEach));
	return rows;
}

async function realBodies(): Promise<readonly {readonly target: Target; readonly body: string}[]> {
	const demo = await startDemo({clock: standingStill, v2Bids: true, seed});
	try {
		const query = `symbol=BTCUSDT&period=60&limit=${keptEntries}`;
		return await Promise.all(
			targets.map(async target => {
				const response = await fetch(`${demo.url}${operationPaths[target.body]}?${query}`);
				return {target, body: shortened(await response.text())};
			}),
		);
	} finally {
		await demo.close();
	}
}

async function fuzzOne({name, read}: Target, body: string, count: number): Promise<FuzzRow> {
	let text = body;
	const {dropped} = await read(answering(() => text));
	if (dropped > 0) throw new Error(`${name}: the unspoiled body drops ${dropped}`);
	const random = new Random(hashText(`${seed} ${name}`));
	const http = answering(() => text);
	const row = {values: 0, dropping: 0, errors: 0, slowestMs: 0};
	const offences: string[] = [];
	for (let index = 0; index < count; index++) {
		text = mutate(body, random);
		const start = processorMs();
		const outcome = await read(http).catch((error: unknown) => new Failure(error));
		row.slowestMs = Math.max(row.slowestMs, processorMs() - start);
		const offence = offenceOf(outcome);
		if (offence !== undefined && offences.length < shownOffences) offences.push(`${offence}: ${text.slice(0, 2000)}`);
		if (outcome instanceof Failure) row.errors++;
		else row.values++;
		if (!(outcome instanceof Failure) && outcome.dropped > 0) row.dropping++;
	}

	return {operation: name, bodies: count, ...row, offences};
}

function processorMs(): number {
	const {user, system} = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** Set apart from values, which could be anything. */
class Failure {
	readonly error: unknown;

	constructor(error: unknown) {
		this.error = error;
	}
}

function offenceOf(outcome: Answer<unknown> | Failure): string | undefined {
	if (outcome instanceof Failure && !(outcome.error instanceof ExchangeError)) return `threw ${outcome.error}`;
	const [hostile] = hostileTexts(outcome);
	if (hostile !== undefined) return `lets ${JSON.stringify(hostile)} through`;
	if (outcome instanceof Failure) return undefined;
	const number = numbersOf(outcome.data).find(each => !Number.isFinite(each));
	if (number !== undefined) return `lets ${number} through`;
	return Object.keys(Object.prototype).length > 0 ? 'changes all objects' : undefined;
}

function numbersOf(value: unknown): readonly number[] {
	if (typeof value === 'number') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

/** What the HTTP client makes of a body. */
function answering(body: () => string): Http {
	return {
		async get({context}) {
			const text = body();
			try {
				return {json: parseJson(text), text, status: 200, headers: {}, sentBytes: text.length, receivedAt: 0};
			} catch (cause) {
				throw new SchemaError({...context, path: '', problem: 'is invalid JSON', cause});
			}
		},
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
}

/** A body with the first entries of its lists only. */
function shortened(text: string): string {
	return JSON.stringify(JSON.parse(text), (_, value) => {
		if (Array.isArray(value)) return value.slice(0, keptEntries);
		const isLong = typeof value === 'object' && value !== null && Object.keys(value).length > 2 * keptEntries;
		return isLong ? Object.fromEntries(Object.entries(value).slice(0, keptEntries)) : value;
	});
}

if (import.meta.main) {
	const rows = await fuzz(Number(process.argv[2] ?? 100_000));
	console.table(
		rows.map(({offences, ...row}) => ({...row, slowestMs: Math.round(row.slowestMs), offences: offences.length})),
	);
	for (const {operation, offences} of rows) for (const offence of offences) console.error(`${operation} ${offence}`);
	if (rows.some(({offences}) => offences.length > 0)) process.exitCode = 1;
}
