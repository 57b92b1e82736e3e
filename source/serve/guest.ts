import {verify} from 'node:crypto';
import type {Socket} from 'node:net';
import type {AuthContext, Connection, PublicKeyAuthContext} from 'ssh2';
import {firstUnits, stripControl} from '../format/control.ts';
import {formatSpan} from '../format/time.ts';
import type {Clock} from '../market/clock.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import type {Ticket} from './admission.ts';
import {type AuthorizedKey, fingerprintOf} from './authorized-keys.ts';
import type {KeyRing} from './key-ring.ts';
import type {ServeLimits} from './limits.ts';
import {type OpenSession, serveSession} from './session.ts';
import {createSocketGate} from './socket-gate.ts';
import {disconnectReasons, nameSession, onReaderGone, plainDisconnect, sayDisconnect} from './ssh2-internals.ts';
import type {Viewer} from './viewer.ts';

/** Who is at the door, as far as that is known. */
type Caller = {
	readonly address: string;
	/** The name that it gives. */
	readonly user?: string;
	/** Of the key that it offers. */
	readonly fingerprint?: string | undefined;
};

/** What happens at the door, for the log. */
export type DoorEvent =
	| ({readonly type: 'login'} & Caller)
	| ({readonly type: 'logout' | 'refusal'; readonly reason: string} & Caller)
	/** Its connection ends because of a defect of the program. */
	| {readonly type: 'defect'; readonly address: string; readonly error: unknown};

export type GuestOptions = LogInOptions & {
	readonly socket: Socket;
	readonly address: string;
	readonly ticket: Ticket;
	readonly limits: ServeLimits;
	readonly onViewer: (viewer: Viewer) => void;
	readonly onEvent: (event: DoorEvent) => void;
};

/** Time for a viewer to leave by itself, before the connection is closed. */
const leaveMs = 4 * secondMs;
/** Time for the other side to read the last message. */
const partMs = secondMs;
/** Node's timers take no more. */
const longestTimerMs = 30_000 * minuteMs;
const mostNameUnits = 64;
/** A peer that is gone without a word is found after four of these. */
export const keepAliveMs = 30 * secondMs;
const silent = `the client did not answer for ${formatSpan(4 * keepAliveMs)}`;
const defect = 'a defect of Tapewatch ends this connection; please tell the owner of the server';

/** Closes a socket once what was written has been read, or after a second. */
export function part(socket: Socket, clock: Clock): void {
	// A socket that is closed with unread bytes discards what was written.
	socket.removeAllListeners('data');
	socket.resume();
	socket.end();
	const cancel = clock.after(partMs, () => socket.destroy());
	socket.once('close', cancel);
}

export type Guest = ReturnType<typeof createGuest>;

