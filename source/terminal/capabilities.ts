import {WriteStream} from 'node:tty';
import type {ColorLevel, Rgb} from '../format/style.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type TerminalCapabilities = {
	/** Standard output can show a full screen. */
	readonly screen: boolean;
	/** `screen`, and there is a keyboard. */
	readonly interactive: boolean;
	/** Why it is not `interactive`, to follow "the monitor needs a terminal: ". */
	readonly reason?: string;
	readonly color: ColorLevel;
	/** False only if the locale names another character set; without a locale it is UTF-8. */
	readonly unicode: boolean;
};

/** What the terminal can do, from the streams' `isTTY` and the environment. */
export function terminalCapabilities(
	env: Environment,
	stdin: {readonly isTTY?: boolean},
	stdout: {readonly isTTY?: boolean},
): TerminalCapabilities {
	const blind = screenlessReason(env, stdout);
	const reason = blind ?? (stdin.isTTY ? undefined : 'standard input is not a terminal');
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	return {
		screen: blind === undefined,
		interactive: reason === undefined,
		...(reason === undefined ? {} : {reason}),
		color: colorLevel(env, stdout),
		unicode: locale === undefined || locale === '' || /utf-?8/i.test(locale),
	};
}

/**
 * Whether the terminal takes operating system commands (OSC), as for its title and its background: the Linux console would take
 * them for a change of its palette, or print them.
 */
export const takesOsc = ({TERM = ''}: Environment): boolean => TERM !== '' && !/^(linux|dumb)/.test(TERM);

/** Whether the terminal is at the other end of SSH. */
export const isOverSsh = ({SSH_CONNECTION, SSH_TTY}: Environment): boolean => Boolean(SSH_CONNECTION || SSH_TTY);

function screenlessReason(env: Environment, stdout: {readonly isTTY?: boolean}): string | undefined {
	if (!stdout.isTTY) return 'standard output is not a terminal';
	return env.TERM === 'dumb' ? 'TERM=dumb has no cursor to place' : undefined;
}

/** FORCE_COLOR (0 to 3) overrides NO_COLOR, as in Node itself. */
function colorLevel(env: Environment, stdout: {readonly isTTY?: boolean}): ColorLevel {
	const forced = env.FORCE_COLOR !== undefined;
	if (!forced && (!stdout.isTTY || env.NO_COLOR)) return 0;

	// With CI set Node would judge the CI service instead of the terminal, and NO_COLOR with FORCE_COLOR prints a warning.
	const relevant = Object.entries(env).filter(([name]) => name !== 'CI' && name !== 'NO_COLOR');
	const depth = WriteStream.prototype.getColorDepth(Object.fromEntries(relevant));
	// Node counts screen and tmux at the far end of a connection as 16 colours, whatever their name says.
	const bits = !forced && /-256color$/.test(env.TERM ?? '') ? Math.max(depth, 8) : depth;
	return bits >= 24 ? 3 : bits >= 8 ? 2 : bits >= 4 ? 1 : 0;
}

/** Asks the terminal for its background (OSC 11). */
export const backgroundQuestion = '\u001B]11;?\u0007';

/** The colour in an answer such as `rgb:1e1e/1e1e/2e2e`, `rgba:…` or `#1e1e2e`; undefined: it is none. */
export function parseBackground(text: string): Rgb | undefined {
	const digits = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(text);
	const [, red = '', green = '', blue = ''] = digits ?? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
	if (red === '') return undefined;
	const channel = (hex: string) => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
	return [channel(red), channel(green), channel(blue)];
}

/** Whether the background is dark or light by `COLORFGBG`, which some terminals set: `15;0`, `0;default;15`. Undefined: not said. */
export function hintedBackground({COLORFGBG = ''}: NodeJS.ProcessEnv): 'dark' | 'light' | undefined {
	const number = /;(\d{1,2})$/.exec(COLORFGBG)?.[1];
	if (number === undefined || Number(number) > 15) return undefined;
	return Number(number) === 7 || Number(number) > 8 ? 'light' : 'dark';
}
