import {WriteStream} from 'node:tty';
import type {ColorLevel} from '../format/style.ts';

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
