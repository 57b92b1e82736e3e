import {type Clock, steadyNow} from '../market/clock.ts';
import {setLast} from '../market/memo.ts';
import type {Interface} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {AbortedError, ExchangeError, HttpStatusError, type Operation} from './errors.ts';
import {betweenGoodProbesMs, everyReadRetries, interfaceRetries, retryWaitMs} from './retry.ts';

type Read<T> = {
	readonly operation: Operation;
	/** Absent if the operation has no market. */
	readonly symbol?: string | undefined;
	/** The preferred interface, and the other one. */
	readonly order: readonly [Interface, Interface];
	/** The other interface's answer lacks something, so the preferred one is requested with every read. Default: it does not. */
	readonly isLacking?: boolean | undefined;
	/**
	 * For how long the caller keeps the preferred one's last answer while that fails: failures reject, and the other one
	 * does not answer instead. Default 0.
	 */
	readonly keepMs?: number | undefined;
	/** `probing`: nobody waits for the answer. */
	request(source: Interface, probing: boolean): Promise<T>;
};

type Answered<T> = {
	readonly answer: T;
	/** How the preferred interface failed, where the other one answered. */
	readonly failure?: ExchangeError | undefined;
};

type FailoverOptions = {
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	/** Both interfaces are at one host: when it limits the rate of one, the other must not replace it. */
	readonly oneHost: boolean;
};

/** Maximum refused markets that are remembered of each kind: callers choose their names. */
export const mostRefusedMarkets = 1000;

/** The health of one operation of the preferred interface, for all markets or for one. */
const goodHealth = () => ({
	down: false,
	/** The last failure. */
	error: undefined as ExchangeError | undefined,
	/** Failures in a row; a short-lived recovery does not reset it. */
	failures: 0,
	/** Good answers since it went down. */
	goodProbes: 0,
	/** The last failure was an outage of both interfaces. */
	bothFailed: false,
	probing: false,
	probeAt: Number.NEGATIVE_INFINITY,
	returnedAt: Number.NEGATIVE_INFINITY,
	/** Until when its last answer is kept; `Infinity` while it answers. */
	keptUntil: Number.NEGATIVE_INFINITY,
});

type Health = ReturnType<typeof goodHealth>;

/** Good answers in a row that bring the preferred interface back. */
const returnAfter = 2;
/** A recovery shorter than this does not make probes more frequent again. */
const lastingMs = minuteMs;

/**
 * Chooses between two interfaces, operation by operation, and repeats no request to either. While the preferred one is
 * down, the other one answers, and the preferred one is probed at growing intervals, 2 to 30 s. Two good answers in a row
 * bring it back, so that an interface that answers only sometimes does not make the source flap. After an outage of both,
 * one good answer is enough, as it is where the other one's answer is lacking.
 */
