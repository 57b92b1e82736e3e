import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {helpExamples} from '../helpers/examples.ts';
import {recordQuarterHour} from '../recording/recordings.ts';
import {openScript, command as program, startDemoProcess} from './program.ts';

const onScreen = (await helpExamples()).filter(example => example.isOnScreen).map(({line}) => line);

/** What only a screen of the example shows. */
const shown: ReadonlyArray<readonly [part: string, shows: RegExp]> = [
	[' replay ', /REPLAY/],
	[' 14:00 --speed 60', /REPLAY.*14:0\d/s],
	[' --base-url ', /^ BTC\/USDT .*live /s],
	[' --period 15m', /^ BTC\/USDT .*15m .*live .*DEMO/s],
	['', /live .*DEMO/],
];

// test/cli/examples.test.ts runs the others, in one process.
test.each(onScreen)('the example of the help draws its screen: %s', async line => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-examples-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	if (line.includes('day.twr')) recordQuarterHour(join(folder, 'day.twr'));
	const url = line.includes('example.com') ? (await startDemoProcess()).url : '';
	const script = line.replace('tapewatch', program).replaceAll(/https:\/\/\w+\.example\.com/g, url);
	const session = openScript(`cd ${folder} && exec ${script}`, {columns: 120, rows: 40});
	const [, shows = /./] = shown.find(([part]) => line.includes(part)) ?? [];
	await session.waitFor(rows => shows.test(rows.join('\n')));
	session.press('q');
	expect(await session.exit).toMatchObject({exitCode: 0});
});
