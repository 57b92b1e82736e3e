import {InvalidArgumentError} from 'commander';
import {nearestWord} from '../../market/symbol.ts';
import {UsageError} from '../exit.ts';
import {note} from '../standard-error.ts';
import {type Settings, settings} from './option-table.ts';
import {type Field, FieldError, fields} from './option-types.ts';

const settingsTable = fields('a table', Object.fromEntries(settings.map(({key, type}) => [key, type])));

/**
 * Checks the settings of one source. Throws a `UsageError` about the first wrong or unknown field; `locate` names a field
 * for the user, such as `--timeout`.
 */
export function readSettings(raw: unknown, locate: (field: Field) => string): Settings {
	try {
		return settingsTable(raw);
	} catch (error) {
		if (!(error instanceof InvalidArgumentError)) throw error;
		throw new UsageError(`${locate(error instanceof FieldError ? error.field : [])} ${error.message}`);
	}
}

const prefix = 'TAPEWATCH_';

export const variableName = (setting: string) => `${prefix}${setting.toUpperCase().replaceAll('-', '_')}`;

/** Settings that have a variable; tables have none. */
export const settingNames = settings.filter(({table}) => table === undefined).map(({key}) => key);

/** An empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv): Settings {
	const entries = settingNames.map(name => [name, env[variableName(name)] || undefined]);
	const color = env[variableName('color')] || colorConvention(env);
	return readSettings({...Object.fromEntries(entries), color}, field => variableName(field.join('_')));
}

/** FORCE_COLOR overrides NO_COLOR, as in Node itself. */
export function colorConvention(env: NodeJS.ProcessEnv): Settings['color'] {
	if (env.FORCE_COLOR) return ['0', 'false'].includes(env.FORCE_COLOR) ? 'never' : 'always';
	return env.NO_COLOR ? 'never' : undefined;
}

/** What the program of an alert gets: it may run Tapewatch itself. */
export const alertVariablePrefix = `${prefix}ALERT_`;

/** What Kubernetes sets for each service that is called `tapewatch` or `tapewatch-…`, and Docker for a link called `tapewatch`. */
const ofContainers =
	/^TAPEWATCH_(?:(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)|PORT|NAME|ENV_\w+)$/;
const isAddress = (value = ''): boolean => /^(?:tcp|udp|sctp):\/\//.test(value);

/** Starts the clock of the program at another time, for tests. */
const demoAtName = 'TAPEWATCH_DEMO_AT';

/** Notes, in one line, the variables `TAPEWATCH_…` that set nothing. */
export function warnUnknown(env: NodeJS.ProcessEnv): void {
	const known = settingNames.map(variableName);
	const isOther = (name: string) =>
		name === demoAtName || name.startsWith(alertVariablePrefix) || ofContainers.test(name) || isAddress(env[name]);
	const given = Object.keys(env).filter(name => name.startsWith(prefix) && env[name] && !isOther(name));
	const unknown = given.filter(name => !known.includes(name));
	if (unknown.length === 0) return;
	const suffixes = known.map(name => name.slice(prefix.length));
	const named = unknown.map(name => {
		const nearest = nearestWord(name.slice(prefix.length), suffixes);
		return nearest === undefined ? name : `${name} (did you mean ${prefix}${nearest}?)`;
	});
	note(`ignored, no such setting: ${named.join(', ')}`);
}