export function createFailover({clock, random, oneHost}: FailoverOptions) {
	const now = steadyNow(clock);
	const healths = new Map<string, Health>();
	/** Of markets that the exchange has refused. */
	const refused = new Map<string, Health>();

	function healthOf(key: string): Health {
		const health = healths.get(key) ?? goodHealth();
		healths.set(key, health);
		return health;
	}

	function healthOfMarket(key: string): Health {
		const health = refused.get(key) ?? goodHealth();
		setLast(refused, key, health, mostRefusedMarkets);
		return health;
	}

	function countFailure(health: Health, error: ExchangeError, {isLacking}: Read<unknown>) {
		const time = now();
		const lasted = !health.down && time - health.returnedAt >= lastingMs;
		const failures = lasted ? 1 : health.failures + 1;
		const schedule = isLacking && !isAboutMarket(error) ? everyReadRetries : interfaceRetries;
		const probeAt = time + retryWaitMs(error, {schedule, failures, random: random()});
		const down = {down: true, error, failures, goodProbes: 0, bothFailed: false, probeAt} satisfies Partial<Health>;
		Object.assign(health, down);
	}

	function bringBack(health: Health) {
		health.down = false;
		health.returnedAt = now();
	}

	function countAnswer(health: Health, {isLacking}: Read<unknown>) {
		health.goodProbes += 1;
		if (isLacking || health.bothFailed || health.goodProbes >= returnAfter) bringBack(health);
		else health.probeAt = now() + betweenGoodProbesMs;
	}

	function countOutage(health: Health, {keepMs}: Read<unknown>) {
		health.bothFailed = true;
		// Who keeps an answer need not get the first one after the outage: the preferred one is requested first again.
		health.down = keepMs === undefined;
	}

	/** Requests from the preferred interface although it is down, and records the outcome. */
	async function retryPreferred<T>(read: Read<T>, health: Health, probing: boolean): Promise<T> {
		health.probing = true;
		try {
			const answer = await read.request(read.order[0], probing);
			countAnswer(health, read);
			return answer;
		} catch (error) {
			if (error instanceof ExchangeError && error.kind !== 'aborted') countFailure(health, error, read);
			throw error;
		} finally {
			health.probing = false;
		}
	}

	/**
	 * Reads from the other interface, and probes the preferred one in parallel if that is due. If the other one fails, the
	 * preferred one is read after all. Invariant: each interface gets at most one request per read.
	 */
	async function answerWhileDown<T>(read: Read<T>, health: Health): Promise<Answered<T>> {
		const {failures} = health;
		const isProbeDue = now() >= health.probeAt && !health.probing;
		const probe = isProbeDue ? retryPreferred(read, health, true) : undefined;
		// A failed probe is counted; its error is read below only if the other interface fails too.
		probe?.catch(() => {});
		let otherError: unknown;
		try {
			return {answer: await read.request(read.order[1], false), failure: health.error};
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			otherError = error;
		}

		try {
			const answer = await (probe ?? retryPreferred(read, health, false));
			bringBack(health);
			return {answer};
		} catch (error) {
			// During an outage of both, all reads count as one failure, and the next read may probe again.
			health.failures = failures;
			countOutage(health, read);
			if (!(error instanceof ExchangeError && error.retryAfterMs)) health.probeAt = now();
			throw withOther(error, otherError);
		}
	}

	return {
		/** The next read of each operation probes the preferred interface if that is down. */
		probeNow(): void {
			for (const health of [...healths.values(), ...refused.values()]) health.probeAt = now();
		},
		/**
		 * Reads from the preferred interface, or from the other one while it fails. When both fail, rejects with the preferred
		 * one's error, whose `other` is the other one's.
		 */
		async answer<T>(read: Read<T>): Promise<Answered<T>> {
			// Notices a clock that is set back even if nothing below reads the time.
			now();
			const [preferred, other] = read.order;
			const general = healthOf(`${preferred} ${read.operation}`);
			const market = `${preferred} ${read.operation} ${read.symbol}`;
			const down = [general, refused.get(market)].find(health => health?.down);
			if (down) return answerWhileDown(read, down);
			try {
				const answer = await read.request(preferred, false);
				general.keptUntil = Number.POSITIVE_INFINITY;
				return {answer};
			} catch (error) {
				if (!(error instanceof ExchangeError) || error.kind === 'aborted') throw error;
				if (oneHost && isRateLimit(error)) throw error;
				general.keptUntil = Math.min(general.keptUntil, now() + (read.keepMs ?? 0));
				if (now() + (error.retryAfterMs ?? 0) < general.keptUntil) throw error;
				const health = isAboutMarket(error) ? healthOfMarket(market) : general;
				if (!read.isLacking || mustNotGoFirst(error)) countFailure(health, error, read);
				const answer = await read.request(other, false).catch((second: unknown) => {
					if (second instanceof AbortedError) throw second;
					countOutage(health, read);
					throw withOther(error, second);
				});
				return {answer, failure: error};
			}
		},
	};
}

/** The error of the preferred interface, which also names that of the other one. */
function withOther(error: unknown, other: unknown): unknown {
	if (error instanceof ExchangeError && other instanceof ExchangeError) error.other = other;
	return error;
}

const isRateLimit = (error: ExchangeError) => error instanceof HttpStatusError && error.status === 429;

/** Whether a read that requests this interface first again would be late or in vain, or come too early. */
const mustNotGoFirst = (error: ExchangeError): boolean =>
	error.kind === 'timeout' || error.retryAfterMs !== undefined || isRateLimit(error) || isAboutMarket(error);

/** Whether the exchange refused this market only: other markets may work. */
function isAboutMarket(error: ExchangeError): boolean {
	if (error.kind === 'refused') return true;
	return error instanceof HttpStatusError && [400, 404, 422].includes(error.status);
}
