import {expect, test} from 'vitest';
import {cacheSigns} from '../../source/client/cache-signs.ts';

test.each([
	['nginx', {'x-cache-status': 'HIT'}, {isHit: true}],
	['nginx while it fetches', {'x-cache-status': 'UPDATING'}, {isHit: true}],
	['nginx with an answer that has expired', {'x-cache-status': 'EXPIRED'}, {isHit: false}],
	['nginx with a request past it', {'x-cache-status': 'BYPASS'}, {isHit: false}],
	['Varnish', {age: '0', 'x-varnish': '32773 32771', via: '1.1 varnish'}, {ageMs: 0, isHit: true}],
	['Varnish without an answer', {age: '0', 'x-varnish': '32773'}, {ageMs: 0, isHit: false}],
	['CloudFront', {age: '12', 'x-cache': 'Hit from cloudfront'}, {ageMs: 12_000, isHit: true}],
	['CloudFront without an answer', {'x-cache': 'Miss from cloudfront'}, {isHit: false}],
	['Fastly, of two caches', {age: '3', 'x-cache': 'MISS, HIT'}, {ageMs: 3000, isHit: true}],
	['Squid', {'x-cache': 'HIT from proxy.example', age: '7'}, {ageMs: 7000, isHit: true}],
	['Cloudflare', {'cf-cache-status': 'STALE', age: '90'}, {ageMs: 90_000, isHit: true}],
	['RFC 9211', {'cache-status': 'Origin; fwd=miss; stored, Edge; hit; ttl=3'}, {isHit: true}],
	['RFC 9211 without an answer', {'cache-status': '"a; hit"; fwd=uri-miss; detail="x; hit, y"'}, {isHit: false}],
	['RFC 9111', {age: '5'}, {ageMs: 5000}],
	['an Age of each of two caches', {age: '5,3'}, {ageMs: 5000}],
])('reads what %s says', (_name, headers, expected) => {
	expect(cacheSigns(headers)).toEqual(expected);
});

test.each([
	['no header', {}],
	['Cloudflare where it does not cache', {'cf-cache-status': 'DYNAMIC'}],
	['a proxy', {via: '1.1 proxy.example'}],
	['an Age that is none', {age: '-5'}],
	['an Age in words', {age: 'five'}],
	['an endless Age', {age: '9'.repeat(500)}],
	['a header of its own', {'x-varnish': 'yes'}],
	['an empty header', {'x-cache': ''}],
])('finds no cache in %s', (_name, headers) => {
	expect(cacheSigns(headers)).toBe(undefined);
});
