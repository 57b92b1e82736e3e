/**
 * Many viewers of a server in a process of its own, as terminals with `ssh` are. `openViewers` starts it, and tells it in
 * messages what to do.
 */
import {setTimeout} from 'node:timers/promises';
import ssh2 from 'ssh2';
import {createScreen, type Screen} from '../../helpers/screen.ts';
import type {Churned, Joined, Order, Pressed} from './open-viewers.ts';
import {size} from './program.ts';

const port = Number(process.argv[2]);
const patienceMs = 60_000;
/** The end of a frame. */
const frameEnd = '\u001B[?2026l';
/** How much a terminal has read, as it is asked now and then. */
const question = /\u001B\[2;(\d+)H\u001B\[6n/g;
/** A question or the end of a frame can come in two pieces. */
const longestSplit = 16;
const prices = /\d\.\d/;
const keyGapMs = 137;

type Viewer = {
	readonly client: ssh2.Client;
	readonly channel: ssh2.ClientChannel;
	readonly joined: Joined;
	/** Of a viewer whose screen is looked at. */
	readonly screen: Screen | undefined;
	/** Called when its screen has changed. */
	onPaint(): void;
};

const viewers: Viewer[] = [];
let bytes = 0;
let frames = 0;
/** A server limits what comes from one address. */
let addresses = 0;

function connect(): ssh2.Client {
	const client = new ssh2.Client().connect({
		...{host: '127.0.0.1', port, username: 'bench', readyTimeout: patienceMs},
		localAddress: `127.0.1.${1 + (addresses++ % 250)}`,
	});
	// As OpenSSH does: else each message waits 40 ms for the one before it.
	return client.once('connect', () => client.setNoDelay(true));
}

const pty = {term: 'xterm-256color', cols: size.columns, rows: size.rows};
const env = {COLORTERM: 'truecolor', LANG: 'C.UTF-8'};

/** Asks for the monitor, or runs the command. */
function ask(client: ssh2.Client, command: string | undefined): Promise<ssh2.ClientChannel> {
	const {promise, resolve, reject} = Promise.withResolvers<ssh2.ClientChannel>();
	const opened: ssh2.ClientCallback = (error, channel) => (error ? reject(error) : resolve(channel));
	if (command === undefined) client.shell(pty, {env}, opened);
	else client.exec(command, {pty, env}, opened);
	return promise;
}

async function ready(client: ssh2.Client): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	client.once('ready', resolve).once('error', reject);
	await promise;
	client.off('error', reject);
	client.on('error', () => {});
}

/** Settles when a frame with prices has come. */
async function join(command: string | undefined, isWatched: boolean): Promise<Viewer> {
	const start = performance.now();
	const client = connect();
	await ready(client);
	const readyAt = performance.now();
	const screen = isWatched ? createScreen(size.columns, size.rows) : undefined;
	const {promise, resolve, reject} = Promise.withResolvers<Viewer>();
	const channel = await ask(client, command);
	let rest = '';
	let frameAt: number | undefined;
	let frame = '';
	channel.on('close', () => reject(new Error('the server closed the connection')));
	screen?.onAnswer(data => channel.write(data));
	channel.on('data', (data: Buffer) => {
		bytes += data.length;
		void screen?.write(data).then(() => viewer.onPaint());
		const piece = data.toString('latin1');
		frames += piece.split(frameEnd).length - 1;
		const text = rest + piece;
		let end = 0;
		for (const {0: asked, 1: column, index} of text.matchAll(question)) {
			end = index + asked.length;
			if (!screen) channel.write(`\u001B[2;${column}R`);
		}

		rest = text.slice(Math.max(end, text.length - longestSplit));
		if (viewer.joined.dataMs > 0) return;
		frame += text;
		if (!frame.includes(frameEnd)) return;
		frameAt ??= performance.now();
		if (!prices.test(frame.slice(frame.indexOf('['), frame.lastIndexOf(frameEnd)))) return;
		viewer.joined = {loginMs: readyAt - start, frameMs: frameAt - readyAt, dataMs: performance.now() - readyAt};
		frame = '';
		resolve(viewer);
	});
	const viewer = {client, channel, screen, joined: {loginMs: 0, frameMs: 0, dataMs: 0}, onPaint() {}};
	return promise;
}

/** Ms from a key to the screen that shows what it does. */
async function press(viewer: Viewer, key: string, shows: (rows: readonly string[]) => boolean): Promise<number> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const start = performance.now();
	viewer.onPaint = () => {
		if (shows(viewer.screen?.text() ?? [])) resolve();
	};
	viewer.channel.write(key);
	await Promise.race([promise, setTimeout(patienceMs)]);
	viewer.onPaint = () => {};
	return performance.now() - start;
}

