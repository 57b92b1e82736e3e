import type {Budget, Exchange} from '../client/exchange.ts';
import {exchangeOf} from '../client/middleware.ts';

type LateExchange = Pick<Exchange, 'interfaces'> & {
	/** Called once, with the first read. */
	open(): Promise<Exchange>;
	/** The budget until then. */
	readonly budget: Budget;
};

/** An exchange that is opened by its first read, so that the screen can be drawn before. */
export function lateExchange({interfaces, budget, open}: LateExchange): Exchange {
	let opening: Promise<Exchange> | undefined;
	let opened: Exchange | undefined;
	async function exchange(): Promise<Exchange> {
		opening ??= open();
		opened = await opening;
		return opened;
	}

	return exchangeOf(async (question, call) => (await exchange()).read(question, call), {
		interfaces,
		budget: () => opened?.budget() ?? budget,
		retryNow: () => opened?.retryNow(),
		close: async () => (await opening)?.close(),
	});
}
