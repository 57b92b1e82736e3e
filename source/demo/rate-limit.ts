import {failure, interfaceOf, Refusal} from './envelope.ts';
import type {Handler} from './handler.ts';

const windowMs = 1000;

/**
 * Lets `perSecond` requests through in any second and refuses the others with 429 and Retry-After, in whole seconds.
 * @param now epoch ms
 */
export function limitRate(handler: Handler, perSecond: number, now: () => number): Handler {
	const allowed: number[] = [];
	return async request => {
		const time = now();
		while (allowed[0] !== undefined && allowed[0] <= time - windowMs) allowed.shift();
		if (allowed.length < perSecond) {
			allowed.push(time);
			return handler(request);
		}
		const waitMs = (allowed[0] ?? time) + windowMs - time;
		const refusal = new Refusal(429, `more than ${perSecond} requests a second`, {
			'retry-after': String(Math.ceil(waitMs / 1000)),
		});
		return failure(interfaceOf(request.path), refusal, time);
	};
}
