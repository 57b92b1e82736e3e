import type {Exchange} from '../../source/client/exchange.ts';
import type {Http} from '../../source/client/http.ts';
import {exchangeOf, type Handlers, readBy} from '../../source/client/middleware.ts';
import {createRead, type ReadOptions} from '../../source/client/wire/read.ts';
import {createV1Client} from '../../source/client/wire/v1/client.ts';
import {createV2Client, v2Paths} from '../../source/client/wire/v2/client.ts';
import {decodeEverySummary} from '../../source/client/wire/v2/schemas.ts';

const base = new URL('http://exchange.invalid');

/** One interface by itself. */
export const v2Client = (http: Http, options?: ReadOptions): Exchange =>
	exchangeFrom(createV2Client(http, base, options).answers);
export const legacyClient = (http: Http, options?: ReadOptions): Exchange =>
	exchangeFrom(createV1Client(http, base, options).answers);

/** The summary of v2, which its client reads only where there is no ticker. */
export const readSummary = (http: Http, options?: ReadOptions) =>
	createRead(http, 'v2', base, options)({operation: 'summary', path: v2Paths.summary}, {}, decodeEverySummary);

const exchangeFrom = (answers: Partial<Handlers>): Exchange =>
	exchangeOf(
		readBy(answers, () => Promise.reject(new TypeError('this interface does not offer that'))),
		{interfaces: [], budget: () => ({used: 0, allowed: 0}), retryNow() {}, close: async () => {}},
	);
