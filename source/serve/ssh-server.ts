import {AsyncResource} from 'node:async_hooks';
import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import ssh2 from 'ssh2';
import type {Clock} from '../market/clock.ts';
import {type AddressPattern, matchesList, plainAddress} from './addresses.ts';
import {createAdmission} from './admission.ts';
import {createGuest, type DoorEvent, type Guest, keepAliveMs, part} from './guest.ts';
import {type KeyFileReport, openKeyRing} from './key-ring.ts';
import {limitsFrom, type ServeLimits} from './limits.ts';
import {parseProxyHeader} from './proxy-header.ts';
import {disconnectReasons, plainDisconnect} from './ssh2-internals.ts';
import type {Viewer} from './viewer.ts';

export type SshServerOptions = {
	/** 0: a free port. */
	readonly port: number;
	readonly host: string;
	/** As `openHostKey` reads it. */
	readonly hostKey: string;
	/** The file of the keys that open, in OpenSSH's format; undefined: none does. */
	readonly authorizedKeys: string | undefined;
	/** Who has no key is let in: under any name, or as `anonymous` where there are keys. */
	readonly anonymous: boolean;
	/** Balancers, whose connections begin with a header of the PROXY protocol that says where they come from. Default: none. */
	readonly trustedProxies?: readonly AddressPattern[];
	/** Default: as in `limitsFrom`. */
	readonly limits?: Partial<ServeLimits>;
	readonly clock: Clock;
	/** Called with each viewer; from then on it is the caller who ends it. */
	readonly onViewer: (viewer: Viewer) => void;
	/** Called with each log-in and with who is refused. */
	readonly onEvent?: (event: DoorEvent) => void;
	/** Called each time the file of the keys was read, as it was changed or on demand. */
	readonly onKeys?: (report: KeyFileReport) => void;
	/**
	 * Runs all that one connection does, and passes to `fail` what it throws and nobody catches: that ends this connection. Default:
	 * nothing is caught.
	 */
	readonly contain?: (fail: (error: unknown) => void, work: () => void) => void;
};

export type SshServer = {
	readonly address: AddressInfo;
	/** Who is logged in, and who is about to. */
	readonly viewers: number;
	readonly connecting: number;
	/** Sent to all who are or were connected. */
	readonly sentBytes: number;
	/** Reads the keys again, and has viewers leave whose keys are gone. */
	rereadKeys(): Promise<void>;
	/** Listens no more, and has all viewers leave with a sentence. Settles when they are gone, at the latest after five seconds. */
	close(sentence: string): Promise<void>;
};

/** OpenSSH reports a closed reader only to servers that identify as OpenSSH. */
const identification = 'OpenSSH_compatible_tapewatch';

/** No CBC, no SHA-1, no finite-field groups, no compression; and ssh2 adds the strict key exchange against Terrapin. */
const algorithms: ssh2.Algorithms = {
	kex: [
		'curve25519-sha256',
		'curve25519-sha256@libssh.org',
		'ecdh-sha2-nistp256',
		'ecdh-sha2-nistp384',
		'ecdh-sha2-nistp521',
	],
	serverHostKey: ['ssh-ed25519'],
	cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
	hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
	compress: ['none'],
};

const noHeader = 'a trusted proxy must begin with a PROXY header';
/** Connections that are told why they are refused, at a time; the others are closed without a word. */
const mostPartings = 50;

/**
 * Starts an SSH server that lets viewers in, and gives each to `onViewer`. Rejects when the keys cannot be read or the address
 * is not to be had.
 */
