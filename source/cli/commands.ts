import {terminalCapabilities} from '../terminal/lifecycle.ts';
import {parseCondition} from './commands/condition.ts';
import type {DemoRequest} from './commands/demo.ts';
import type {DoctorRequest} from './commands/doctor.ts';
import type {ReadRequest} from './commands/read.ts';
import {withExchange, withLateExchange} from './context.ts';
import {exitStatus, UsageError, untilInterrupted} from './exit.ts';
import {type Flags, type Options, readOptions} from './options/options.ts';

/** Each command: its flags in, exit status out. Rejects with what `statusOf` and `describeFailure` know. */

export async function monitor(flags: Flags, market: string | undefined): Promise<number> {
	if (flags.json) throw new UsageError('the monitor has no --json; tapewatch watch --json prints events');
	// What is wrong with the settings is as wrong on a terminal.
	const options = await readOptions({...flags, market}, process.env);
	const {reason} = terminalCapabilities(process.env, process.stdin, process.stdout);
	if (reason) throw new UsageError(`the monitor needs a terminal: ${reason}; tapewatch watch prints lines without one`);
	return withLateExchange(options, async context => {
		const {runMonitor} = await import('./commands/monitor.tsx');
		return runMonitor(context);
	});
}

export async function read(flags: Flags, request: (options: Options) => ReadRequest): Promise<number> {
	const {runRead} = await import('./commands/read.ts');
	const options = await readOptions(flags, process.env);
	return untilInterrupted(signal =>
		withExchange(options, async context => {
			await runRead(request(options), flags.json === true, context, signal);
			return exitStatus.done;
		}),
	);
}

type WatchFlags = Flags & {
	readonly json?: boolean;
	readonly once?: boolean;
	/** Ms. */
	readonly interval?: number;
	readonly rotate?: number;
	readonly for?: number;
	readonly until?: string;
};

export async function watch(flags: WatchFlags, texts: readonly string[]): Promise<number> {
	const options = await readOptions(flags, process.env);
	const {json = false, once = false, interval: intervalMs, rotate: rotateMs, for: forMs} = flags;
	const named = texts.length > 0 || options.market === undefined ? texts : [options.market];
	const until = flags.until === undefined ? undefined : parseCondition(flags.until, named);
	const {screen} = terminalCapabilities(process.env, process.stdin, process.stdout);
	if (screen && !json && !once) {
		return withLateExchange(options, async context => {
			const {runWatchScreen} = await import('./commands/monitor.tsx');
			return runWatchScreen(context, {texts: named, until, forMs, intervalMs, rotateMs});
		});
	}

	const {runWatch} = await import('./commands/watch.ts');
	const request = {texts: named, json, once, until, forMs, intervalMs: intervalMs ?? 5000};
	// A reader that leaves does not mean that the condition is met.
	const readerGone = until ? exitStatus.readerGone : exitStatus.done;
	return untilInterrupted(signal => withExchange(options, context => runWatch(context, request, signal)), readerGone);
}

export async function doctor(
	flags: Flags & Pick<DoctorRequest, 'samples'>,
	market: string | undefined,
): Promise<number> {
	const {runDoctor} = await import('./commands/doctor.ts');
	const options = await readOptions({...flags, market}, process.env);
	return untilInterrupted(signal => runDoctor(options, {json: flags.json === true, samples: flags.samples}, signal));
}

export async function demo(flags: Flags & DemoRequest): Promise<number> {
	const {serveDemo} = await import('./commands/demo.ts');
	const {port, seed, at, v2Bids, rateLimit, fault} = flags;
	return untilInterrupted(async signal => {
		await serveDemo({port, seed, at, v2Bids, rateLimit, fault}, flags.json === true, signal);
		return exitStatus.done;
	});
}
