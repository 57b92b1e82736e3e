import type {Handler} from '../handler.ts';
import {operationAt} from '../operations.ts';
import type {FaultBoard} from './board.ts';
import {faults} from './table.ts';

/**
 * Lets requests meet the faults in force.
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
