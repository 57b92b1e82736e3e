import {expect, test} from 'vitest';
import {neighbourhood, plainAddress} from '../../source/serve/addresses.ts';

test.each([
	['127.0.0.1', '127.0.0.1', '127.0.0.1'],
	['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.3'],
	['::1', '::1', '0:0:0:0::/64'],
	['2001:db8:1:2:3::7', '2001:db8:1:2:3::7', '2001:db8:1:2::/64'],
	['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64'],
])('%s is %s, of %s', (address, plain, block) => {
	expect([plainAddress(address), neighbourhood(plainAddress(address))]).toEqual([plain, block]);
});
