import type {Reporter} from 'vitest/node';
import {isMissing, missingPackages, oldest} from './tools.ts';

/** The part that names which tests of a run were skipped for want of what, and how to install that. */
export const reportSkipped: Reporter = {
	onTestRunEnd(modules) {
		const files = new Map<string, Set<string>>();
		for (const module of modules) {
			for (const test of module.children.allTests('skipped')) {
				for (const name of test.tags.filter(isMissing)) {
					files.set(name, (files.get(name) ?? new Set()).add(module.relativeModuleId));
				}
			}
		}

		if (files.size === 0) return;
		console.log('Skipped, as this computer lacks what they need:');
		for (const [name, names] of files) console.log(`  ${name.padEnd(16)} ${[...names].sort().join(', ')}`);
		const missing = missingPackages(files.keys());
		if (missing.length > 0) console.log(`To install it on Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}`);
		if (files.has(oldest)) console.log(`The oldest Node: (cd .ci/nodes && npm ci --ignore-scripts)`);
	},
};
