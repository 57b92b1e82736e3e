import {formatCount} from '../format/number.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {neighbourhood} from './addresses.ts';
import {type Bucket, createBucket, type ServeLimits} from './limits.ts';

/** The place of a connection among all. */
export type Ticket = {
	/**
	 * Call when the other side has said that it speaks SSH, and each time the connection is used for one more command: both count as
	 * a log-in. Returns for how many ms it has to wait, as its address has had many of late, or the sentence for one too many.
	 */
	begin(): number | string;
	/** Call at the log-in; the sentence for who is one too many, undefined for all others. */
	logIn(): string | undefined;
	/** Call once, when the connection is gone. */
	leave(): void;
};

/** Counts connections, and says who is one too many. */
export type Admission = {
	/**
	 * A place, or the sentence for who gets none. `evict` is called with a sentence when another connection needs the place before
	 * the log-in: see `makeRoom`.
	 */
	enter(address: string, evict: (sentence: string) => void): Ticket | string;
	readonly viewers: number;
	readonly connecting: number;
};

/** Where connections come from. */
type Origin = {viewers: number; connecting: number; readonly logIns: Bucket};

/** A connection that has not logged in yet. */
type Waiting = {
	readonly origin: Origin;
	isSilent: boolean;
	/** When it could have logged in, since it spoke. */
	dueAt: number;
	readonly evict: (sentence: string) => void;
};

/** Origins that are remembered although nobody is connected from them; the ones seen last. */
const mostIdleOrigins = 10_000;

/** A connection that would have to wait longer for its log-in is refused. */
const longestWaitMs = 5 * secondMs;

/** Most log-ins take less, once it is their turn. */
const logInMs = secondMs;

const crowded = 'too many connections are logging in; try again in a few seconds';

export function createAdmission(limits: ServeLimits, clock: Clock): Admission {
	const now = steadyNow(clock);
	/** By the address, in the order of their last connections. */
	const origins = new Map<string, Origin>();
	/** The oldest first. */
	const waiting = new Set<Waiting>();
	let viewers = 0;

	function originOf(address: string): Origin {
		const block = neighbourhood(address);
		const {logInsPerSecond, logInsAtOnce} = limits;
		const origin = origins.get(block) ?? {
			viewers: 0,
			connecting: 0,
			logIns: createBucket(clock, logInsPerSecond, logInsAtOnce),
		};
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

	const full = ({viewers: own}: Origin): string | undefined => {
		if (viewers >= limits.viewers)
			return `the server is full (${formatCount(limits.viewers, 'viewer')}); try again later`;
		if (own < limits.viewersPerAddress) return undefined;
		return `your address already has the maximum of ${formatCount(limits.viewersPerAddress, 'viewer')}`;
	};

	function tooOften({logIns}: Origin): string | undefined {
		const waitMs = logIns.use(0);
		if (waitMs <= longestWaitMs) return undefined;
		return `too many log-ins from your address; try again in ${Math.ceil(waitMs / secondMs)} s`;
	}

	/**
	 * Evicts one unauthenticated connection if there are too many, silent ones first, then those that could have logged in by now:
	 * of the own address if no other has more, else of the address that has most. Unauthenticated connections thus keep nobody out.
	 * Returns the refusal of the newcomer if none can be evicted.
	 */
	function makeRoom(own: Origin): string | undefined {
		const isCrowded = own.connecting >= limits.connectingPerAddress;
		if (!isCrowded && waiting.size < limits.connecting) return undefined;
		const others = isCrowded ? [] : [...waiting].map(({origin}) => origin.connecting);
		const most = Math.max(own.connecting, ...others);
		const candidates = [...waiting].filter(({origin}) =>
			own.connecting === most ? origin === own : origin.connecting === most,
		);
		const leaving =
			candidates.find(({isSilent}) => isSilent) ??
			candidates.find(({dueAt}) => dueAt <= now()) ??
			(most > own.connecting + 1 ? candidates[0] : undefined);
		if (!leaving) return crowded;
		forget(leaving);
		leaving.evict(crowded);
		return undefined;
	}

	function forget(place: Waiting): void {
		if (waiting.delete(place)) place.origin.connecting--;
	}

	return {
		enter(address, evict) {
			const origin = originOf(address);
			const reason = tooOften(origin) ?? full(origin) ?? makeRoom(origin);
			if (reason !== undefined) return reason;
			// A balancer that only looks whether the server listens says nothing.
			const place: Waiting = {origin, isSilent: true, dueAt: 0, evict};
			waiting.add(place);
			origin.connecting++;
			let isViewer = false;
			return {
				begin() {
					const reason = tooOften(origin);
					if (reason !== undefined) return reason;
					const waitMs = origin.logIns.use(1);
					place.isSilent = false;
					place.dueAt = now() + waitMs + logInMs;
					return waitMs;
				},
				logIn() {
					forget(place);
					const reason = full(origin);
					if (reason !== undefined) return reason;
					isViewer = true;
					viewers++;
					origin.viewers++;
					return undefined;
				},
				leave() {
					forget(place);
					if (!isViewer) return;
					viewers--;
					origin.viewers--;
				},
			};
		},
		get viewers() {
			return viewers;
		},
		get connecting() {
			return waiting.size;
		},
	};
}
