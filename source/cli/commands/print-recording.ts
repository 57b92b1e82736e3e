import {type Alerts, type AlertsOptions, createAlerts} from '../../alerts/alerts.ts';
import {type Condition, printCondition, quantitiesIn} from '../../alerts/condition.ts';
import type {AlertEvent} from '../../alerts/judged-rule.ts';
import {byTickerWhere, type Needed} from '../../alerts/market-data.ts';
import type {LinesOf} from '../../alerts/quantity-values.ts';
import {delayedText, isDelayed, printRule, type Rule} from '../../alerts/rule.ts';
import {stripControl} from '../../format/control.ts';
import {every} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {createPastStore} from '../../recording/playback.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import {waiting} from '../../store/resource.ts';
import type {MarketStore} from '../../store/state.ts';
import {exitStatus} from '../exit.ts';
import {demoTitle, print} from '../output.ts';
import {exchangeIn} from '../recorded.ts';
import {note} from '../standard-error.ts';
import {alertDocument, alertLine, blindLine} from './alert-words.ts';
import {originOf} from './documents.ts';
import {createEventLines} from './event-lines.ts';
import {type PlayedSession, type PlayRequest, playRecording} from './play-recording.ts';
import {rangeTitle} from './read-range.ts';
import {createRecordedFeeds, type RecordedFeeds} from './recorded-feeds.ts';
import {metBy, noteGap, onEachChange, ruleOf} from './watch-end.ts';
import {createMarketEvents, type Met, metEvent, type WatchEvent} from './watch-events.ts';
import {createRowWriter, watchHeader, watchReport, watchRow} from './watch-rows.ts';

/** What `watch` and `replay` print of a recording. */

type RecordedLines = PlayRequest & {
	readonly symbols: readonly string[];
	/** Recorded time between two lines of a market. */
	readonly intervalMs: number;
};

/** Writes the lines or events of `watch` for markets of a recording, as fast as possible. Settles with the exit status. */
export async function writeRecordedLines(request: RecordedLines, signal: AbortSignal): Promise<number> {
	const {reader, symbols, from, json} = request;
	const {period, zone} = request.options;
	const sessions = reader.sessions();
	const [start, to] = [from ?? sessions[0]?.from ?? 0, sessions.at(-1)?.to ?? 0];
	const titles = [...(exchangeIn(reader).demo ? [demoTitle] : []), rangeTitle({from: start, to}, zone)];
	const texts: string[] = json ? [] : titles.map(title => `${title}\n`);
	if (json) titles.forEach(note);
	const write = json ? writeEvents : createRows(request, text => texts.push(text));
	await playRecording({reader, from}, signal, {
		texts,
		begin(played) {
			const {session, clock} = played;
			const moment = () => ({session, time: clock.now()});
			const stores = symbols.map(symbol => createPastStore({log: reader, clock, moment}, {symbol, period}));
			const end = write(stores, played);
			for (const store of stores) store.start();
			return () => {
				end();
				for (const store of stores) store.stop();
			};
		},
	});
	return exitStatus.done;

	function writeEvents(stores: readonly MarketStore[], {clock}: PlayedSession): () => void {
		const lineOf = documentWriter(reader);
		return onEachChange(stores, () => {
			const eventsOf = createMarketEvents();
			return state => {
				texts.push(...eventsOf(state, clock.now()).map(lineOf));
			};
		});
	}
}

/** Writes the header at once, and a row of each market at every interval and at the end of a session. */
function createRows({intervalMs, options: {ascii, zone}}: RecordedLines, write: (text: string) => void) {
	const align = createRowWriter();
	write(`${align(watchHeader(zone))}\n`);
	return (stores: readonly MarketStore[], {clock}: PlayedSession): (() => void) => {
		const writeAll = () => {
			for (const store of stores) {
				// Lines show no candles: their age is not that of a line.
				const state = {...store.getSnapshot(), candles: waiting};
				write(`${align(watchRow(state, {now: clock.now(), ascii, zone}))}\n`);
			}
		};
		let writtenAt = clock.now();
		const cancel = every(clock, intervalMs, () => {
			writtenAt = clock.now();
			writeAll();
		});
		return () => {
			cancel();
			if (clock.now() > writtenAt) writeAll();
		};
	};
}

type TriedRules = PlayRequest & {
	/** The keys of the markets that are meant by a condition that names none. */
	readonly markets: readonly string[];
};

type StatedRules = Pick<AlertsOptions, 'rules' | 'marketsOf'> & {
	/** Of the exchange that was recorded. Default: none. */
	readonly linesOf?: LinesOf | undefined;
};

type Played = Pick<Parameters<typeof playRecording>[2], 'texts' | 'isDone'> & {
	onEvent(event: AlertEvent, feeds: RecordedFeeds): void;
	/** Called at the end of each session. `from`: of the part of it that was played, epoch ms. */
	onEnd?(alerts: Alerts, from: number): void;
};

