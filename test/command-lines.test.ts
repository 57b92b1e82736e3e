import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {deliveredStart} from '../source/view/panels/settings/model.ts';
import {inProcess} from './cli/in-process.ts';
import {documents} from './helpers/documents.ts';
import {answered, recordSample, startedAt} from './recording/recordings.ts';
import {openHeadless} from './view/commands/headless.ts';
import {sampleReplay} from './view/commands/replay-cases.ts';

/** The candles of the sample exchange begin before it and its recording ends on it. */
const dayOfSamples = '2024-08-08';

type Written = {readonly name: string; readonly line: string};

/** What stands between backticks within the text of the documents and begins as `pattern` does, each once a document. */
const inline = (pattern: RegExp): readonly Written[] =>
	documents.flatMap(({name, text}) => {
		// The table of keys names commands without the arguments that they need.
		const prose = text.replaceAll(/^```.*?^```$|^<!-- keys:.*?^<!-- \/keys -->$/gms, '');
		const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => line);
		return [...new Set(spans)].filter(line => pattern.test(line)).map(line => ({name, line}));
	});

test('every block of the documents is of a kind that is run, or read by the test of its document', () => {
	const kinds = documents.flatMap(({text}) =>
		[...text.matchAll(/^```([^\n]*)\n.*?^```$/gms)].map(([, kind = '']) => kind),
	);
	const known = ['sh', 'text', 'toml', 'ini', 'js', 'python', 'sql', 'jq', 'nginx', 'vcl'];
	expect(kinds.filter(kind => !known.includes(kind))).toEqual([]);
});

/** What the monitor, or a replay in it, says against these lines, typed in this order. */
async function faultsOf(lines: readonly string[], createReplay?: typeof sampleReplay): Promise<readonly string[]> {
	const monitor = await openHeadless(undefined, undefined, createReplay, deliveredStart);
	const faults: string[] = [];
	for (const line of lines) {
		// It anchors at the crosshair.
		if (line === 'avwap') await monitor.press('2 x');
		// It names a line that is drawn in the chart.
		if (line.includes(' line 1')) await monitor.press('2 x T left T');
		// It is the order of a list.
		if (line === 'sort manual') await monitor.type(':list-add sorted btcusdt\r:list sorted\r');
		await monitor.type(`:${line}\r`);
		const fault = monitor.outcome().ui.command?.fault;
		if (fault !== undefined) faults.push(`${line}: ${fault}`);
		await monitor.press('esc');
	}

	return faults;
}

test('the monitor takes every line that the documents have for its command line', async () => {
	const typed = inline(/^:[a-z]/)
		.map(({name, line}) => ({name, line: line.slice(1)}))
		// A command that needs an argument may be named without it; test/e2e/recording.test.ts records to a file.
		.filter(({line}) => !/^(?:set|goto|record FILE)$/.test(line))
		.map(({name, line}) => ({
			name,
			line: line.replace(/\bNAME$/, 'light').replace(/\b2026-11-\d\d/, dayOfSamples),
		}));
	expect(typed.length).toBeGreaterThan(40);
	const isReplay = ({name, line}: Written) => name === 'docs/recordings.md' && /^(?:goto|speed) /.test(line);
	const live = typed.filter(each => !isReplay(each));
	expect(await faultsOf(live.map(({line}) => line))).toEqual([]);
	expect(
		await faultsOf(
			typed.filter(isReplay).map(({line}) => line),
			sampleReplay,
		),
	).toEqual([]);
});

/** The command lines within the text. Those in blocks are run by test/cli/examples.test.ts and test/e2e/documents.test.ts. */
const shellLines = inline(
	/^(?:(?:tapewatch|npm|npx|node|man|sqlite3|ssh|systemctl|loginctl) |timedatectl$|\.ci\/run$)/,
);

