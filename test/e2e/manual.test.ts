import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {inProcess} from '../cli/in-process.ts';

const page = fileURLToPath(new URL('../../dist/tapewatch.1', import.meta.url));

const withoutBold = (text: string) => text.replace(/.\u0008/g, '');
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

test('the manual page has no faults, and all that the help of every command says', {tags: 'mandoc'}, async () => {
	const lint = spawnSync('mandoc', ['-T', 'lint', page], {encoding: 'utf8'});
	expect({faults: lint.stdout, status: lint.status}).toEqual({faults: '', status: 0});
	const shown = withoutBold(spawnSync('mandoc', ['-T', 'ascii', page], {encoding: 'utf8'}).stdout);
	expect(shown.match(/^[A-Z][A-Z ]+$/gm)).toEqual([
		...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'KEYS', 'ENVIRONMENT', 'FILES', 'EXIT STATUS'],
		...['EXAMPLES', 'SEE ALSO'],
	]);
	expect(shown).toMatch(/^ +depth MARKET\n +Print the order book of a market\.$/m);
	const sections = new Map(
		shown
			.split(/^COMMANDS$|^OPTIONS$/m)[1]
			?.split(/^ {3}(?=\S)/m)
			.map(section => [/^[a-z]+/.exec(section)?.[0] ?? '', section]),
	);
	const [, list = ''] = (await inProcess(['--help'])).stdout.split('\nCommands:\n');
	const names =
		list
			.split('\n\n', 1)[0]
			?.match(/^ {2}[a-z]+/gm)
			?.map(name => name.trim()) ?? [];
	expect(names.length).toBeGreaterThan(10);
	for (const name of names.filter(name => name !== 'help')) {
		const section = sections.get(name) ?? '';
		const [own = '', below = ''] = (await inProcess([name, '--help'])).stdout.split(
			/\n(?:Display options [^\n]*\n(?: [^\n]*\n)+\n)?Global Options:.*?\n\n/s,
		);
		expect(below, name).not.toBe('');
		const options = [...own.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: <(\w+)>)?/gm)].filter(
			([, flag]) => flag !== '--help',
		);
		for (const [, flag, value] of options) expect(section, name).toContain([flag, value].filter(Boolean).join(' '));
		// A list has other blanks between its columns.
		const words = inOneLine(section);
		for (const paragraph of below.split(/\n{2,}/)) {
			for (const line of paragraph.split('\n')) expect(words, name).toContain(inOneLine(line));
		}
	}
});

test('man shows the page without a warning', {tags: 'man'}, () => {
	const shown = spawnSync('man', ['--warnings', '-l', page], {
		...{encoding: 'utf8', env: {PATH: process.env.PATH, LANG: 'C.UTF-8', MANWIDTH: '80', MAN_KEEP_FORMATTING: ''}},
	});
	expect([shown.stderr, shown.status]).toEqual(['', 0]);
	expect(withoutBold(shown.stdout)).toMatch(
		/^TAPEWATCH\(1\).*\n\nNAME\n +tapewatch — live market monitor for the terminal\n/,
	);
});
