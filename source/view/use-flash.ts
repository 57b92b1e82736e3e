import {useEffect, useState} from 'react';
import {useScreen} from './use-market.ts';

/** Nothing blinks for longer. */
const flashMs = 1000;

/** Whether what changed at `at` (epoch ms; absent: nothing did) still flashes: for a second, then the caller is drawn again. */
export function useFlash(at: number | undefined): boolean {
	const {clock} = useScreen().tick;
	const [ended, setEnded] = useState<number>();
	const age = at === undefined ? flashMs : clock.now() - at;
	const flashes = age < flashMs && ended !== at;
	useEffect(() => {
		if (at === undefined || !flashes) return;
		// A clock that was set back must not lengthen the flash.
		const left = Math.min(at + flashMs - clock.now(), flashMs);
		return clock.after(left, () => setEnded(at));
	}, [at, flashes, clock]);
	return flashes;
}
