import {type Clock, steadyNow} from '../market/clock.ts';
import type {Interface} from '../market/types.ts';
import {AbortedError, ExchangeError, HttpStatusError, type Operation} from './errors.ts';

type Question<T> = {
	readonly operation: Operation;
	/** Absent where the operation is about no market. */
	readonly symbol?: string | undefined;
	/** The interface that is preferred, and the one that can stand in. */
	readonly order: readonly [Interface, Interface];
	/** `probing`: the answer is not waited for. */
	ask(source: Interface, probing: boolean): Promise<T>;
};

export type Failover = {
	/**
	 * An answer of the preferred interface, or of the other one while it fails. Rejects with the preferred one's error
	 * when both fail.
	 */
	answer<T>(question: Question<T>): Promise<T>;
};

type FailoverOptions = {
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	/** The interfaces live at one host: where it refuses one for too many requests, the other must not be asked instead. */
	readonly oneHost: boolean;
};

/** What is known of one operation of one interface. */
type Health = {
	down: boolean;
	/** In a row, but for returns that did not last. */
	failures: number;
	/** Good answers since it went down. */
	goodProbes: number;
	/** At the last failure the other one failed too: it says nothing about this one alone. */
	bothFailed: boolean;
	probing: boolean;
	probeAt: number;
	returnedAt: number;
};

const firstProbeMs = 2000;
const longestProbeMs = 30_000;
const jitterShare = 0.25;
/** So many good answers in a row bring the preferred interface back. */
const returnAfter = 2;
const betweenGoodProbesMs = 1000;
/** A return that lasts shorter was none: the next probes are as rare as before. */
const lastingMs = 60_000;

/**
 * Chooses between two interfaces, operation by operation. While the preferred one is down the other one is asked, and
 * the preferred one beside it at growing intervals, 2 to 30 s; two good answers in a row bring it back, so that one
 * that answers now and then does not make the source change to and fro. One is enough after an outage of both.
 */
export function createFailover({clock, random, oneHost}: FailoverOptions): Failover {
	const now = steadyNow(clock);
	const known = new Map<string, Health>();

	function healthOf(key: string): Health {
		const health = known.get(key) ?? {
			down: false,
			failures: 0,
			goodProbes: 0,
			bothFailed: false,
			probing: false,
			probeAt: Number.NEGATIVE_INFINITY,
			returnedAt: Number.NEGATIVE_INFINITY,
		};
		known.set(key, health);
		return health;
	}

	function failed(health: Health, error: ExchangeError) {
		const time = now();
		const lasted = !health.down && time - health.returnedAt >= lastingMs;
		health.failures = lasted ? 1 : health.failures + 1;
		health.down = true;
		health.goodProbes = 0;
		health.bothFailed = false;
		const fullMs = Math.min(firstProbeMs * 2 ** (health.failures - 1), longestProbeMs);
		health.probeAt = time + Math.max(fullMs * (1 - jitterShare * random()), askedMs(error));
	}

	function isBack(health: Health) {
		health.down = false;
		health.returnedAt = now();
	}

	function answered(health: Health) {
		health.goodProbes += 1;
		if (health.bothFailed || health.goodProbes >= returnAfter) isBack(health);
		else health.probeAt = now() + betweenGoodProbesMs;
	}

	/** The keys under which an operation of an interface can be down: for all markets, or for one. */
	const keysOf = ({operation, symbol, order: [preferred]}: Question<unknown>) =>
		[`${preferred} ${operation}`, `${preferred} ${operation} ${symbol}`] as const;

	async function attempt<T>(question: Question<T>, health: Health, probing: boolean): Promise<T> {
		health.probing = true;
		try {
			const answer = await question.ask(question.order[0], probing);
			answered(health);
			return answer;
		} catch (error) {
			if (error instanceof ExchangeError && error.kind !== 'aborted') failed(health, error);
			throw error;
		} finally {
			health.probing = false;
		}
	}

	async function standIn<T>(question: Question<T>, health: Health): Promise<T> {
		const {failures} = health;
		const isDue = now() >= health.probeAt && !health.probing;
		const probe = isDue ? attempt(question, health, true) : undefined;
		// Its outcome is read only if the stand-in fails.
		probe?.catch(() => {});
		try {
			return await question.ask(question.order[1], false);
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			try {
				const answer = await (probe ?? attempt(question, health, false));
				// What alone answers is not kept waiting.
				isBack(health);
				return answer;
			} catch (last) {
				// Nothing answers and every read asks both: that makes probes no rarer once the other one is back.
				health.failures = failures;
				health.bothFailed = true;
				if (askedMs(last) === 0) health.probeAt = now();
				throw last;
			}
		}
	}

	return {
		async answer(question) {
			// A clock that is set back is noticed at the next look.
			now();
			const [general, ofMarket] = keysOf(question);
			const down = [general, ofMarket].map(healthOf).find(health => health.down);
			if (down) return standIn(question, down);
			const [preferred, other] = question.order;
			try {
				return await question.ask(preferred, false);
			} catch (error) {
				if (!(error instanceof ExchangeError) || error.kind === 'aborted') throw error;
				if (oneHost && isTooMany(error)) throw error;
				const health = healthOf(isOfMarket(error) ? ofMarket : general);
				failed(health, error);
				return await question.ask(other, false).catch((second: unknown) => {
					if (second instanceof AbortedError) throw second;
					health.bothFailed = true;
					throw error;
				});
			}
		},
	};
}

/** How long the exchange wants to be left alone, in ms. */
const askedMs = (error: unknown): number => (error instanceof HttpStatusError ? (error.retryAfterMs ?? 0) : 0);

const isTooMany = (error: ExchangeError) => error instanceof HttpStatusError && error.status === 429;

/** Whether the exchange refused this market rather than failed: other markets may fare better. */
function isOfMarket(error: ExchangeError): boolean {
	if (error.kind === 'refused') return true;
	return error instanceof HttpStatusError && [400, 404, 422].includes(error.status);
}
