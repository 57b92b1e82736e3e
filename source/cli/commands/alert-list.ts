import {valuesText} from '../../alerts/alert-texts.ts';
import {delayedText, isDelayed, printRule, type Rule} from '../../alerts/rule.ts';
import type {RuleMemory} from '../../alerts/rule-memory.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import {formatDateTime} from '../../format/time.ts';
import {utc, type Zone} from '../../format/zone.ts';
import type {alerts as schema} from '../../schema/document-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import type {LocalContext} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {readConfigRules} from '../options/config-rules.ts';
import {ownOutput, print, printTable} from '../output.ts';
import {note} from '../standard-error.ts';
import {readAlerts, type SavedRule} from '../state/saved-alerts.ts';
import {exchangeStateOf} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {originOf} from './documents.ts';
import {titleLines, zoneNote} from './tables.ts';

type Document = Of<typeof schema>;

/** A rule on one of its markets. */
type Listed = Document['rules'][number];

type AlertsRequest = {
	readonly json: boolean;
	/** Cells of a line of the table. Default: as many as it needs. */
	readonly width: number | undefined;
};

/** Prints the rules of the config file, and those that the monitor remembers. Settles with the exit status. */
export async function runAlerts(context: LocalContext, {json, width}: AlertsRequest): Promise<number> {
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
