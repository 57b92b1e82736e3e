import {UsageError} from '../exit.ts';

/** How a command prints what it has read; `--json` is short for `--output json`. */
const outputFormats = ['table', 'wide', 'json', 'ndjson', 'csv', 'tsv'] as const;
export type OutputFormat = (typeof outputFormats)[number];
/** `wide`: with all columns, also on a terminal that is too narrow for them. */
type TableFormat = 'table' | 'wide';

export const isTableFormat = (format: OutputFormat): format is TableFormat => format === 'table' || format === 'wide';

const reads: readonly string[] = ['info', 'markets', 'ticker', 'depth', 'trades', 'candles'];
const tables: readonly string[] = ['alerts', 'doctor', 'recording'];

/** What `command` can print. */
export const formatsOf = (command: string): readonly OutputFormat[] => {
	if (reads.includes(command)) return outputFormats;
	if (tables.includes(command)) return ['table', 'wide', 'json'];
	return command === 'watch' ? ['table', 'json', 'ndjson'] : ['table', 'json'];
};

/** The format that the flags ask for; undefined: by the command. Throws a `UsageError` where they differ. */
export function formatAsked({
	output,
	json,
}: {
	readonly output?: OutputFormat;
	readonly json: boolean;
}): OutputFormat | undefined {
	if (!json || output === 'json') return output;
	if (output === undefined) return 'json';
	throw new UsageError(`--json is --output json: leave out one of --json and --output ${output}`);
}