/** Not run here, each with the reason, or the test that does. */
const notRun: Readonly<Record<string, string>> = {
	'tapewatch setup': 'asks: test/e2e/setup.test.ts',
	'tapewatch watch': 'tiles: test/e2e/watch.test.ts',
	'tapewatch doctor': 'takes 15 s: test/cli/commands/doctor.test.ts',
	'tapewatch doctor --report FILE': 'takes 15 s: test/cli/commands/doctor-report.test.ts',
	'tapewatch doctor --report report.txt': 'takes 15 s: test/cli/commands/doctor-report.test.ts',
	'tapewatch config edit': 'opens an editor: test/cli/commands/config-command.test.ts',
	'tapewatch serve': 'does not end: a block of docs/serve.md',
	'tapewatch BTCUSDT': 'draws the monitor: a block of the README, with npm start',
	'tapewatch demo': 'does not end: test/cli/commands/demo.test.ts',
	'tapewatch demo --at TIME': 'does not end: test/cli/commands/demo.test.ts',
	'npm start -- setup': 'asks: test/e2e/setup.test.ts',
	'npm start': 'a block of the README',
	'npm start --silent --': 'not all of a command line',
	'.ci/run': 'runs this test',
	'npm test': 'runs this test',
	'npm ci --ignore-scripts': 'a block of the README',
	'npm pack': 'test/e2e/package.test.ts',
	'npm install --global': 'test/e2e/package.test.ts',
	'npm install': 'test/e2e/package.test.ts',
	'npm link': 'puts the program on the PATH of this computer',
	'npm run audit': '.ci/run',
	'npm audit': 'asks a registry',
	'npm run archive': 'test/e2e/archive.test.ts',
	'npm run first-frame': '.ci/run',
	'npm run test:unit': 'a part of the tests',
	'npm run fuzz': 'test/faults/fuzz.test.ts, with fewer bodies',
	'npm run schema': 'test/schema/json-schemas.test.ts compares what it would write',
	'npm run soak': 'takes minutes: test/soak/soak.test.ts',
	'npm run bench': 'takes minutes, and measures an idle computer',
	'npm run bench -- --long': 'takes minutes, and measures an idle computer',
	'npm run bench -- background-rules': 'takes minutes, and measures an idle computer',
	'npm run bench -- alert-delay': 'takes minutes, and measures an idle computer',
	'npm run bench -- serve': 'takes minutes, and measures an idle computer',
	'npm run bench -- instruments': 'takes minutes, and measures an idle computer',
	'npm run bench -- start-up': 'takes minutes, and measures an idle computer',
	'ssh -p 2222 anonymous@HOST': 'needs a server: test/serve/anonymous.test.ts',
	'ssh -t -p 2222 HOST monitor --theme light': 'needs a server: test/ssh/serve.test.ts',
	'ssh -p 2222 HOST help': 'needs a server: test/ssh/serve.test.ts',
	'man -l dist/tapewatch.1': 'test/e2e/manual.test.ts',
	'systemctl --user enable --now tapewatch': "changes this computer's services",
	'loginctl enable-linger': "changes this computer's services",
	'sqlite3 night.twr .recover | sqlite3 saved.twr': 'is another program',
	'sqlite3 night.twr ".backup copy.twr"': 'is another program',
	timedatectl: "is about this computer's clock",
};

describe('tapewatch ends as a user expects who types', () => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-command-lines-'));
	afterAll(() => rmSync(folder, {recursive: true}));
	const file = join(folder, 'night.twr');

	const lines = new Set(shellLines.map(({line}) => line).filter(line => !(line in notRun)));
	test.each([...lines])('%s', async line => {
		const typed = line
			.replace('FILE', file)
			.replace('DIR', join(folder, 'night'))
			.replace('COMMAND', 'ticker')
			.replace('SHELL', 'bash');
		const [program, ...args] = typed.split(' ');
		expect(program).toBe('tapewatch');
		if (line.includes('FILE')) recordSample([answered.depth({asks: [[101, 1]], bids: [[100, 1]]}, startedAt)], file);
		expect(await inProcess(args)).toEqual({stdout: expect.stringMatching(/./), stderr: '', status: 0});
	});
});

test('what is not run is in the documents', () => {
	const written = new Set(shellLines.map(({line}) => line));
	expect(Object.keys(notRun).filter(line => !written.has(line))).toEqual([]);
});

describe('the overview of docs/scripting.md', () => {
	const [, block = ''] =
		documents.find(({name}) => name === 'docs/scripting.md')?.text.match(/^```text\n(.*?)^```/ms) ?? [];
	const lines = block.trimEnd().split('\n');

	test('has every command', async () => {
		const {stdout} = await inProcess(['--help']);
		const [, commands = ''] = stdout.match(/^Commands:\n(.*?)\n\n/ms) ?? [];
		const helped = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
		const listed = lines.map(line => /^tapewatch (\w+)/.exec(line)?.[1] ?? 'monitor');
		expect(listed.toSorted()).toEqual(helped.filter(name => name !== 'help').toSorted());
	});

	test.each(lines)('has options of the command: %s', async line => {
		const {stdout} = await inProcess([/^tapewatch ([a-z]+)/.exec(line)?.[1] ?? 'monitor', '--help']);
		const options = line.match(/--[a-z-]+/g) ?? [];
		expect(options.filter(option => !stdout.includes(`${option} `))).toEqual([]);
	});
});
