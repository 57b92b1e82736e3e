// @module-tag ssh
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import ssh2, {type ClientChannel} from 'ssh2';
import {afterAll, expect, onTestFinished, test} from 'vitest';
import type {Viewer} from '../../source/serve/viewer.ts';
import {createKeys, openDoors} from './doors.ts';

const keys = createKeys();
afterAll(keys.remove);

/** More than the window of a client, of all lengths up to some kB. */
const lines = Array.from({length: 4000}, (_, index) => `${index} ${'x'.repeat((index * 37) % 2500)}\n`);
/** What is written at a time. */
const batchLines = 100;

/** A server that writes lines as fast as they are taken. */
async function open() {
	const doors = await openDoors({folder: keys.folder, onViewer: write});
	let taken = 0;
	let takenAt = 0;
	function write({output, leave, end}: Viewer): void {
		const next = (): void => {
			const batch = lines.slice(taken, taken + batchLines);
			output.write(batch.join(''), error => {
				if (error) return;
				taken += batch.length;
				takenAt = doors.clock.now();
				if (taken < lines.length) next();
			});
		};
		next();
		leave.addEventListener('abort', () => void end(143));
	}

	return {
		doors,
		/** Waits until the client takes nothing more, and disconnects it. */
		async stop() {
			await doors.passUntil(() => taken > 0 && doors.clock.now() - takenAt > 30_000);
			await doors.close();
			expect(taken).toBeLessThan(lines.length);
		},
	};
}

function expectWholeLines(received: string): void {
	const count = received.split('\n').length - 1;
	expect(count).toBeGreaterThan(0);
	expect(received === lines.slice(0, count).join('')).toBe(true);
}

test('a client that reads nothing has whole lines when the server ends its session', async () => {
	const {doors, stop} = await open();
	const client = new ssh2.Client();
	onTestFinished(() => void client.destroy());
	client.on('error', () => {});
	const privateKey = readFileSync(join(keys.folder, 'user'));
	client.connect({host: '127.0.0.1', port: doors.port, username: 'ann', privateKey, strictVendor: false});
	await once(client, 'ready');
	const channel = await new Promise<ClientChannel>(resolve => client.exec('watch', (_, opened) => resolve(opened)));
	const gone = once(client, 'close');
	await stop();
	await gone;
	const pieces: Buffer[] = [];
	for (let piece = channel.read(); piece !== null; piece = channel.read()) pieces.push(piece);
	expectWholeLines(Buffer.concat(pieces).toString());
});
