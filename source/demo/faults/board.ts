import type {Clock} from '../../market/clock.ts';
import {isOwnName, type OperationName, operationAt} from '../operations.ts';
import {hashText, Random} from '../random.ts';
import {type DemoAnswer, type DemoRequest, failure, type Handler, Refusal} from '../wire.ts';
import {type FaultRule, FaultRuleError, isAbout, parseFaultRules} from './rule.ts';
import {type FaultName, faults} from './table.ts';

/** An active rule. */
type ActiveFault = {
	readonly rule: FaultRule;
	/** Epoch ms; undefined: until it is removed. */
	readonly until: number | undefined;
	/** For which requests it hits, and for the random parts of the fault. */
	readonly random: Random;
	/** Settles when the rule ends. */
	readonly ended: Promise<void>;
	end(): void;
	/** Number of requests that it has hit. */
	requests: number;
};

/** The active faults. Which requests a share hits depends only on the seed and the order of requests. */
export class FaultBoard {
	readonly #seed: number;
	readonly #clock: Clock;
	readonly #active = new Set<ActiveFault>();

	constructor(seed: number, clock: Clock) {
		this.#seed = seed;
		this.#clock = clock;
	}

	/** Adds a rule. If several faults hit a request, the one that was added first counts. */
	add(rule: FaultRule): void {
		const {promise, resolve} = Promise.withResolvers<void>();
		const {forMs} = rule;
		let cancelTimer = () => {};
		const added: ActiveFault = {
			rule,
			until: forMs === undefined ? undefined : this.#clock.now() + forMs,
			random: new Random(hashText(`${this.#seed} ${rule.on} ${rule.fault}`)),
			ended: promise,
			end: () => {
				cancelTimer();
				this.#active.delete(added);
				resolve();
			},
			requests: 0,
		};
		if (forMs !== undefined) cancelTimer = this.#clock.after(forMs, added.end);
		this.#active.add(added);
	}

	clear(): void {
		for (const each of [...this.#active]) each.end();
	}

	list(): ReadonlyArray<Pick<ActiveFault, 'rule' | 'until' | 'requests'>> {
		return [...this.#active].map(({rule, until, requests}) => ({rule, until, requests}));
	}

	/** The fault that hits a request of this operation; undefined: none. */
	strike(operation: OperationName): (Pick<ActiveFault, 'random' | 'ended'> & {readonly fault: FaultName}) | undefined {
		const hit = this.#active
			.values()
			.find(({rule, random}) => isAbout(rule, operation) && random.uniform() < (rule.share ?? 1));
		if (!hit) return undefined;
		hit.requests++;
		return {fault: hit.rule.fault, random: hit.random, ended: hit.ended};
	}
}

/**
 * Applies the active faults to requests.
 * @param now epoch ms
 */
export function injectFaults(handler: Handler, board: FaultBoard, now: () => number): Handler {
	return async request => {
		const operation = operationAt(request.path);
		const strike = operation && board.strike(operation);
		if (!operation || !strike) return handler(request);
		const {fault, random, ended} = strike;
		return faults[fault].apply({
			request,
			operation,
			now: now(),
			random,
			ended,
			answer: (query = request.query) => handler({...request, query}),
		});
	};
}

const path = '/faults';

type Control = {
	readonly board: FaultBoard;
	/** Requests that a fault keeps waiting. */
	readonly held: () => number;
	/** Epoch ms. */
	readonly now: () => number;
};

/**
 * Serves `/faults` of the demo exchange: GET lists the active faults, POST adds what `parseFaultRules` reads, DELETE removes
 * all. Each answers with the faults that are then active.
 */
export function controlFaults(handler: Handler, control: Control): Handler {
	return async request => {
		if (request.path !== path) return handler(request);
		try {
			await obey(request, control.board);
			return inForce(control);
		} catch (error) {
			if (error instanceof Refusal) return failure('v2', error, control.now());
			throw error;
		}
	};
}

async function obey({method, headers, text}: DemoRequest, board: FaultBoard): Promise<void> {
	// The server listens on loopback only, but a web page in a local browser can reach it; it sends its origin.
	if (headers.origin !== undefined) throw new Refusal(403, 'web pages cannot set faults');
	// A page whose own name leads to this computer sends no origin with a GET, but its name.
	if (!isOwnName(String(headers.host))) throw new Refusal(403, 'name this server 127.0.0.1 or localhost');
	if (method === 'GET') return;
	if (method === 'DELETE') {
		board.clear();
		return;
	}

	if (method !== 'POST') throw new Refusal(405, 'use GET, POST or DELETE', {allow: 'GET, POST, DELETE'});
	try {
		for (const rule of parseFaultRules(await text())) board.add(rule);
	} catch (error) {
		if (error instanceof FaultRuleError) throw new Refusal(400, error.message);
		throw error;
	}
}

function inForce({board, held}: Control): DemoAnswer {
	const active = board.list().map(({rule: {on, fault, share = 1}, until = null, requests}) => ({
		...{on, fault, share, until, requests},
	}));
	return {status: 200, body: JSON.stringify({faults: active, held: held()})};
}
