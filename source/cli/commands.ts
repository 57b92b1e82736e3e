import type {Repeat} from '../client/retry.ts';
import {parseMoment} from '../format/moment.ts';
import {formatAge} from '../format/time.ts';
import {operationTitle} from '../market/types.ts';
import type {demo as schema} from '../schema/document-schemas.ts';
import type {Of} from '../schema/parts.ts';
import {terminalCapabilities} from '../terminal/capabilities.ts';
import {originOf} from './commands/documents.ts';
import type {ReadRequest} from './commands/read.ts';
import {
	noRules,
	readWatchRules,
	refuseUnavailable,
	refuseWrongCommand,
	withUsersLines,
} from './commands/watch-rules.ts';
import {type Context, clockFrom, programClock, withExchange} from './context.ts';
import {aborted, exitStatus, UsageError, unheard, untilInterrupted} from './exit.ts';
import {demoName, type Flags, type FlagsOf} from './options/option-table.ts';
import {type Options, readOptions} from './options/options.ts';
import {readCondition} from './options/rule-options.ts';
import {readEnvironment} from './options/settings.ts';
import {print} from './output.ts';
import type {RequestedTimes} from './recorded.ts';
import {note} from './standard-error.ts';

/** Each command takes its parsed flags and settles with the exit status; `run` reports what it throws. */

export async function monitor(flags: FlagsOf<'monitor'>, market: string | undefined): Promise<number> {
	// Before the terminal, so that a wrong setting is reported with and without one.
	const options = await readOptions({...flags, market}, process.env);
	const {reason} = terminalCapabilities(process.env, process.stdin, process.stdout);
	if (reason) throw new UsageError(`the monitor needs a terminal: ${reason}; tapewatch watch prints lines without one`);
	await refuseWrongCommand(options);
	const run = async (context: Context) => {
		const {runMonitor} = await import('./commands/monitor.tsx');
		return runMonitor(context, {record: flags.record});
	};
	return withExchange(options, run, {isLate: true});
}

type ReadFlags = FlagsOf<'info'>;

/** Of requests that are answered 429; others are not repeated. */
const defaultRetries = 2;

/** `times`: those of `--from` and `--to`. */
export type RequestOf = (options: Options, times: () => RequestedTimes) => ReadRequest;

export async function read(flags: ReadFlags, request: RequestOf): Promise<number> {
	if (flags.recording !== undefined) return readRecording(flags.recording, flags, request);
	const {runRead} = await import('./commands/read.ts');
	const options = await readOptions(flags, process.env);
	if (flags.at !== undefined) throw new UsageError('--at needs --recording FILE');
	const times = () => timesOf(flags, programClock(process.env).now());
	const {output, retry, retry: most = defaultRetries} = flags;
	const longestWaitMs = options.timeoutMs * (most + 1);
	const repeats = {most, longestWaitMs, ofFailures: retry !== undefined, onRepeat: noteRepeat};
	return untilInterrupted(signal =>
		withExchange(options, async context => runRead(request(options, times), context, signal, output), {repeats}),
	);
}

async function readRecording(path: string, flags: ReadFlags, request: RequestOf): Promise<number> {
	const [{runRead}, {recordedContext, recordedPeriod, recordingOptions, withReader}] = await Promise.all([
		import('./commands/read.ts'),
		import('./recorded.ts'),
	]);
	const {period, ...others} = flags;
	const read = await recordingOptions(others, process.env);
	const options = period === undefined ? read : {...read, period: recordedPeriod(String(period))};
	return withReader(path, reader =>
		untilInterrupted(async signal => {
			const {context, times} = recordedContext(reader, flags, options);
			const wanted = request(options, () => inOrder(times));
			return runRead(wanted, context, signal, flags.output);
		}, unheard),
	);
}

/** Epoch ms; relative times count from `now`. */
export const timesOf = (flags: Flags, now: number): RequestedTimes =>
	inOrder({from: timeOf(flags, 'from', now), to: timeOf(flags, 'to', now)});

