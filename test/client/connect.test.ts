import {expect, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';

test.for([
	['no address', {}, 'no exchange: give a base URL or a legacy base URL'],
	['credentials', {baseUrl: 'https://me:secret@exchange.example'}, 'the base URL must not contain credentials'],
	['a user name', {legacyBaseUrl: 'https://me@exchange.example'}, 'the legacy base URL must not contain credentials'],
	['credentials in another scheme', {baseUrl: 'ftp://me:secret@x'}, 'the base URL must not contain credentials'],
	['another scheme', {baseUrl: 'file:///etc/passwd'}, 'the base URL must begin with http:// or https://'],
	['a bare host', {legacyBaseUrl: 'exchange.example'}, 'the legacy base URL must begin with http:// or https://'],
	['a query', {baseUrl: 'https://x.example/?key=1'}, 'the base URL must end with its path: no ? and no #'],
	['no time', {baseUrl: 'https://x.example', timeoutMs: 0}, 'the timeout must be a positive number, not 0'],
	['no size', {baseUrl: 'https://x.example', maxBytes: 0}, 'the maximum size must be a positive number, not 0'],
	['no rate', {baseUrl: 'https://x.example', rate: Number.NaN}, 'the rate must be a positive number, not NaN'],
] as const)('refuses %s with a message for the user', ([, options, message]) => {
	expect(() => connect(options)).toThrow(new TypeError(message));
});

test('lists the configured interfaces', () => {
	const address = 'https://exchange.example';
	expect(connect({baseUrl: address}).interfaces).toEqual(['v2']);
	expect(connect({legacyBaseUrl: address}).interfaces).toEqual(['legacy']);
	expect(connect({baseUrl: address, legacyBaseUrl: address}).interfaces).toEqual(['v2', 'legacy']);
});
