import {type ExchangeError, HttpStatusError, SchemaError} from '../../client/errors.ts';
import type {Instead, Survey} from '../../client/inspect/survey.ts';
import {firstUnits} from '../../format/control.ts';
import {formatCount, formatExact} from '../../format/number.ts';

/** What setup found at an address, a line for each interface. */
export const surveyLines = (surveys: readonly Survey[]): readonly string[] =>
	surveys.map(survey => `  ${survey.interface.padEnd(6)}  ${surveyText(survey)}`);

function surveyText(survey: Survey): string {
	if (survey.isFound) return foundText(survey);
	const {instead, failures} = survey;
	const failure = failures.get('markets');
	if (instead) return `not found: ${insteadText(instead, failure)}`;
	if (failure instanceof SchemaError) return `not found: the answer ${failure.problem}`;
	return `no answer: ${failure?.brief ?? ''}${failure?.words.advice ? `; ${failure.words.advice}` : ''}`;
}

const nouns = {markets: 'market list', depth: 'order book', ticker: 'ticker', trades: 'trades', candles: 'candles'};

function foundText({markets, durationMs, interface: source, book, failures}: Survey): string {
	const read = (['markets', 'ticker', 'depth', 'trades', ...(source === 'v2' ? (['candles'] as const) : [])] as const)
		.filter(operation => !failures.has(operation))
		.map(operation => (operation === 'depth' && !book?.bids ? 'order book (asks only)' : nouns[operation]));
	const failed = Object.entries(nouns).flatMap(([operation, noun]) => {
		const failure = [...failures].find(([each]) => each === operation)?.[1];
		return failure ? [`no ${noun} (${failure.brief})`] : [];
	});
	return `${formatCount(markets, 'market')} in ${formatExact(durationMs)} ms: ${[...read, ...failed].join(', ')}`;
}

const longestQuote = 60;

/** What answers at an address that is no such exchange. */
function insteadText({status, contentType, title, start}: Instead, failure: ExchangeError | undefined): string {
	const isMissing = failure instanceof HttpStatusError && failure.status === 404;
	const refusal = failure instanceof HttpStatusError ? (isMissing ? 'HTTP 404' : failure.brief) : '';
	const what = (): string => {
		if (title !== undefined) return `a web page, “${title}”`;
		if (contentType === 'text/html' || /^<!doctype html|^<html/i.test(start)) return 'a web page';
		if (start === '') return 'an empty answer';
		const quoted = start.length > longestQuote ? `${firstUnits(start, longestQuote)}…` : start;
		if (!/^[[{]/.test(start)) return `${contentType ?? 'text'}, ${quoted}`;
		return failure ? `unexpected JSON, ${quoted}` : 'a list without a market';
	};
	if (status >= 300 && status < 400) return refusal;
	return refusal ? `${refusal}${start === '' ? '' : ` (${what()})`}` : what();
}
