import {chmodSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {parse} from 'smol-toml';
import {expect, test} from 'vitest';
import {withProfile, writeProfile} from '../../../source/cli/options/write-profile.ts';
import {systemClock} from '../../../source/market/clock.ts';
import {temporaryFolder} from '../../helpers/folders.ts';

const added = {name: 'mine', baseUrl: 'https://api.example.com', isDefault: true};
const table = '[exchanges.mine]\nbase-url = "https://api.example.com"\n';

test('a profile follows the opening comment as the default, and stands at the end of the file', () => {
	const file = '# All of mine\n# by hand\n\n# colours\npalette = "swapped"\n\n[intervals]\ndepth = 2 # slow';
	expect(withProfile(file, added)).toBe(
		`# All of mine\n# by hand\n\nexchange = "mine"\n\n# colours\npalette = "swapped"\n\n[intervals]\ndepth = 2 # slow\n\n${table}`,
	);
	expect(withProfile('', added)).toBe(`exchange = "mine"\n\n${table}`);
	expect(withProfile('fps = 4\r\n', {...added, legacyBaseUrl: 'https://old.example.com', isDefault: false})).toBe(
		'fps = 4\r\n\r\n[exchanges.mine]\r\nbase-url = "https://api.example.com"\r\nlegacy-base-url = "https://old.example.com"\r\n',
	);
});

test('a file that would lose or contradict something takes no profile', () => {
	for (const file of [
		'exchange = "other"\n',
		'[exchanges.mine]\nbase-url = "https://other.example.com"\n',
		'exchanges = {other = {base-url = "https://other.example.com"}}\n',
		'exchanges = 1\n',
		'fps = [\n',
	]) {
		expect(withProfile(file, added), file).toBeUndefined();
	}
});

const line = fc.constantFrom(
	...[
		'',
		'# a comment',
		'# [exchanges.mine]',
		'fps = 4',
		'text = """',
		'"""',
		'list = [',
		'["a"],',
		']',
		'[intervals]',
	],
	...[
		'depth = 2',
		'[[alerts]]',
		'rule = "BTCUSDT last > 1"',
		'[exchanges.other]',
		"base-url = 'https://x.example.com'",
	],
	...['exchanges.other.base-url = "https://x.example.com"', 'exchange = "other"', '\texchange="mine"', '[exchanges]'],
);

test('whatever a file says, it says the same and the profile afterwards, or is left alone', () => {
	const files = fc
		.tuple(fc.array(line, {maxLength: 12}), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'))
		.map(([lines, eol, mark]) => mark + lines.join(eol));
	fc.assert(
		fc.property(files, fc.boolean(), (file, isDefault) => {
			const text = withProfile(file, {...added, isDefault});
			if (text === undefined) return;
			const {exchange, exchanges, ...others} = parse(text);
			const {exchange: exchangeBefore, exchanges: exchangesBefore, ...othersBefore} = parse(file);
			expect(others).toEqual(othersBefore);
			expect(exchange).toEqual(isDefault ? 'mine' : exchangeBefore);
			expect(exchanges).toEqual({...(exchangesBefore as object), mine: {'base-url': 'https://api.example.com'}});
			for (const each of file.split(/\r?\n/)) expect(text).toContain(each.trimEnd());
		}),
	);
});

test('the file keeps its mode and its link, and two profiles at once are both added', async () => {
	const folder = temporaryFolder();
	const [path, target] = [join(folder, 'config.toml'), join(folder, 'dotfiles.toml')];
	writeFileSync(target, '# mine\n');
	chmodSync(target, 0o640);
	symlinkSync(target, path);
	const names = ['one', 'two', 'three'];
	await Promise.all(names.map(name => writeProfile(path, {...added, name, isDefault: false}, systemClock)));
	expect(Object.keys(parse(readFileSync(target, 'utf8')).exchanges ?? {}).sort()).toEqual(names.toSorted());
	expect(statSync(target).mode & 0o777).toBe(0o640);
});

test('a file that cannot be changed is named, with the lines to add by hand', async () => {
	const path = temporaryFolder();
	await expect(writeProfile(path, added, systemClock)).rejects.toMatchObject({
		message: `cannot add the profile to ${path}: it is a folder; these are the lines to add`,
		details: ['exchange = "mine"', '', '[exchanges.mine]', 'base-url = "https://api.example.com"'],
	});
});
