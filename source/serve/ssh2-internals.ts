import type {Connection, ServerChannel, Session} from 'ssh2';

/**
 * The parts of ssh2 that have no public name. Its version is pinned, and tests with real clients fail if one of these is
 * another.
 */
type Protocol = {
	readonly _kexinit: Buffer | undefined;
	readonly _handlers: {CHANNEL_REQUEST(protocol: unknown, channel: number, type: string, ...rest: unknown[]): void};
	readonly _packetRW: {
		readonly write: {
			readonly allocStartKEX: number;
			alloc(length: number, always: boolean): Buffer;
			finalize(packet: Buffer, always: boolean): Buffer;
		};
	};
	readonly _cipher: {encrypt(packet: Buffer): void};
};

type Channel = {
	readonly outgoing: {readonly packetSize: number; readonly window: number};
	_waitWindow: boolean;
	/** What waits for room. */
	_chunk: Buffer | undefined;
	_chunkcb: unknown;
	_chunkErr: Buffer | undefined;
	_chunkcbErr: unknown;
};

const protocolOf = (client: Connection): Protocol => (client as unknown as {readonly _protocol: Protocol})._protocol;
const channelOf = (channel: ServerChannel): Channel => channel as unknown as Channel;

/** Why a connection ends, as SSH numbers it. */
export const disconnectReasons = {protocolError: 2, byApplication: 11, tooManyConnections: 12, noMoreMethods: 14};

/** Says that and why the connection ends, which ssh2 does without words. */
export function sayDisconnect(client: Connection, reason: number, text: string): void {
	const {_packetRW: packets, _cipher: cipher} = protocolOf(client);
	const message = disconnectMessage(reason, text);
	const packet = packets.write.alloc(message.length, true);
	packet.set(message, packets.write.allocStartKEX);
	cipher.encrypt(packets.write.finalize(packet, true));
}

/** The message as a whole packet, for a connection that is not encrypted yet. */
export function plainDisconnect(reason: number, text: string): Buffer {
	const message = disconnectMessage(reason, text);
	const padding = 4 + ((8 - ((5 + message.length + 4) % 8)) % 8);
	const head = Buffer.alloc(5);
	head.writeUInt32BE(1 + message.length + padding);
	head.writeUInt8(padding, 4);
	return Buffer.concat([head, message, Buffer.alloc(padding)]);
}

function disconnectMessage(reason: number, text: string): Buffer {
	const words = Buffer.from(text);
	const head = Buffer.alloc(9);
	head.writeUInt8(1);
	head.writeUInt32BE(reason, 1);
	head.writeUInt32BE(words.length, 5);
	// No language.
	return Buffer.concat([head, words, Buffer.alloc(4)]);
}

/** Calls `then` when the client says that nobody reads any more what it is sent, as after `ssh HOST … | head`. ssh2 ignores that. */
export function onReaderGone(client: Connection, then: () => void): void {
	const {_handlers: handlers} = protocolOf(client);
	const handle = handlers.CHANNEL_REQUEST;
	handlers.CHANNEL_REQUEST = (protocol, channel, type, ...rest) => {
		if (type === 'eow@openssh.com') then();
		handle(protocol, channel, type, ...rest);
	};
}

/** Whether keys are being exchanged: what is written meanwhile is kept until the other side has done its part. */
export const isExchangingKeys = (client: Connection): boolean => protocolOf(client)._kexinit !== undefined;

/** The most bytes that the other side takes in one message; of 0, ssh2 would send messages without end. */
export const packetSizeOf = (channel: ServerChannel): number => channelOf(channel).outgoing.packetSize;

/** How many bytes the other side takes now. */
export const windowOf = (channel: ServerChannel): number => channelOf(channel).outgoing.window;

/** Calls `then` once the other side takes more. Call while nothing is being written. */
export function onceAdjusted(channel: ServerChannel, then: () => void): void {
	forgetWritten(channel);
	Object.assign(channelOf(channel), {_waitWindow: true, _chunkcb: then});
}

/** Call after each write: what had to wait for room would be sent once more when a write to the other stream has to wait. */
export function forgetWritten(channel: ServerChannel): void {
	Object.assign(channelOf(channel), {
		_chunk: undefined,
		_chunkcb: undefined,
		_chunkErr: undefined,
		_chunkcbErr: undefined,
	});
}

/** Call with each session: when its connection breaks, ssh2 tells it from a channel by the name of its class, which the build shortens. */
export function nameSession(session: Session): void {
	Object.defineProperty(session.constructor, 'name', {value: 'Session'});
}
