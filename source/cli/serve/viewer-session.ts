import {constants} from 'node:os';
import {AbortedError} from '../../client/errors.ts';
import type {Exchange} from '../../client/exchange.ts';
import {stripControl} from '../../format/control.ts';
import {formatExact} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import {findMarket, marketSuggestion, marketsNamed} from '../../market/symbol.ts';
import {secondMs} from '../../market/units.ts';
import type {Viewer} from '../../serve/viewer.ts';
import {interrupt} from '../../terminal/pastes.ts';
import {listNaming} from '../commands/lookup.ts';
import {runMonitor, runWatchScreen} from '../commands/monitor.tsx';
import {historyIn} from '../commands/monitor-history.ts';
import {type ReadRequest, runRead} from '../commands/read.ts';
import {runWatch} from '../commands/watch.ts';
import {noRules, refuseMissingLines, refuseUnavailable} from '../commands/watch-rules.ts';
import {timesOf} from '../commands.ts';
import {type Context, viewerLimits} from '../context.ts';
import {exitStatus, statusOf, UsageError} from '../exit.ts';
import type {Flags, FlagsOf} from '../options/option-table.ts';
import {type Options, viewerOptions} from '../options/options.ts';
import {readCondition} from '../options/rule-options.ts';
import {failureLines, type Output} from '../output.ts';
import type {Runner} from '../program/shared-commands.ts';
import {linesIn} from '../state/saved-session.ts';
import type {StateFile} from '../state/state-file.ts';
import {ownCallbacks} from './faults.ts';
import type {Shared} from './sharing.ts';
import {runViewerLine, splitWords} from './viewer-program.ts';
import {goneStatus, viewerTty} from './viewer-tty.ts';

/** For a screen to be left, and for what is remembered to be saved. */
const mostEndMs = 3 * secondMs;

/** Of one who has to leave: as of a program that is ended. */
const leaveStatus = 128 + constants.signals.SIGTERM;

/** Runs what a viewer asks for, until it is done, or the viewer is gone or has to leave. Never rejects. */
export async function serveViewer(viewer: Viewer, shared: Shared): Promise<void> {
	const {gone, leave} = viewer;
	const {clock} = shared.context;
	const output = outputOf(viewer);
	const ending = new AbortController();
	const ended = Promise.withResolvers<number>();
	let cancelLate = (): void => {};
	/** Whatever the run makes of its end: what was cut short must not look done. */
	let forced: number | undefined;
	const end = (status: number) => {
		if (ending.signal.aborted) return;
		forced = status;
		ended.resolve(status);
		ending.abort();
		cancelLate = clock.after(mostEndMs, () => late.resolve(status));
	};
	const late = Promise.withResolvers<number>();
	const onGone = () => end(goneStatus);
	const onLeave = () => end(leaveStatus);
	gone.addEventListener('abort', onGone);
	leave.addEventListener('abort', onLeave);
	if (gone.aborted) onGone();
	if (leave.aborted) onLeave();
	const run = runViewer(viewer, shared, {output, end, ended: ended.promise, signal: ending.signal});
	const status = await Promise.race([run, late.promise]);
	cancelLate();
	gone.removeEventListener('abort', onGone);
	leave.removeEventListener('abort', onLeave);
	if (leave.aborted) output.note(String(leave.reason));
	await viewer.end(forced ?? status);
}

type Run = {
	readonly output: ReturnType<typeof outputOf>;
	/** Has the run end with this status. */
	end(status: number): void;
	/** Resolves when it has to. */
	readonly ended: Promise<number>;
	/** Aborted then. */
	readonly signal: AbortSignal;
};

/** Settles with the exit status; says what failed. */
async function runViewer(viewer: Viewer, shared: Shared, given: Run): Promise<number> {
	const {output, signal} = given;
	const {all, leave, ...joined} = shared.join(viewer);
	try {
		const markets = await marketsOf(viewer, shared, {markets: () => all.markets({signal})});
		const file = await shared.fileOf(viewer);
		const status = await runViewerLine({
			words: splitWords(viewer.command ?? ''),
			run: runnerOf(viewer, shared, {...given, ...joined, markets, file}),
			isWatchOnly: viewer.key?.options.isWatchOnly ?? false,
			columns: viewer.output.columns || undefined,
			print: text => output.print(inViewersWords(text)),
		});
		const faults = file.notices();
		if (faults.length > 0) output.note('your changes are not saved; please tell the owner of the server');
		for (const fault of faults) shared.context.output.note(fault);
		return status;
	} catch (error) {
		if (isDefect(error)) shared.onDefect(viewer, error);
		// What it waited for was cut off by its own end.
		if (!(signal.aborted && error instanceof AbortedError)) output.errors(...failureLines(error, false));
		return statusOf(error);
	} finally {
		await leave();
	}
}

