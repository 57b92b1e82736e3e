import * as z from 'zod';
import type {Operation} from '../client/errors.ts';
import {
	count,
	interfaceName,
	milliseconds,
	operation as operationName,
	origin,
	text,
	time,
	tradeFields,
} from './parts.ts';

/** The report of `doctor --json`. */

/** One of these values, or one that is added later. */
const openEnum = <Value extends string>(values: readonly Value[]) =>
	z.string().meta({examples: [...values]}) as z.ZodType<string> as z.ZodType<Value>;

const operation = operationName as z.ZodType<string> as z.ZodType<Operation>;
const place = {interface: interfaceName, operation};
const measured = <Result extends z.ZodType>(result: Result) =>
	result.nullable().describe('null: it could not be measured; a finding with the severity `unchecked` says why.');

const deviation = z.object({
	path: z.string().describe('Of the field, with [] for the entries of a list; empty: the answer as a whole.'),
	problem: openEnum([
		...(['missing', 'unknown', 'mistyped', 'undocumented', 'long', 'rounded', 'sign', 'control'] as const),
		...(['repeated', 'unsorted', 'unit', 'implausible', 'future', 'offset'] as const),
	]).describe(
		'`undocumented`: a value that the specification does not show. `long`: an integer beyond 2^53. `rounded`: a number of more digits than a double holds. `control`: control characters in a text. `repeated`: entries equal to an earlier one. `unit`: a time that is plausible in another unit; `implausible`: in none. `future`: later than the answer. `offset`: without UTC offset.',
	),
	expected: text.describe('Type, sign, unit or order in the specification.'),
	found: text.describe('Type or unit in the answer; of `undocumented` the value.'),
	example: text.describe('The first such value as sent.'),
	count: count.describe('How often it was found.'),
	of: count.describe('In how many places it was looked for.'),
});

const flaw = z.object({
	kind: openEnum([
		...(['empty', 'absent', 'unreadable', 'inactive', 'crossed', 'unpriced', 'sideless', 'spacing'] as const),
	]).describe(
		'`empty`: the part has no entry. `absent`: no readable entry for the inspected market. `unreadable`: only the name in its entry is readable. `inactive`: its state is the example. `crossed`: the best bid is above the best ask, or equal to it in a book. `unpriced`: no last price, although there is volume. `sideless`: the side of a trade is unknown. `spacing`: candles apart from the one before by no multiple of the period.',
	),
	part: z.string().describe('The list, e.g. asks.'),
	example: text.describe('The first such entry, in words.'),
	count,
	of: count,
});

const operationReport = z.object({
	...place,
	requests: count,
	failures: count.describe('How many of the requests failed.'),
	repeats: count.describe('Requests of all kinds that failed other than by the rate limit, and were sent again.'),
	repeatedAfter: text.describe('How the last of those failed.'),
	status: z.int().nullable().describe('HTTP status of the last answer.'),
	error: text.describe('The last failure.'),
	p50Ms: milliseconds.nullable(),
	p95Ms: milliseconds.nullable(),
	sentBytes: count.nullable().describe('Size of the last good answer as it was sent.'),
	bytes: count.nullable().describe('Size of the last good answer when decompressed.'),
	encoding: text.describe('Content-Encoding of the last good answer.'),
	entries: count.nullable(),
	dropped: count.describe('Entries of the last good answer that could not be read.'),
	cut: count.describe('Entries that were not read, as the list is too long.'),
	deviations: z.array(deviation),
	flaws: z.array(flaw),
});

const limit = z.object({
	...place,
	default: count.nullable().describe('Entries when no limit is sent.'),
	answers: z.array(
		z.object({
			limit: count,
			outcome: z.enum(['answered', 'refused', 'failed']),
			entries: count.nullable(),
			status: z.int().nullable(),
		}),
	),
	most: z
		.object({entries: count, beyond: z.enum(['refused', 'cut', 'more', 'all', 'unknown'])})
		.nullable()
		.describe(
			'The most entries of one answer, and what becomes of a limit beyond that: `refused`, `cut` or served (`more`), or there are no more entries (`all`).',
		),
	exceeded: z
		.object({limit: count, entries: count})
		.nullable()
		.describe('The first limit that was answered with more entries.'),
	documented: z
		.object({default: z.enum(['ok', 'differs', 'unknown']), most: z.enum(['ok', 'differs', 'unknown'])})
		.nullable()
		.describe('Whether the default and the most are the documented ones; null: none are documented.'),
});

const agreement = z
	.object({compared: count, agreeing: count, differing: z.array(z.string())})
	.meta({id: 'agreement', description: 'Of values of two operations; `differing` names symbols or prices.'});

const differingTrade = z.object({
	...tradeFields,
	side: tradeFields.side.optional(),
	sideText: tradeFields.sideText.optional(),
	key: text.optional().describe('Tells fills of one order apart.'),
});

