/**
 * How long reading recordings that no recorder wrote holds up keys and signals. Each case alone:
 * `node --expose-gc test/bench/hostile-recordings.ts`.
 */
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setImmediate as immediate} from 'node:timers';
import {setImmediate} from 'node:timers/promises';
import {exportRecording, recording} from '../../source/cli/commands/recording.ts';
import {read, watch} from '../../source/cli/commands.ts';
import {systemClock} from '../../source/market/clock.ts';
import {openReplay, replayedSymbol} from '../../source/recording/open-replay.ts';
import {createRecorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {hostileRecordings} from '../helpers/hostile-recordings.ts';
import type {BenchRow} from './row.ts';

const mostMs = 200;
const symbol = 'BTCUSDT';
const longestPlayMs = 2000;
const startedAt = Date.UTC(2026, 10, 22, 14);

const arrangement = {};
const asked = {market: symbol, arrangement} as const;

/** What reads a file, by the command. Signals end these at once, as the system does it: nothing waits for a turn of the event loop. */
const reads: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
	recording: path => recording({}, path),
	trades: path => read({recording: path}, () => ({ask: 'trades', market: symbol})),
	'trades --at': path => read({recording: path, at: '14:00:01'}, () => ({ask: 'trades', market: symbol})),
	'trades --from': path =>
		read({recording: path, from: '14:00'}, (_, times) => ({ask: 'trades', market: symbol, ...times()})),
	depth: path => read({recording: path}, () => ({ask: 'depth', ...asked})),
	candles: path => read({recording: path}, () => ({ask: 'candles', market: symbol, period: 1})),
	ticker: path => read({recording: path}, () => ({ask: 'tickers', markets: [symbol], arrangement})),
};

/** What hears keys and signals while it goes on. */
const commands: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
	watch: path => watch({recording: path}, [symbol]),
	'watch --json': path => watch({recording: path, json: true}, [symbol]),
	'watch --alert': path => watch({recording: path, alert: [`${symbol} last crosses 1`]}, [symbol]),
	export: path => exportRecording({output: 'ndjson'}, path, mkdtempSync(join(tmpdir(), 'tapewatch-export-'))),
	replay,
	record,
};

/** As the screen does it, with the turns of the event loop that it takes, but without drawing. */
async function replay(path: string): Promise<void> {
	const reader = openRecording(path);
	try {
		const sessions = reader.sessions();
		const [first] = sessions;
		if (!first) return;
		const shown = replayedSymbol(reader, first, reader.symbols(), undefined);
		await setImmediate();
		const ended = Promise.withResolvers<unknown>();
		const {player, storeOf, changeAt} = openReplay({
			...{log: reader, clock: systemClock, settle: setImmediate, speed: 'max'},
			onError: ended.resolve,
		});
		reader.alerts();
		const store = storeOf({symbol: shown});
		store.start();
		await setImmediate();
		for (const _ of reader.gapPages()) await setImmediate();
		player.subscribe(() => player.getSnapshot().isPlaying || ended.resolve(undefined));
		player.play();
		const cancel = systemClock.after(longestPlayMs, () => ended.resolve(undefined));
		await ended.promise;
		cancel();
		player.stop();
		for (const to of [sessions.at(-1)?.to ?? 0, first.from]) {
			await setImmediate();
			player.goTo(to);
			for (const by of [1, -1] as const) {
				await setImmediate();
				changeAt(shown, by);
			}
		}

		store.stop();
	} finally {
		reader.close();
	}
}

/** In its thread. */
async function record(path: string): Promise<void> {
	const start = {from: startedAt + 60_000, version: '1', options: {}, host: 'here', process: 1};
	const db = openToRecord(path, {name: 'sample.example'}, start, () => false);
	await setImmediate();
	createRecorder(db, start).end(start.from);
	await setImmediate();
	closeRecorded(db);
}

type Freeze = {readonly what: string; readonly ms: number; readonly outcome: string};

/** The longest time of this thread's work between two turns of the event loop. */
async function freezeOf(what: string, work: () => Promise<unknown>): Promise<Freeze> {
	globalThis.gc?.();
	let [ms, isEnded] = [0, false];
	let last = process.threadCpuUsage();
	const look = (): void => {
		const {user, system} = process.threadCpuUsage(last);
		ms = Math.max(ms, (user + system) / 1000);
		last = process.threadCpuUsage();
		if (!isEnded) immediate(look);
	};
	immediate(look);
	const outcome = await work().then(
		() => 'read',
		error => String(error instanceof Error ? error.message : error).slice(0, 80),
	);
	look();
	isEnded = true;
	return {what, ms, outcome};
}

