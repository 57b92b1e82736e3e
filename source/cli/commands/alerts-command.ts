import {valuesText} from '../../alerts/alert-texts.ts';
import type {Alert} from '../../alerts/judged-rule.ts';
import {delayedText, isDelayed, parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import type {RuleMemory} from '../../alerts/rule-memory.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import {formatDateTime} from '../../format/time.ts';
import {utc, type Zone} from '../../format/zone.ts';
import {secondMs} from '../../market/units.ts';
import type {alerts as listSchema, alertsTest as testSchema} from '../../schema/document-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import {createWindowTitle} from '../../terminal/window-title.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import {type LocalContext, localContext} from '../context.ts';
import {aborted, exitStatus, untilInterrupted} from '../exit.ts';
import type {FlagsOf} from '../options/option-table.ts';
import type {NotifyWord} from '../options/option-types.ts';
import {readOptions} from '../options/options.ts';
import {readConfigRules} from '../options/rule-options.ts';
import {ownOutput, ownWidth, print, printTable} from '../output.ts';
import {note} from '../standard-error.ts';
import {readAlerts, type SavedRule} from '../state/saved-alerts.ts';
import {exchangeStateOf} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {createAlertCalls} from './alert-calls.ts';
import {createAlertPrograms} from './alert-program.ts';
import {originOf} from './documents.ts';
import {labelled, titleLines, zoneNote} from './tables.ts';
import {refuseWrongCommand} from './watch-rules.ts';

type Document = Of<typeof listSchema>;

/** A rule on one of its markets. */
type Listed = Document['rules'][number];

/** Lists the rules, or calls once by each configured way. Settles with the exit status. */
export async function alerts(flags: FlagsOf<'alerts'>, action: 'list' | 'test'): Promise<number> {
	const context = await localContext(await readOptions(flags, process.env));
	const {json = false} = flags;
	return untilInterrupted(signal =>
		action === 'test' ? testCalls(context, json, signal) : listRules(context, json, ownWidth(flags)),
	);
}

/** Prints the rules of the config file, and those that the monitor remembers. */
async function listRules(context: LocalContext, json: boolean, width: number | undefined): Promise<number> {
	const {options, clock, exchangeName} = context;
	const file = await openStateFile(statePath(process.env), clock);
	const {saved, rules: users, fault} = readAlerts(exchangeStateOf(file.state, exchangeName).alerts);
	for (const notice of [...file.notices(), ...(fault === undefined ? [] : [fault])]) note(notice);
	const now = clock.now();
	const stated = new Map<string, readonly [Rule, Listed['origin']]>([
		...readConfigRules(options.alerts, now).map(rule => [printRule(rule), [rule, 'config']] as const),
		...[...users].map(([text, rule]) => [text, [rule, 'user']] as const),
	]);
	const rules = [...stated].flatMap(([text, [rule, origin]]) => listed(rule, origin, saved.get(text), now));
	const document: Document = {rules};
	if (json) await print(`${JSON.stringify({...document, ...originOf(context)})}\n`);
	else await printTable(rulesTable(rules, stated.size, context, width), ownOutput);
	return exitStatus.done;
}

function listed(rule: Rule, origin: Listed['origin'], saved: SavedRule | undefined, now: number): readonly Listed[] {
	const judged: readonly (readonly [string, RuleMemory])[] = Object.entries(saved?.markets ?? {});
	const unjudged = [rule.scope.type === 'market' ? rule.scope.key : null, undefined] as const;
	return (judged.length > 0 ? judged : [unjudged]).map(([market, memory]) => ({
		...{rule: printRule(rule), origin, market, delayed: isDelayed(rule)},
		state: saved?.isOff ? 'off' : stateOf(rule, memory, now),
		fired: firedOf(memory),
		judgedAt: memory?.judgedAt ?? null,
	}));
}

function firedOf(memory: RuleMemory | undefined): Listed['fired'] {
	if (!memory?.fired) return null;
	const {time, values, gap} = memory.fired;
	return {time, values, ...(gap && {gap})};
}

function stateOf({until = Infinity, everyMs}: Rule, memory: RuleMemory | undefined, now: number): Listed['state'] {
	if (memory?.fired && everyMs === undefined) return 'fired';
	return now >= until ? 'ended' : 'armed';
}

function rulesTable(rules: readonly Listed[], count: number, context: LocalContext, width: number | undefined): Table {
	const {demo, exchangeName, options} = context;
	const {ascii, zone = utc} = options;
	const title = [`alerts of ${exchangeName}`, formatCount(count, 'rule'), ...zoneNote(zone)];
	const heading = titleLines(title, {demo, ascii, width});
	if (rules.length === 0) return {lines: heading, hidden: []};
	const ifAnyDelayed = <T>(value: T) => (rules.some(({delayed}) => delayed) ? [value] : []);
	const zoned = (title: string, rank: number): Column => ({titles: [`${title} (${zone.name})`, title], rank});
	const columns: readonly Column[] = [
		{titles: ['rule'], least: 28},
		...[{titles: ['from'], rank: 4}, {titles: ['market']}, {titles: ['state']}],
		...ifAnyDelayed({titles: ['judged'], rank: 2, least: 'by the 24 h'.length}),
		zoned('last judged', 3),
		{...zoned('last fired', 1), least: 'YYYY-MM-DD HH:MM:SS,'.length},
	];
	const rows = rules.map(({rule, origin, market, state, delayed, judgedAt, fired}) => [
		...[rule, origin, market ?? '', state].map(stripControl),
		...ifAnyDelayed(delayed ? delayedText : ''),
		judgedAt === null ? 'never' : formatDateTime(judgedAt, zone),
		fired ? firedText(fired, ascii, zone) : 'never',
	]);
	const {lines, hidden} = table(columns, rows, {width});
	return {lines: [...heading, ...lines], hidden};
}

function firedText(fired: NonNullable<Listed['fired']>, ascii: boolean, zone: Zone): string {
	const values = stripControl(valuesText(fired, ascii, zone));
	return `${formatDateTime(fired.time, zone)}${fired.gap ? ', ' : ' at '}${values}`;
}

type Way = Exclude<NotifyWord, 'blind'>;
const ways: readonly Way[] = ['bell', 'terminal', 'title', 'command'];

/** What became of a call. */
type Result = Of<typeof testSchema>['ways'][number];

/** How long the title of a test is shown. */
const titleMs = 2 * secondMs;

/**
 * Calls once by each configured way, and prints what became of it, unless `interrupted` is aborted before. Settles with the exit
 * status: 1 if the program failed.
 */
async function testCalls(context: LocalContext, json: boolean, interrupted: AbortSignal): Promise<number> {
	const {options, clock} = context;
	await refuseWrongCommand(options);
	const alert = testAlert(readConfigRules(options.alerts, clock.now())[0], clock.now());
	const end = aborted(interrupted);
	const ofTerminal = await callTerminal(context, alert, end);
	const ofProgram = interrupted.aborted ? [] : await Promise.race([callProgram(context, alert), end]);
	if (!ofProgram || interrupted.aborted) return exitStatus.interrupted;
	const results: readonly Result[] = [...ofTerminal, ...ofProgram];
	const rows = results.map(({way, result}) => [way, result]);
	const {lines} = table(labelled, rows, {width: ownOutput.columns});
	const none = 'no way to alert you: notify is empty';
	const text = json ? JSON.stringify({ways: results, ...originOf(context)}) : lines.join('\n') || none;
	await print(`${text}\n`);
	const isFailed = results.some(({way, called}) => way === 'command' && !called);
	return isFailed ? exitStatus.failed : exitStatus.done;
}

/** `rule`: the one that the user has, if any. */
function testAlert(rule: Rule | undefined, time: number): Alert {
	const named = rule ?? parseRule('BTCUSDT last > 0', {marketNamed: name => ({key: name}), now: time});
	// What is tried are the ways of rules that name none.
	const {call: _, ...tested} = named;
	const symbol = named.scope.type === 'market' ? named.scope.key : 'BTCUSDT';
	return {type: 'alert', rule: tested, symbol, time, values: {}, isTest: true};
}

/** `end`: settles when the title is to be given back at once. */
async function callTerminal(context: LocalContext, alert: Alert, end: Promise<void>): Promise<readonly Result[]> {
	const {options, clock} = context;
	const wanted = ways.filter(way => way !== 'command' && options.notify.includes(way));
	const stream = [process.stderr, process.stdout].find(({isTTY}) => isTTY);
	if (!stream) return wanted.map(way => ({way, called: false, result: 'not sent: there is no terminal'}));
	const write = (text: string) => stream.write(text);
	const calls = createAlertCalls({
		...{notify: wanted, environment: process.env, origin: originOf(context), clock, onEnd() {}},
		terminal: {write, title: createWindowTitle(write)},
	});
	calls.call(alert);
	if (wanted.includes('title')) await Promise.race([new Promise<void>(resolve => clock.after(titleMs, resolve)), end]);
	await calls.ended();
	return wanted.map(way => ({
		way,
		called: true,
		result: way === 'title' ? `shown for ${titleMs / secondMs} s` : sent(way),
	}));
}

const sent = (way: Way): string =>
	way === 'terminal' && process.env.TMUX ? 'sent; tmux passes it on if allow-passthrough is on' : 'sent';

async function callProgram(context: LocalContext, alert: Alert): Promise<readonly Result[]> {
	const {options, clock, log} = context;
	const {onAlert: command} = options;
	if (!command) return [];
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const programs = createAlertPrograms({environment: process.env, origin: originOf(context), clock, onEnd: resolve});
	programs.run(alert, command);
	const failure = await promise;
	if (failure !== undefined) log?.callFailed(failure);
	return [
		{way: 'command', called: failure === undefined, result: failure ?? `${command.program}: ended with status 0`},
	];
}
