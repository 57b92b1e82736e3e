/** Whether a process of this number runs on this computer, also as another user's. */
export function isRunning(id: number): boolean {
	try {
		return process.kill(id, 0);
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
