import {formatCount} from '../format/number.ts';
import type {Clock} from '../market/clock.ts';
import {minuteMs} from '../market/units.ts';
import {neighbourhood} from './addresses.ts';
import type {ServeLimits} from './limits.ts';

/** The place of a connection among all. */
export type Ticket = {
	/** Call when the other side has said that it speaks SSH: from now on its end without a log-in is a failed one. */
	greet(): void;
	/** Call at the log-in; the sentence for who is one too many, undefined for all others. */
	logIn(): string | undefined;
	/** Call once, when the connection is gone. */
	leave(): void;
};

/** Counts connections, and says who is one too many. */
export type Admission = {
	/** A place, or the sentence for who gets none. */
	enter(address: string): Ticket | string;
	readonly viewers: number;
	readonly connecting: number;
};

/** Where connections come from. */
type Origin = {viewers: number; connecting: number; failures: number[]; logins: number[]};

/** Origins that are remembered although nobody is connected from them; the ones seen last. */
const mostIdleOrigins = 10_000;

export function createAdmission(limits: ServeLimits, clock: Clock): Admission {
	/** By the address, in the order of their last connections. */
	const origins = new Map<string, Origin>();
	let [viewers, connecting] = [0, 0];

	function originOf(address: string): Origin {
		const block = neighbourhood(address);
		const origin = origins.get(block) ?? {viewers: 0, connecting: 0, failures: [], logins: []};
		origins.delete(block);
		origins.set(block, origin);
		if (origins.size > mostIdleOrigins + limits.viewers + limits.connecting) forgetIdle();
		return origin;
	}

	function forgetIdle(): void {
		for (const [block, origin] of origins) {
			if (origins.size <= mostIdleOrigins) return;
			if (origin.viewers + origin.connecting === 0) origins.delete(block);
		}
	}

	/** Seconds until fewer than `most` of the times are in the last minute; 0: now. */
	function waitFor(times: number[], most: number): number {
		const now = clock.now();
		// The clock can be set back.
		while (times[0] !== undefined && (now - times[0] >= minuteMs || now < times[0])) times.shift();
		const blocking = times.length < most ? undefined : times[times.length - most];
		return blocking === undefined ? 0 : Math.ceil((blocking + minuteMs - now) / 1000);
	}

	const full = ({viewers: own}: Origin): string | undefined => {
		if (viewers >= limits.viewers)
			return `the server is full (${formatCount(limits.viewers, 'viewer')}); try again later`;
		if (own < limits.viewersPerAddress) return undefined;
		return `your address has as many viewers as it may have (${limits.viewersPerAddress})`;
	};

	function refusal(origin: Origin): string | undefined {
		const {failures, logins} = origin;
		const failed = waitFor(failures, limits.failuresPerMinute);
		if (failed > 0) return `too many failed log-ins from your address; try again in ${failed} s`;
		const frequent = waitFor(logins, limits.loginsPerMinute);
		if (frequent > 0) return `too many log-ins from your address; try again in ${frequent} s`;
		const crowded = connecting >= limits.connecting || origin.connecting >= limits.connectingPerAddress;
		return crowded ? 'too many connections are logging in; try again in a few seconds' : full(origin);
	}

	return {
		enter(address) {
			const origin = originOf(address);
			const reason = refusal(origin);
			if (reason !== undefined) return reason;
			let state: 'connecting' | 'full' | 'viewer' = 'connecting';
			// A balancer that only looks whether the server listens does not.
			let greeted = false;
			const move = (by: 1 | -1): void => {
				if (state === 'full') return;
				if (state === 'viewer') {
					viewers += by;
					origin.viewers += by;
				} else {
					connecting += by;
					origin.connecting += by;
				}
			};
			move(1);
			return {
				greet() {
					greeted = true;
				},
				logIn() {
					move(-1);
					const reason = full(origin);
					state = reason === undefined ? 'viewer' : 'full';
					move(1);
					origin.logins.push(clock.now());
					return reason;
				},
				leave() {
					move(-1);
					if (greeted && state === 'connecting') origin.failures.push(clock.now());
				},
			};
		},
		get viewers() {
			return viewers;
		},
		get connecting() {
			return connecting;
		},
	};
}
