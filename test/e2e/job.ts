import {expect} from 'vitest';
import type {Shell} from '../helpers/terminal.ts';
import {isLive} from './frame.ts';
import {groupLives, command as monitor, openJobs, type Session} from './program.ts';

/** A program as a job of a shell; `pid` is its process and its group. */
export type Job = {
	readonly shell: Session<Shell>;
	readonly pid: number;
	/** How the line discipline was set. */
	readonly before: string;
};

/** Starts `command`, by default the monitor, as a job of a shell that has room for both, and waits until it is live. */
export async function openJob(options: Parameters<typeof openJobs>[0], command = monitor): Promise<Job> {
	const shell = await openJobs(options);
	const before = await shell.lineDiscipline();
	shell.write(`clear; sh -c 'echo "pid $$"; exec ${command}'\r`);
	await shell.waitFor(text => shell.alternate() && isLive(text));
	const pid = Number(/pid (\d+)\r/.exec(shell.raw())?.[1]);
	expect(shell.cursorVisible()).toBe(false);
	return {shell, pid, before};
}

/** What a program says last of the mouse and of the title, which begin with the terminal's own. */
const mouseMode = /\[\?100[26][hl]/g;
const titleChange = /\]2;\P{Cc}*\p{Cc}|\[2[23];2t/gu;

/** Continues the job when it has stopped; the shell's screen is then as it was when the job was started. */
export function foreground({shell, pid}: Job): void {
	// What was typed while it stopped, like an answer of the terminal, may be in the shell's line.
	shell.write(`\u0015clear; echo "pid ${pid}"; fg >/dev/null\r`);
}

/**
 * The terminal is the shell's again: its screen, with the program's last `message`, its cursor, its line
 * discipline, and nothing of the program is left.
 */
export async function expectGivenBack({shell, pid, before}: Job, status: number, message = /^$/): Promise<void> {
	await shell.waitFor(() => !shell.alternate());
	await shell.prompt();
	expect(shell.cursorVisible()).toBe(true);
	expect(shell.raw().match(mouseMode)?.slice(-2)).toEqual(['[?1006l', '[?1002l']);
	expect(shell.raw().match(titleChange)?.slice(-2)).toEqual([']2;\u0007', '[23;2t']);
	const lines = shell.screen().filter(row => row !== '');
	const since = lines.slice(lines.indexOf(`pid ${pid}`));
	expect([since[0], since.slice(1, -1).join('\n'), since.at(-1)]).toEqual([
		`pid ${pid}`,
		expect.stringMatching(message),
		'shell>',
	]);
	shell.write('echo "status $?"\r');
	await shell.waitFor(new RegExp(`^status ${status}$`, 'm'));
	expect(await shell.lineDiscipline()).toBe(before);
	expect(groupLives(pid)).toBe(false);
	shell.write('exit\r');
	await shell.exit;
}
