import {createHash, createPublicKey, type KeyObject} from 'node:crypto';
import ssh2 from 'ssh2';
import {firstUnits, stripControl} from '../format/control.ts';
import {formatFullTime} from '../format/time.ts';
import {distinctNames, unlistedName} from '../market/symbol.ts';
import {type AddressPattern, matchesList, parseAddressList} from './addresses.ts';

/** What a viewer with this key may do. */
type KeyOptions = {
	/** The only markets to see, as `unlistedName` spells them; undefined: all. */
	readonly markets: readonly string[] | undefined;
	/** `watch` only: no monitor. */
	readonly isWatchOnly: boolean;
	/** May see the diagnosis of the server. */
	readonly isOwner: boolean;
	/** Gets no terminal. */
	readonly noTerminal: boolean;
};

export type AuthorizedKey = {
	readonly type: string;
	/** The public key as SSH sends it. */
	readonly blob: Buffer;
	readonly publicKey: KeyObject;
	/** `SHA256:…`, as `ssh-keygen -l` prints it. */
	readonly fingerprint: string;
	/** What follows the key in its line, without control characters. */
	readonly comment: string;
	readonly options: KeyOptions;
	/** Why the key is not allowed from this address at this time (epoch ms); undefined: it does. */
	refusal(address: string, now: number): string | undefined;
	/** All that its line says, to tell whether it was changed. */
	readonly line: string;
};

/** A line whose key opens nothing, and why. */
export type RefusedLine = {readonly line: number; readonly reason: string};

export type AuthorizedKeys = {readonly keys: readonly AuthorizedKey[]; readonly refused: readonly RefusedLine[]};

/**
 * Reads the format of OpenSSH's `authorized_keys`, with the options `market="…"`, `watch-only` and `owner` besides those of
 * OpenSSH that can be kept. A key with any other option, or in a line that cannot be read, is refused: a restriction that is
 * not understood must not be ignored.
 */
export function parseAuthorizedKeys(text: string): AuthorizedKeys {
	const keys = new Map<string, {readonly key: AuthorizedKey; readonly line: number}>();
	const refused: RefusedLine[] = [];
	for (const [index, whole] of text.split(/\r?\n/).entries()) {
		const [line, number] = [whole.replace(/^[ \t]+|[ \t]+$/g, ''), index + 1];
		if (line === '' || line.startsWith('#')) continue;
		try {
			const key = parseLine(line);
			const same = keys.get(key.fingerprint);
			if (same) throw new Error(`the key is already in line ${same.line}`);
			keys.set(key.fingerprint, {key, line: number});
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			refused.push({line: number, reason: cleaned(reason)});
		}
	}

	return {keys: [...keys.values()].map(({key}) => key), refused};
}

/** In quotes: `\"` is a quote, and any other backslash is itself. */
const quoted = '"(?:[^"\\\\]|\\\\"|\\\\(?!"))*"';
const firstWord = new RegExp(`^(?:[^ \\t"]|${quoted})+(?=[ \\t]|$)`);
const oneOption = new RegExp(`([a-z][a-z0-9-]*)(?:=(${quoted}))?(?:,(?=.)|$)`, 'iy');
const keyLine = /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/;

function parseLine(line: string): AuthorizedKey {
	const hasOptions = !/^(?:ssh-|ecdsa-|sk-)/.test(line);
	const options = hasOptions ? firstWord.exec(line)?.[0] : '';
	if (options === undefined) throw new Error('a quote is not closed');
	const [, type, encoded, comment = ''] = keyLine.exec(line.slice(options.length).trim()) ?? [];
	if (type === undefined || encoded === undefined) throw new Error('there is no key');
	if (type.startsWith('sk-')) throw new Error('keys of hardware tokens are not supported');
	const {restrictions, ...how} = parseOptions(options);
	const blob = Buffer.from(encoded, 'base64');
	if (!/^[a-z0-9+/]+={0,2}$/i.test(encoded) || blob.toString('base64') !== encoded) throw new Error(unreadable);
	return {
		type,
		blob,
		publicKey: publicKeyOf(type, blob),
		fingerprint: fingerprintOf(blob),
		comment: cleaned(comment),
		options: how,
		refusal: (address, now) => restrictions.map(why => why(address, now)).find(reason => reason !== undefined),
		line,
	};
}

/** Maximum length of a comment, and of a quote in a reason. */
const mostUnits = 200;

const cleaned = (text: string): string => firstUnits(stripControl(text), mostUnits);

const unreadable = 'the key cannot be read';

