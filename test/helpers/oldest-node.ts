import {join} from 'node:path';

/** The oldest Node that the package runs on. */
export const oldestNode = join(
	import.meta.dirname,
	`../../.ci/nodes/node_modules/node-22-${process.platform}-${process.arch}/bin/node`,
);

/** What the package is tried on, and the tags of tests on it. */
export const nodes: readonly {readonly name: string; readonly node: string; readonly tags: 'oldest-node'[]}[] = [
	{name: 'the Node of the checkout', node: process.execPath, tags: []},
	{name: 'the oldest Node', node: oldestNode, tags: ['oldest-node']},
];
