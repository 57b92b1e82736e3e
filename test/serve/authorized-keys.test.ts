import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type AuthorizedKey, parseAuthorizedKeys} from '../../source/serve/authorized-keys.ts';
import {anyCharacters} from '../helpers/any-values.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {newEd25519, sshString} from './key-files.ts';

const key = newEd25519();
const noon = Date.UTC(2026, 10, 20, 12);

/** The only key of the text, of which no line is refused. */
function only(text: string): AuthorizedKey {
	const {keys, refused} = parseAuthorizedKeys(text);
	expect({length: keys.length, refused}).toEqual({length: 1, refused: []});
	return keys[0] as AuthorizedKey;
}

const reasonOf = (line: string): string | undefined => {
	const {keys, refused} = parseAuthorizedKeys(line);
	return keys.length === 0 ? refused[0]?.reason : undefined;
};

describe('a key', () => {
	test.each([
		['ed25519', []],
		['ecdsa', ['-b', '256']],
		['ecdsa', ['-b', '384']],
		['ecdsa', ['-b', '521']],
		['rsa', ['-b', '2048']],
	])('of ssh-keygen has its fingerprint: %s %j', {tags: 'ssh'}, (type, bits) => {
		const folder = temporaryFolder();
		const path = join(folder, 'key');
		execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', 'ann@desk 2', '-f', path]);
		const [, fingerprint] = execFileSync('ssh-keygen', ['-l', '-f', `${path}.pub`], {encoding: 'utf8'}).split(' ');
		const found = only(readFileSync(`${path}.pub`, 'utf8'));
		expect([found.fingerprint, found.comment]).toEqual([fingerprint, 'ann@desk 2']);
		expect(found.publicKey.type).toBe('public');
	});

	test.each([
		['ssh-dss', 'keys of type ssh-dss are not supported'],
		['sk-ssh-ed25519@openssh.com', 'keys of hardware tokens are not supported'],
		['ssh-ed25519-cert-v01@openssh.com', 'keys of type ssh-ed25519-cert-v01@openssh.com are not supported'],
		['ecdsa-sha2-nistp192', 'keys of type ecdsa-sha2-nistp192 are not supported'],
	])('of type %s is refused', (type, reason) => {
		const blob = Buffer.concat([sshString(type), sshString('x')]);
		expect(reasonOf(`${type} ${blob.toString('base64')}`)).toBe(reason);
	});

	test('of RSA with fewer than 2048 bits is refused', () => {
		const blob = Buffer.concat([
			sshString('ssh-rsa'),
			sshString(Buffer.from([1, 0, 1])),
			sshString(Buffer.concat([Buffer.from([0]), Buffer.alloc(255, 0x7f)])),
		]);
		expect(reasonOf(`ssh-rsa ${blob.toString('base64')}`)).toBe('the RSA key has 2039 bits, fewer than 2048');
	});

	test('of a curve whose point is not on it is refused', () => {
		const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]);
		const type = 'ecdsa-sha2-nistp256';
		const blob = Buffer.concat([sshString(type), sshString('nistp256'), sshString(point)]);
		expect(reasonOf(`${type} ${blob.toString('base64')}`)).toBe('the key cannot be read');
	});

	test.each(['sk-ssh-ed25519@openssh.com AAAA tok', 'no-pty sk-ecdsa-sha2-nistp256@openssh.com AAAA'])(
		'of a hardware token is refused as such: %s',
		line => {
			expect(reasonOf(line)).toBe('keys of hardware tokens are not supported');
		},
	);

	test('whose name is not that of its contents is refused', () => {
		expect(reasonOf(key.replace('ssh-ed25519', 'ssh-rsa'))).toBe('the key cannot be read');
	});
});

