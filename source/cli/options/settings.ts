import * as z from 'zod';
import {parseDuration, parsePeriod} from '../../format/time.ts';
import {zoneNamed} from '../../format/zone.ts';
import {nearestWord} from '../../market/symbol.ts';
import {typedNumber} from '../../market/typed-number.ts';
import {dayMs, minuteMs} from '../../market/units.ts';
import {basicNames, paletteNames, themeNames, toneNames} from '../../view/theme/names.ts';
import {UsageError} from '../exit.ts';
import {callCommand, notify} from './call-settings.ts';

/** Flags and variables are text, while the config file has numbers and booleans. */
const numberFromText = (value: unknown, context: z.RefinementCtx, error: string) => {
	if (typeof value !== 'string') return value;
	const number = typedNumber(value);
	if ('value' in number) return number.value;
	context.issues.push({code: 'custom', message: `${error}: ${number.fault}`, input: value});
	return z.NEVER;
};

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
	const inRange = z.number(error).min(from, error).max(to, error);
	return z.preprocess((value, context) => numberFromText(value, context, error), inRange);
}

function oneOf<const Words extends readonly string[]>(words: Words) {
	return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

const address = z.string('must be an address such as https://api.example.com').transform((text, context) => {
	const refuse = (message: string) => {
		// The input may contain a password.
		context.issues.push({code: 'custom', message, input: undefined});
		return z.NEVER;
	};

	const url = URL.parse(text.trim());
	if (!url) return refuse('must be an address such as https://api.example.com');
	if (url.username || url.password) {
		return refuse('must not contain a user name or password: the interface is public');
	}

	if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('must begin with http:// or https://');
	if (url.search || url.hash) return refuse('must not contain a query or a fragment');
	return url.href;
});

const minutesText = 'must be minutes, or a period such as 15m, 1h, 1d, 1M';
const minutes = z.union([z.number(), z.string()], minutesText).transform((value, context) => {
	const period = parsePeriod(String(value));
	if ('value' in period) return period.value;
	context.issues.push({code: 'custom', message: `${minutesText}: ${period.fault}`, input: value});
	return z.NEVER;
});

const text = (what: string) => z.string(`must be ${what}`).trim().min(1, `must be ${what}`);

const pollInterval = number('seconds', 0.2, 86_400).transform(seconds => seconds * 1000);

const rewindText = 'must be a time from 1m to 24h, such as 2h, or off';
const rewind = z.string(rewindText).transform((value, context) => {
	if (value.trim() === 'off') return 0;
	const time = parseDuration(value);
	if ('value' in time && time.value >= minuteMs && time.value <= dayMs) return time.value;
	context.issues.push({code: 'custom', message: rewindText, input: value});
	return z.NEVER;
});

const timezone = z.string('must be local, UTC or a zone such as Europe/Berlin').transform((value, context) => {
	const zone = zoneNamed(value);
	if ('value' in zone) return zone.value;
	context.issues.push({code: 'custom', message: `is wrong: ${zone.fault}`, input: value});
	return z.NEVER;
});

const intervalsTable = z
	.strictObject(
		{depth: pollInterval, trades: pollInterval, tickers: pollInterval, candles: pollInterval, markets: pollInterval},
		'must be a table of seconds',
	)
	.partial();

const colorText = 'must be a colour such as #26c281 or bright-green';

const keysTable = z.record(
	z.string(),
	z.union([z.string().transform(key => [key]), z.array(z.string())], 'must be a key or a list of keys'),
	'must be a table of keys',
);

const color = z.string(colorText).regex(new RegExp(`^(#[0-9a-fA-F]{6}|${basicNames.join('|')})$`), colorText);
const colorsTable = z.partialRecord(z.enum(toneNames), color, 'must be a table of colours');

const profileTable = z
	.strictObject({'base-url': address, 'legacy-base-url': address}, 'must be a table with base-url, legacy-base-url')
	.partial()
	.refine(({'base-url': v2, 'legacy-base-url': legacy}) => v2 !== undefined || legacy !== undefined, {
		error: 'needs base-url, legacy-base-url or both',
	});

/** A rule of the config file. */
export type ConfigRule = {
	readonly rule: string;
	/** Its place in the file, for the user. */
	readonly where?: string | undefined;
};

const ruleTable = z
	.strictObject({rule: text('a rule such as "BTCUSDT last crosses 70000"').optional()}, 'must be a table with rule')
	// A misspelled field is reported before the absence of this one.
	.transform(({rule}, context): ConfigRule => {
		if (rule !== undefined) return {rule};
		context.issues.push({code: 'custom', message: 'needs rule', input: rule});
		return z.NEVER;
	});

export const mostConfigRules = 500;
const rulesTable = z
	.array(ruleTable, 'must be tables [[alerts]]')
	.max(mostConfigRules, `must be at most ${mostConfigRules}`);

/** Every setting, by the name that its flag, its variable and its config field share. */
const settingsSchema = z
	.strictObject({
		'base-url': address,
		'legacy-base-url': address,
		exchange: text('the name of an exchange in the config file, or demo'),
		interface: oneOf(['auto', 'v2', 'legacy']),
		timeout: number('milliseconds', 1, 600_000),
		rate: number('requests per second', 0.01, 1000),
		'max-rate': number('requests per second', 0.01, 1000),
		'max-body': number('megabytes', 0.1, 256),
		market: text('a market such as BTCUSDT'),
		period: minutes,
		'quote-currency': text('an asset such as USDT').transform(asset => asset.toUpperCase()),
		timezone,
		color: oneOf(['auto', 'never', 'always']),
		theme: oneOf(themeNames),
		palette: oneOf(paletteNames),
		ascii: z.preprocess(booleanFromText, z.boolean('must be true or false')),
		mouse: z.preprocess(booleanFromText, z.boolean('must be true or false')),
		title: z.preprocess(booleanFromText, z.boolean('must be true or false')),
		fps: number('frames per second', 0.1, 60),
		'log-file': text('the path of a file'),
		notify,
		'on-alert': callCommand,
		// Candles are polled every 15 s: those of most rules would always be older than a shorter time.
		'blind-after': number('seconds', 20, 86_400).transform(seconds => seconds * 1000),
		rewind,
		alerts: rulesTable,
		intervals: intervalsTable,
		keys: keysTable,
		colors: colorsTable,
		exchanges: z.record(z.string(), profileTable, 'must be a table of exchanges'),
	})
	.partial();

/** The settings of one source. A setting that it does not give is absent. */
export type Settings = z.output<typeof settingsSchema>;

const tableNames = ['alerts', 'intervals', 'keys', 'colors', 'exchanges'] as const;
const isTable = (name: string): name is (typeof tableNames)[number] => tableNames.some(each => each === name);

/** Settings that have a flag and a variable; the tables have neither. */
export const settingNames = settingsSchema.keyof().options.filter(name => !isTable(name));

/** The path of a field, outermost table first. */
export type Field = readonly string[];

/**
 * Checks the settings of one source. Throws a `UsageError` about the first wrong or unknown field; `locate` names a field
 * for the user, such as `--timeout`.
 */
export function readSettings(raw: unknown, locate: (field: Field) => string): Settings {
	const result = settingsSchema.safeParse(raw);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const field = issue?.path.map(String) ?? [];
	if (issue?.code !== 'unrecognized_keys') throw new UsageError(`${locate(field)} ${issue?.message}`);
	const [key = ''] = issue.keys;
	throw new UsageError(`${locate([...field, key])} does not exist; ${suggestion(field, key)}`);
}

function suggestion(table: Field, key: string): string {
	const keys = keysOf(table);
	const nearest = nearestWord(key, keys);
	return nearest === undefined ? `choose from ${keys.join(', ')}` : `did you mean ${nearest}?`;
}

function keysOf([table]: Field): readonly string[] {
	if (table === 'intervals') return intervalsTable.keyof().options;
	if (table === 'exchanges') return profileTable.keyof().options;
	if (table === 'alerts') return ['rule'];
	if (table === 'colors') return toneNames;
	return settingsSchema.keyof().options;
}
