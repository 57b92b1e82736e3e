import {fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** Ms of a viewer that joins: from the connection to the log-in, and from there to the first frame and the first one with prices. */
export type Joined = {readonly loginMs: number; readonly frameMs: number; readonly dataMs: number};

/** Ms from keys to the screen that shows what they do. */
export type Pressed = {readonly [Key in 'help' | 'escape' | 'next']: readonly number[]};

/** `failed`: connections that the server closed before they were done. */
export type Churned = {readonly failed: number};

type Received = {readonly bytes: number; readonly frames: number};

export type Order =
	| {readonly type: 'join'; readonly commands: readonly (string | undefined)[]; readonly watched: number}
	| {readonly type: 'press'; readonly rounds: number}
	| {readonly type: 'received'}
	| {readonly type: 'churn'; readonly count: number; readonly atOnce: number};

/** Viewers of a server in a process of their own, whose costs are not the server's. */
export type Viewers = {
	/** Adds one by one a viewer for each command, which is one to run, a market, or undefined. The screens of the first `watched` are looked at. */
	join(commands: readonly (string | undefined)[], watched: number): Promise<readonly Joined[]>;
	press(rounds: number): Promise<Pressed>;
	/** What all viewers were sent so far. */
	received(): Promise<Received>;
	/** So many connections, `atOnce` at a time, that end in all ways. */
	churn(count: number, atOnce: number): Promise<Churned>;
	close(): Promise<void>;
};

export function openViewers(port: number): Viewers {
	const child = fork(join(import.meta.dirname, 'viewers.ts'), [String(port)], {serialization: 'advanced'});
	const ended = once(child, 'exit');
	async function tell<Answer>(order: Order): Promise<Answer> {
		child.send(order);
		const [{answer, error}] = await Promise.race([
			once(child, 'message'),
			ended.then(() => [{error: 'the viewers ended'}]),
		]);
		if (error !== undefined) throw new Error(error);
		return answer;
	}

	return {
		join: (commands, watched) => tell({type: 'join', commands, watched}),
		press: rounds => tell({type: 'press', rounds}),
		received: () => tell({type: 'received'}),
		churn: (count, atOnce) => tell({type: 'churn', count, atOnce}),
		async close() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
