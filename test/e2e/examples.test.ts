import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startDemo} from '../../source/demo/server.ts';
import {examples} from '../helpers/examples.ts';
import {recordQuarterHour} from '../recording/recordings.ts';
import {openScript, command as program} from './program.ts';

/** Nearly every test of the monitor begins so, and replay.test.ts. */
const openedElsewhere = ['tapewatch', 'tapewatch replay day.twr'];
const onScreen = (await examples())
	.filter(({line, isOnScreen}) => isOnScreen && !openedElsewhere.includes(line))
	.map(({line}) => line);

/** What only a screen of the example shows. */
const shown: ReadonlyArray<readonly [part: string, shows: RegExp]> = [
	[' 14:00 --speed 60', /REPLAY.*14:0\d/s],
	[' --base-url ', /^ BTC\/USDT .*live /s],
	[' --period 15m', /^ BTC\/USDT .*15m .*live .*DEMO/s],
];

// test/cli/examples.test.ts runs the others, in one process.
test.each(onScreen)('the example draws its screen: %s', async line => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-examples-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	if (line.includes('day.twr')) recordQuarterHour(join(folder, 'day.twr'));
	const demo = await startDemo();
	onTestFinished(() => demo.close());
	const script = line.replace('tapewatch', program).replaceAll(/https:\/\/\w+\.example\.com/g, demo.url);
	const session = openScript(`cd ${folder} && exec ${script}`, {columns: 120, rows: 40});
	const [, shows = /./] = shown.find(([part]) => line.includes(part)) ?? [];
	await session.waitFor(rows => shows.test(rows.join('\n')));
	session.press('q');
	expect(await session.exit).toMatchObject({exitCode: 0});
});
