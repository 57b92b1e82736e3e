import {expect, test} from 'vitest';
import {bundledIn, findingsIn} from './helpers/audit-findings.ts';

const licences = 'undici 8.12.4 (MIT)\nMIT License\n\n@alcalzone/ansi-tokenize 1.0.0 (MIT)\nPermission is 1.0 (free)\n';

test('the bundled packages are those that the licences name', () => {
	expect([...bundledIn(licences)]).toEqual(['undici', '@alcalzone/ansi-tokenize']);
});

test('an audit reports advisories on bundled packages alone, and none if the registry does not answer', () => {
	const advisory = {title: 'Smuggles requests', severity: 'high', url: 'https://github.com/advisories/GHSA-1'};
	const vulnerabilities = {undici: {via: [advisory, 'llhttp']}, vitest: {via: [advisory]}};
	expect(findingsIn({vulnerabilities}, bundledIn(licences))).toEqual([
		'undici: high, Smuggles requests, https://github.com/advisories/GHSA-1',
	]);
	expect(findingsIn({vulnerabilities: {vitest: {via: [advisory]}}}, bundledIn(licences))).toEqual([]);
	expect(findingsIn({}, bundledIn(licences))).toBeUndefined();
});
