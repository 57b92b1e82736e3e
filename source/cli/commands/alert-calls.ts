import type {Alert, AlertEvent} from '../../alerts/judged-rule.ts';
import type {CallCommand} from '../../alerts/rule-call.ts';
import {firstUnits} from '../../format/control.ts';
import {secondMs} from '../../market/units.ts';
import type {WindowTitle} from '../../terminal/window-title.ts';
import type {LocalContext} from '../context.ts';
import type {NotifyWord} from '../options/option-types.ts';
import {type AlertProgramOptions, createAlertPrograms} from './alert-program.ts';
import {alertParts, alertTitle} from './alert-words.ts';
import {originOf} from './documents.ts';

export type AlertCalls = ReturnType<typeof createAlertCalls>;

/** What the user sees the calls on. */
type CalledTerminal = {
	readonly write: (text: string) => void;
	readonly title: WindowTitle;
};

type AlertCallsOptions = AlertProgramOptions & {
	/** The ways of rules that name none, and the program of one of them. */
	readonly notify: readonly NotifyWord[];
	readonly command?: CallCommand | undefined;
	/** Whether the programs that rules name are run. Default: they are. */
	readonly runsRules?: boolean | undefined;
	/** Absent: there is none. */
	readonly terminal?: CalledTerminal | undefined;
};

/** In UTF-16 units. */
export const longestNotification = 250;
/** How long the title of a test is shown, which nobody acknowledges. */
const testTitleMs = 5 * secondMs;

/** Calls the user: rings the bell, notifies through the terminal, shows a window title and runs a program. */
export function createAlertCalls(options: AlertCallsOptions) {
	const {terminal, environment, clock} = options;
	const programs = createAlertPrograms(options);
	const isPlain = environment.TERM === 'dumb';
	let titled: AlertEvent | undefined;
	let unseen: readonly Alert[] = [];

	function entitle(event: AlertEvent | undefined) {
		titled = event;
		if (event) terminal?.title.show(titleText(event));
		else terminal?.title.clear();
	}

	function callOn({write}: CalledTerminal, event: AlertEvent, ways: readonly NotifyWord[]) {
		const {message} = alertParts(event);
		// A notification that begins with a number is a command to some terminals.
		const mark = isTest(event) ? '' : '! ';
		const bell = ways.includes('bell') ? '\u0007' : '';
		const shown = ways.includes('terminal') && !isPlain ? notification(`${mark}${message}`, environment) : '';
		if (bell + shown !== '') write(bell + shown);
		if (!ways.includes('title') || isPlain) return;
		entitle(event);
		if (!isTest(event)) return;
		clock.after(testTitleMs, () => {
			if (titled === event) entitle(unseen[0]);
		});
	}

	function judgedAgain({rule, symbol}: AlertEvent) {
		if (titled?.type === 'blind' && titled.rule === rule && titled.symbol === symbol) entitle(unseen[0]);
	}

	return {
		/** Calls the user, of a rule that is blind only if that is wanted. */
		call(event: AlertEvent): void {
			if (event.type === 'blind' && event.ended) return judgedAgain(event);
			const {notify, runsRules = true} = options;
			if (event.type === 'blind' && !notify.includes('blind')) return;
			const {call} = event.rule;
			const ofAll = notify.includes('command') ? options.command : undefined;
			const command = call ? (runsRules ? call.command : undefined) : ofAll;
			if (terminal) callOn(terminal, event, call?.ways ?? notify);
			if (command) programs.run(event, command);
		},
		/** The alerts that the user has not acknowledged, newest first, whenever they change. The title shows no other one. */
		waiting(alerts: readonly Alert[]): void {
			unseen = alerts;
			if (titled?.type === 'alert' && !isTest(titled) && !alerts.includes(titled)) entitle(alerts[0]);
		},
		/** Settles when all programs have ended, or after a second: a slow one goes on by itself. */
		async ended(): Promise<void> {
			entitle(undefined);
			await programs.ended();
		},
	};
}

type Surroundings = Pick<AlertCallsOptions, 'terminal' | 'onEnd'>;

/** Calls the user as the options say. Failures go to the log, too. */
export function callsAsConfigured(context: LocalContext, {terminal, onEnd}: Surroundings): AlertCalls {
	const {options, clock, log} = context;
	return createAlertCalls({
		...{notify: options.notify, command: options.onAlert, terminal, clock},
		// A viewer must not run programs on this computer.
		runsRules: context.viewer === undefined,
		...{environment: context.tty.env, origin: originOf(context)},
		onEnd(failure) {
			if (failure !== undefined) log?.callFailed(failure);
			onEnd(failure);
		},
	});
}

function titleText(event: AlertEvent): string {
	const mark = event.type === 'blind' ? 'blind: ' : isTest(event) ? '' : '! ';
	return mark + alertTitle(event);
}

const isTest = (event: AlertEvent): boolean => event.type === 'alert' && event.isTest === true;

/**
 * The sequence by which the terminal shows a notification. Inside tmux and screen in an envelope, which screen passes on, and
 * tmux if `allow-passthrough` is on; else it drops the whole.
 */
function notification(message: string, environment: NodeJS.ProcessEnv): string {
	const {TERM = '', TERM_PROGRAM = '', TMUX, STY, KITTY_WINDOW_ID, VTE_VERSION} = environment;
	const text = firstUnits(message, longestNotification);
	const sequence =
		KITTY_WINDOW_ID || /kitty/.test(TERM + TERM_PROGRAM)
			? `\u001B]99;;${text}\u001B\\`
			: VTE_VERSION || /^(?:foot|rxvt)/.test(TERM)
				? `\u001B]777;notify;Tapewatch;${text}\u0007`
				: `\u001B]9;${text}\u0007`;
	if (TMUX) return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
	return STY ? `\u001BP${sequence.replace(/\u001B\\$/, '\u0007')}\u001B\\` : sequence;
}
