import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {bundledIn, findingsIn} from './helpers/audit-findings.ts';

/**
 * Fails if the registry knows of a vulnerability in a package that the build bundles, which no user's `npm audit` sees. A registry
 * that does not answer is noted, and fails nothing. To be run after the build.
 */
const bundled = bundledIn(readFileSync(new URL('../dist/licences.txt', import.meta.url), 'utf8'));
const {stdout} = spawnSync('npm audit --json --fetch-retries=0 --fetch-timeout=20000', {encoding: 'utf8', shell: true});
const findings = findingsIn(stdout.startsWith('{') ? JSON.parse(stdout) : {}, bundled);
for (const line of findings ?? ['no audit: the registry did not answer']) console.log(line);
if (findings?.length === 0) console.log(`no known vulnerabilities in ${bundled.size} bundled packages`);
process.exitCode = findings?.length ? 1 : 0;
