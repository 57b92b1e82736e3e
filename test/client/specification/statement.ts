import {expect, type TestContext} from 'vitest';
import type {connect} from '../../../source/client/connect.ts';
import type {Answer, Exchange} from '../../../source/client/exchange.ts';
import type {ExchangeServer} from '../../helpers/exchange-server.ts';
import {test} from '../fixture.ts';

type Given = {readonly server: ExchangeServer; readonly open: (options?: Parameters<typeof connect>[0]) => Exchange};

/**
 * One statement of the interface's specification, in a few words, with the test that proves that the client follows it. They
 * are counted at the end of a run.
 */
export function statement(words: string, prove: (given: Given & Pick<TestContext, 'task'>) => Promise<void>): void {
	test(words, {meta: {statement: true}}, async ({server, open, task}) => {
		expect.hasAssertions();
		await prove({server, open, task});
	});
}

/** Data and the interface that answered, without what depends on the time. */
export const heart = <T>({data, interface: source, dropped}: Answer<T>) => ({data, source, dropped});