const isHelp = (rows: readonly string[]): boolean => rows.some(row => row.includes('? Keys'));
const marketOf = (rows: readonly string[]): string => /^ (\S+)/.exec(rows[0] ?? '')?.[1] ?? '';

/** Each of the viewers whose screen is looked at opens the help, closes it and goes on to the next market, in turn. */
async function pressKeys(rounds: number): Promise<Pressed> {
	const pressed: {readonly [Name in keyof Pressed]: number[]} = {help: [], escape: [], next: []};
	for (let round = 0; round < rounds; round++) {
		for (const viewer of viewers.filter(({screen}) => screen)) {
			pressed.help.push(await press(viewer, '?', isHelp));
			await setTimeout(keyGapMs);
			pressed.escape.push(await press(viewer, '\u001B', rows => !isHelp(rows)));
			await setTimeout(keyGapMs);
			const market = marketOf(viewer.screen?.text() ?? []);
			pressed.next.push(await press(viewer, round % 2 === 0 ? 'n' : 'p', rows => marketOf(rows) !== market));
			await setTimeout(keyGapMs);
		}
	}

	return pressed;
}

/** How a connection ends: before and after it has logged in, with and without a word, at once and while it is looked at. */
const endings: ReadonlyArray<(client: ssh2.Client) => Promise<void>> = [
	async client => {
		await ready(client);
		const channel = await ask(client, undefined);
		channel.resume();
		await setTimeout(50);
		channel.write('q');
		await new Promise(resolve => channel.once('close', resolve));
		client.end();
	},
	async client => {
		await ready(client);
		const channel = await ask(client, undefined);
		await new Promise(resolve => channel.once('data', resolve));
		client.destroy();
	},
	async client => {
		await ready(client);
		void ask(client, 'watch').catch(() => {});
		client.destroy();
	},
	async client => {
		await ready(client);
		const channel = await ask(client, 'ticker BTCUSDT');
		channel.resume();
		await new Promise(resolve => channel.once('close', resolve));
		client.end();
	},
	async client => {
		await new Promise<void>(resolve => client.once('handshake', () => resolve()));
		client.destroy();
	},
];

async function churn(count: number, atOnce: number): Promise<Churned> {
	let begun = 0;
	let failed = 0;
	async function one(): Promise<void> {
		while (begun < count) {
			const ending = endings[begun++ % endings.length];
			const client = connect();
			client.on('error', () => {});
			const closed = new Promise<void>(resolve => client.once('close', () => resolve()));
			await Promise.race([ending?.(client), closed]).catch(() => {
				failed++;
			});
			client.destroy();
			await closed;
		}
	}

	await Promise.all(Array.from({length: atOnce}, one));
	return {failed};
}

async function follow(order: Order): Promise<unknown> {
	switch (order.type) {
		case 'join': {
			const joined: Joined[] = [];
			for (const [index, command] of order.commands.entries()) {
				const viewer = await join(command, index < order.watched);
				viewers.push(viewer);
				joined.push(viewer.joined);
			}

			return joined;
		}

		case 'press':
			return pressKeys(order.rounds);
		case 'received':
			return {bytes, frames};
		case 'churn':
			return churn(order.count, order.atOnce);
	}
}

process.on('message', (order: Order) => {
	follow(order).then(
		answer => process.send?.({answer}),
		(error: unknown) => process.send?.({error: String(error)}),
	);
});
