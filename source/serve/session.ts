import type {Socket} from 'node:net';
import type {Connection, ServerChannel, Session} from 'ssh2';
import type {Size} from '../format/cells.ts';
import {firstUnits, stripControl} from '../format/control.ts';
import type {Clock} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import type {AuthorizedKey} from './authorized-keys.ts';
import {ChannelInput} from './channel-input.ts';
import {ChannelOutput} from './channel-output.ts';
import {createChannelWriter} from './channel-writer.ts';
import type {ServeLimits} from './limits.ts';
import type {SocketGate} from './socket-gate.ts';
import {packetSizeOf} from './ssh2-internals.ts';
import type {Viewer, ViewerVariable} from './viewer.ts';

export type SessionOptions = {
	readonly client: Connection;
	readonly socket: Socket;
	readonly gate: SocketGate;
	readonly clock: Clock;
	readonly limits: ServeLimits;
	readonly key: AuthorizedKey | undefined;
	readonly address: string;
	/** Called with what was asked for; `fault`: why it cannot be had. */
	readonly onOpen: (session: OpenSession, fault: string | undefined) => void;
	/** Called with why the viewer gets nothing. */
	readonly onRefusal: (sentence: string) => void;
	/** Called with why nothing can be opened; the connection must end. */
	readonly onFault: (reason: string) => void;
};

/** A session in which a shell or a command was asked for. */
export type OpenSession = {
	readonly viewer: Viewer;
	dismiss(sentence: string): void;
	/** Ends it with one line on standard error. */
	refuse(sentence: string): Promise<void>;
	/** What ran came to its end while the viewer was there. */
	readonly hasEnded: boolean;
	/** When the viewer last typed or, where there is no terminal, took output; epoch ms. */
	readonly activeAt: number;
	/** Call when nobody reads any more what it is sent. */
	close(): void;
	/** Call when its channel or the connection is closed. */
	finish(): void;
};

export const mostVariableUnits = 256;
export const mostCommandUnits = 4096;
/** The least that a client takes in one message; OpenSSH's takes 16,384. */
const leastPacketBytes = 1024;
/** How long a terminal may take to close its session once that has ended, and anything else once it reads no more. */
const endMs = secondMs;

const variables: ReadonlySet<string> = new Set<ViewerVariable>(['COLORTERM', 'LANG', 'NO_COLOR']);

/**
 * Answers the requests of a session. What has no listener here, ssh2 refuses. Clients that want no answer to a request leave
 * nothing to accept or to reject.
 */
export function serveSession(session: Session, options: SessionOptions): void {
	const env: Partial<Record<string, string>> = {};
	let size: Size | undefined;
	let output: ChannelOutput | undefined;

	session.on('env', (accept, reject, {key, val}) => {
		if (!variables.has(key)) return reject?.();
		env[key] = cleaned(val, mostVariableUnits);
		accept?.();
	});
	session.on('pty', (accept, reject, info) => {
		if (options.key?.options.noTerminal || output) return reject?.();
		size = sizeOf(info);
		env.TERM = cleaned(info.term, mostVariableUnits);
		accept?.();
	});
	session.on('window-change', (accept, _reject, info) => {
		if (output) output.resize(sizeOf(info));
		else if (size) size = sizeOf(info);
		accept?.();
	});

	/** `accept` gives nothing to who asks twice. */
	function open(accept: () => ServerChannel | undefined, commandText: string | undefined): void {
		const channel = accept();
		if (!channel) return;
		// Before anything is written.
		if (packetSizeOf(channel) < leastPacketBytes) return options.onFault('your client takes only tiny messages');
		const command = commandText === undefined ? undefined : cleaned(commandText, mostCommandUnits);
		const opened = openSession(channel, {...options, env, size, command});
		output = opened.output;
		const isTooLong = commandText !== undefined && commandText.length > mostCommandUnits;
		options.onOpen(opened, isTooLong ? `the command is longer than ${mostCommandUnits} characters` : undefined);
	}

	session.on('shell', accept => open(accept, undefined));
	session.on('exec', (accept, _reject, {command}) => open(accept, command));
}

/** What is drawn for a viewer: more than a wall of screens has, and little enough for many such viewers. */
export const mostSize: Size = {columns: 640, rows: 200};

const sizeOf = ({cols, rows}: {readonly cols: number; readonly rows: number}): Size => ({
	columns: Math.min(cols, mostSize.columns),
	rows: Math.min(rows, mostSize.rows),
});

const cleaned = (text: string, most: number): string => firstUnits(stripControl(text), most);

type Opening = SessionOptions & {
	readonly env: Viewer['env'];
	/** Of the terminal; undefined: there is none. */
	readonly size: Size | undefined;
	readonly command: string | undefined;
};

function openSession(channel: ServerChannel, opening: Opening): OpenSession & {readonly output: ChannelOutput} {
	const {client, socket, gate, clock, limits, key, address, size, command, env, onRefusal} = opening;
	let activeAt = clock.now();
	const touch = (): void => {
		activeAt = clock.now();
	};
	const {bytesPerSecond, framesPerSecond, keysPerSecond} = limits;
	const onTaken = size ? () => {} : touch;
	const writer = createChannelWriter({
		...{client, socket, channel, clock, bytesPerSecond, framesPerSecond, onTaken},
		hasTerminal: size !== undefined,
	});
	const input = new ChannelInput({channel, gate, clock, keysPerSecond, onTyped: touch});
	const output = new ChannelOutput(writer, 'output', clock, size);
	const errors = new ChannelOutput(writer, 'errors', clock, size);
	const [leave, gone] = [new AbortController(), new AbortController()];
	const closed = Promise.withResolvers<void>();
	let ended: Promise<void> | undefined;
	let hasEnded = false;

	function close(): void {
		if (gone.signal.aborted) return;
		writer.close();
		input.destroy();
		output.destroy();
		errors.destroy();
		gone.abort();
	}

	// A write after the end of the channel is not an error of the program.
	for (const stream of [channel, channel.stderr]) stream.on('error', () => {});

	async function end(status: number): Promise<void> {
		let cancel = (): void => {};
		// Whoever does not close its session keeps it.
		const closeSoon = (): void => {
			cancel();
			cancel = clock.after(endMs, () => socket.destroy());
		};
		if (size || gone.signal.aborted) closeSoon();
		// A client closes its side once its pipe has taken all that is still on its way.
		else gone.signal.addEventListener('abort', closeSoon);
		const sayStatus = (): void => {
			if (socket.destroyed) return;
			channel.exit(status);
			channel.end();
			// What waits for room would put that off.
			if (gone.signal.aborted) channel.close();
		};
		// What is destroyed never ends.
		if (gone.signal.aborted) sayStatus();
		else errors.end(() => output.end(sayStatus));
		await closed.promise;
		cancel();
	}

	const endOnce = (status: number): Promise<void> => {
		if (socket.destroyed) return Promise.resolve();
		hasEnded ||= !gone.signal.aborted;
		ended ??= end(status);
		return ended;
	};

	return {
		viewer: {
			key,
			address,
			command,
			terminal: size && {...size, type: env.TERM ?? ''},
			env,
			input,
			output,
			errors,
			end: endOnce,
			reportRefusal: onRefusal,
			leave: leave.signal,
			gone: gone.signal,
		},
		output,
		dismiss: sentence => leave.abort(sentence),
		refuse(sentence) {
			errors.write(`tapewatch: ${sentence}\n`);
			return endOnce(1);
		},
		get hasEnded() {
			return hasEnded;
		},
		get activeAt() {
			return activeAt;
		},
		close,
		finish() {
			closed.resolve();
			close();
		},
	};
}
