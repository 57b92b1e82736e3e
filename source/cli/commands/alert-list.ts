import {valuesText} from '../../alerts/alert-texts.ts';
import {delayedText, isDelayed, printRule, type Rule} from '../../alerts/rule.ts';
import type {RuleMemory} from '../../alerts/rule-memory.ts';
import {alignTable} from '../../format/cells.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import {formatDateTime} from '../../format/time.ts';
import {utc, type Zone} from '../../format/zone.ts';
import type {alerts as schema} from '../../schema/document-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import type {LocalContext} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {readConfigRules} from '../options/config-rules.ts';
import {note, print} from '../output.ts';
import {readAlerts, type SavedRule} from '../state/saved-alerts.ts';
import {exchangeStateOf} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {originOf} from './documents.ts';

type Document = Of<typeof schema>;

/** A rule on one of its markets. */
type Listed = Document['rules'][number];

/** Prints the rules of the config file, and those that the monitor remembers. Settles with the exit status. */
export async function runAlerts(context: LocalContext, json: boolean): Promise<number> {
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
	await print(
		`${json ? JSON.stringify({...document, ...originOf(context)}) : table(rules, stated.size, context).join('\n')}\n`,
	);
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

function table(rules: readonly Listed[], count: number, context: LocalContext): readonly string[] {
	const {demo, exchangeName, options} = context;
	const {ascii, zone = utc} = options;
	const title = [...(demo ? ['DEMO'] : []), `alerts of ${exchangeName}`, formatCount(count, 'rule')];
	const ifAnyDelayed = (text: string) => (rules.some(({delayed}) => delayed) ? [text] : []);
	const header = [
		'rule',
		'from',
		'market',
		'state',
		...ifAnyDelayed('judged'),
		`last judged (${zone.name})`,
		`last fired (${zone.name})`,
	];
	const rows = rules.map(({rule, origin, market, state, delayed, judgedAt, fired}) => [
		...[rule, origin, market ?? '', state].map(stripControl),
		...ifAnyDelayed(delayed ? delayedText : ''),
		judgedAt === null ? 'never' : formatDateTime(judgedAt, zone),
		fired ? firedText(fired, ascii, zone) : 'never',
	]);
	return [title.join(ascii ? ' | ' : ' · '), ...(rows.length === 0 ? [] : alignTable([header, ...rows], []))];
}

function firedText(fired: NonNullable<Listed['fired']>, ascii: boolean, zone: Zone): string {
	const values = stripControl(valuesText(fired, ascii, zone));
	return `${formatDateTime(fired.time, zone)}${fired.gap ? ', ' : ' at '}${values}`;
}