/** One connection, from its first byte to its end. */
export function createGuest(options: GuestOptions) {
	const {socket, address, ticket, limits, clock, ring, onViewer, onEvent} = options;
	let client: Connection | undefined;
	let key: AuthorizedKey | undefined;
	let caller: Caller = {address};
	let isIn = false;
	/** Why a viewer who logged in gets nothing. */
	let refusal: string | undefined;
	let hasSession = false;
	let session: OpenSession | undefined;
	/** What was asked for ran to its end. */
	let isDone = false;
	/** Why it has to go. */
	let parting: string | undefined;
	let [tries, sessions] = [0, 0];
	let [isDismissed, isParting] = [false, false];
	let cancelTimer = (): void => {};

	function inTime(ms: number, callback: () => void): void {
		cancelTimer();
		cancelTimer = clock.after(Math.min(ms, longestTimerMs), callback);
	}

	function refuse(sentence: string): void {
		parting ??= sentence;
		onEvent({type: 'refusal', ...caller, reason: sentence});
	}

	function disconnect(reason: number, sentence: string): void {
		if (isParting) return;
		refuse(sentence);
		leaveWith(reason, sentence);
	}

	function leaveWith(reason: number, sentence: string): void {
		if (client) sayDisconnect(client, reason, sentence);
		else socket.write(plainDisconnect(reason, sentence));
		leave();
	}

	function leave(): void {
		if (isParting) return;
		isParting = true;
		cancelTimer();
		part(socket, clock);
	}

	/** Has it leave with a sentence; it is gone at the latest after five seconds. */
	function dismiss(sentence: string): void {
		if (isDismissed) return;
		isDismissed = true;
		parting ??= sentence;
		if (!session) return disconnect(disconnectReasons.byApplication, sentence);
		session.dismiss(sentence);
		inTime(leaveMs, () => disconnect(disconnectReasons.byApplication, sentence));
	}

	async function answer(context: AuthContext): Promise<void> {
		const result = await judgeTry(context, address, options);
		if (isParting || socket.destroyed) return;
		if (result.type === 'known') return context.accept();
		const user = firstUnits(stripControl(context.username), mostNameUnits);
		if (result.type === 'in') {
			key = result.key;
			isIn = true;
			refusal = ticket.logIn();
			caller = {address, user, fingerprint: key?.fingerprint};
			onEvent({type: 'login', ...caller});
			awaitSession();
			return context.accept();
		}

		if (result.reason !== undefined) {
			const fingerprint = context.method === 'publickey' ? fingerprintOf(context.key.data) : undefined;
			onEvent({type: 'refusal', address, user, fingerprint, reason: result.reason});
			tries++;
		}

		if (tries < limits.triesPerConnection) context.reject(['publickey']);
		else disconnect(disconnectReasons.noMoreMethods, `${tries} keys or passwords were refused`);
	}

	function awaitSession(): void {
		const sentence = 'neither the monitor nor a command was requested';
		inTime(limits.loginMs, () => disconnect(disconnectReasons.byApplication, sentence));
	}

	/** Clients can share a connection for what they ask for one after another (`ControlMaster`). */
	function endSession({finish, hasEnded}: OpenSession): void {
		finish();
		isDone = hasEnded;
		session = undefined;
		if (isDismissed || refusal !== undefined) return leave();
		inTime(limits.loginMs, () => leaveWith(disconnectReasons.byApplication, 'nothing further was requested'));
	}

	function open(opened: OpenSession, fault: string | undefined): void {
		session = opened;
		parting = undefined;
		cancelTimer();
		const sentence = refusal ?? fault;
		if (sentence !== undefined) {
			refuse(sentence);
			void opened.refuse(sentence);
			return inTime(leaveMs, leave);
		}

		if (Number.isFinite(limits.idleMs)) watchIdle(opened);
		// What is thrown while ssh2 reads, it takes for a mistake of the other side.
		queueMicrotask(() => onViewer(opened.viewer));
	}

	function watchIdle(opened: OpenSession): void {
		const leftMs = limits.idleMs - (clock.now() - opened.activeAt);
		if (leftMs <= 0) dismiss(`idle for ${formatSpan(limits.idleMs)}`);
		else inTime(leftMs, () => watchIdle(opened));
	}

	socket.on('error', () => {});
	socket.once('close', () => {
		isParting = true;
		cancelTimer();
		session?.finish();
		ticket.leave();
		const ending = (session?.hasEnded ?? isDone) ? 'done' : 'disconnected';
		if (isIn) onEvent({type: 'logout', ...caller, reason: parting ?? ending});
	});
	inTime(limits.loginMs, () => {
		disconnect(disconnectReasons.byApplication, `log-in took longer than ${formatSpan(limits.loginMs)}`);
	});

	return {
		/** Has it leave because others need its place before the log-in. */
		evict(sentence: string): void {
			if (!isParting) leaveWith(disconnectReasons.tooManyConnections, sentence);
		},
		/** Call when the other side has said that it speaks SSH. */
		greet(greeted: Connection): void {
			client = greeted;
			greeted.on('error', ({level}: Error & {readonly level?: string}) => {
				if (level === 'client-timeout') parting ??= silent;
				leave();
			});
			const gate = createSocketGate(socket, clock);
			socket.once('close', gate.close);
			const waitMs = ticket.begin();
			if (typeof waitMs === 'string') return disconnect(disconnectReasons.tooManyConnections, waitMs);
			gate.rest(waitMs);
			onReaderGone(greeted, () => session?.close());
			// Nothing that a client sends may end the server.
			greeted.on('authentication', context => void answer(context).catch(leave));
			greeted.on('session', (accept, reject) => {
				if (hasSession || isDismissed) return reject();
				// The log-in is for the first one.
				const waitMs = sessions++ > 0 ? ticket.begin() : 0;
				if (typeof waitMs === 'string') {
					refuse(waitMs);
					return reject();
				}

				gate.rest(waitMs);
				hasSession = true;
				const accepted = accept();
				nameSession(accepted);
				accepted.once('close', () => {
					hasSession = false;
					if (session) endSession(session);
				});
				const onFault = (reason: string) => disconnect(disconnectReasons.protocolError, reason);
				serveSession(accepted, {
					...{client: greeted, socket, gate, clock, limits, key, address},
					...{onOpen: open, onRefusal: refuse, onFault},
				});
			});
		},
		/** Has a viewer leave whose key does not open any more. */
		checkKey(): void {
			const sentence = key && ring?.objection(key, address);
			if (sentence !== undefined) dismiss(sentence);
		},
		dismiss,
		/** Has it leave because of a defect of the program. */
		fail(error: unknown): void {
			onEvent({type: 'defect', address, error});
			parting ??= defect;
			if (session && !socket.destroyed) dismiss(defect);
			else socket.destroy();
		},
	};
}