function timeOf(flags: Flags, name: 'from' | 'to', now: number): number | undefined {
	const text = flags[name];
	if (typeof text !== 'string') return undefined;
	const value = parseMoment(text, now, {from: 0, to: now});
	if (value !== undefined) return value;
	throw new UsageError(
		`--${name} must be a UTC time such as 2026-11-20T10:00, now, -2h or 14:03, or epoch seconds or milliseconds`,
	);
}

function inOrder(times: RequestedTimes): RequestedTimes {
	const {from, to} = times;
	if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from is later than --to');
	return times;
}

function noteRepeat({number, most, waitMs, failure}: Repeat): void {
	note(`${operationTitle(failure)}: ${failure.brief}, retry ${number} of ${most} in ${formatAge(waitMs)}`);
}

export async function watch(flags: FlagsOf<'watch'>, texts: readonly string[]): Promise<number> {
	if (flags.recording !== undefined) {
		const {watchRecording} = await import('./replays.ts');
		return watchRecording(flags, flags.recording, texts);
	}

	const options = await readOptions(flags, process.env);
	const {json = false, once = false, backfill = false, interval: intervalMs, rotate: rotateMs, for: forMs} = flags;
	if (backfill && !json) throw new UsageError('--backfill needs --json: only events include every trade and candle');
	const watched = texts.length > 0 || options.market === undefined ? texts : [options.market];
	const until = flags.until === undefined ? undefined : readCondition(flags.until, watched, {once});
	if (until) refuseUnavailable({condition: until, where: '--until'}, options);
	const {alert: stated = []} = flags;
	if (once && stated.length > 0) throw new UsageError('--alert needs a watch that continues; leave out --once');
	const {screen} = terminalCapabilities(process.env, process.stdin, process.stdout);
	const isOnScreen = screen && flags.output === undefined && !once;
	const clock = programClock(process.env);
	const judged = once ? noRules : await readWatchRules(options, {texts: stated, watched, withUsers: isOnScreen}, clock);
	const rules = await withUsersLines(judged, {until, watched}, options.exchange?.name ?? demoName, clock);
	if (flags.onAlert !== undefined && rules.stated.length === 0)
		throw new UsageError('--on-alert needs a rule; add --alert');
	if (rules.stated.length > 0) await refuseWrongCommand(options);
	if (isOnScreen) {
		const run = async (context: Context) => {
			const {runWatchScreen} = await import('./commands/monitor.tsx');
			return runWatchScreen(context, {texts: watched, until, forMs, intervalMs, rotateMs, rules});
		};
		return withExchange(options, run, {isLate: true});
	}

	const {runWatch} = await import('./commands/watch.ts');
	const request = {texts: watched, json, backfill, once, until, forMs, intervalMs, rules};
	// A closed pipe must not look like a met condition.
	const readerGone = until ? exitStatus.readerGone : exitStatus.done;
	return untilInterrupted(signal => withExchange(options, context => runWatch(context, request, signal)), {readerGone});
}

export async function demo({json, at, fault: faults, port, seed, v2Bids, rateLimit}: FlagsOf<'demo'>): Promise<number> {
	readEnvironment(process.env);
	const {startDemo, PortInUseError} = await import('../demo/server.ts');
	const clock = at === undefined ? programClock(process.env) : clockFrom(at);
	return untilInterrupted(async signal => {
		const server = await startDemo({port, seed, v2Bids, rateLimit, faults, clock}).catch(error => {
			if (!(error instanceof PortInUseError)) throw error;
			throw new UsageError(`${error.message}; give another --port`, {cause: error});
		});
		try {
			const {url} = server;
			const document: Of<typeof schema> = {url, port: server.port};
			const origin = originOf({exchangeName: demoName, demo: true});
			await print(
				json ? `${JSON.stringify({...document, ...origin})}\n` : `DEMO exchange, both interfaces, at ${url}\n`,
			);
			note(`try: tapewatch --base-url ${url} --legacy-base-url ${url}`);
			await aborted(signal);
			return exitStatus.done;
		} finally {
			await server.close();
		}
	});
}
