/** Writes the JSON Schemas of what the program prints into schema/: `node source/write-schemas.ts`. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {jsonSchemas} from './schema/json-schemas.ts';

const folder = join(import.meta.dirname, '../schema');
mkdirSync(folder, {recursive: true});
for (const [name, schema] of jsonSchemas()) {
	writeFileSync(join(folder, name), `${JSON.stringify(schema, undefined, '\t')}\n`);
}
