import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const builder = fileURLToPath(new URL('../../source/build.ts', import.meta.url));

/** Before the first test of the built program: builds it, unless the build is newer than all that it is made of. */
export default function setup(): void {
	execFileSync(process.execPath, [builder, '--if-needed'], {stdio: 'inherit'});
}
