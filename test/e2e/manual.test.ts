import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {findTool} from '../ssh/server.ts';

const page = fileURLToPath(new URL('../../dist/tapewatch.1', import.meta.url));
const mandoc = findTool('mandoc');

test.skipIf(mandoc === undefined && !process.env.CI)('the manual page has all sections and no faults', () => {
	const lint = spawnSync(mandoc ?? 'mandoc', ['-T', 'lint', page], {encoding: 'utf8'});
	expect({faults: lint.stdout, status: lint.status}).toEqual({faults: '', status: 0});
	const {stdout} = spawnSync(mandoc ?? 'mandoc', ['-T', 'ascii', page], {encoding: 'utf8'});
	const shown = stdout.replace(/.\u0008/g, '');
	expect(shown.match(/^[A-Z][A-Z ]+$/gm)).toEqual([
		...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'KEYS', 'ENVIRONMENT', 'FILES', 'EXIT STATUS'],
		...['EXAMPLES', 'SEE ALSO'],
	]);
	expect(shown).toMatch(/^ +depth MARKET\n +print the order book of a market\.$/m);
});
