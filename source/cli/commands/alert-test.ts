import type {Alert} from '../../alerts/alert-event.ts';
import {parseRule, type Rule} from '../../alerts/rule.ts';
import {secondMs} from '../../market/units.ts';
import type {alertsTest as schema} from '../../schema/document-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import {createWindowTitle} from '../../terminal/window-title.ts';
import {table} from '../../view/kit/table.ts';
import type {LocalContext} from '../context.ts';
import {aborted, exitStatus} from '../exit.ts';
import {readConfigRules} from '../options/config-rules.ts';
import type {NotifyWord} from '../options/option-types.ts';
import {ownOutput, print} from '../output.ts';
import {createAlertCalls} from './alert-calls.ts';
import {createAlertProgram} from './alert-program.ts';
import {originOf} from './documents.ts';
import {labelled} from './tables.ts';
import {refuseWrongCommand} from './watch-rules.ts';

type Way = Exclude<NotifyWord, 'blind'>;
const ways: readonly Way[] = ['bell', 'terminal', 'title', 'command'];

/** What became of a call. */
type Result = Of<typeof schema>['ways'][number];

/** How long the title of a test is shown. */
const titleMs = 2 * secondMs;

/**
 * Calls once by each configured way, and prints what became of it, unless `interrupted` is aborted before. Settles with the exit
 * status: 1 if the program failed.
 */
export async function runAlertsTest(context: LocalContext, json: boolean, interrupted: AbortSignal): Promise<number> {
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
	const symbol = named.scope.type === 'market' ? named.scope.key : 'BTCUSDT';
	return {type: 'alert', rule: named, symbol, time, values: {}, isTest: true};
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
	const {options, clock, logCallFailure} = context;
	const {onAlert: command} = options;
	if (!command) return [];
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const program = createAlertProgram({
		...{command, environment: process.env, origin: originOf(context), clock},
		onEnd: resolve,
	});
	program.run(alert);
	const failure = await promise;
	if (failure !== undefined) logCallFailure(failure);
	return [
		{way: 'command', called: failure === undefined, result: failure ?? `${command.program}: ended with status 0`},
	];
}
