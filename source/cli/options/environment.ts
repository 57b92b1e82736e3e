import {nearestWord} from '../../market/symbol.ts';
import {note} from '../standard-error.ts';

const prefix = 'TAPEWATCH_';

export const variableName = (setting: string) => `${prefix}${setting.toUpperCase().replaceAll('-', '_')}`;

/** What the program of an alert gets: it may run Tapewatch itself. */
export const alertVariablePrefix = `${prefix}ALERT_`;

/** What Kubernetes sets for each service that is called `tapewatch` or `tapewatch-…`, and Docker for a link called `tapewatch`. */
const ofContainers =
	/^TAPEWATCH_(?:(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)|PORT|NAME|ENV_\w+)$/;
const isAddress = (value = ''): boolean => /^(?:tcp|udp|sctp):\/\//.test(value);

/** Starts the clock of the program at another time, for tests. */
const demoAtName = 'TAPEWATCH_DEMO_AT';

/** Notes, in one line, the variables `TAPEWATCH_…` that set nothing. */
export async function warnUnknown(env: NodeJS.ProcessEnv): Promise<void> {
	const isOther = (name: string) =>
		name === demoAtName || name.startsWith(alertVariablePrefix) || ofContainers.test(name) || isAddress(env[name]);
	const given = Object.keys(env).filter(name => name.startsWith(prefix) && env[name] && !isOther(name));
	if (given.length === 0) return;
	// The schema of the settings takes longer to load than the help to print.
	const {settingNames} = await import('./settings.ts');
	const settings = settingNames.map(variableName);
	const unknown = given.filter(name => !settings.includes(name));
	if (unknown.length === 0) return;
	const texts = unknown.map(name => {
		const suffixes = settings.map(setting => setting.slice(prefix.length));
		const nearest = nearestWord(name.slice(prefix.length), suffixes);
		return nearest === undefined ? name : `${name} (did you mean ${prefix}${nearest}?)`;
	});
	note(`ignored, no such setting: ${texts.join(', ')}`);
}
