import type {Interface} from '../market/types.ts';

export type Operation = 'info' | 'markets' | 'summary' | 'ticker' | 'depth' | 'trades' | 'candles';

export type ErrorContext = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Without credentials. */
	readonly url: string;
	readonly cause?: unknown;
};

/** Every way a read of the exchange can fail; nothing else is ever thrown by the client. */
export abstract class ExchangeError extends Error {
	abstract readonly kind:
		| 'aborted'
		| 'timeout'
		| 'network'
		| 'http'
		| 'refused'
		| 'schema'
		| 'too-large'
		| 'unavailable';
	/** A few words for a panel: what failed, as the user would say it. */
	abstract readonly brief: string;
	readonly operation: Operation;
	readonly interface: Interface;
	readonly url: string;

	constructor(message: string, context: ErrorContext) {
		super(message, {cause: context.cause});
		this.name = new.target.name;
		this.operation = context.operation;
		this.interface = context.interface;
		this.url = context.url;
	}
}
