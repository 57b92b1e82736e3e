import {join} from 'node:path';

/** The oldest Node that the package runs on. */
export const oldestNode = join(
	import.meta.dirname,
	`../../.ci/nodes/node_modules/node-22-${process.platform}-${process.arch}/bin/node`,
);
