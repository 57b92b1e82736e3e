import {isIP, isIPv4} from 'node:net';

/** An IP address without its zone, and without the prefix that an IPv4 address has on a socket for both families. */
export function plainAddress(address: string): string {
	const bare = address.replace(/%.*$/, '');
	const mapped = /^::ffff:(?=\d+\.)/i;
	return mapped.test(bare) ? bare.replace(mapped, '') : bare;
}

/** What one machine can easily have all of: an IPv4 address, the first 64 bits of an IPv6 one. */
export function neighbourhood(address: string): string {
	if (isIP(address) !== 6) return address;
	return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** One entry of a list of addresses. */
export type AddressPattern = {
	/** Of an entry that begins with `!`. */
	readonly negated: boolean;
	matches(address: string): boolean;
};

/**
 * Reads a list as in `from="…"` of OpenSSH: addresses, networks (`10.0.0.0/8`), and addresses with `*` and `?`, each negated
 * by `!`. Throws an `Error` that says which entry is none of them; host names are none, as they would have to be looked up.
 */
export function parseAddressList(text: string): readonly AddressPattern[] {
	return text.split(',').map(entry => {
		const negated = entry.startsWith('!');
		const pattern = negated ? entry.slice(1) : entry;
		return {negated, matches: matcherOf(pattern)};
	});
}

/** Whether an entry matches and no negated one does. */
export function matchesList(list: readonly AddressPattern[], address: string): boolean {
	const found = list.filter(({matches}) => matches(address));
	return found.length > 0 && !found.some(({negated}) => negated);
}

function matcherOf(pattern: string): (address: string) => boolean {
	const [base = '', length, ...rest] = pattern.split('/');
	if (isIP(base) !== 0 && !base.includes('%') && rest.length === 0) {
		if (length === undefined) return inNetwork(base, bitsOf(base).width);
		if (/^\d{1,3}$/.test(length)) return networkMatcher(pattern, base, Number(length));
	}

	// Only digits around the points of an IPv4 address: *.de is a host name.
	if (!/^(?:[\d.*?]+|[\da-f:.*?]*:[\da-f:.*?]*)$/i.test(pattern) || !/[*?]/.test(pattern)) {
		throw new Error(`"${pattern}" is not an address`);
	}

	// Several stars in a row mean what one does, and would take long to try.
	const expression = pattern.replace(/\*+/g, '*').replace(/[.*?]/g, sign => wildcards[sign] ?? sign);
	const regExp = new RegExp(`^${expression}$`, 'i');
	return address => regExp.test(address);
}

const wildcards: Readonly<Record<string, string>> = {'.': '\\.', '*': '.*', '?': '.'};

function networkMatcher(pattern: string, base: string, length: number): (address: string) => boolean {
	const {value, width} = bitsOf(base);
	if (length > width) throw new Error(`"${pattern}" has more than ${width} bits`);
	const rest = BigInt(width - length);
	if ((value >> rest) << rest !== value) throw new Error(`"${pattern}" has bits beyond its network`);
	return inNetwork(base, length);
}

function inNetwork(base: string, length: number): (address: string) => boolean {
	const {value, width} = bitsOf(base);
	const rest = BigInt(width - length);
	return address => {
		const other = bitsOf(address);
		return other.width === width && other.value >> rest === value >> rest;
	};
}

function bitsOf(address: string): {readonly value: bigint; readonly width: 32 | 128} {
	if (isIPv4(address)) {
		return {value: address.split('.').reduce((value, byte) => value * 256n + BigInt(byte), 0n), width: 32};
	}

	return {
		value: BigInt(
			`0x${groupsOf(address)
				.map(group => group.padStart(4, '0'))
				.join('')}`,
		),
		width: 128,
	};
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
	// Writes an IPv4 address at the end as two groups.
	const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
	const [first, last] = [head, tail ?? ''].map(part => part.split(':').filter(group => group !== ''));
	const between = Array(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0');
	return [...(first ?? []), ...between, ...(last ?? [])];
}