/** The least of up to three runs, as a busy computer makes single ones too long. */
async function leastFreeze(what: string, work: () => Promise<unknown>): Promise<Freeze> {
	let least = await freezeOf(what, work);
	for (let run = 1; run < 3 && least.ms > mostMs / 2; run++) {
		const next = await freezeOf(what, work);
		if (next.ms < least.ms) least = next;
	}

	return least;
}

/** The longest freeze of each case. `onFreeze`: called with each freeze. */
async function measure(
	names: readonly string[],
	of: typeof commands,
	onFreeze: (freeze: Freeze) => void = () => {},
): Promise<readonly Freeze[]> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const write = process.stdout.write;
	const worst: Freeze[] = [];
	try {
		const whole = join(folder, 'whole.twr');
		recordWhole(whole);
		const measured = async (name: string, path: string): Promise<readonly Freeze[]> => {
			const all: Freeze[] = [];
			for (const [command, work] of Object.entries(of)) {
				all.push(await leastFreeze(`${command}: ${name}`, () => work(path)));
			}

			return all;
		};
		// What the commands print is not looked at.
		process.stdout.write = (_: unknown, ...given: readonly unknown[]) => {
			for (const each of given) if (typeof each === 'function') each();
			return true;
		};
		// Until their code is loaded and compiled.
		await measured('nothing', whole);
		for (const name of names) {
			const path = join(folder, 'hostile.twr');
			copyFileSync(whole, path);
			const db = new DatabaseSync(path);
			db.exec('BEGIN');
			hostileRecordings[name]?.(db);
			db.exec('COMMIT');
			db.close();
			const all = await measured(name, path);
			for (const each of all) onFreeze(each);
			worst.push(all.reduce((most, each) => (each.ms > most.ms ? each : most)));
			rmSync(path);
		}
	} finally {
		process.stdout.write = write;
		rmSync(folder, {recursive: true, force: true});
	}

	return worst;
}

function recordWhole(path: string): void {
	const start = {from: startedAt, version: '1', options: {}, host: 'here', process: 1};
	const db = openToRecord(path, {name: 'sample.example'}, start, () => false);
	const recorder = createRecorder(db, start);
	const about = {interface: 'v2', receivedAt: startedAt + 1000, dropped: 0} as const;
	const times = {sentAt: startedAt + 900, endedAt: startedAt + 1000};
	const market = symbol;
	const candle = {time: startedAt, open: 1, high: 1, low: 1, close: 1, volume: 1};
	const trade = (id: string) =>
		({id, time: startedAt + 500, price: 1, quantity: 1, side: 'buy', sideText: 'buy'}) as const;
	recorder.add({question: {ask: 'candles', market, period: 1}, ...times, answer: {...about, data: [candle]}});
	recorder.add({question: {ask: 'trades', market}, ...times, answer: {...about, data: [trade('2'), trade('1')]}});
	recorder.add({
		question: {ask: 'depth', market},
		...times,
		answer: {...about, data: {asks: [[101, 1]], bids: [[100, 1]]}},
	});
	recorder.add({question: {ask: 'tickers'}, ...times, answer: {...about, data: [{symbol, state: 'active', last: 1}]}});
	const failure = {
		kind: 'timeout',
		operation: 'depth',
		interface: 'v2',
		brief: 'timed out',
		message: 'timed out',
	} as const;
	recorder.add({question: {ask: 'depth', market}, ...times, endedAt: startedAt + 2000, failure});
	recorder.end(startedAt + 2000);
	closeRecorded(db);
}

/** A row for the recording that holds up keys and signals longest. */
export async function bench(): Promise<readonly BenchRow[]> {
	const names = Object.keys(hostileRecordings);
	const longestOf = async (of: typeof commands): Promise<Freeze> =>
		(await measure(names, of)).reduce((most, each) => (each.ms > most.ms ? each : most));
	const [longest, read] = [await longestOf(commands), await longestOf(reads)];
	return [
		{
			name: `hostile recordings, worst freeze of ${names.length}`,
			measured: `${longest.ms.toFixed(0)} ms (${longest.what})`,
			target: `≤ ${mostMs} ms`,
			met: longest.ms <= mostMs,
		},
		{name: 'hostile recordings, longest read, which signals end', measured: `${read.ms.toFixed(0)} ms (${read.what})`},
	];
}

if (import.meta.main) {
	const [, , ...chosen] = process.argv;
	const names = chosen.length > 0 ? chosen : Object.keys(hostileRecordings);
	for (const chosenCommands of [commands, reads]) {
		await measure(names, chosenCommands, ({what, ms, outcome}) =>
			console.error(`${ms.toFixed(0)} ms | ${what} | ${outcome}`),
		);
	}
}
