import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {reportFigures} from './helpers/report-figures.ts';
import {reportSkipped} from './helpers/report-skipped.ts';
import {programTimeoutMs, tags} from './helpers/tools.ts';

/** Programs in terminals of their own. */
const program = 'test/{e2e,ssh,fleet}/*.test.ts';
/** What counts memory, listeners, requests or stuck threads of its process, and what puts something in the place of a module. */
const alone = [
	...['test/faults/matrix*.test.ts', 'test/soak/soak.test.ts'],
	...['test/view/narrow.test.ts', 'test/demo/{history,simulation}.test.ts'],
	...['test/recording/recorder-crash.test.ts', 'test/cli/files.test.ts'],
];

/** Begun in this order: what works beside what waits for programs, so that the machine is busy and none runs alone at the end. */
const longest = [
	...['faults/matrix', 'ssh/ssh', 'e2e/slow-link', 'soak/soak', 'e2e/replay'],
	...['store/nginx', 'e2e/pipelines', 'view/hints', 'faults/matrix-both', 'ssh/serve', 'fleet/fleet'],
];

/** By project, so that workers are used again; last what is quick. */
const order = ['program', 'alone', 'parts'];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({moduleId, project}: TestSpecification): number => {
			const index = longest.findIndex(name => moduleId.endsWith(`/${name}.test.ts`));
			if (index !== -1) return index;
			return longest.length + order.indexOf(project.name);
		};
		return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
	}
}

export default defineConfig({
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		root: fileURLToPath(new URL('..', import.meta.url)),
		tags,
		// The first two are what Vitest has by itself.
		reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []), reportSkipped, reportFigures],
		// Three more than the cores that CI has: programs start and links are slow while others work.
		maxWorkers: 5,
		sequence: {sequencer: LongestFirst},
		env: {
			// No test may depend on where it runs: 45 minutes off the hours of nearly everybody.
			TZ: 'Pacific/Chatham',
			// React is the program's, not the development build.
			NODE_ENV: 'production',
			// The terminal of Ink's test library has no rows: without these, Ink starts tput to learn them.
			...{COLUMNS: '80', LINES: '24'},
			// Programs, and the thread of a recording, would compile their code anew in each folder of a user and each time.
			NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
		},
		setupFiles: 'test/helpers/same-cases.ts',
		// A golden frame that is missing fails, also outside CI; -u writes it.
		update: 'none',
		// Six times what the slowest test takes on an idle machine: none may fail because others keep this one busy.
		...{testTimeout: 60_000, hookTimeout: 60_000, expect: {poll: {timeout: 30_000}}},
		projects: [
			{
				extends: true,
				// Loading React, Ink and the program anew for each file costs more than most files do.
				test: {name: 'parts', include: ['test/**/*.test.{ts,tsx}'], exclude: [program, ...alone], isolate: false},
			},
			{extends: true, test: {name: 'alone', include: alone}},
			{
				extends: true,
				test: {
					name: 'program',
					include: [program],
					isolate: false,
					globalSetup: 'test/helpers/build-program.ts',
					// Links of so many bytes a second, stalls and restarts of servers take half a minute by themselves.
					...{testTimeout: programTimeoutMs, hookTimeout: programTimeoutMs, expect: {poll: {timeout: 60_000}}},
				},
			},
		],
	},
});
