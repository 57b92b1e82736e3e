import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {commands} from '../source/view/commands/table.ts';
import {keyHelp} from '../source/view/panels/help/rows.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const between = (start: string, end: string): string => {
	const from = readme.indexOf(start) + start.length;
	return readme.slice(from, readme.indexOf(end, from)).trim();
};

test('the README lists the keys of all commands', () => {
	const rows = keyHelp(commands).map(({where, keys, help}) => `| ${where} | \`${keys}\` | ${help} |`);
	expect(between('checked by a test -->', '<!-- /keys -->').split('\n')).toEqual([
		'| in | key | |',
		'| --- | --- | --- |',
		...rows,
	]);
});

test('every key that the text of the README names is a key of a command', () => {
	const text = readme.replace(between('checked by a test -->', '<!-- /keys -->'), '').replaceAll(/^```.*?^```$/gms, '');
	const words = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
	const named = words.filter(word => /^[!-~]$/.test(word));
	const keys = new Set(commands.flatMap(command => command.keys));
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter(key => !keys.has(key))).toEqual([]);
});

test('every picture and file that the README links to is there', () => {
	const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
	expect(links.length).toBeGreaterThan(0);
	for (const link of links) expect(() => readFileSync(new URL(`../${link}`, import.meta.url)), link).not.toThrow();
});
