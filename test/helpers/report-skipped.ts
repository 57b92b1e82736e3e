import type {Reporter} from 'vitest/node';
import {isMissing, isTool, npmTools, packages} from './tools.ts';

/** Which tests of a run were skipped for want of what, and how to install that. `files`: those of the tests, by tag. */
export function skippedLines(files: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
	if (files.size === 0) return [];
	const needed = [...files.keys()];
	const missing = needed.filter(isTool).map(name => packages[name]);
	return [
		'Skipped, as this computer lacks what they need:',
		...[...files].map(([name, paths]) => `  ${name.padEnd(16)} ${[...paths].sort().join(', ')}`),
		...(missing.length > 0 ? [`To install it on Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}`] : []),
		...Object.entries(npmTools)
			.filter(([name]) => needed.includes(name))
			.map(([name, {folder}]) => `To install ${name}: (cd .ci/${folder} && npm ci --ignore-scripts)`),
	];
}

/** The part that prints them at the end. */
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

		for (const line of skippedLines(files)) console.log(line);
	},
};
