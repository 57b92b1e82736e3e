import {homedir} from 'node:os';
import {describe, expect, test} from 'vitest';
import {folderOf, homeFolder} from '../../source/cli/folders.ts';

const kinds = ['config', 'state', 'cache', 'data'] as const;
const on = (platform: NodeJS.Platform, existing: readonly string[] = []) => ({
	platform,
	exists: (path: string) => existing.includes(path),
});
const foldersOf = (env: NodeJS.ProcessEnv, system: ReturnType<typeof on>) =>
	kinds.map(kind => folderOf(kind, env, system));

const ofLinux = ['.config', '.local/state', '.cache', '.local/share'].map(place => `/home/me/${place}/tapewatch`);
const support = '/Users/me/Library/Application Support/tapewatch';
const [roaming, local] = ['Roaming', 'Local'].map(name => `C:\\Users\\me\\AppData\\${name}\\tapewatch`);

describe('the folders are those of the system', () => {
	test.each([
		['Linux', {HOME: '/home/me'}, on('linux'), ofLinux],
		['FreeBSD', {HOME: '/home/me'}, on('freebsd'), ofLinux],
		['macOS', {HOME: '/Users/me'}, on('darwin'), [support, support, '/Users/me/Library/Caches/tapewatch', support]],
		['Windows', {USERPROFILE: 'C:\\Users\\me'}, on('win32'), [roaming, local, `${local}\\Cache`, local]],
		[
			'Windows, with folders elsewhere',
			{APPDATA: 'N:\\me', LOCALAPPDATA: 'D:\\me'},
			on('win32'),
			['N:\\me\\tapewatch', 'D:\\me\\tapewatch', 'D:\\me\\tapewatch\\Cache', 'D:\\me\\tapewatch'],
		],
	])('%s', (_, env, system, expected) => {
		expect(foldersOf(env, system)).toEqual(expected);
	});
});

const xdg = (root: string) => ({
	...{XDG_CONFIG_HOME: `${root}c`, XDG_STATE_HOME: `${root}s`, XDG_CACHE_HOME: `${root}h`, XDG_DATA_HOME: `${root}d`},
	...{HOME: '/home/me', USERPROFILE: 'C:\\me'},
});

test.each([
	['linux', '/', '/c/tapewatch /s/tapewatch /h/tapewatch /d/tapewatch'],
	['darwin', '/', '/c/tapewatch /s/tapewatch /h/tapewatch /d/tapewatch'],
	['win32', 'D:\\', 'D:\\c\\tapewatch D:\\s\\tapewatch D:\\h\\tapewatch D:\\d\\tapewatch'],
] as const)('XDG variables are honoured on %s, unless they are empty or relative', (platform, root, expected) => {
	expect(foldersOf(xdg(root), on(platform)).join(' ')).toBe(expected);
	const {HOME, USERPROFILE} = xdg('');
	const standard = foldersOf({HOME, USERPROFILE}, on(platform));
	expect(foldersOf(xdg('relative/'), on(platform))).toEqual(standard);
	expect(foldersOf({HOME, USERPROFILE, XDG_CONFIG_HOME: ''}, on(platform))).toEqual(standard);
});

test('a folder of an earlier version on macOS and Windows is used, each by itself', () => {
	const env = {HOME: '/Users/me', USERPROFILE: 'C:\\Users\\me'};
	const config = '/Users/me/.config/tapewatch';
	expect(foldersOf(env, on('darwin', [config])).slice(0, 2)).toEqual([config, support]);
	const state = 'C:\\Users\\me\\.local\\state\\tapewatch';
	expect(foldersOf(env, on('win32', [state])).slice(0, 2)).toEqual([roaming, state]);
});

test('without HOME, the home folder is the one that the system knows', () => {
	expect(homeFolder({HOME: ''}, process.platform)).toBe(homedir());
	expect(homeFolder({HOME: 'relative'}, process.platform)).toBe(homedir());
});
