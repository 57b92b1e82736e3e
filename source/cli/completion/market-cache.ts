import {createHash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Clock} from '../../market/clock.ts';
import type {Market} from '../../market/types.ts';
import {inTime, readText} from '../files.ts';
import {folderOf} from '../folders.ts';
import type {ExchangeAddress} from '../options/option-table.ts';
import {changeFile} from '../replace-file.ts';

/** For how long the markets of an exchange are completed without asking it again. */
const keptMs = 600_000;
/** For how long an exchange that failed is not asked again. */
const failureKeptMs = 10_000;
/** More would not help anybody who completes. */
const mostKept = 10_000;

export type KnownMarket = Pick<Market, 'symbol' | 'base' | 'quote'>;

const shape = z.object({
	readAt: z.number(),
	/** Absent: the exchange failed. */
	markets: z.optional(
		z.array(z.object({symbol: z.string(), base: z.optional(z.string()), quote: z.optional(z.string())})),
	),
});

/** One file for each exchange. */
function cachePath(env: NodeJS.ProcessEnv, {baseUrl, legacyBaseUrl}: ExchangeAddress): string {
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, legacyBaseUrl]))
		.digest('hex')
		.slice(0, 16);
	return join(folderOf('cache', env), `markets-${key}.json`);
}

/**
 * The markets of an exchange: those read in the last ten minutes, else those that `read` resolves with, which are kept. None if it
 * rejects, and for ten seconds after that it is not called. Never rejects.
 */
export async function cachedMarkets(
	address: ExchangeAddress,
	{env, clock}: {readonly env: NodeJS.ProcessEnv; readonly clock: Clock},
	read: () => Promise<readonly KnownMarket[]>,
): Promise<readonly KnownMarket[]> {
	const path = cachePath(env, address);
	const kept = await readText(path)
		.then(
			text => shape.parse(JSON.parse(text)),
			() => undefined,
		)
		.catch(() => undefined);
	const ageMs = kept === undefined ? Infinity : Math.abs(clock.now() - kept.readAt);
	if (kept && ageMs < (kept.markets ? keptMs : failureKeptMs)) return kept.markets ?? [];
	const markets = await read().then(
		list => list.slice(0, mostKept).map(({symbol, base, quote}) => ({symbol, base, quote})),
		() => undefined,
	);
	const text = JSON.stringify({readAt: clock.now(), markets});
	await inTime(clock, signal => changeFile(path, {clock, signal}, async () => text)).catch(() => {});
	return markets ?? [];
}
