import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/**
 * Less than this is not enough: the space doubles, from one megabyte, so that it ends at four, what a frame at 120×40
 * leaves behind. In one megabyte V8 looks after young garbage several times a frame, and takes for old what only this
 * frame still needed: a sixth more CPU. More than four would take memory for little.
 */
const enoughBytes = 3 * 1024 * 1024;

/**
 * Keeps the space for young objects at four megabytes. V8 takes its size only when it starts, where no file can say it, but
 * how fast it grows at any time. To be called about once a second: V8 may make the space smaller when little happens.
 */
export function createYoungSpaceKeeper(): () => void {
	let factor = 1;
	return () => {
		const needed = capacity() < enoughBytes ? 2 : 1;
		if (needed === factor) return;
		factor = needed;
		setFlagsFromString(`--semi-space-growth-factor=${factor}`);
	};
}

/** Bytes of one of the two halves of the space. */
function capacity(): number {
	const space = getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space');
	return space ? space.space_used_size + space.space_available_size : enoughBytes;
}