test('reads comments, blank lines, line ends of Windows and keys after a refused one, and says which lines were refused', () => {
	const [second, third] = [newEd25519(), newEd25519()];
	const lines = ['# team', '', '  \t', `  ${key}\tann`, 'nonsense', `command="x" ${second}`, `${third} bob`, key];
	const {keys, refused} = parseAuthorizedKeys(lines.join('\r\n'));
	expect(keys.map(({comment}) => comment)).toEqual(['ann', 'bob']);
	expect(refused).toEqual([
		{line: 5, reason: 'there is no key'},
		{line: 6, reason: 'option command is not supported'},
		{line: 8, reason: 'the key is already in line 4'},
	]);
});

describe('options', () => {
	test('are none without them', () => {
		const {options} = only(key);
		expect(options).toEqual({markets: undefined, isWatchOnly: false, isOwner: false, noTerminal: false});
	});

	test.each([
		['market="BTCUSDT,ETH_USDT, btc/usdt"', {markets: ['BTCUSDT', 'ETH_USDT']}],
		['market="AB/USD,A/BUSD,luna-usdt#5,A-B.C/USDT"', {markets: ['AB_USD', 'A_BUSD', 'LUNA_USDT#5', 'A-B.C_USDT']}],
		['restrict,pty', {noTerminal: false}],
		['pty,no-pty', {noTerminal: true}],
		['no-port-forwarding,no-agent-forwarding,no-X11-forwarding,no-user-rc', {}],
		['restrict,pty,market="SOLUSDT",watch-only', {noTerminal: false, markets: ['SOLUSDT'], isWatchOnly: true}],
	])('%s are kept', (text, options) => {
		expect(only(`${text} ${key} ann`)).toMatchObject({comment: 'ann', options});
	});

	test.each([
		['command="tapewatch"', 'option command is not supported'],
		['cert-authority', 'option cert-authority is not supported'],
		['market', 'option market is not supported'],
		['market="BTCUSDT",market="ETHUSDT"', 'option market is given twice'],
		['market=""', 'market= names no market'],
		['market="BTCUSDT,!"', 'market "!" is not a market name'],
		['watch-only,', 'the options cannot be read'],
		['market=BTCUSDT', 'the options cannot be read'],
		['market="BTCUSDT"owner', 'the options cannot be read'],
		['market="BTCUSDT', 'a quote is not closed'],
		['watch-only, owner', 'the options cannot be read'],
		['from="desk.example.com"', '"desk.example.com" is not an address'],
		['from="10.0.0.1/8"', '"10.0.0.1/8" has bits beyond its network'],
		['from="10.0.0.0/33"', '"10.0.0.0/33" has more than 32 bits'],
		['from=""', '"" is not an address'],
		['expiry-time="20261301"', 'expiry-time "20261301" is not a time'],
		['expiry-time="202611202460"', 'expiry-time "202611202460" is not a time'],
	])('%s refuse the key', (text, reason) => {
		expect(reasonOf(`${text} ${key}`)).toBe(reason);
	});
});

