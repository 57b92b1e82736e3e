import {parseMoment} from '../format/moment.ts';
import {formatFullTime, parsePeriod} from '../format/time.ts';
import type {Zone} from '../format/zone.ts';
import {systemClock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {dayMs} from '../market/units.ts';
import {momentAt, nothingRecorded, type Recorded, recordedExchange} from '../recording/recorded-exchange.ts';
import {openRecording, type RecordingReader} from '../recording/recording-reader.ts';
import type {RecordedSession} from '../recording/session-table.ts';
import {createDiagnosis} from '../store/diagnosis.ts';
import {type Context, ownPlace} from './context.ts';
import {UsageError} from './exit.ts';
import {camel, demoName, entries, type Flags, longOf, type OptionEntry} from './options/option-table.ts';
import {type Options, readOptions} from './options/options.ts';

/** Epoch ms. */
export type RequestedTimes = {readonly from?: number | undefined; readonly to?: number | undefined};

/** The first of the options that a recording has no use for. */
export const uselessIn = (flags: Flags, kind: OptionEntry['ofExchange']): string | undefined =>
	entries
		.filter(({ofExchange}) => ofExchange === kind)
		.map(longOf)
		.find(flag => flags[camel(flag.slice(2))] !== undefined);

/**
 * The options of a read of a recording, which needs no exchange. Rejects with a `UsageError`, also about a flag that has no effect on
 * it.
 */
export async function recordingOptions(flags: Flags, env: NodeJS.ProcessEnv): Promise<Options> {
	const flag = uselessIn(flags, 'requests');
	if (flag) throw new UsageError(`${flag} does not apply to a recording, which is read without a request`);
	return readOptions({...flags, exchange: demoName, interface: 'auto'}, env);
}

/** In minutes, also parts of one: candles can be built from recorded trades. Throws a `UsageError`. */
export function recordedPeriod(text: string): Period {
	const [, count] = /^([\d.]+)s$/i.exec(text.trim()) ?? [];
	const period = count === undefined ? parsePeriod(text) : secondsOf(count);
	if ('value' in period && period.value > 0) return period.value;
	const fault = 'fault' in period ? `: ${period.fault.replace('use m,', 'use s, m,')}` : '';
	throw new UsageError(`--period must be minutes, or a period such as 5s, 15m, 1h, 1d, 1M${fault}`);
}

const secondsOf = (count: string): ReturnType<typeof parsePeriod> =>
	/^\d+$/.test(count) ? {value: Number(count) / 60} : {fault: 'seconds are whole numbers'};

/** Opens a recording, and closes it when `use` has settled. Rejects with a `RecordingError`. */
export async function withReader<T>(path: string, use: (reader: RecordingReader) => Promise<T>): Promise<T> {
	const reader = openRecording(path);
	try {
		return await use(reader);
	} finally {
		reader.close();
	}
}

/** The exchange that was recorded. */
export function exchangeIn(reader: RecordingReader): Pick<Context, 'exchangeName' | 'demo'> {
	const {name: exchangeName} = reader.about();
	return {exchangeName, demo: exchangeName === demoName};
}

/**
 * What a read of a recording gets: its exchange answers what was known at `--at`, by default at the end. Throws an
 * `UnavailableError` or a `UsageError`.
 */
export function recordedContext(
	reader: RecordingReader,
	flags: Flags,
	options: Options,
): {readonly context: Context; readonly times: RequestedTimes} {
	const sessions = reader.sessions();
	const {at, ...times} = requestedTimes(flags, sessions);
	const end = sessions.at(-1)?.lastAt ?? 0;
	const moment = momentAt(reader, at ?? end);
	if (!moment) throw nothingRecorded(reader, at ?? end);
	const context = {
		...{...ownPlace(), ...exchangeIn(reader), options},
		exchange: recordedExchange(reader, moment),
		diagnosis: createDiagnosis(),
		clock: {...systemClock, now: () => moment.time},
		recorded: {reader, moment},
	};
	return {context, times};
}

function requestedTimes(
	flags: Flags,
	sessions: readonly RecordedSession[],
): RequestedTimes & {readonly at?: number | undefined} {
	const time = (name: 'at' | 'from' | 'to'): number | undefined =>
		typeof flags[name] === 'string' ? recordedTime(sessions, flags[name], `--${name}`) : undefined;
	const [at, from, to] = [time('at'), time('from'), time('to')];
	if (at !== undefined && (from ?? to) !== undefined) throw new UsageError('give --at, or --from and --to, not both');
	if (from === undefined || to === undefined || from <= to) return {at, from, to};
	// Of two days: over midnight.
	const apartMs = Math.ceil((from - to) / dayMs) * dayMs;
	const isRecorded = from - apartMs >= (sessions[0]?.from ?? 0);
	if (isTimeOfDay(flags.from) && isRecorded) return {from: from - apartMs, to};
	return isTimeOfDay(flags.to) && !isTimeOfDay(flags.from) ? {from, to: to + apartMs} : {from, to};
}

const isTimeOfDay = (text: unknown): boolean => typeof text === 'string' && /^\d{1,2}:/.test(text.trim());

/**
 * A time as the user writes it: relative times count from the end of the recording, and times of day are of the last day that was
 * recorded then, or else those that are nearest to the recording.
 */
export function recordedTime(sessions: readonly RecordedSession[], text: string, flag: string): number {
	const [start, end] = [sessions[0]?.from ?? 0, sessions.at(-1)?.lastAt ?? 0];
	const time = parseMoment(text, end);
	if (time === undefined) {
		throw new UsageError(`${flag} must be a UTC time such as 14:03, 14:03:10, 2026-11-20T14:03 or -5m, not ${text}`);
	}

	if (!isTimeOfDay(text)) return time;
	const isRecorded = (day: number) => sessions.some(({from, to}) => from <= day && day <= to);
	const awayMs = (day: number) => Math.max(start - day, day - end, 0);
	let nearest = time + dayMs;
	for (let day = nearest; day >= start - dayMs; day -= dayMs) {
		if (isRecorded(day)) return day;
		if (awayMs(day) < awayMs(nearest)) nearest = day;
	}

	return nearest;
}

/** Of what time the data is, for titles and notes. */
export const recordedTitle = ({moment}: Recorded, zone?: Zone): string =>
	`RECORDED ${formatFullTime(moment.time, zone)}`;
