import {formatExact} from '../../format/number.ts';
import {marketSuggestion, marketsNamed} from '../../market/symbol.ts';
import {listNaming} from '../commands/lookup.ts';
import {runMonitor, runWatchScreen} from '../commands/monitor.tsx';
import type {MonitorHistory} from '../commands/monitor-history.ts';
import {type ReadRequest, runRead} from '../commands/read.ts';
import {runWatch} from '../commands/watch.ts';
import {noRules, refuseUnavailable} from '../commands/watch-rules.ts';
import {timesOf} from '../commands.ts';
import {type Context, type ViewerRights, viewerLimits} from '../context.ts';
import {UsageError} from '../exit.ts';
import type {Flags} from '../options/option-table.ts';
import {type Options, type Source, viewerOptions} from '../options/options.ts';
import {readCondition} from '../options/rule-options.ts';
import type {Runner} from '../program/shared-commands.ts';
import type {StateFile} from '../state/state-file.ts';

type ViewerRun = {
	/** All but the options. */
	readonly context: Omit<Context, 'options'> & {readonly viewer: ViewerRights};
	/** The settings of the program. */
	readonly owners: readonly Source[];
	/** What its key may watch, by default that; absent: everything. */
	readonly markets: readonly string[] | undefined;
	readonly file: StateFile;
	history(): MonitorHistory;
	/** Runs what takes many requests when what the same person wanted before is done. */
	inTurn<T>(work: () => Promise<T>): Promise<T>;
	/** Aborted when the viewer is gone, or has to leave. */
	readonly signal: AbortSignal;
	/** Whether a terminal was asked for, and is allowed. */
	readonly hasTerminal: boolean;
	/** The key allows none. */
	readonly noTerminal: boolean;
	/** Ends the run when the viewer types Ctrl-C, as text has no screen that hears it. The returned function stops that. */
	hearInterrupt(): () => void;
};

/** Runs the commands of one viewer. */
export function viewerRunner(run: ViewerRun): Runner {
	const {context, owners, markets, file, history, signal, inTurn, hasTerminal, noTerminal, hearInterrupt} = run;
	const {tty, viewer} = context;
	const optionsOf = (flags: Flags) => viewerOptions(owners, flags, tty.env);
	const contextOf = (options: Options): Context => ({...context, options});

	/** Why no monitor can be drawn, and what to do; undefined: it can. */
	function terminalFault(): string | undefined {
		if (noTerminal) return 'your key allows none; ';
		if (!hasTerminal) return 'none was requested; ssh -t requests one, and ';
		const {reason} = tty.capabilities();
		return reason && `${reason}; `;
	}

	async function watch(flags: Parameters<Runner['watch']>[0], texts: readonly string[]): Promise<number> {
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
		const request = {texts: watched, until, forMs, rules: noRules};
		const isOnScreen = hasTerminal && tty.capabilities().screen && flags.output === undefined && !once;
		if (isOnScreen) return runWatchScreen(contextOf(options), {...request, intervalMs, rotateMs, file, history});
		const asLines = {...request, json, once, intervalMs};
		return runWatch(contextOf(options), asLines, signal).finally(hearInterrupt());
	}

	return {
		watch,
		async monitor(flags, market) {
			if (viewer.isWatchOnly) return watch(flags, market === undefined ? [] : [market]);
			const options = optionsOf({...flags, market: market ?? flags.market ?? markets?.[0]});
			const fault = terminalFault();
			if (fault !== undefined) {
				if (market !== undefined) await refuseUnlisted(contextOf(options), market, signal);
				const what = market === undefined ? 'the monitor' : `the monitor of ${market}`;
				throw new UsageError(`${what} needs a terminal: ${fault}watch prints lines`);
			}

			return runMonitor(contextOf(options), {file, history: history()});
		},
		async read(flags, request) {
			const options = optionsOf(flags);
			const context = contextOf(options);
			const times = () => timesOf(flags, context.clock.now());
			const readRequest = request(options, times);
			const read = () => runRead(readRequest, context, signal, flags.output);
			return (isLong(readRequest) ? inTurn(read) : read()).finally(hearInterrupt());
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
