/** Prints Debian's packages of the tools that the tests need and this computer lacks, for .ci/run. */
import {missingPackages} from './helpers/tools.ts';

console.log(missingPackages().join(' '));