/** Plays the recording and judges the rules, as if the watch had paused between two sessions. */
function playRules(
	{reader, from, options: {blindAfterMs}}: PlayRequest,
	{rules, marketsOf, linesOf}: StatedRules,
	signal: AbortSignal,
	{onEvent, onEnd, ...printed}: Played,
): Promise<void> {
	const windows = rules.flatMap(({rule}) => quantitiesIn(rule.condition)).map(({windowMs = 0}) => windowMs);
	const longestMs = Math.max(0, ...windows);
	const noteDelayed = createDelayedNotes(marketsOf);
	/** With what is known of the rules at the end of a session. */
	let stated = rules;
	return playRecording({reader, from}, signal, {
		...printed,
		begin({session, clock}) {
			const began = clock.now();
			const lookBackMs = (): number => longestMs + clock.now() - alerts.judgedTo();
			const feeds = createRecordedFeeds({
				...{reader, clock, lookBackMs, linesOf},
				moment: () => ({session, time: clock.now()}),
			});
			const {lacksTrades} = feeds;
			for (const {rule} of rules) noteDelayed(rule, lacksTrades);
			const alerts = createAlerts({
				...{feeds, clock, rules: stated, marketsOf, lacksTrades, blindAfterMs},
				onEvent: event => onEvent(event, feeds),
			});
			alerts.start();
			return () => {
				onEnd?.(alerts, began);
				const known = alerts.remembered();
				stated = rules.map(each => ({...each, ...known.get(printRule(each.rule))}));
				alerts.stop();
				feeds.stop();
			};
		},
	});
}

/**
 * Prints each time that a rule would have called, and when rules were blind. Nobody is called. `marketsOf`: the keys of the markets
 * that a rule is judged for, if it names none. Settles with the exit status.
 */
export async function tryRules(tried: TriedRules, rules: StatedRules, signal: AbortSignal): Promise<number> {
	const {json, options} = tried;
	const {zone} = options;
	const write = documentWriter(tried.reader);
	const line = (event: AlertEvent) => (event.type === 'alert' ? alertLine(event, zone) : blindLine(event, zone));
	const texts: string[] = [];
	await playRules(tried, rules, signal, {
		texts,
		onEvent: event => texts.push(json ? write(alertDocument(event)) : `${line(event)}\n`),
	});
	return exitStatus.done;
}

/** Notes once of each rule that it is judged by the delayed ticker, and for which markets if not for all. */
function createDelayedNotes(marketsOf: AlertsOptions['marketsOf']) {
	const noted = new Set<string>();
	return (rule: Rule, lacksTrades: (key: string) => boolean): void => {
		const keys = rule.scope.type === 'market' ? [rule.scope.key] : marketsOf(rule.scope);
		const delayed = keys.filter(key => isDelayed(byTickerWhere(lacksTrades, rule, key)));
		const text = stripControl(printRule(rule));
		if (delayed.length === 0 || noted.has(text)) return;
		noted.add(text);
		const which = delayed.length === keys.length ? '' : ` for ${delayed.join(', ')}`;
		note(`${text}${which}: ${delayedText}`);
	};
}

/** Events as `watch --json` prints them. */
const documentWriter = (reader: RecordingReader): ((event: WatchEvent) => string) =>
	createEventLines(originOf(exchangeIn(reader))).lineOf;

/**
 * Plays the recording until the condition is met, and prints what met it. Settles with the exit status: 124 if the recording ends
 * before.
 */
export async function tryCondition(
	{linesOf, ...tried}: TriedRules & Pick<StatedRules, 'linesOf'>,
	until: Condition,
	signal: AbortSignal,
): Promise<number> {
	const {reader, markets, json} = tried;
	const {ascii, zone} = tried.options;
	const {demo} = exchangeIn(reader);
	const rule = ruleOf(until);
	let met: Met | undefined;
	/** Whether it could be judged at any moment. */
	let wasJudged = false;
	const rules = {rules: [{rule, origin: 'flag', isOff: false}] as const, marketsOf: () => markets, linesOf};
	await playRules(tried, rules, signal, {
		onEvent(event, feeds) {
			if (event.type === 'blind' || met) return;
			feeds.follow(shownOf(markets));
			const states = [...feeds.data().values()].map(({state}) => state);
			met = metBy(event, states);
		},
		onEnd(alerts, from) {
			const remembered = Object.keys(alerts.remembered().get(printRule(rule))?.markets ?? {});
			const all = alerts.getSnapshot().entries.flatMap(each => each.markets);
			wasJudged ||= all.some(({symbol, blind}) => remembered.includes(symbolKey(symbol)) && blind?.since !== from);
		},
		isDone: () => met !== undefined,
	});
	if (!met) {
		const {from = -Infinity} = tried;
		const hasGaps = reader.gaps().some(({symbol, to}) => to > from && markets.includes(symbolKey(symbol)));
		const problem = wasJudged
			? `was not met in the recording${hasGaps ? ', which has gaps' : ''}`
			: 'could not be judged: it needs data that was not recorded';
		note(`--until ${problem}: ${printCondition(until)}`);
		return exitStatus.timedOut;
	}

	const {states, time} = met;
	if (demo && json) note(demoTitle);
	const write = documentWriter(reader);
	for (const state of json ? states : []) await print(write(metEvent(until, state, met)));
	if (!json) await print(watchReport(states, {now: time, ascii, zone, demo}));
	noteGap(until, met, {note}, zone);
	return exitStatus.done;
}

/** All that rows show. */
const shownOf = (markets: readonly string[]): readonly Needed[] =>
	markets.flatMap(market => (['trades', 'depth', 'tickers'] as const).map(ask => ({ask, market})));
