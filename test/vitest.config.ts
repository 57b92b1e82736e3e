import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		root: new URL('..', import.meta.url).pathname,
		// One more than the cores that CI has: the tests of slow links wait most of their time.
		maxWorkers: 3,
		// No test may depend on where it runs: 45 minutes off the hours of nearly everybody.
		env: {TZ: 'Pacific/Chatham'},
		// A golden frame that is missing fails, also outside CI; -u writes it.
		update: 'none',
		// Minutes, for what takes seconds on an idle machine: no test may fail because others keep this one busy.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		expect: {poll: {timeout: 60_000}},
		projects: [
			{
				extends: true,
				test: {name: 'parts', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/e2e/**', 'test/ssh/**']},
			},
			{
				extends: true,
				test: {
					name: 'program',
					include: ['test/{e2e,ssh}/*.test.ts'],
					globalSetup: 'test/helpers/build-program.ts',
				},
			},
		],
	},
});
