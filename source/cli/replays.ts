import {isOfMany, namedMarkets, printRule, type Rule} from '../alerts/rule.ts';
import {stripControl} from '../format/control.ts';
import {systemClock} from '../market/clock.ts';
import {nearestWord, symbolKey} from '../market/symbol.ts';
import {replayedSymbol} from '../recording/open-replay.ts';
import {nothingRecorded} from '../recording/recorded-exchange.ts';
import {openRecording, type RecordingReader} from '../recording/recording-reader.ts';
import {terminalCapabilities} from '../terminal/capabilities.ts';
import {recordedMarkets} from './commands/recorded-feeds.ts';
import {writeRecordedLines} from './commands/recorded-lines.ts';
import {type TriedRules, tryCondition, tryRules} from './commands/try-rules.ts';
import {checkMarkets, marketsOf, noRules, readUsersMarkets, type WatchRules} from './commands/watch-rules.ts';
import {localContext} from './context.ts';
import {UsageError, untilInterrupted} from './exit.ts';
import type {Flags, FlagsOf} from './options/option-table.ts';
import {type Options, readOptions} from './options/options.ts';
import {readCondition, readRules} from './options/rule-options.ts';
import {recordedTime, recordingOptions, uselessIn} from './recorded.ts';
import {note} from './standard-error.ts';

export type ReplayFlags = FlagsOf<'replay'>;

/** Shows a recording in the monitor or, with rules, prints when they would have called. */
export async function replay(flags: ReplayFlags, path: string, market: string | undefined): Promise<number> {
	const {alert = [], json = false, ...others} = flags;
	const options = await replayOptions(others);
	if (alert.length > 0) {
		if (flags.speed !== undefined && flags.speed !== 'max') throw new UsageError('--alert plays at --speed max');
		return opened(path, reader =>
			tryTexts(reader, {path, texts: market === undefined ? [] : [market], alert}, flags, options),
		);
	}

	if (json) throw new UsageError('--json needs --alert RULE: without rules a replay draws a screen');
	return opened(path, async reader => {
		const from = fromOf(reader, flags.from);
		const symbol = symbolIn(reader, path, market);
		const {reason} = terminalCapabilities(process.env, process.stdin, process.stdout);
		if (reason) {
			throw new UsageError(`a replay needs a terminal: ${reason}; with --alert RULE it prints lines without one`);
		}

		const {runReplay} = await import('./commands/replay.tsx');
		return runReplay(await localContext(options), {reader, symbol, from, speed: flags.speed});
	});
}

/** The options of a screen that needs no exchange. */
async function replayOptions({period, ...flags}: Flags): Promise<Options> {
	const options = await recordingOptions(flags, process.env);
	return period === undefined ? options : {...options, period: (await readOptions({period}, process.env)).period};
}

/**
 * Plays a recording until a condition is met, prints when rules would have called, or else shows it as `watch` shows the
 * present.
 */
export async function watchRecording(flags: FlagsOf<'watch'>, path: string, texts: readonly string[]): Promise<number> {
	const options = await replayOptions(flags);
	const flag = uselessIn(flags, 'present');
	if (flag) throw new UsageError(`${flag} does not apply to a recording`);
	const {until, alert = [], json = false} = flags;
	if (until === undefined && alert.length === 0) return showWatched(flags, path, texts, options);
	if (until !== undefined && alert.length > 0)
		throw new UsageError('with --recording, give --until or --alert, not both');
	const problem = `${until === undefined ? '--alert' : '--until'} plays at --speed max`;
	if (flags.speed !== undefined && flags.speed !== 'max') throw new UsageError(problem);
	return opened(path, reader => {
		if (until === undefined) return tryTexts(reader, {path, texts, alert}, flags, options);
		const watched = symbolsIn(reader, path, texts);
		const condition = readCondition(until, watched, {once: false});
		const tried = triedOf(reader, watched, {from: flags.from, json}, options);
		return untilInterrupted(signal => tryCondition(tried, condition, signal));
	});
}

/** Tiles on a terminal, lines or events elsewhere. */
async function showWatched(
	flags: FlagsOf<'watch'>,
	path: string,
	texts: readonly string[],
	options: Options,
): Promise<number> {
	const {json = false, speed, interval: intervalMs = 5000, rotate: rotateMs} = flags;
	const {screen} = terminalCapabilities(process.env, process.stdin, process.stdout);
	return opened(path, async reader => {
		const symbols = symbolsIn(reader, path, texts);
		const from = fromOf(reader, flags.from);
		if (screen && flags.output === undefined) {
			const {runReplayTiles} = await import('./commands/replay.tsx');
			return runReplayTiles(await localContext(options), {reader, symbols, from, speed, rotateMs});
		}

		if (speed !== undefined && speed !== 'max')
			throw new UsageError('lines and events of a recording come at --speed max');
		const {period, ascii, zone} = options;
		const request = {reader, symbols, from, period, intervalMs, json, ascii, zone};
		return untilInterrupted(signal => writeRecordedLines(request, signal));
	});
}

