import {expect, test} from 'vitest';
import {
	hintedBackground,
	isOverSsh,
	parseBackground,
	takesOsc,
	terminalCapabilities,
} from '../../source/terminal/capabilities.ts';

const tty = {isTTY: true};
const pipe = {};

test.each([
	['a terminal at both ends', tty, tty, 'xterm', {screen: true, interactive: true}],
	['no keyboard', pipe, tty, 'xterm', {screen: true, interactive: false, reason: 'standard input is not a terminal'}],
	[
		'output into a pipe',
		tty,
		pipe,
		'xterm',
		{screen: false, interactive: false, reason: 'standard output is not a terminal'},
	],
	[
		'a dumb terminal',
		tty,
		tty,
		'dumb',
		{screen: false, interactive: false, reason: 'TERM=dumb has no cursor to place'},
	],
])('tells whether the monitor can run: %s', (_, stdin, stdout, TERM, expected) => {
	const {color, unicode, ...capabilities} = terminalCapabilities({TERM}, stdin, stdout);
	expect(capabilities).toEqual(expected);
});

test.each([
	[{TERM: 'xterm'}, tty, 1],
	[{TERM: 'xterm-256color'}, tty, 2],
	[{TERM: 'xterm-256color', COLORTERM: 'truecolor'}, tty, 3],
	[{TERM: 'screen-256color'}, tty, 2],
	[{TERM: 'tmux-256color'}, tty, 2],
	[{TERM: 'screen'}, tty, 1],
	[{TERM: 'dumb'}, tty, 0],
	[{}, tty, 0],
	[{TERM: 'xterm-256color'}, pipe, 0],
	[{TERM: 'xterm-256color', NO_COLOR: '1'}, tty, 0],
	[{TERM: 'xterm-256color', NO_COLOR: ''}, tty, 2],
	[{TERM: 'xterm-256color', CI: 'true'}, tty, 2],
	[{TERM: 'xterm-256color', FORCE_COLOR: '0'}, tty, 0],
	[{FORCE_COLOR: ''}, pipe, 1],
	[{FORCE_COLOR: '1'}, pipe, 1],
	[{FORCE_COLOR: '2'}, pipe, 2],
	[{FORCE_COLOR: '3', NO_COLOR: '1'}, pipe, 3],
] as const)('knows how many colours %j gives: on %j level %i', (env, stdout, level) => {
	expect(terminalCapabilities(env, tty, stdout).color).toBe(level);
});

test.each([
	[{LANG: 'en_US.UTF-8'}, true],
	[{LANG: 'C.utf8'}, true],
	[{LANG: 'C'}, false],
	[{LANG: 'de_DE.ISO-8859-1'}, false],
	[{LANG: 'en_US.UTF-8', LC_CTYPE: 'C'}, false],
	[{LC_ALL: 'en_US.UTF-8', LC_CTYPE: 'C', LANG: 'C'}, true],
	[{LC_ALL: '', LANG: 'C'}, false],
	[{}, true],
])('reads the character set from the locale: %j %s', (env, unicode) => {
	expect(terminalCapabilities(env, tty, tty).unicode).toBe(unicode);
});

test('the Linux console and terminals without a name get no operating system commands', () => {
	expect(['xterm-256color', 'tmux', 'linux', 'linux-16color', 'dumb', ''].map(TERM => takesOsc({TERM}))).toEqual([
		...[true, true, false, false, false, false],
	]);
});

test('either variable of SSH tells that the terminal is at its other end', () => {
	const environments = [{SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'}, {SSH_TTY: '/dev/pts/1'}, {SSH_TTY: ''}, {}];
	expect(environments.map(isOverSsh)).toEqual([true, true, false, false]);
});

test('reads the background in every form in which terminals report it', () => {
	expect(
		['rgb:1e1e/1e1e/2e2e', 'rgb:fd/f6/e3', 'rgb:f/0/8', 'rgba:ffff/ffff/ffff/cccc', '#282c34', 'RGB:00/80/FF'].map(
			parseBackground,
		),
	).toEqual([
		[30, 30, 46],
		[253, 246, 227],
		[255, 0, 136],
		[255, 255, 255],
		[40, 44, 52],
		[0, 128, 255],
	]);
});

test('takes no colour from an answer that has none', () => {
	for (const text of ['', '?', 'rgb:', 'rgb:1/2', 'rgb:12345/1/1', 'rgb:gg/00/00', 'hsl:1/2/3', '#12345', 'red']) {
		expect(parseBackground(text), text).toBeUndefined();
	}
});

test('takes COLORFGBG as a hint, if it names a background', () => {
	const hints = ['15;0', '0;15', '0;default;15', '7;8', '0;7', '12;9', '0;default', '', '15', '0;16'];
	expect(hints.map(COLORFGBG => hintedBackground({COLORFGBG}))).toEqual([
		...['dark', 'light', 'light', 'dark', 'light', 'light', undefined, undefined, undefined, undefined],
	]);
	expect(hintedBackground({})).toBeUndefined();
});
