import {AsyncLocalStorage} from 'node:async_hooks';

/** Runs the work of viewers so that a defect that one of them meets ends only that one. */
export type Faults = {
	/** Runs `work`, and passes to `fail` what it or anything that it starts throws and nobody catches. */
	run<T>(fail: (error: unknown) => void, work: () => T): T;
	/** Node again ends the process at what nobody catches. */
	stop(): void;
};

/** `failOthers` gets what was thrown outside of all work. Node before 24 cannot always tell whose an error is. */
export function catchFaults(failOthers: (error: unknown) => void): Faults {
	const owner = new AsyncLocalStorage<(error: unknown) => void>();
	const pass = (error: unknown): void => (owner.getStore() ?? failOthers)(error);
	process.on('uncaughtException', pass);
	process.on('unhandledRejection', pass);
	return {
		run: (fail, work) => owner.run(fail, work),
		stop() {
			process.off('uncaughtException', pass);
			process.off('unhandledRejection', pass);
		},
	};
}
