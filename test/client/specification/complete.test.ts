import {expect, test} from 'vitest';
import {documents} from '../../helpers/documents.ts';
import {readFiles} from '../../helpers/source-files.ts';

test('the statements name every field and parameter of docs/interface.md', () => {
	const page = documents.find(({name}) => name === 'docs/interface.md')?.text ?? '';
	const rows = page.split('\n').filter(line => /^\| `\w/.test(line) && !line.startsWith('| `data`'));
	const names = rows.flatMap(row => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
	const files = readFiles('test').filter(({path}) => path.startsWith('test/client/specification/'));
	const text = files.map(file => file.text).join('\n');
	expect(names.length).toBeGreaterThan(50);
	expect(names.filter(name => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});
