import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import type {DepthBook, Level, Ticker, Trade} from '../../source/market/types.ts';
import {dayMs} from '../../source/market/units.ts';
import {type AnsweredRead, plainOutcome} from '../../source/recording/read-outcome.ts';
import {createRecorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../source/recording/recording-file.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import type {BenchRow} from './row.ts';

/** Recorded data of a real exchange, which is no part of the project. */
const data = join(import.meta.dirname, '../../../shared/market-data');
const otherData = '/work/shared/market-data';
const symbol = 'BTCUSDT';
const pageSize = 100;
/** The recorded minutes are repeated; the first time, with whole lists and empty files, is not measured. */
const rounds = 4;

type Minutes = {
	readonly books: readonly {readonly time: number; readonly book: DepthBook}[];
	/** Oldest first. */
	readonly trades: readonly Trade[];
	readonly tickers: readonly Ticker[];
};

/** Size and cost of what is recorded of one market, and of all tickers, extrapolated to a day. */
export async function bench(): Promise<readonly BenchRow[]> {
	const folder = [data, otherData].find(existsSync);
	if (folder === undefined) {
		return [{name: 'recording', measured: 'skipped: ../shared/market-data with recorded data is not there'}];
	}

	const minutes = readMinutes(folder);
	const market = measure(minutes, ['depth', 'tape']);
	const tickers = measure(minutes, ['tickers']);
	const moving = measure(minutes, ['tickers'], true);
	const share = market.cpuShare + tickers.cpuShare;
	return [
		sizeRow('recording: book and trades of one market', market.bytesADay, 60),
		sizeRow(`recording: ${minutes.tickers.length} tickers, of which two change`, tickers.bytesADay, 60),
		sizeRow(`recording: ${minutes.tickers.length} tickers, if each changes with every answer`, moving.bytesADay),
		{
			name: 'recording: CPU for all of this, both threads',
			...{measured: `${(share * 100).toFixed(2)} % of a core`, target: '≤ 0.5 %', met: share <= 0.005},
		},
	];
}

function sizeRow(name: string, bytes: number, targetMb?: number): BenchRow {
	const measured = `${(bytes / 1_000_000).toFixed(1)} MB a day`;
	if (targetMb === undefined) return {name, measured};
	return {name, measured, target: `≤ ${targetMb} MB`, met: bytes <= targetMb * 1_000_000};
}

function readMinutes(folder: string): Minutes {
	const read = (name: string) => gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString();
	const lines = (name: string) =>
		read(name)
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	const levels = (side: readonly (readonly string[])[]) =>
		side.map((level): Level => [Number(level[0]), Number(level[1])]);
	return {
		books: lines(`depth-${symbol}.ndjson`).map(({t, asks, bids}) => ({
			time: t,
			book: {asks: levels(asks), bids: levels(bids)},
		})),
		trades: lines(`trades-${symbol}.ndjson`).map(({id, t, price, qty, side}) => ({
			...{id: String(id), time: t, price: Number(price), quantity: Number(qty), side, sideText: side},
		})),
		tickers: JSON.parse(read('tickers-binance.json')).map((row: Readonly<Record<string, string>>) => ({
			...{symbol: row.symbol, last: Number(row.last), change: Number(row.change), open: Number(row.open)},
			...{changePercent: Number(row.changePercent), high: Number(row.high), low: Number(row.low)},
			...{bid: Number(row.bid), bidQuantity: Number(row.bidQty), ask: Number(row.ask), askQuantity: Number(row.askQty)},
			...{volume: Number(row.volume), state: 'active', type: 'spot'},
		})),
	};
}

type Resource = 'depth' | 'tape' | 'tickers';

/** Records the minutes again and again, as fast as it goes, with a flush for each second of them. */
function measure(minutes: Minutes, resources: readonly Resource[], allMove = false) {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const path = join(folder, 'bench.twr');
	const from = minutes.books[0]?.time ?? 0;
	const roundMs = 1000 * minutes.books.length;
	const start = {from, version: 'bench', options: {}, host: 'bench', process: process.pid};
	const db = openToRecord(path, {name: 'bench'}, start, () => false);
	const recorder = createRecorder(db, start);
	const intervals = pollIntervals();
	const size = () =>
		Number(
			db
				.prepare(
					'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
				)
				.get()?.bytes,
		);
	let sizeBefore = 0;
	let cpuMicros = 0;
	const timed = (work: () => void) => {
		const before = process.cpuUsage();
		work();
		const {user, system} = process.cpuUsage(before);
		cpuMicros += user + system;
	};
	for (let second = 0; second < rounds * minutes.books.length; second++) {
		if (second === minutes.books.length) {
			sizeBefore = size();
			cpuMicros = 0;
		}

		const now = from + second * 1000;
		for (const name of resources) {
			if ((second * 1000) % intervals[name] !== 0) continue;
			const outcome = readAt(minutes, name, second, now, allMove);
			// As it is sent to the thread, and received there.
			timed(() => recorder.add(structuredClone(structuredClone(plainOutcome(outcome)))));
		}

		timed(() => recorder.flush(now));
	}

	const lastedMs = (rounds - 1) * roundMs;
	const bytesADay = ((size() - sizeBefore) * dayMs) / lastedMs;
	closeRecorded(db);
	rmSync(folder, {recursive: true});
	return {bytesADay, cpuShare: cpuMicros / 1000 / lastedMs};
}

function readAt(minutes: Minutes, name: Resource, second: number, now: number, allMove: boolean): AnsweredRead {
	const {books, trades, tickers} = minutes;
	const about = {interface: 'v2', receivedAt: now, serverTime: now - 30, dropped: 0} as const;
	const sentAt = now - 60;
	const round = Math.floor(second / books.length);
	const {book, time} = books[second % books.length] ?? {book: {asks: []}, time: 0};
	if (name === 'depth') {
		return {operation: 'depth', symbol, sentAt, answer: {...about, interface: 'v1', data: book}};
	}

	const end = trades.findIndex(trade => trade.time > time);
	const shown = trades.slice(0, end === -1 ? trades.length : end).slice(-pageSize);
	if (name === 'tape') {
		const shiftMs = round * 1000 * books.length;
		const page = shown.map(({id, ...trade}) => ({
			...trade,
			...{id: String(Number(id) + round * trades.length), time: trade.time + shiftMs},
		}));
		return {operation: 'trades', symbol, sentAt, answer: {...about, data: page.reverse()}};
	}

	const last = shown.at(-1)?.price;
	const [bid, bidQuantity] = book.bids?.[0] ?? [];
	const [ask, askQuantity] = book.asks[0] ?? [];
	const data = tickers.map((ticker, index): Ticker => {
		const {symbol: of, volume = 0} = ticker;
		if (of === symbol || of === 'ETHUSDT') return {...ticker, last, bid, bidQuantity, ask, askQuantity};
		return allMove ? {...ticker, volume: volume + second * (index + 1)} : ticker;
	});
	return {operation: 'ticker', sentAt, answer: {...about, data}};
}

if (import.meta.main) for (const row of await bench()) console.log(Object.values(row).join(' | '));
