import {join} from 'node:path';
import {parse, TomlError} from 'smol-toml';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import {type Clock, systemClock} from '../../market/clock.ts';
import {UsageError} from '../exit.ts';
import {inTime, readText} from '../files.ts';
import {folderOf} from '../folders.ts';
import type {Settings} from './option-table.ts';
import type {Field} from './option-types.ts';
import {readSettings} from './settings.ts';
import {tomlFault} from './toml-fault.ts';

export const configPath = (env: NodeJS.ProcessEnv): string => join(folderOf('config', env), 'config.toml');

type Config = {
	readonly settings: Settings;
	/** The line that has a field, counted from 1. */
	lineOf(field: Field): number | undefined;
};

/**
 * Reads the settings of the config file; without a file there are none. Rejects with a `UsageError` that names file, line
 * and field when it cannot be read or has an error. Never writes.
 */
export async function readConfig(path: string, clock: Clock = systemClock): Promise<Config> {
	let toml: string;
	try {
		toml = await inTime(clock, () => readText(path));
	} catch (error) {
		if (hasCode(error, 'ENOENT', 'ENOTDIR')) return {settings: {}, lineOf: () => undefined};
		throw new UsageError(`cannot read ${path}: ${fileFault(error)}; make it a readable file or remove it`, {
			cause: error,
		});
	}

	const lineOf = (field: Field) => lineOfField(toml, field);
	const locate = (field: Field): string => {
		const line = lineOf(field);
		const name = field.filter((_, at) => field[0] !== 'alerts' || at !== 1).join('.');
		return `${line === undefined ? path : `${path}:${line}`}: ${name}`;
	};
	const settings = readSettings(parseToml(toml, path), locate);
	if (settings.keys) {
		// The table of commands imports the code of all panels: only a file that changes keys waits for it.
		const {remapFault} = await import('../../view/commands/table.ts');
		const fault = remapFault(settings.keys);
		if (fault) throw new UsageError(`${locate(['keys', fault.name])} ${fault.message}`);
	}

	if (settings.alerts) {
		const {readConfigRule} = await import('./config-rules.ts');
		const alerts = settings.alerts.map(({rule}, index) => ({rule, where: locate(['alerts', String(index), 'rule'])}));
		for (const {rule, where} of alerts) readConfigRule(rule, {now: clock.now(), where});
		return {settings: {...settings, alerts}, lineOf};
	}

	return {settings, lineOf};
}

function parseToml(toml: string, path: string): unknown {
	try {
		return parse(toml, {unsafeKeyBehaviour: 'throw'});
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		const {column, text} = tomlFault(toml, error);
		throw new UsageError(`${path}:${error.line}:${column}: ${text}`, {cause: error});
	}
}

const keyPattern = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;
const tablePattern = /^\s*\[\s*([^[\]]+?)\s*\]/;
const listedTablePattern = /^\s*\[\[\s*([^[\]]+?)\s*\]\]/;

/** The line, counted from 1, that sets `field` or the innermost table around it. The parser gives no lines for valid TOML. */
function lineOfField(toml: string, field: Field): number | undefined {
	let table: readonly string[] = [];
	const counts = new Map<string, number>();
	let found: number | undefined;
	let depth = 0;
	for (const [index, line] of toml.split('\n').entries()) {
		const listed = listedTablePattern.exec(line)?.[1];
		const header = listed ?? tablePattern.exec(line)?.[1];
		const key = keyPattern.exec(line)?.[1];
		if (header !== undefined) table = keyParts(header);
		if (listed !== undefined) {
			const count = counts.get(listed) ?? 0;
			counts.set(listed, count + 1);
			table = [...table, String(count)];
		}

		if (header === undefined && key === undefined) continue;
		const path = key === undefined ? table : [...table, ...keyParts(key)];
		if (path.length > depth && path.every((part, at) => part === field[at])) [found, depth] = [index + 1, path.length];
	}

	return found;
}

const keyParts = (key: string): readonly string[] =>
	(key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).map(part => part.replace(/^["']|["']$/g, ''));
