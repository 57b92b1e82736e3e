import {join} from 'node:path';
import {bundle} from '../bench/support/bundle.ts';
import {type Job, openJob} from './job.ts';
import type {openJobs} from './program.ts';

const program = await bundle('test/terminal/programs/faulty-monitor.ts');

/** What the build does for the program: without it, React checks what it is given, and all is compiled anew at each start. */
const asBuilt = {NODE_ENV: 'production', NODE_COMPILE_CACHE: join(program, '../faulty-monitor')};

/** The monitor with a fault at `place` as a job of a shell, when it is live; see faulty-monitor.ts. */
export const openFaultyJob = (place: string, options: Parameters<typeof openJobs>[0]): Promise<Job> =>
	openJob({...options, env: asBuilt}, `${process.execPath} --max-old-space-size=128 ${program} ${place}`);