type Own = Run &
	Pick<ReturnType<Shared['join']>, 'exchange' | 'inTurn'> & {
		/** What its key may watch, by default that; absent: everything. */
		readonly markets: readonly string[] | undefined;
		readonly file: StateFile;
	};

/** Runs the commands of one viewer. */
function runnerOf(
	viewer: Viewer,
	shared: Shared,
	{exchange, inTurn, markets, file, output, end, ended, signal}: Own,
): Runner {
	const {terminal, key, input} = viewer;
	const {isOwner = false, isWatchOnly = false, noTerminal = false} = key?.options ?? {};
	const tty = {...viewerTty(viewer, ended, ownClock(shared.context.clock)), onDrop: shared.onDrop};
	const clock = ownClock(shared.turns);
	const rights = {isOwner, isWatchOnly, isRestricted: markets !== undefined};
	const {pastCandles: past} = shared.context;
	// Each viewer draws in a turn of its own.
	const pastCandles = past && {
		...past,
		subscribe: (listener: () => void) => past.subscribe(() => clock.after(0, listener)),
	};
	const contextOf = (options: Options): Context => ({
		...{...shared.context, exchange, output, clock, tty, viewer: rights, options, pastCandles},
	});
	const optionsOf = (flags: Flags) => viewerOptions(shared.owners, flags, tty.env);
	// It has the other markets, too.
	const history = () => historyIn({exchange, log: markets ? undefined : shared.log}, {clock});
	const onInput = (typed: Buffer | string) => {
		if (terminal && `${typed}`.includes(interrupt)) end(exitStatus.interrupted);
	};
	/** Ends the run when the viewer types Ctrl-C, as text has no screen that hears it. The returned function stops that. */
	const hearInterrupt = () => {
		input.on('data', onInput);
		return () => input.off('data', onInput);
	};

	/** Why no monitor can be drawn, and what to do; undefined: it can. */
	function terminalFault(): string | undefined {
		if (noTerminal) return 'your key allows none; ';
		if (!terminal) return 'none was requested; ssh -t requests one, and ';
		const {reason} = tty.capabilities();
		return reason && `${reason}; `;
	}

	async function watch(flags: FlagsOf<'watch'>, texts: readonly string[]): Promise<number> {
		const options = optionsOf(flags);
		const {json = false, once = false, interval: intervalMs, rotate: rotateMs, for: forMs} = flags;
		const chosen = markets ?? (options.market === undefined ? [] : [options.market]);
		const watched = texts.length > 0 ? texts : chosen;
		const {watched: most} = viewerLimits;
		if (watched.length > most) {
			throw new UsageError(`cannot watch ${formatExact(watched.length)} markets at once, at most ${most}`);
		}

		const until = flags.until === undefined ? undefined : readCondition(flags.until, watched, {once});
		if (until) refuseUnavailable({condition: until, where: '--until'}, options);
		const linesOf = linesIn(file.state, shared.context.exchangeName);
		if (until) refuseMissingLines(until, watched, linesOf);
		const request = {texts: watched, until, forMs, rules: {...noRules, linesOf}};
		const isOnScreen = terminal && tty.capabilities().screen && flags.output === undefined && !once;
		if (isOnScreen) return runWatchScreen(contextOf(options), {...request, intervalMs, rotateMs, file, history});
		const asLines = {...request, json, once, intervalMs};
		return runWatch(contextOf(options), asLines, signal).finally(hearInterrupt());
	}

	return {
		watch,
		async monitor(flags, market) {
			if (isWatchOnly) return watch(flags, market === undefined ? [] : [market]);
			const options = optionsOf({...flags, market: market ?? flags.market ?? markets?.[0]});
			const fault = terminalFault();
			if (fault === undefined) return runMonitor(contextOf(options), {file, history: history()});
			if (market !== undefined) await refuseUnlisted(contextOf(options), market, signal);
			const what = market === undefined ? 'the monitor' : `the monitor of ${market}`;
			throw new UsageError(`${what} needs a terminal: ${fault}watch prints lines`);
		},
		async read(flags, request) {
			const options = optionsOf(flags);
			const wanted = request(options, () => timesOf(flags, clock.now()));
			const read = () => runRead(wanted, contextOf(options), signal, flags.output);
			return (isLong(wanted) ? inTurn(read) : read()).finally(hearInterrupt());
		},
	};
}

