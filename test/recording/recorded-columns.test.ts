import {expect, test} from 'vitest';
import {interfaceOf, jsonOf} from '../../source/recording/recorded-columns.ts';

test('reads the first recordings, in which the legacy interface was called v1', () => {
	expect(['v2', 'v1', 'legacy'].map(interfaceOf)).toEqual(['v2', 'legacy', 'legacy']);
	expect(jsonOf('{"interface": "v2", "version": "v1", "other": {"interface": "v1"}}')).toEqual({
		...{interface: 'v2', version: 'v1'},
		other: {interface: 'legacy'},
	});
});
