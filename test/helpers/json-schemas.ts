import {readdirSync, readFileSync} from 'node:fs';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';

/** The JSON Schemas as they are shipped, and what the program prints asserted against them. */

const folder = new URL('../../schema/', import.meta.url);

/** By the names of the files. */
export const shippedSchemas: ReadonlyMap<string, string> = new Map(
	readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]),
);

/** Users may meet fields that were added later; a test must not: every object has only the fields of its schema. */
function strict(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(strict);
	if (typeof schema !== 'object' || schema === null) return schema;
	const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, strict(part)]));
	return 'properties' in schema ? {additionalProperties: false, ...parts} : parts;
}

/** With all errors, and those of the event's own type alone. */
const ajv = new Ajv2020({allErrors: true, discriminator: true, allowUnionTypes: true});

function validatorOf(name: string): ValidateFunction {
	const id = `urn:tapewatch:schema:1:${name}`;
	const text = shippedSchemas.get(`${name}.json`);
	if (text === undefined) throw new Error(`there is no schema/${name}.json`);
	return ajv.getSchema(id) ?? ajv.compile(Object(strict(JSON.parse(text))));
}

/** Where the document or event is not as its schema says. */
export function schemaFaults(name: string, value: unknown): readonly string[] {
	const validate = validatorOf(name);
	if (validate(value)) return [];
	return (validate.errors ?? []).map(
		({instancePath, message, params}) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
	);
}

const lists = ['markets', 'ticker', 'depth', 'trades', 'candles', 'holdings'];
const commands = [...lists, 'info', 'watch', 'replay', 'record', 'recording', 'alerts', 'doctor', 'demo'];
const events: Readonly<Record<string, string>> = {watch: 'watch-event', replay: 'watch-event', record: 'record-event'};

/** The schema of each line that the program prints when it is called so; undefined: it prints no JSON. */
function schemaOfOutput(args: readonly string[]): string | undefined {
	const output = args.find((_, index) => ['-o', '--output'].includes(args[index - 1] ?? ''));
	const format = args.includes('--json') ? 'json' : output;
	const command = args.find(arg => commands.includes(arg));
	if (command === undefined || args[0] === 'complete' || args.includes('--help')) return undefined;
	if (format !== 'json' && format !== 'ndjson') return undefined;
	if (format === 'ndjson' && lists.includes(command)) return `${command}-line`;
	if (command === 'alerts' && args.includes('test')) return 'alerts-test';
	return events[command] ?? command;
}

/**
 * Throws if a whole line that the program has printed is not as its schema says. Returns the names of the schemas, with the types of
 * events.
 */
export function assertSchemas(args: readonly string[], stdout: string): ReadonlySet<string> {
	const name = schemaOfOutput(args);
	if (name === undefined) return new Set();
	const values = stdout
		.split('\n')
		.slice(0, -1)
		.map(line => JSON.parse(line));
	const faults = values.flatMap(value => schemaFaults(name, value));
	if (faults.length > 0) throw new Error(`tapewatch ${args.join(' ')}:\n${faults.slice(0, 10).join('\n')}`);
	return new Set(values.map(({type}) => (name.endsWith('-event') ? `${name} ${type}` : name)));
}
