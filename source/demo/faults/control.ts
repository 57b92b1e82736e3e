import {failure, Refusal} from '../envelope.ts';
import type {DemoAnswer, DemoRequest, Handler} from '../handler.ts';
import type {FaultBoard} from './board.ts';
import {FaultRuleError, parseFaultRules} from './rule.ts';

const path = '/faults';

type Control = {
	readonly board: FaultBoard;
	/** Requests that a fault keeps waiting. */
	readonly held: () => number;
	/** Epoch ms. */
	readonly now: () => number;
};

/**
 * `/faults` of the demo exchange: GET tells what is in force, POST adds what `parseFaultRules` reads, DELETE takes all
 * away. Each answers with what is in force then.
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
	// The server listens on loopback only; a page in a browser there sends where it comes from.
	if (headers.origin !== undefined) throw new Refusal(403, 'web pages set no faults');
	if (method === 'GET') return;
	if (method === 'DELETE') {
		board.clear();
		return;
	}

	if (method !== 'POST') throw new Refusal(405, 'GET, POST and DELETE are answered', {allow: 'GET, POST, DELETE'});
	try {
		for (const rule of parseFaultRules(await text())) board.add(rule);
	} catch (error) {
		if (error instanceof FaultRuleError) throw new Refusal(400, error.message);
		throw error;
	}
}

function inForce({board, held}: Control): DemoAnswer {
	const faults = board.list().map(({rule: {on, fault, share = 1}, until = null, requests}) => ({
		...{on, fault, share, until, requests},
	}));
	return {status: 200, body: JSON.stringify({faults, held: held()})};
}
