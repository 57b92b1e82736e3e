import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

function collector(): () => void {
	if (globalThis.gc) return globalThis.gc;
	setFlagsFromString('--expose-gc');
	const gc: unknown = runInNewContext('gc');
	if (typeof gc !== 'function') throw new Error('this Node cannot be told to collect garbage');
	return () => gc();
}

/** What is counted as in use in the turn of the event loop in which this resolves is held by something. */
export async function collectGarbage(rounds = 3): Promise<void> {
	const collect = collector();
	// What finalizers let go of is collected in the next round.
	for (let round = 0; round < rounds; round++) {
		await setImmediate();
		collect();
	}
}
