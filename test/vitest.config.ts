import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		root: new URL('..', import.meta.url).pathname,
		include: ['test/**/*.test.{ts,tsx}'],
		// One file at a time per core: the pty tests start whole programs.
		maxWorkers: 2,
		env: {TZ: 'UTC'},
	},
});