export async function startSshServer(options: SshServerOptions): Promise<SshServer> {
	const {clock, anonymous, authorizedKeys: path, onViewer, onEvent = () => {}, onKeys = () => {}} = options;
	const {contain = (_, work) => work(), trustedProxies = []} = options;
	const limits = limitsFrom(options.limits ?? {});
	const admission = createAdmission(limits, clock);
	/** By the address and the port of the other side. */
	const guests = new Map<string, Guest>();
	let partings = 0;
	const sockets = new Set<Socket>();
	/** To those who are gone. */
	let sentBefore = 0;

	const checkKeys = (): void => {
		for (const guest of guests.values()) guest.checkKey();
	};
	const ring = path === undefined ? undefined : await openKeyRing({path, clock, onRead: onKeys, onSettled: checkKeys});

	const ssh = new ssh2.Server(
		{
			hostKeys: [options.hostKey],
			ident: identification,
			algorithms,
			keepaliveInterval: keepAliveMs,
			keepaliveCountMax: 3,
		},
		(client, {ip, port}) => {
			const guest = guests.get(`${ip} ${port}`);
			if (guest) guest.greet(client);
			else client.on('error', () => {}).end();
		},
	);

	function refuse(socket: Socket, address: string, reason: string, tell: () => void): void {
		onEvent({type: 'refusal', address, reason});
		if (partings >= mostPartings) return void socket.destroy();
		partings++;
		socket.once('close', () => {
			partings--;
		});
		tell();
	}

	/** Tells it in the place of ssh2. */
	function turnAway(socket: Socket, sentence: string): void {
		socket.on('error', () => {});
		socket.write(`SSH-2.0-${identification}\r\n`);
		socket.write(plainDisconnect(disconnectReasons.tooManyConnections, sentence));
		part(socket, clock);
	}

	/** Of balancers that have not said yet where they come from. */
	const unnamed = new Set<Socket>();

	/** Reads the header of a balancer first. */
	function receive(socket: Socket, balancer: string): void {
		let data = Buffer.alloc(0);
		unnamed.add(socket);
		const cancel = clock.after(limits.loginMs, () => socket.destroy());
		const stop = (): void => {
			cancel();
			unnamed.delete(socket);
			socket.off('data', onData).off('close', stop);
		};
		const onData = (piece: Buffer): void => {
			data = Buffer.concat([data, piece]);
			const header = parseProxyHeader(data);
			if (header === undefined) return;
			stop();
			if (header === 'none') return refuse(socket, balancer, noHeader, () => turnAway(socket, noHeader));
			welcome(socket, header.address ?? balancer);
			if (data.length > header.length && !socket.destroyed) socket.unshift(data.subarray(header.length));
		};
		socket
			.on('error', () => {})
			.on('data', onData)
			.on('close', stop);
	}

	const listener = createServer({noDelay: true, keepAlive: true}, socket => {
		const {remoteAddress} = socket;
		sockets.add(socket);
		socket.once('close', () => {
			sockets.delete(socket);
			sentBefore += socket.bytesWritten;
		});
		// It is already gone.
		if (remoteAddress === undefined) return void socket.destroy();
		const address = plainAddress(remoteAddress);
		if (matchesList(trustedProxies, address)) receive(socket, address);
		else welcome(socket, address);
	});

	function welcome(socket: Socket, address: string): void {
		let guest: Guest | undefined;
		const ticket = admission.enter(address, sentence =>
			refuse(socket, address, sentence, () => guest?.evict(sentence)),
		);
		if (typeof ticket === 'string') return refuse(socket, address, ticket, () => turnAway(socket, ticket));
		const name = `${socket.remoteAddress} ${socket.remotePort}`;
		const fail = (error: unknown): void => {
			if (guest) guest.fail(error);
			else socket.destroy();
		};
		contain(fail, () => {
			// What the other side sends comes from outside. An error leaves the connection before it counts as caught by nobody.
			const tell = socket.emit.bind(socket);
			const emit = AsyncResource.bind((event: string, ...values: unknown[]): boolean => {
				try {
					return tell(event, ...values);
				} catch (error) {
					fail(error);
					return true;
				}
			});
			Object.assign(socket, {emit});
			guest = createGuest({socket, address, ticket, limits, clock, ring, anonymous, onViewer, onEvent});
			guests.set(name, guest);
			socket.once('close', () => {
				// The other side can have used the port again before the end of the last connection was heard.
				if (guests.get(name) === guest) guests.delete(name);
			});
			ssh.injectSocket(socket);
		});
	}

	try {
		listener.listen(options.port, options.host);
		await once(listener, 'listening');
	} catch (error) {
		ring?.close();
		throw error;
	}

	// Without a file handle left, a connection is not accepted; the others go on.
	listener.on('error', error => onEvent({type: 'refusal', address: '', reason: error.message}));
	return {
		address: listener.address() as AddressInfo,
		get viewers() {
			return admission.viewers;
		},
		get connecting() {
			return admission.connecting;
		},
		get sentBytes() {
			return [...sockets].reduce((sum, {bytesWritten}) => sum + bytesWritten, sentBefore);
		},
		async rereadKeys() {
			await ring?.reread();
			checkKeys();
		},
		async close(sentence) {
			ring?.close();
			const closed = new Promise(resolve => listener.close(resolve));
			for (const socket of unnamed) socket.destroy();
			for (const guest of guests.values()) guest.dismiss(sentence);
			await closed;
		},
	};
}
