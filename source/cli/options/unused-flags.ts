import {UsageError} from '../exit.ts';

/** Flags that draw the whole screen, and those that are about asking an exchange. Others are of use, or harmless, everywhere. */
const screenFlags: ReadonlySet<string> = new Set(['--fps', '--palette']);
const exchangeFlags: ReadonlySet<string> = new Set([
	...[
		'--base-url',
		'--legacy-base-url',
		'--exchange',
		'--interface',
		'--timeout',
		'--rate',
		'--max-rate',
		'--log-file',
	],
]);

/** Refuses flags that this command could only ignore. Throws a `UsageError` about the first of them. */
export function refuseUnused(command: string, flags: readonly string[]): void {
	const unused = (useless: ReadonlySet<string>) => flags.find(flag => useless.has(flag));
	const drawn = command === 'monitor' || command === 'watch';
	const ofScreen = drawn ? undefined : unused(screenFlags);
	if (ofScreen !== undefined)
		throw new UsageError(`${ofScreen} is for the monitor and watch, ${command} draws no screen`);
	const ofExchange = command === 'demo' ? unused(exchangeFlags) : undefined;
	if (ofExchange !== undefined)
		throw new UsageError(`${ofExchange} is not for demo: it serves an exchange and asks none`);
}
