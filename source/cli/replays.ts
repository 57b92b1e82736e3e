import {isOfMany, namedMarkets, printRule, type Rule} from '../alerts/rule.ts';
import {stripControl} from '../format/control.ts';
import {systemClock} from '../market/clock.ts';
import {nearestWord, symbolKey} from '../market/symbol.ts';
import {replayedSymbol} from '../recording/open-replay.ts';
import {nothingRecorded} from '../recording/recorded-exchange.ts';
import type {RecordingReader} from '../recording/recording-reader.ts';
import {terminalCapabilities} from '../terminal/capabilities.ts';
import type {PlayRequest} from './commands/play-recording.ts';
import {tryCondition, tryRules, writeRecordedLines} from './commands/print-recording.ts';
import {recordedMarkets} from './commands/recorded-feeds.ts';
import {
	checkMarkets,
	marketsOf,
	noRules,
	readUsersMarkets,
	type WatchRules,
	withUsersLines,
} from './commands/watch-rules.ts';
import {localContext} from './context.ts';
import {UsageError, untilInterrupted} from './exit.ts';
import type {FlagsOf} from './options/option-table.ts';
import type {Options} from './options/options.ts';
import {readCondition, readRules} from './options/rule-options.ts';
import {recordedTime, recordingOptions, uselessIn, withReader} from './recorded.ts';
import {note} from './standard-error.ts';

/** Shows a recording in the monitor or, with rules, prints when they would have called. */
export async function replay(flags: FlagsOf<'replay'>, path: string, market: string | undefined): Promise<number> {
	const {alert = [], json = false, ...others} = flags;
	const options = await recordingOptions(others, process.env);
	if (alert.length > 0) {
		refuseSpeed(flags, '--alert plays at --speed max');
		const texts = market === undefined ? [] : [market];
		return opened(path, flags, options, opening => tryTexts(opening, texts, alert));
	}

	if (json) throw new UsageError('--json needs --alert RULE: without rules a replay draws a screen');
	return opened(path, flags, options, async ({reader, from}) => {
		const symbol = symbolIn(reader, path, market);
		const {reason} = terminalCapabilities(process.env, process.stdin, process.stdout);
		if (reason) {
			throw new UsageError(`a replay needs a terminal: ${reason}; with --alert RULE it prints lines without one`);
		}

		const {runReplay} = await import('./commands/replay.tsx');
		return runReplay(await localContext(options), {reader, symbol, from, speed: flags.speed});
	});
}

/**
 * Plays a recording until a condition is met, prints when rules would have called, or else shows it as `watch` shows the
 * present.
 */
export async function watchRecording(flags: FlagsOf<'watch'>, path: string, texts: readonly string[]): Promise<number> {
	const options = await recordingOptions(flags, process.env);
	const flag = uselessIn(flags, 'present');
	if (flag) throw new UsageError(`${flag} does not apply to a recording`);
	const {until, alert = []} = flags;
	if (until === undefined && alert.length === 0)
		return opened(path, flags, options, opening => showWatched(opening, texts, flags));
	if (until !== undefined && alert.length > 0)
		throw new UsageError('with --recording, give --until or --alert, not both');
	refuseSpeed(flags, `${until === undefined ? '--alert' : '--until'} plays at --speed max`);
	return opened(path, flags, options, async opening => {
		if (until === undefined) return tryTexts(opening, texts, alert);
		const watched = symbolsIn(opening.reader, path, texts);
		const condition = readCondition(until, watched, {once: false});
		const {linesOf} = await withUsersLines(
			noRules,
			{until: condition, watched},
			opening.reader.about().name,
			systemClock,
		);
		const tried = {...opening, markets: watched.map(symbolKey), linesOf};
		return untilInterrupted(signal => tryCondition(tried, condition, signal));
	});
}

function refuseSpeed({speed}: Pick<FlagsOf<'replay'>, 'speed'>, problem: string): void {
	if (speed !== undefined && speed !== 'max') throw new UsageError(problem);
}

/** Tiles on a terminal, lines or events elsewhere. */
async function showWatched(opening: Opening, texts: readonly string[], flags: FlagsOf<'watch'>): Promise<number> {
	const {reader, path, from, options} = opening;
	const {speed, interval: intervalMs = 5000, rotate: rotateMs} = flags;
	const {screen} = terminalCapabilities(process.env, process.stdin, process.stdout);
	const symbols = symbolsIn(reader, path, texts);
	if (screen && flags.output === undefined) {
		const {runReplayTiles} = await import('./commands/replay.tsx');
		return runReplayTiles(await localContext(options), {reader, symbols, from, speed, rotateMs});
	}

	refuseSpeed(flags, 'lines and events of a recording come at --speed max');
	return untilInterrupted(signal => writeRecordedLines({...opening, symbols, intervalMs}, signal));
}

async function tryTexts(opening: Opening, texts: readonly string[], alert: readonly string[]): Promise<number> {
	const {reader, path} = opening;
	const stated = readRules(alert, reader.sessions()[0]?.from ?? 0);
	for (const name of stated.flatMap(namedMarkets)) symbolIn(reader, path, name);
	const tried = {...opening, markets: symbolsIn(reader, path, texts).map(symbolKey)};
	const users = await marketsOfMany(reader, stated);
	const rules = stated.map(rule => ({rule, origin: 'flag', isOff: false}) as const);
	const {linesOf} = await withUsersLines({...noRules, stated: rules}, {watched: []}, reader.about().name, systemClock);
	const judged = {rules, marketsOf: marketsOf(users, () => tried.markets), linesOf};
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

type Opening = PlayRequest & {readonly path: string};

/**
 * Opens the recording, and closes it when `use` has settled. Rejects with a `RecordingError`, or with a `UsageError` if it is empty or
 * has nothing of the time of `--from`.
 */
const opened = (
	path: string,
	{from, json = false}: Pick<FlagsOf<'replay'>, 'from' | 'json'>,
	options: Options,
	use: (opening: Opening) => Promise<number>,
): Promise<number> =>
	withReader(path, async reader => {
		if (reader.sessions().length === 0) throw new UsageError(`${path} is empty: nothing was recorded yet`);
		return use({reader, path, from: fromOf(reader, from), json, options});
	});

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
