import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {posix, win32} from 'node:path';

/** Below the home folder, by the XDG Base Directory Specification. */
const xdgFolders = {config: '.config', state: '.local/state', cache: '.cache', data: '.local/share'} as const;

type System = {readonly platform: NodeJS.Platform; exists(path: string): boolean};
const thisSystem: System = {platform: process.platform, exists: existsSync};

/**
 * The folder of this program for files of a kind: `$XDG_CONFIG_HOME/tapewatch` for config, and so on; if the variable is unset or
 * relative, the place that the system has for such files. On macOS and Windows, a folder that exists in the place of Linux, such as
 * `~/.config/tapewatch`, is used instead.
 */
export function folderOf(
	kind: keyof typeof xdgFolders,
	env: NodeJS.ProcessEnv,
	{platform, exists}: System = thisSystem,
): string {
	const {isAbsolute, join} = platform === 'win32' ? win32 : posix;
	const given = env[`XDG_${kind.toUpperCase()}_HOME`] ?? '';
	if (isAbsolute(given)) return join(given, 'tapewatch');
	const home = homeFolder(env, platform);
	const ofLinux = join(home, xdgFolders[kind], 'tapewatch');
	if ((platform !== 'darwin' && platform !== 'win32') || exists(ofLinux)) return ofLinux;
	if (platform === 'darwin')
		return join(home, 'Library', kind === 'cache' ? 'Caches' : 'Application Support', 'tapewatch');
	const roaming = env.APPDATA || join(home, 'AppData', 'Roaming');
	const local = env.LOCALAPPDATA || join(home, 'AppData', 'Local');
	return join(kind === 'config' ? roaming : local, 'tapewatch', kind === 'cache' ? 'Cache' : '');
}

/** `/` without one: of a user that the system does not know. */
export function homeFolder(env: NodeJS.ProcessEnv, platform = process.platform): string {
	const [given = '', {isAbsolute}] = platform === 'win32' ? [env.USERPROFILE, win32] : [env.HOME, posix];
	if (isAbsolute(given)) return given;
	try {
		// Empty if HOME is.
		return homedir() || '/';
	} catch {
		return '/';
	}
}
