import type {AlertEvent} from '../../alerts/alert-event.ts';
import {type Alerts, type AlertsOptions, createAlerts} from '../../alerts/alerts.ts';
import type {Condition} from '../../alerts/condition.ts';
import {quantitiesIn} from '../../alerts/condition.ts';
import {createConditionJudge, type Met} from '../../alerts/condition-watch.ts';
import {byTickerWhere} from '../../alerts/judged-data.ts';
import type {Needed} from '../../alerts/market-data.ts';
import {printCondition} from '../../alerts/print-condition.ts';
import {candlesOf, type NeededData, periodsOf} from '../../alerts/quantity-values.ts';
import {delayedText, isDelayed, printRule, type Rule} from '../../alerts/rule.ts';
import {stripControl} from '../../format/control.ts';
import type {Zone} from '../../format/zone.ts';
import type {Clock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {secondMs} from '../../market/units.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import {exitStatus} from '../exit.ts';
import {demoName} from '../options/option-table.ts';
import {demoTitle, print} from '../output.ts';
import {note} from '../standard-error.ts';
import {alertDocument, alertLine, blindLine} from './alert-words.ts';
import {originOf} from './documents.ts';
import {createEventLines} from './event-lines.ts';
import {playRecording} from './play-recording.ts';
import {createRecordedFeeds, type RecordedFeeds} from './recorded-feeds.ts';
import {metEvent, type WatchEvent} from './watch-events.ts';
import {watchReport} from './watch-rows.ts';

export type TriedRules = {
	readonly reader: RecordingReader;
	/** The keys of the markets that are meant by a condition that names none. */
	readonly markets: readonly string[];
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
	readonly json: boolean;
	readonly ascii: boolean;
	readonly zone?: Zone | undefined;
	/** Data that is older than this cannot be judged. */
	readonly blindAfterMs: number;
};

type Judging = {
	readonly conditions: readonly Condition[];
	/** Called at the start of each session. Returns what ends it. */
	begin(clock: Clock, feeds: RecordedFeeds): () => void;
	/** Up to when all is judged, epoch ms; undefined: up to now. */
	judgedTo?(): number | undefined;
	/** Called after each part of a session. Returns whether to go on. */
	afterPiece(): Promise<boolean>;
};

/** Plays the recording with what it knows of markets. */
function playFeeds(
	{reader, from}: Pick<TriedRules, 'reader' | 'from'>,
	signal: AbortSignal,
	{conditions, begin, judgedTo, afterPiece}: Judging,
): Promise<void> {
	const longestMs = Math.max(0, ...conditions.flatMap(quantitiesIn).map(({windowMs = 0}) => windowMs));
	return playRecording({reader, from}, signal, {
		afterPiece,
		begin({session, clock}) {
			const lookBackMs = () => longestMs + clock.now() - (judgedTo?.() ?? clock.now());
			const feeds = createRecordedFeeds({reader, clock, moment: () => ({session, time: clock.now()}), lookBackMs});
			const end = begin(clock, feeds);
			return () => {
				end();
				feeds.stop();
			};
		},
	});
}

/**
 * Prints each time that a rule would have called, and when rules were blind. Nobody is called. `marketsOf`: the keys of the markets
 * that a rule is judged for, if it names none. Settles with the exit status.
 */
export async function tryRules(
	tried: TriedRules,
	{rules, marketsOf}: Pick<AlertsOptions, 'rules' | 'marketsOf'>,
	signal: AbortSignal,
): Promise<number> {
	const {blindAfterMs} = tried;
	const noteDelayed = createDelayedNotes(marketsOf);
	const writer = createWriter(tried);
	/** What is known of the rules at the end of a session. */
	let stated = rules;
	let alerts: Alerts | undefined;
	await playFeeds(tried, signal, {
		conditions: rules.map(({rule}) => rule.condition),
		judgedTo: () => alerts?.judgedTo(),
		begin(clock, feeds) {
			const {lacksTrades} = feeds;
			for (const {rule} of rules) noteDelayed(rule, lacksTrades);
			const own = createAlerts({
				...{feeds, clock, rules: stated, marketsOf, lacksTrades, blindAfterMs},
				onEvent: event => writer.push(event),
			});
			alerts = own;
			own.start();
			return () => {
				const known = own.remembered();
				stated = rules.map(each => ({...each, ...known.get(printRule(each.rule))}));
				own.stop();
			};
		},
		async afterPiece() {
			await writer.flush();
			return true;
		},
	});
	await writer.flush();
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

function createWriter({reader, json, zone}: Pick<TriedRules, 'reader' | 'json' | 'zone'>) {
	const write = documentWriter(reader);
	let texts: string[] = [];
	return {
		push(event: AlertEvent) {
			if (json) texts.push(write(alertDocument(event)));
			else texts.push(`${event.type === 'alert' ? alertLine(event, zone) : blindLine(event, zone)}\n`);
		},
		async flush() {
			const text = texts.join('');
			texts = [];
			if (text !== '') await print(text);
		},
	};
}

/** Events as `watch --json` prints them. */
function documentWriter(reader: RecordingReader): (event: WatchEvent) => string {
	const {name} = reader.about();
	return createEventLines(originOf({exchangeName: name, demo: name === demoName})).lineOf;
}

/**
 * Plays the recording until the condition is met, and prints what met it. Settles with the exit status: 124 if the recording ends
 * before.
 */
export async function tryCondition(tried: TriedRules, until: Condition, signal: AbortSignal): Promise<number> {
	const {reader, markets, json, ascii, zone} = tried;
	const demo = reader.about().name === demoName;
	const rule: Rule = {scope: {type: 'watched'}, condition: until};
	const noteDelayed = createDelayedNotes(() => markets);
	let met: (Met & {readonly time: number}) | undefined;
	/** Whether all that it compares was known at any moment. */
	let wasKnown = false;
	await playFeeds(tried, signal, {
		conditions: [until],
		begin(clock, feeds) {
			const {lacksTrades} = feeds;
			noteDelayed(rule, lacksTrades);
			const judgeAll = createConditionJudge(until, lacksTrades);
			function check() {
				if (met) return;
				const judged = judgeAll(feeds.data(), markets, clock.now());
				wasKnown ||= judged.isKnown;
				met = judged.met && {...judged.met, time: clock.now()};
			}

			feeds.follow(needsOf(until, markets));
			const unsubscribe = feeds.subscribe(check);
			let cancel = clock.after(0, function again() {
				cancel = clock.after(secondMs, again);
				check();
			});
			return () => {
				unsubscribe();
				cancel();
			};
		},
		afterPiece: async () => met === undefined,
	});
	if (!met) {
		const {from = -Infinity} = tried;
		const hasGaps = reader.gaps().some(({symbol, to}) => to > from && markets.includes(symbolKey(symbol)));
		const problem = wasKnown
			? `was not met in the recording${hasGaps ? ', which has gaps' : ''}`
			: 'could not be judged: it needs data that was not recorded';
		note(`--until ${problem}: ${printCondition(until)}`);
		return exitStatus.timedOut;
	}

	const {states, time} = met;
	if (demo && json) note(demoTitle);
	const write = documentWriter(reader);
	for (const state of json ? states : []) await print(write(metEvent(until, state, met, time)));
	if (!json) await print(watchReport(states, {now: time, ascii, zone, demo}));
	return exitStatus.done;
}

/** All that rows show, and what the condition compares. */
function needsOf(condition: Condition, markets: readonly string[]): readonly Needed[] {
	const quantities = quantitiesIn(condition);
	const keys = new Set([...markets, ...quantities.flatMap(({market}) => market ?? [])]);
	const candles = [...new Set(quantities.flatMap(periodsOf))].map(candlesOf);
	const kinds: readonly NeededData[] = [{ask: 'trades'}, {ask: 'depth'}, {ask: 'tickers'}, ...candles];
	return [...keys].flatMap(key => kinds.map(each => ({...each, market: symbolKey(key)})));
}
