import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		root: new URL('..', import.meta.url).pathname,
		// One file at a time per core: the pty tests start whole programs.
		maxWorkers: 2,
		env: {TZ: 'UTC'},
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
					// On a busy machine a start alone can take seconds.
					testTimeout: 60_000,
				},
			},
		],
	},
});
