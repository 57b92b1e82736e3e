import {terminalCapabilities} from '../terminal/lifecycle.ts';
import {withExchange} from './context.ts';
import type {DemoRequest} from './demo.ts';
import {exitStatus, UsageError} from './exit.ts';
import {untilInterrupted} from './interruption.ts';
import {watchedSymbols} from './lookup.ts';
import {type Flags, type Options, readOptions} from './options.ts';
import type {ReadRequest} from './read.ts';

/** Each command: its flags in, exit status out. Rejects with what `statusOf` and `describeFailure` know. */

export async function monitor(flags: Flags, market: string | undefined): Promise<number> {
	if (flags.json) throw new UsageError('the monitor has no --json; tapewatch watch --json prints events');
	const {reason} = terminalCapabilities(process.env, process.stdin, process.stdout);
	if (reason) throw new UsageError(`the monitor needs a terminal: ${reason}; tapewatch watch prints lines without one`);
	const options = await readOptions({...flags, market}, process.env);
	return withExchange(options, async context => {
		const {runMonitor} = await import('./monitor.tsx');
		return runMonitor(context);
	});
}

export async function read(flags: Flags, request: (options: Options) => ReadRequest): Promise<number> {
	const {runRead} = await import('./read.ts');
	const options = await readOptions(flags, process.env);
	return untilInterrupted(signal =>
		withExchange(options, async context => {
			await runRead(request(options), flags.json === true, context, signal);
			return exitStatus.done;
		}),
	);
}

type WatchFlags = Flags & {readonly json?: boolean; readonly once?: boolean; readonly interval?: number};

export async function watch(flags: WatchFlags, texts: readonly string[]): Promise<number> {
	const options = await readOptions(flags, process.env);
	const {json = false, once = false, interval} = flags;
	const {screen} = terminalCapabilities(process.env, process.stdin, process.stdout);
	if (screen && !json && !once && interval === undefined) {
		return withExchange(options, async context => {
			const {runWatchScreen} = await import('./monitor.tsx');
			return runWatchScreen(context, await watchedSymbols(context, texts));
		});
	}

	const {runWatchLines} = await import('./watch-lines.ts');
	return untilInterrupted(signal =>
		withExchange(options, context => runWatchLines(context, {texts, json, once, intervalMs: interval ?? 5000}, signal)),
	);
}

export async function demo(flags: Flags & DemoRequest): Promise<number> {
	const {serveDemo} = await import('./demo.ts');
	const {port, seed, v2Bids, rateLimit} = flags;
	return untilInterrupted(async signal => {
		await serveDemo({port, seed, v2Bids, rateLimit}, flags.json === true, signal);
		return exitStatus.done;
	});
}
