import {chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openRotatingFile} from '../../../source/cli/log/log-file.ts';

let folder = '';
let path = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tapewatch-log-'));
	path = join(folder, 'tape.log');
});
afterEach(() => rmSync(folder, {recursive: true}));

const line = (name: string) => `${name.padEnd(9, '.')}\n`;
const contents = (): Record<string, string> =>
	Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));

describe('a rotating file', () => {
	test('is there before the first line, and keeps what it had', () => {
		openRotatingFile(path);
		expect(contents()).toEqual({'tape.log': ''});
		openRotatingFile(path).write(line('first'));
		openRotatingFile(path).write(line('second'));
		expect(contents()).toEqual({'tape.log': line('first') + line('second')});
	});

	test('never outgrows its size, and keeps as many files as told, the newest first', () => {
		const file = openRotatingFile(path, {maxBytes: 25, files: 3});
		for (let count = 1; count <= 7; count++) file.write(line(`line ${count}`));
		expect(contents()).toEqual({
			'tape.log': line('line 7'),
			'tape.log.1': line('line 5') + line('line 6'),
			'tape.log.2': line('line 3') + line('line 4'),
		});
	});

	test('by default: three files of 5 MB', () => {
		const file = openRotatingFile(path);
		const million = `${'x'.repeat(999_999)}\n`;
		for (let count = 0; count < 21; count++) file.write(million);
		expect(Object.values(contents()).map(text => text.length)).toEqual([1_000_000, 5_000_000, 5_000_000]);
	});

	test('is made again when it was taken away', () => {
		const file = openRotatingFile(path);
		file.write(line('gone'));
		rmSync(path);
		file.write(line('kept'));
		expect(contents()).toEqual({'tape.log': line('kept')});
	});

	test('loses what cannot be written, and goes on when it can be again', () => {
		const file = openRotatingFile(path);
		rmSync(path);
		mkdirSync(path);
		expect(() => file.write(line('lost'))).not.toThrow();
		rmSync(path, {recursive: true});
		file.write(line('kept'));
		expect(contents()).toEqual({'tape.log': line('kept')});
	});
});

describe('is refused at once', () => {
	test('in a folder that does not exist', () => {
		const absent = join(folder, 'no', 'tape.log');
		expect(() => openRotatingFile(absent)).toThrow(
			`the log file ${absent} cannot be written: its folder does not exist; give another --log-file`,
		);
	});

	test('where a folder is, or what is no file', () => {
		expect(() => openRotatingFile(folder)).toThrow(`the log file ${folder} cannot be written: it is a folder;`);
		expect(() => openRotatingFile('/dev/null')).toThrow(
			'the log file /dev/null cannot be written: it is not a file; give another --log-file',
		);
	});

	test.skipIf(process.getuid?.() === 0)('without the right to write', () => {
		chmodSync(folder, 0o500);
		expect(() => openRotatingFile(path)).toThrow(`the log file ${path} cannot be written: permission denied;`);
		chmodSync(folder, 0o700);
	});
});
