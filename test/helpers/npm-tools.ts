import {join} from 'node:path';

const ci = join(import.meta.dirname, '../../.ci');

/** The oldest Node that the package runs on. */
export const oldestNode = join(ci, `nodes/node_modules/node-22-${process.platform}-${process.arch}/bin/node`);

/** The main file of DuckDB. */
export const duckdb = join(ci, 'duckdb/node_modules/@duckdb/node-api/lib/index.js');
