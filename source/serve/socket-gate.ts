import type {Socket} from 'node:net';
import {type Clock, steadyNow} from '../market/clock.ts';
import {createBucket} from './limits.ts';

/** What is read from a socket, slowed: TCP keeps the rest with the other side. */
export type SocketGate = {
	/** Reads nothing while this is so. */
	hold(isHeld: boolean): void;
	/** Reads nothing for so long, at least. */
	rest(ms: number): void;
	close(): void;
};

/** What the other side sends by the second: keys, window sizes, requests and key exchanges alike. */
export const socketBytesPerSecond = 16_384;
const burstBytes = 65_536;
/** Answers that the other side does not read; beyond that, its requests are not read either. */
export const mostUnreadBytes = 262_144;
const unreadLookMs = 100;

export function createSocketGate(socket: Socket, clock: Clock): SocketGate {
	const bucket = createBucket(clock, socketBytesPerSecond, burstBytes);
	const reasons = new Set<'rest' | 'held'>();
	const now = steadyNow(clock);
	let restsUntil = 0;
	let cancel = (): void => {};

	function stop(reason: 'rest' | 'held'): void {
		reasons.add(reason);
		socket.pause();
	}

	function go(reason: 'rest' | 'held'): void {
		if (reasons.delete(reason) && reasons.size === 0) socket.resume();
	}

	function rest(ms: number): void {
		if (ms <= 0) return;
		restsUntil = Math.max(restsUntil, now() + ms);
		stop('rest');
		cancel();
		cancel = clock.after(restsUntil - now(), () => {
			if (socket.writableLength > mostUnreadBytes) rest(unreadLookMs);
			else go('rest');
		});
	}

	function onData(data: Buffer): void {
		const ms = bucket.use(data.length);
		if (socket.writableLength > mostUnreadBytes) rest(Math.max(ms, unreadLookMs));
		else rest(ms);
	}

	socket.on('data', onData);
	return {
		hold: isHeld => (isHeld ? stop('held') : go('held')),
		rest,
		close() {
			cancel();
			socket.off('data', onData);
			reasons.clear();
		},
	};
}
