import {join} from 'node:path';
import {parse, TomlError} from 'smol-toml';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import {type Clock, systemClock} from '../../market/clock.ts';
import {UsageError} from '../exit.ts';
import {inTime, readText} from '../files.ts';
import {folderOf} from '../folders.ts';
import type {Settings} from './option-table.ts';
import type {Field} from './option-types.ts';
import {readConfigRule} from './rule-options.ts';
import {readSettings} from './settings.ts';

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
		// The line tells which one of a list.
		const name = field.filter(part => !/^\d+$/.test(part)).join('.');
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

type Fault = {
	/** From 1. */
	readonly column: number;
	readonly text: string;
};

/** All before a string that has not ended. */
const closed = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'])*/;

/** What is wrong where the parser stopped, in the words of somebody who writes a config file: the parser names what its grammar expects. */
function tomlFault(toml: string, {line, column, message}: TomlError): Fault {
	const whole = toml.split(/\r?\n/)[line - 1] ?? '';
	const [before, rest] = [whole.slice(0, column - 1), whole.slice(column - 1)];
	const problem = message.replace('Invalid TOML document: ', '').split('\n', 1)[0] ?? '';
	/** The word at the place, and the beginning of it that was read before. */
	const word = /[^\s=,[{]*$/.exec(before)?.[0] ?? '';
	const next = /^[^\s,\]}#]{0,60}/.exec(rest)?.[0] ?? '';
	const at = (text: string, from = column): Fault => ({text, column: from});
	switch (problem) {
		case 'control characters are not allowed in strings': {
			const start = closed.exec(whole)?.[0].length ?? 0;
			return rest === ''
				? at(`the string is not closed: ${whole[start]} is missing at its end`, start + 1)
				: at(`the string has a control character; write it as ${JSON.stringify(rest[0]).slice(1, -1)}`);
		}

		case 'unfinished string':
			return at(`the string is not closed: ${/^(?:"{3}|'{3}|.)/.exec(rest)?.[0]} is missing at its end`);
		case 'invalid value':
			return at(valueFault(next));
		case 'illegal character in numeric literal':
		case 'unfinished numeric value':
			if (/^,\d/.test(rest)) return at('decimals are separated by a dot, not a comma');
			return at(`${word}${next} is not a number; text needs quotes: "${word}${next}"`, column - word.length);
		case 'trying to redefine an already defined table or value':
			return at(`${/^[^=\]]*/.exec(rest)?.[0].trim()} is set a second time`);
		case 'illegal character in key':
			if (whole.trim().startsWith('[')) return at('] is missing after the name of the table');
			return at(
				rest.startsWith(':')
					? 'a setting and its value are separated by =, not :'
					: '= is missing after the name of the setting',
			);
		case 'expected comma or end of structure':
			return at(
				rest === ''
					? 'the list or table is not closed: ] or } is missing at its end'
					: `a comma or the end of the list is missing before ${next}`,
			);
		case 'each key-value declaration must be followed by an end-of-line':
			return at(`${next} cannot follow the value: one setting a line, and # before a comment`);
		case 'unexpected end of key':
			return at(`the name is missing before ${rest[0]}`);
		default:
			return at(`not valid TOML: ${problem}`);
	}
}

function valueFault(word: string): string {
	if (word === '') return 'the value is missing';
	if (/^(?:true|false)$/i.test(word)) return `${word} must be in small letters: ${word.toLowerCase()}`;
	if (/^[“”„‘’«]/.test(word)) return 'quotes must be straight: " or \'';
	if (/["']$/.test(word)) return `the string is not opened: ${word.at(-1)} is missing at its beginning`;
	if (word.startsWith('=')) return 'there is one = too many';
	return `text needs quotes: "${word}"`;
}