type TriedTexts = {readonly path: string; readonly texts: readonly string[]; readonly alert: readonly string[]};

async function tryTexts(
	reader: RecordingReader,
	{path, texts, alert}: TriedTexts,
	flags: Pick<ReplayFlags, 'from' | 'json'>,
	options: Options,
): Promise<number> {
	const stated = readRules(alert, reader.sessions()[0]?.from ?? 0);
	for (const name of stated.flatMap(namedMarkets)) symbolIn(reader, path, name);
	const tried = triedOf(reader, symbolsIn(reader, path, texts), flags, options);
	const users = await marketsOfMany(reader, stated);
	const rules = stated.map(rule => ({rule, origin: 'flag', isOff: false}) as const);
	const judged = {rules, marketsOf: marketsOf(users, () => tried.markets)};
	return untilInterrupted(signal => tryRules(tried, judged, signal));
}

/**
 * The user's favourites and lists of the exchange that was recorded, for the rules that are of them. Without favourites, those
 * rules are judged for each market of the recording, which is noted.
 */
async function marketsOfMany(
	reader: RecordingReader,
	rules: readonly Rule[],
): Promise<Pick<WatchRules, 'favourites' | 'lists'>> {
	const many = rules.filter(({scope}) => isOfMany(scope));
	if (many.length === 0) return noRules;
	const {favourites, lists} = await readUsersMarkets(reader.about().name, systemClock);
	const recorded = new Set(reader.sessions().flatMap(({id}) => [...recordedMarkets(reader, id).keys()]));
	const markets = {favourites: favourites.length > 0 ? favourites : [...recorded], lists};
	for (const rule of many) {
		if (rule.scope.type === 'favourites' && favourites.length === 0) {
			note(
				stripControl(`${printRule(rule)}: there are no favourites; judged for all ${recorded.size} recorded markets`),
			);
		} else checkMarkets(rule, markets, '--alert');
	}

	return markets;
}

const triedOf = (
	reader: RecordingReader,
	symbols: readonly string[],
	{from, json = false}: Pick<ReplayFlags, 'from' | 'json'>,
	{ascii, zone, blindAfterMs}: Options,
): TriedRules => ({
	reader,
	markets: symbols.map(symbolKey),
	from: fromOf(reader, from),
	json,
	ascii,
	zone,
	blindAfterMs,
});

/** Opens the recording, and closes it when `use` has settled. Rejects with a `RecordingError` or a `UsageError`. */
async function opened(path: string, use: (reader: RecordingReader) => Promise<number>): Promise<number> {
	const reader = openRecording(path);
	try {
		if (reader.sessions().length === 0) throw new UsageError(`${path} is empty: nothing was recorded yet`);
		return await use(reader);
	} finally {
		reader.close();
	}
}

function fromOf(reader: RecordingReader, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const sessions = reader.sessions();
	const time = recordedTime(sessions, text, '--from');
	const [first, last] = [Math.min(...sessions.map(({from}) => from)), Math.max(...sessions.map(({to}) => to))];
	if (time < first || time > last) throw nothingRecorded(reader, time);
	return time;
}

const symbolsIn = (reader: RecordingReader, path: string, texts: readonly string[]): readonly string[] => [
	...new Set((texts.length > 0 ? texts : [undefined]).map(text => symbolIn(reader, path, text))),
];

/** The recorded market that `text` names in any spelling, by default the first one. Throws a `UsageError` with the recorded names. */
function symbolIn(reader: RecordingReader, path: string, text: string | undefined): string {
	const [first] = reader.sessions();
	const symbols = reader.symbols();
	const symbol = first && replayedSymbol(reader, first, symbols, text);
	if (symbol !== undefined) return symbol;
	if (text === undefined) throw new UsageError(`no market was recorded in ${path}`);
	const near = nearestWord(symbolKey(text), symbols.map(symbolKey));
	const names = symbols.slice(0, 5).join(', ') + (symbols.length > 5 ? `, … ${symbols.length} in all` : '');
	throw new UsageError(
		`no market ${text} in ${path}; ${near === undefined ? `recorded: ${names}` : `did you mean ${near}?`}`,
	);
}
