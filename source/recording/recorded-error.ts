import {ExchangeError, errorKinds, operations} from '../client/errors.ts';
import type {RecordedFailure} from './read-outcome.ts';

/** A failure of the exchange that was recorded: it reads as the one that was seen. */
export class RecordedError extends ExchangeError {
	override readonly name = 'RecordedError';
	override readonly kind: ExchangeError['kind'];
	override readonly status: number | undefined;
	override readonly retryAfterMs: number | undefined;

	constructor(failure: RecordedFailure) {
		const {kind, operation, interface: from, brief, message, words, status, retryAfterMs, other} = failure;
		const asked = operations.find(each => each === operation) ?? 'info';
		const onlyBrief = {brief, text: brief, own: brief, advice: ''};
		super(message, words ?? onlyBrief, {operation: asked, interface: from, url: ''});
		// It already names the operation and the address.
		this.message = message;
		this.kind = errorKinds.find(each => each === kind) ?? 'network';
		this.status = status;
		this.retryAfterMs = retryAfterMs;
		this.other = other && new RecordedError(other);
	}
}
