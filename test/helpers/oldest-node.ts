import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** The oldest Node that the package runs on, which .ci/run installs. */
export const oldestNode = join(import.meta.dirname, '../../.ci/oldest-node/node_modules/.bin/node');

/** Its tests are skipped where it is not installed, but never in CI. */
export const lacksOldestNode = !existsSync(oldestNode) && !process.env.CI;