/** Throws a `UsageError` for a word that is no market: what people ask other servers for, or a mistake. */
async function refuseUnlisted(context: Context, word: string, signal: AbortSignal): Promise<void> {
	const list = await listNaming([word], context, {signal, use: context.options.choice}).catch(() => undefined);
	// A market whose entry cannot be read is one, too.
	if (!list || list.data.length === 0 || list.dropped > 0 || marketsNamed(list.data, word).length > 0) return;
	const advice =
		marketSuggestion(list.data, word) || 'tapewatch help lists the commands, tapewatch markets the markets';
	throw new UsageError(`${word} is neither a command nor a market; ${advice}`);
}

/** Whether it may take many requests. */
const isLong = (request: ReadRequest): boolean =>
	request.ask === 'candles' && (request.from ?? request.limit) !== undefined;

/** How long a viewer waits for the list, which others mostly have read before. */
const listMs = secondMs;

/**
 * Those of the key that the exchange lists, or all of them if that is not known within a second; undefined: it names none. Throws a
 * `UsageError` if the exchange lists none of them.
 */
async function marketsOf(
	{key, reportRefusal}: Viewer,
	{context: {clock, output}}: Shared,
	exchange: Pick<Exchange, 'markets'>,
): Promise<readonly string[] | undefined> {
	const markets = key?.options.markets;
	if (!markets) return undefined;
	const {promise: late, resolve} = Promise.withResolvers<undefined>();
	const cancel = clock.after(listMs, () => resolve(undefined));
	const list = await Promise.race([exchange.markets().catch(() => undefined), late]);
	cancel();
	// One that cannot be read may be meant.
	if (!list || list.data.length === 0 || list.dropped > 0) return markets;
	const listed = markets.filter(text => findMarket(list.data, text));
	if (listed.length === markets.length) return markets;
	const unlisted = markets.filter(market => !listed.includes(market));
	const fault = `market="${unlisted.join(',')}", which the exchange does not list`;
	output.note(`the key ${key?.fingerprint} has ${fault}`);
	if (listed.length > 0) return listed;
	const sentence = `your key has ${fault}; please tell the owner of the server`;
	reportRefusal(sentence);
	throw new UsageError(sentence);
}

/** What its timers throw is the viewer's, whoever started them: React draws many screens in one turn. */
function ownClock({now, after}: Clock): Clock {
	const own = ownCallbacks();
	return {now, after: (ms, callback) => after(ms, own(callback))};
}

/** Whether it was thrown by the engine: what Tapewatch throws on purpose has a class of its own, or none. */
const isDefect = (error: unknown): boolean =>
	!(error instanceof Error) ||
	error instanceof TypeError ||
	error instanceof RangeError ||
	error instanceof ReferenceError;

const commandLine =
	/\btapewatch(?= (?:\[|[A-Z]{2,}|(?:help|monitor|watch|info|markets|ticker|depth|trades|candles)\b))/g;

/** Messages and help in the words of who has the program over SSH, such as `ssh HOST watch --help`. */
export const inViewersWords = (text: string): string =>
	// What begins with a dash before any word, ssh takes for an option of its own.
	text.replaceAll('tapewatch --help', 'ssh HOST help').replaceAll(commandLine, 'ssh HOST');

/** Where the text of a viewer goes. On a terminal both outputs are one. Nothing in the lines of `errors` acts on it. */
function outputOf({output, errors, terminal, gone}: Viewer): Output & {errors(...lines: readonly string[]): void} {
	function write(...lines: readonly string[]): void {
		const text = lines.map(line => `${stripControl(inViewersWords(line))}\n`).join('');
		(terminal ? output : errors).write(text);
	}

	return {
		print(text) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const done = () => {
				gone.removeEventListener('abort', done);
				resolve();
			};
			// Who is gone needs no text.
			gone.addEventListener('abort', done);
			output.write(text, done);
			if (gone.aborted) done();
			return promise;
		},
		note: text => write(`tapewatch: ${text}`),
		errors: write,
		showProgress() {},
		clearProgress() {},
		get columns() {
			return terminal && (output.columns || undefined);
		},
	};
}
