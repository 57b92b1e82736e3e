import {secondMs} from '../market/units.ts';
import type {Headers} from './transport.ts';

/** What the headers of an answer say of caches on its way. */
export type CacheSigns = {
	/** The `Age`, ms: the answer is at least as old. */
	readonly ageMs?: number | undefined;
	/** Whether a cache answered by itself; absent: no header says. */
	readonly isHit?: boolean | undefined;
};

/** Headers whose value is the outcome in words: of nginx as commonly set up, CDNs and proxies. */
const outcomeHeaders = ['x-cache-status', 'x-cache', 'x-proxy-cache', 'cf-cache-status', 'cdn-cache'];
const hitWords = /hit|stale|updating|revalidated/i;
/** The answer did not concern the cache. */
const noneWords = /^(dynamic|none|unknown|disabled|off)\b/i;

/** Undefined if no header is of a cache. RFC 9111, Age; RFC 9211, Cache-Status. */
export function cacheSigns(headers: Headers): CacheSigns | undefined {
	const [, seconds] = /^\s*(\d{1,9})\s*(?:,|$)/.exec(headers.age ?? '') ?? [];
	const outcomes = [cacheStatusHit(headers['cache-status']), varnishHit(headers['x-varnish']), ...wordsHits(headers)];
	const hits = outcomes.filter(outcome => outcome !== undefined);
	if (seconds === undefined && hits.length === 0) return undefined;
	return {
		...(seconds !== undefined && {ageMs: Number(seconds) * secondMs}),
		...(hits.length > 0 && {isHit: hits.includes(true)}),
	};
}

const wordsHits = (headers: Headers): readonly (boolean | undefined)[] =>
	outcomeHeaders.map(name => {
		const value = headers[name]?.trim();
		return value && !noneWords.test(value) ? hitWords.test(value) : undefined;
	});

/** `hit` is a parameter of one of the caches: `Edge; fwd=miss, Origin; hit`. */
function cacheStatusHit(value: string | undefined): boolean | undefined {
	const caches = value?.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(',');
	return caches?.some(cache => /;\s*hit\s*(?:;|=\?1|$)/.test(cache));
}

/** Varnish names the request, and the one before it whose answer it kept. */
function varnishHit(value: string | undefined): boolean | undefined {
	return value === undefined || !/^[\d\s,]+$/.test(value) ? undefined : /\d\s+\d/.test(value);
}