/** `SHA256:…` of a public key as SSH sends it. */
export const fingerprintOf = (blob: Buffer): string =>
	`SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

type Restriction = (address: string, now: number) => string | undefined;

/** What forbids something that nobody gets here. */
const idle = new Set(['no-port-forwarding', 'no-agent-forwarding', 'no-x11-forwarding', 'no-user-rc']);

function parseOptions(text: string): KeyOptions & {readonly restrictions: readonly Restriction[]} {
	const values = new Map<string, string>();
	const flags = new Set<string>();
	/** The last of these counts. */
	let noTerminal = false;
	for (const [name, value] of splitOptions(text)) {
		if (value !== undefined) {
			if (!['market', 'from', 'expiry-time'].includes(name)) throw new Error(unsupported(name));
			if (values.has(name)) throw new Error(`option ${name} is given twice`);
			values.set(name, value);
		} else if (name === 'restrict' || name === 'no-pty') noTerminal = true;
		else if (name === 'pty') noTerminal = false;
		else if (name === 'watch-only' || name === 'owner') flags.add(name);
		else if (!idle.has(name)) throw new Error(unsupported(name));
	}

	const [market, from, expiry] = ['market', 'from', 'expiry-time'].map(name => values.get(name));
	return {
		markets: market === undefined ? undefined : parseMarkets(market),
		isWatchOnly: flags.has('watch-only'),
		isOwner: flags.has('owner'),
		noTerminal,
		restrictions: [
			...(from === undefined ? [] : [fromAddresses(parseAddressList(from))]),
			...(expiry === undefined ? [] : [until(parseExpiry(expiry))]),
		],
	};
}

const unsupported = (name: string): string => `option ${name} is not supported`;

function splitOptions(text: string): ReadonlyArray<readonly [name: string, value: string | undefined]> {
	const found: Array<readonly [string, string | undefined]> = [];
	oneOption.lastIndex = 0;
	while (oneOption.lastIndex < text.length) {
		const [, name, value] = oneOption.exec(text) ?? [];
		if (name === undefined) throw new Error('the options cannot be read');
		found.push([name.toLowerCase(), value?.slice(1, -1).replaceAll('\\"', '"')]);
	}

	return found;
}

function parseMarkets(text: string): readonly string[] {
	if (text.trim() === '') throw new Error('market= names no market');
	const markets = text.split(',').map(unlistedName);
	const bad = markets.findIndex(market => !/^[\p{L}\p{N}$.#_-]{1,64}$/u.test(market));
	if (bad !== -1) throw new Error(`market "${text.split(',')[bad]}" is not a market name`);
	return distinctNames(markets);
}

const fromAddresses =
	(list: readonly AddressPattern[]): Restriction =>
	address =>
		matchesList(list, address) ? undefined : 'the key is not allowed from this address';

const until =
	(time: number): Restriction =>
	(_, now) =>
		now > time ? `the key expired on ${formatFullTime(time)}` : undefined;

/** Epoch ms of `YYYYMMDD[Z]` or `YYYYMMDDHHMM[SS][Z]`, in the time zone of the computer where there is no `Z`. */
function parseExpiry(text: string): number {
	const [, ...digits] = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/i.exec(text) ?? [];
	const zone = digits.pop();
	const [year = 0, month = 0, ...rest] = digits.map(part => Number(part ?? 0));
	const fields = [year, month - 1, ...rest] as [number, number, number, number, number, number];
	const date = zone === '' ? new Date(...fields) : new Date(Date.UTC(...fields));
	const again = zone === '' ? [date.getMonth(), date.getDate()] : [date.getUTCMonth(), date.getUTCDate()];
	const isTime = fields[3] < 24 && fields[4] < 60 && fields[5] < 60;
	// The thirteenth month, or 30 February, would be another date.
	if (zone === undefined || !isTime || again.join() !== fields.slice(1, 3).join()) {
		throw new Error(`expiry-time "${text}" is not a time`);
	}

	return date.getTime();
}

const leastRsaBits = 2048;
const mostRsaBits = 16_384;

const supportedType = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/;

function publicKeyOf(type: string, blob: Buffer): KeyObject {
	if (!supportedType.test(type)) throw new Error(`keys of type ${type} are not supported`);
	const parsed = ssh2.utils.parseKey(`${type} ${blob.toString('base64')}`);
	if (parsed instanceof Error || !parsed.getPublicSSH().equals(blob)) throw new Error(unreadable);
	let key: KeyObject;
	try {
		key = createPublicKey(parsed.getPublicPEM());
	} catch {
		// A point that is not on its curve.
		throw new Error(unreadable);
	}

	const {modulusLength: bits} = key.asymmetricKeyDetails ?? {};
	if (bits !== undefined && bits < leastRsaBits) throw new Error(`the RSA key has ${bits} bits, fewer than 2048`);
	if (bits !== undefined && bits > mostRsaBits) throw new Error(`the RSA key has ${bits} bits, more than 16384`);
	return key;
}
