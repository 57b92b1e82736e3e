import {readdirSync, readFileSync} from 'node:fs';

const root = new URL('../../', import.meta.url);
const names = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
for (const name of readdirSync(new URL('docs', root)).toSorted()) if (name.endsWith('.md')) names.push(`docs/${name}`);

/** What users read, with the README first; `name` is the path from the root of the project. */
export const documents = names.map(name => {
	const url = new URL(name, root);
	return {name, url, text: readFileSync(url, 'utf8')};
});

/** All of them as one text, but SECURITY.md, which is about other characters than keys. */
export const everyDocument = documents
	.filter(({name}) => name !== 'SECURITY.md')
	.map(({text}) => text)
	.join('\n');
