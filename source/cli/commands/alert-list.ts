import {printRule, type Rule} from '../../alerts/rule.ts';
import {alignTable} from '../../format/cells.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import type {LocalContext} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {readConfigRules} from '../options/config-rules.ts';
import {print} from '../output.ts';
import {originOf} from './documents.ts';

/** Prints the rules that are stated anywhere but on the command line. Settles with the exit status. */
export async function runAlerts(context: LocalContext, json: boolean): Promise<number> {
	const {demo, exchangeName, options, clock} = context;
	const now = clock.now();
	const rules = readConfigRules(options.alerts, now).map(rule => listed(rule, now));
	const title = [...(demo ? ['DEMO'] : []), `alerts of ${exchangeName}`, formatCount(rules.length, 'rule')];
	const rows = rules.map(({rule, origin, state}) => [stripControl(rule), origin, state]);
	const table = rows.length === 0 ? [] : alignTable([['rule', 'origin', 'state'], ...rows], []);
	const lines = [title.join(options.ascii ? ' | ' : ' · '), ...table];
	await print(`${json ? JSON.stringify({rules, ...originOf(context)}) : lines.join('\n')}\n`);
	return exitStatus.done;
}

const listed = (rule: Rule, now: number) => ({
	rule: printRule(rule),
	origin: 'config',
	state: now >= (rule.until ?? Infinity) ? 'ended' : 'armed',
});