type LogInOptions = {
	/** Undefined: no key opens. */
	readonly ring: KeyRing | undefined;
	/** Who has no key may log in too: under any name, or as `anonymous` where there are keys. */
	readonly anonymous: boolean;
	readonly clock: Clock;
};

/** The outcome of one attempt to log in. */
type Try =
	/** `key` undefined: an anonymous viewer. */
	| {readonly type: 'in'; readonly key: AuthorizedKey | undefined}
	/** The key opens, and its owner has yet to sign. */
	| {readonly type: 'known'}
	/** Undefined: the client only asked how to log in. */
	| {readonly type: 'refused'; readonly reason: string | undefined};

/** Clients ask without a key first: were that enough for everybody, no key would ever be looked at. */
const anonymousName = 'anonymous';

/** Judges one try of a log-in from `address`. The caller answers it. */
async function judgeTry(context: AuthContext, address: string, {ring, anonymous, clock}: LogInOptions): Promise<Try> {
	if (context.method === 'none') {
		const isIn = anonymous && (!ring || context.username === anonymousName);
		return isIn ? {type: 'in', key: undefined} : refused(undefined);
	}

	if (context.method !== 'publickey') return refused(`${context.method} log-in is not supported`);
	await ring?.refresh();
	const key = ring?.find(context.key.data);
	if (!key) return refused('unknown key');
	const reason = key.refusal(address, clock.now());
	if (reason !== undefined) return refused(reason);
	if (context.key.algo !== key.type) return refused('the key is not of the type that it claims');
	const hash = hashOf(key.type, context);
	if (hash === undefined) return refused('signatures with SHA-1 are not accepted');
	if (context.signature === undefined || context.blob === undefined) return {type: 'known'};
	const isSigned = verify(hash, context.blob, key.publicKey, context.signature);
	return isSigned ? {type: 'in', key} : refused('wrong signature');
}

const refused = (reason: string | undefined): Try => ({type: 'refused', reason});

const hashes: Readonly<Record<string, string | null>> = {
	'ssh-ed25519': null,
	'ecdsa-sha2-nistp256': 'sha256',
	'ecdsa-sha2-nistp384': 'sha384',
	'ecdsa-sha2-nistp521': 'sha512',
};

/** Null: the key does without; undefined: one that is not accepted. */
function hashOf(type: string, {hashAlgo}: PublicKeyAuthContext): string | null | undefined {
	return type === 'ssh-rsa' ? hashAlgo : hashes[type];
}
