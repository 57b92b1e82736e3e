import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {dayMs} from '../../source/market/units.ts';
import {plainOutcome} from '../../source/recording/outcome-log.ts';
import {createRecorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../source/recording/recording-file.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import type {BenchRow} from './row.ts';
import {answerAt, type Minutes, noMinutes, type Resource, readMinutes} from './support/recorded-minutes.ts';

/** The recorded minutes are repeated; the first time, with whole lists and empty files, is not measured. */
const rounds = 4;

/** Size and cost of what is recorded of one market, and of all tickers, extrapolated to a day. */
export async function bench(): Promise<readonly BenchRow[]> {
	const minutes = readMinutes();
	if (!minutes) return [{name: 'recording', measured: noMinutes}];
	const market = measure(minutes, ['depth', 'trades']);
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
			const outcome = answerAt(minutes, name, second, now, allMove);
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

if (import.meta.main) for (const row of await bench()) console.log(Object.values(row).join(' | '));
