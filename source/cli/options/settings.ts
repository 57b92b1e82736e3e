import * as z from 'zod';
import {parsePeriod} from '../../format/time.ts';
import {editDistance} from '../../market/symbol.ts';
import {remapFault} from '../../view/remap.ts';
import {UsageError} from '../exit.ts';

/** Flags and variables arrive as text, the config file has types of its own: both read `5000` and `true`. */
const numberFromText = (value: unknown) =>
	typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;

const booleanWords = new Map<unknown, boolean>([
	['1', true],
	['true', true],
	['yes', true],
	['0', false],
	['false', false],
	['no', false],
]);
const booleanFromText = (value: unknown) =>
	typeof value === 'string' ? (booleanWords.get(value.trim().toLowerCase()) ?? value) : value;

function number(unit: string, from: number, to: number) {
	const error = `must be a number of ${unit} from ${from} to ${to}`;
	return z.preprocess(numberFromText, z.number(error).min(from, error).max(to, error));
}

function oneOf<const Words extends readonly string[]>(words: Words) {
	return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

const address = z.string('must be an address such as https://api.example.com').transform((text, context) => {
	const refuse = (message: string) => {
		// Without the input: it may hold a password.
		context.issues.push({code: 'custom', message, input: undefined});
		return z.NEVER;
	};

	const url = URL.parse(text.trim());
	if (!url) return refuse('must be an address such as https://api.example.com');
	if (url.username || url.password) {
		return refuse('must not carry a user name or password: the interface is public, give the address without them');
	}

	if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('must begin with http:// or https://');
	if (url.search || url.hash) return refuse('must not carry a query or a fragment: give the base address alone');
	return url.href;
});

const minutes = z
	.union([z.number(), z.string()], 'must be minutes, or a period such as 15m, 1h, 1d')
	.transform((value, context) => {
		const period = parsePeriod(String(value));
		if (period !== undefined) return period;
		context.issues.push({code: 'custom', message: 'must be minutes, or a period such as 15m, 1h, 1d', input: value});
		return z.NEVER;
	});

const text = (what: string) => z.string(`must be ${what}`).trim().min(1, `must be ${what}`);

const pollInterval = number('seconds', 0.2, 86_400).transform(seconds => seconds * 1000);

const intervalsTable = z
	.strictObject(
		{depth: pollInterval, trades: pollInterval, tickers: pollInterval, candles: pollInterval, markets: pollInterval},
		'must be a table of seconds',
	)
	.partial();

const keysTable = z
	.record(
		z.string(),
		z.union([z.string().transform(key => [key]), z.array(z.string())], 'must be a key or a list of keys'),
		'must be a table of keys',
	)
	.superRefine((keys, context) => {
		const fault = remapFault(keys);
		if (fault) context.addIssue({code: 'custom', path: [fault.name], message: fault.message});
	});

const profileTable = z
	.strictObject({'base-url': address, 'legacy-base-url': address}, 'must be a table with base-url, legacy-base-url')
	.partial()
	.refine(({'base-url': v2, 'legacy-base-url': v1}) => v2 !== undefined || v1 !== undefined, {
		error: 'needs base-url, legacy-base-url or both',
	});

/** Every setting, by the name that its flag, its variable and the config file share. The one schema of all three. */
const settingsSchema = z
	.strictObject({
		'base-url': address,
		'legacy-base-url': address,
		exchange: text('the name of an exchange of the config file, or demo'),
		interface: oneOf(['auto', 'v2', 'legacy']),
		timeout: number('milliseconds', 1, 600_000),
		rate: number('requests a second', 0.01, 1000),
		'max-rate': number('requests a second', 0.01, 1000),
		market: text('a market such as BTCUSDT'),
		period: minutes,
		color: oneOf(['auto', 'never', 'always']),
		palette: oneOf(['classic', 'swapped', 'blue-orange']),
		ascii: z.preprocess(booleanFromText, z.boolean('must be true or false')),
		fps: number('frames a second', 0.1, 60),
		'log-file': text('the path of a file'),
		intervals: intervalsTable,
		keys: keysTable,
		exchanges: z.record(z.string(), profileTable, 'must be a table of exchanges'),
	})
	.partial();

/** What one source says; a setting that it does not name is absent. */
export type Settings = z.output<typeof settingsSchema>;

/** Settings that have a flag and a variable; the tables have neither. */
export const settingNames = settingsSchema
	.keyof()
	.options.filter(name => name !== 'intervals' && name !== 'keys' && name !== 'exchanges');

/** The field that an error is about, outermost table first. */
export type Field = readonly string[];

/**
 * Checks what one source says. `locate` turns a field into what the user reads, e.g. `--timeout`.
 * Throws a `UsageError` about the first field that is wrong or unknown.
 */
export function readSettings(raw: unknown, locate: (field: Field) => string): Settings {
	const result = settingsSchema.safeParse(raw);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const field = issue?.path.map(String) ?? [];
	if (issue?.code !== 'unrecognized_keys') throw new UsageError(`${locate(field)} ${issue?.message}`);
	const [key = ''] = issue.keys;
	throw new UsageError(`${locate([...field, key])} is not known; ${knownInstead(field, key)}`);
}

function knownInstead(table: Field, key: string): string {
	const known = knownKeys(table);
	const nearest = known.toSorted((a, b) => editDistance(key, a) - editDistance(key, b))[0] ?? '';
	const isTypo = editDistance(key, nearest) <= nearest.length / 3;
	return isTypo ? `did you mean ${nearest}?` : `known are ${known.join(', ')}`;
}

function knownKeys([table]: Field): readonly string[] {
	if (table === 'intervals') return intervalsTable.keyof().options;
	if (table === 'exchanges') return profileTable.keyof().options;
	return settingsSchema.keyof().options;
}