export const doctor = z.object({
	verdict: z
		.enum(['healthy', 'incomplete', 'warnings', 'unusable'])
		.describe('`incomplete`: no problem found, but not every check could be made.'),
	checkedAt: time,
	symbol: z.string().describe('The inspected market.'),
	requests: count,
	operations: z.array(operationReport),
	v2Bids: z.boolean().nullable().describe('Whether the v2 book shows bids.'),
	clocks: z.array(
		z.object({
			interface: interfaceName,
			skewMs: milliseconds.describe("How far the exchange's clock is ahead of this computer's, in milliseconds."),
			uncertaintyMs: milliseconds,
			operations: z
				.array(operation)
				.nullable()
				.describe('The only ones that have this clock; null: all, or all others.'),
			frozenAt: time.nullable().describe('The time that it always shows; null: it runs.'),
		}),
	),
	tradeClocks: z.array(
		z.object({
			interface: interfaceName,
			serverTimeAheadMs: milliseconds
				.nullable()
				.describe("How far the server time is ahead of the trades' own times; null: by less than 2 s, or not known."),
		}),
	),
	tickerDelays: z.array(
		z.object({
			...place,
			delay: measured(
				z.object({
					samples: count.describe('Answers that could be compared.'),
					behind: count.describe('How many of them showed a price other than that of the last trade before.'),
					atLeastMs: milliseconds.describe(
						'Since its price was replaced by another trade, in the worst answer; in ms.',
					),
					medianMs: milliseconds.describe('The same in half of the answers.'),
				}),
			),
		}),
	),
	limits: z.array(limit),
	rangeUnit: measured(z.enum(['ms', 's', 'both', 'neither', 'other'])),
	shortLists: z
		.array(z.object({...place, missing: z.array(z.string()), of: count}))
		.describe('Lists of markets that lack markets of the others.'),
	summary: measured(z.object({last: agreement, bid: agreement, ask: agreement, state: agreement})).describe(
		"Of v2's ticker and summary; null: v2 is not configured, or they could not be compared.",
	),
	states: z
		.array(
			z.object({
				...place,
				compared: count,
				differing: z.array(z.object({symbol: z.string(), listed: z.string(), found: z.string()})),
			}),
		)
		.describe("The states of markets in v2's list and in each list of tickers."),
	agreement: z
		.object({
			tickers: measured(z.object({last: agreement, bid: agreement, ask: agreement})),
			book: measured(z.object({asks: agreement, bids: agreement.nullable()})),
			trades: measured(
				z.object({
					agreeing: count,
					sameIds: count.describe(
						'How many of the agreeing trades have one id; on legacy the id is that of the order.',
					),
					differing: z.array(
						z.object({
							...{v2: differingTrade, legacy: differingTrade},
							fields: z.array(z.enum(['time', 'price', 'quantity'])),
						}),
					),
					legacyLagMs: milliseconds.describe(
						'By how much the newest trade of legacy is older than that of v2; below 0: newer; in ms.',
					),
					onlyV2: z.array(differingTrade),
					onlyLegacy: z.array(differingTrade),
				}),
			),
		})
		.nullable()
		.describe('Of v2 and legacy; null: only one of them is configured.'),
	caches: z
		.array(
			z.object({
				interface: interfaceName,
				answers: count.describe('Good answers.'),
				hits: count.describe('How many of them a cache had kept.'),
				oldestMs: milliseconds.describe('The age of the oldest of these when it came.'),
				isSaid: z.boolean().describe('Whether headers tell of the cache; otherwise an answer came twice.'),
				via: text.describe('The last `Via`.'),
			}),
		)
		.describe('None of an interface where no cache is known.'),
	connections: z.array(
		z.object({
			...{interface: interfaceName, requests: count},
			opened: count.describe('Connections opened for these requests.'),
			reopened: count.describe('How many of them right after an answer, whose connection could be kept.'),
		}),
	),
	rateLimit: z.object({
		refusals: count.describe('Requests that were answered 429.'),
		longestWaitMs: milliseconds.nullable(),
		allowed: z.number().describe('Requests per second that were allowed in the end.'),
		headers: z.array(z.object({interface: interfaceName, name: z.string(), value: z.string()})),
	}),
	findings: z
		.array(
			z.object({
				severity: z
					.enum(['failure', 'warning', 'note', 'unchecked'])
					.describe(
						'`failure`: the exchange cannot be watched. `warning`: something is missing, late or doubtful. `note`: a harmless deviation from the specification. `unchecked`: checks that could not be made.',
					),
				code: z.string().describe('The kind of finding.'),
				text: z.string().describe('For people.'),
				interface: interfaceName.nullable().describe('null: it is about more than one, or the exchange as a whole.'),
				operation: operation.nullable(),
				field: text.describe('The path of a field in the answers.'),
				example: text.describe('A value as sent.'),
				checks: z.array(z.string()).nullable().describe('Only of `unchecked`: what could not be checked.'),
			}),
		)
		.describe('Worst first.'),
	...origin,
});