describe('from', () => {
	test.each([
		['10.1.2.3', '10.1.2.3', '10.1.2.4'],
		['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
		['0.0.0.0/0', '1.2.3.4', '::1'],
		['192.168.?.*', '192.168.7.31', '192.168.17.31'],
		['!10.0.0.7,10.0.0.0/24', '10.0.0.8', '10.0.0.7'],
		['10.0.0.0/24,!10.0.0.7', '10.0.0.8', '10.0.0.7'],
		['2001:db8::/32', '2001:db8:1::7', '2001:db9::7'],
		['2001:DB8::7', '2001:db8:0:0::7', '2001:db8::8'],
		['fe80:*', 'fe80::1', '10.0.0.1'],
		['127.0.0.1,::1', '::1', '::2'],
	])('%s opens from %s, not from %s', (list, inside, outside) => {
		const found = only(`from="${list}" ${key}`);
		expect([inside, outside].map(address => found.refusal(address, noon))).toEqual([
			undefined,
			'the key is not allowed from this address',
		]);
	});

	test('of negated addresses alone opens nowhere', () => {
		expect(only(`from="!10.0.0.7" ${key}`).refusal('10.0.0.8', noon)).toBeDefined();
	});
});

describe('expiry-time', () => {
	test.each([
		['20261120Z', Date.UTC(2026, 10, 20)],
		['202611201200Z', noon],
		['20261120120001Z', noon + 1000],
		['20261120', new Date(2026, 10, 20).getTime()],
		['202611201200', new Date(2026, 10, 20, 12).getTime()],
	])('%s is kept to the second', (text, time) => {
		const found = only(`expiry-time="${text}" ${key}`);
		expect(found.refusal('10.0.0.1', time)).toBeUndefined();
		expect(found.refusal('10.0.0.1', time + 1)).toMatch(/^the key expired on 2026-11-\d\d \d\d:\d\d:\d\d UTC$/);
	});
});

describe('whatever is in a line', () => {
	const market = fc.stringMatching(/^[A-Z0-9]{1,12}$/);
	const flags = fc.subarray(['watch-only', 'owner', 'no-pty', 'no-user-rc']);

	test('options come back as written', () => {
		fc.assert(
			fc.property(fc.array(market, {minLength: 1}), flags, fc.boolean(), (markets, words, first) => {
				const all = [...words];
				all.splice(first ? 0 : all.length, 0, `market="${markets.join(',')}"`);
				expect(only(`${all.join(',')} ${key}`).options).toEqual({
					markets: [...new Set(markets)],
					isWatchOnly: words.includes('watch-only'),
					isOwner: words.includes('owner'),
					noTerminal: words.includes('no-pty'),
				});
			}),
		);
	});

	test('an unknown option never leaves a key that opens', () => {
		const name = fc.stringMatching(/^[a-z-]{1,12}$/);
		const known = /^(?:restrict|pty|owner|watch-only|no-(?:pty|user-rc|(?:port|agent|x11)-forwarding))$/;
		const value = fc.option(
			fc.string().map(text => `="${text.replace(/["\r\n]/g, '\\"')}"`),
			{nil: ''},
		);
		fc.assert(
			fc.property(name, value, flags, (option, text, words) => {
				fc.pre(!(text === '' && known.test(option)) && !/^(?:market|from|expiry-time)$/.test(option));
				const {keys, refused} = parseAuthorizedKeys(`${[...words, option + text].join(',')} ${key}`);
				expect([keys.length, refused.length]).toEqual([0, 1]);
			}),
		);
	});

	test('a hostile line is refused with a clean reason, and keeps no other key from opening', () => {
		const piece = fc.oneof(
			fc.constantFrom('"', '\\"', ',', '=', ' ', '\t', 'from="', 'market="', 'ssh-ed25519 ', key, '\u001B[2J', '#'),
			anyCharacters.map(text => text.replace(/[\r\n]/g, '')),
		);
		const good = newEd25519();
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 12}), pieces => {
				const {keys, refused} = parseAuthorizedKeys(`${pieces.join('')}\n${good}`);
				expect(keys.map(({blob}) => `ssh-ed25519 ${blob.toString('base64')}`)).toContain(good);
				expect(refused.every(({line, reason}) => line === 1 && !/[\0-\x1f\x7f-\x9f]/.test(reason))).toBe(true);
				expect(keys.every(({comment}) => !/[\0-\x1f\x7f-\x9f]/.test(comment))).toBe(true);
			}),
			{numRuns: 80},
		);
	});

	test('a line of a megabyte is refused at once', () => {
		// Of the processor: what takes the square of the length would take minutes.
		const before = process.cpuUsage().user;
		for (const unit of ['"', '\\"', 'a=",', 'a,', ' ', 'a']) parseAuthorizedKeys(unit.repeat(1_000_000 / unit.length));
		expect(process.cpuUsage().user - before).toBeLessThan(10_000_000);
	});
});
