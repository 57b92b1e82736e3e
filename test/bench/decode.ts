/** What decoding and validating costs on top of JSON.parse, and what numbers of many digits cost. Alone: `node test/bench/decode.ts`. */

import {parseJson} from '../../source/client/body.ts';
import type {Http} from '../../source/client/http.ts';
import {readSummary, v2Client} from '../helpers/clients.ts';
import type {BenchRow} from './row.ts';

const rounds = 40;
const perRound = 10;
const mostRatio = 1.5;
/** A pass that is linear stays far below it, however long the text. */
const mostLongRatio = 4;

/** Rows for a summary of 2,000 markets, a book of 5,000 levels a side, and texts with long numbers. */
export async function bench(): Promise<readonly BenchRow[]> {
	const summary = await measure(summaryBody(2000), text => readSummary(answering(text)));
	const book = await measure(bookBody(5000), text => v2Client(answering(text)).depth('BTCUSDT'));
	const long = await measure(longBody(16_000_000), parsing, 1);
	const allLong = await measure(tradesOfLongNumbers(1000), parsing);
	return [
		{
			name: 'decode a summary of 2,000 markets',
			measured: inWords(summary),
			target: `≤ ${mostRatio}`,
			met: summary.ratio <= mostRatio,
		},
		{
			name: 'decode a book of 5,000 levels a side',
			measured: inWords(book),
			target: `≤ ${mostRatio}`,
			met: book.ratio <= mostRatio,
		},
		{
			name: 'parse 16 MB with one long id at the end',
			measured: inWords(long),
			target: `≤ ${mostLongRatio}`,
			met: long.ratio <= mostLongRatio,
		},
		{name: 'parse 1,000 trades of long numbers only', measured: inWords(allLong)},
	];
}

type Cost = {readonly ratio: number; readonly ms: number; readonly kilobytes: number};

const inWords = ({ratio, ms, kilobytes}: Cost): string =>
	`${ratio.toFixed(2)} × JSON.parse (${ms.toFixed(2)} ms, ${kilobytes.toFixed(0)} kB)`;

/** The whole read but for the network: parsed, checked and turned into the domain's types. Time of the processor, garbage included. */
async function measure(
	text: string,
	decode: (text: string) => Promise<{readonly dropped: number}>,
	timed = rounds,
): Promise<Cost> {
	let [parsingMs, decodingMs] = [0, 0];
	for (let round = -Math.ceil(timed / 4); round < timed; round++) {
		// By turns, as what else the machine does slows both alike; several at once, as the clock of the processor is coarse.
		const start = processorMs();
		for (let index = 0; index < perRound; index++) JSON.parse(text);
		const middle = processorMs();
		for (let index = 0; index < perRound; index++) {
			const {dropped} = await decode(text);
			if (dropped > 0) throw new Error(`the benchmark's own body is wrong: ${dropped} entries dropped`);
		}

		const end = processorMs();
		if (round < 0) continue;
		parsingMs += middle - start;
		decodingMs += end - middle;
	}

	return {ratio: decodingMs / parsingMs, ms: decodingMs / timed / perRound, kilobytes: text.length / 1000};
}

/** Of this thread. */
function processorMs(): number {
	const {user, system} = process.threadCpuUsage();
	return (user + system) / 1000;
}

function answering(text: string): Http {
	return {
		get: async () => ({json: parseJson(text), text, status: 200, headers: {}, sentBytes: 0, receivedAt: 0}),
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
}

async function parsing(text: string): Promise<{readonly dropped: number}> {
	parseJson(text);
	return {dropped: 0};
}

/** Trades of about `length` characters, the last of them with an id that no double holds. */
function longBody(length: number): string {
	const entry = '{"id":1234567,"price":61824.01,"quantity":0.12345,"time":1723161299000,"side":"buy"}';
	const last = entry.replace('1234567', '12345678901234567891');
	return envelope(`[${`${entry},`.repeat(length / entry.length)}${last}]`);
}

function tradesOfLongNumbers(count: number): string {
	const trades = Array.from({length: count}, (_, index) => {
		const digits = String(index).padStart(18, '1');
		return `{"id":${digits}1,"price":61824.${digits},"quantity":0.${digits},"time":1723161299000,"side":"buy"}`;
	});
	return envelope(`[${trades.join()}]`);
}

/** The same figures each time, with as many digits as an exchange writes. */
function createFigures(): (scale: number) => string {
	let state = 1;
	return scale => {
		state = (state * 16_807) % 2_147_483_647;
		return ((state / 2_147_483_647) * scale).toPrecision(8);
	};
}

function summaryBody(count: number): string {
	const figure = createFigures();
	const markets = Array.from({length: count}, (_, index) => {
		const scale = 10 ** ((index % 14) - 9);
		const numbers = [
			...['priceChange', 'lastPrice', 'bidPrice', 'askPrice', 'openPrice', 'highPrice', 'lowPrice'].map(
				name => `"${name}":${figure(scale)}`,
			),
			...['priceChangePercent', 'bidQuantity', 'askQuantity', 'volume'].map(name => `"${name}":${figure(1000)}`),
		];
		return `{"symbol":"A${index}USDT",${numbers.join()},"state":"active","type":"spot"}`;
	});
	return envelope(`{"markets":[${markets.join()}]}`);
}

function bookBody(levels: number): string {
	const figure = createFigures();
	const side = (step: number) =>
		Array.from({length: levels}, (_, index) => `[${(60_000 + index * step).toFixed(2)},${figure(10)}]`).join();
	return envelope(`{"asks":[${side(0.01)}],"bids":[${side(-0.01)}]}`);
}

const envelope = (data: string): string => `{"data":${data},"success":true,"message":"","timestamp":1723161299000}`;

if (import.meta.main) console.table(await bench());
