import {formatExact} from '../../format/number.ts';
import {hourMs} from '../../market/units.ts';
import * as deliver from '../delivery.ts';
import type {OperationName} from '../operations.ts';
import type {Random} from '../random.ts';
import {type DemoAnswer, type DemoRequest, failure, interfaceOf, Refusal} from '../wire.ts';
import * as change from './data.ts';

/** A request that a fault has hit. */
type FaultCall = {
	readonly request: DemoRequest;
	readonly operation: OperationName;
	/** Epoch ms. */
	readonly now: number;
	readonly random: Random;
	/** Settles when the fault is over. */
	readonly ended: Promise<void>;
	/** The answer without the fault; `query` replaces that of the request. */
	answer(query?: URLSearchParams): Promise<DemoAnswer>;
};

type Fault = {
	/** Its line in the help. */
	readonly help: string;
	readonly apply: (call: FaultCall) => DemoAnswer | Promise<DemoAnswer>;
};

const garbageBytes = 600;

const html =
	'<!DOCTYPE html><html><head><title>Error</title></head><body><h1>It is not you, it is us</h1></body></html>';

const delivered = (how: deliver.Delivery) => async (call: FaultCall) => ({...(await call.answer()), delivery: how});

const refused =
	(status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
	({request, now}: FaultCall) =>
		failure(interfaceOf(request.path), new Refusal(status, message, headers), now);

const redirected = (location: (request: DemoRequest) => string) => (call: FaultCall) => ({
	status: 302,
	headers: {location: location(call.request)},
	body: '',
});

/** A fault that changes good answers; refusals of the demo exchange stay as they are. */
function changed(
	body: (text: string, call: FaultCall) => string | Uint8Array,
	question: (call: FaultCall) => URLSearchParams = call => call.request.query,
) {
	return async (call: FaultCall): Promise<DemoAnswer> => {
		const answer = await call.answer(question(call));
		if (answer.status !== 200 || typeof answer.body !== 'string') return answer;
		return {...answer, body: body(answer.body, call)};
	};
}

const changedEnvelope = (
	envelope: (fields: Readonly<Record<string, unknown>>, call: FaultCall) => object,
	question?: (call: FaultCall) => URLSearchParams,
) =>
	changed((text, call) => {
		const fields: unknown = JSON.parse(text);
		return change.isFields(fields) ? JSON.stringify(envelope(fields, call)) : text;
	}, question);

const changedData = (data: change.DataChange) =>
	changedEnvelope((envelope, {random}) => ({...envelope, data: data(envelope.data, random)}));

const shiftedClock = (shiftMs: number) =>
	changedEnvelope((envelope, {random}) => ({
		...envelope,
		data: change.shiftTimes(shiftMs)(envelope.data, random),
		timestamp: change.shiftTimestamp(envelope.timestamp, shiftMs),
	}));

/** Makes ids long, but not those of candles, which are times. */
const longIds = changed((text, {operation}) =>
	operation === 'v2.candles' ? text : text.replace(/"(id|tradeId)":(\d+)/g, '"$1":90071992547409$2'),
);

/** The query without its limit, for trades. */
function withoutLimit({operation, request}: FaultCall): URLSearchParams {
	const query = new URLSearchParams(request.query);
	if (operation.endsWith('.trades')) query.set('limit', '1000');
	return query;
}

const vanishing = changedData(change.withoutVanished);

function vanish(call: FaultCall): DemoAnswer | Promise<DemoAnswer> {
	const isOfOne = /\.(?:depth|trades|candles)$/.test(call.operation);
	const symbol = call.request.query.get('symbol') ?? '';
	return isOfOne && change.isVanished(symbol.replace('_', '').toUpperCase())
		? refused(422, 'no market has this symbol')(call)
		: vanishing(call);
}

/** Every fault by name, with its help and what it does. */
const table = {
	hang: {help: 'never answers, keeps the connection open', apply: delivered(deliver.hang)},
	reset: {help: 'resets the connection', apply: delivered(deliver.reset)},
	refuse: {
		help: 'closes the port for all operations, from the first such request until for= runs out',
		apply: async call => ({...(await call.answer()), delivery: deliver.refuse(call.ended)}),
	},
	drip: {help: 'sends 1 byte per second', apply: delivered(deliver.drip)},
	delay: {help: 'answers 2.5 s late', apply: delivered(deliver.late)},
	'status-400': {help: '400', apply: refused(400, 'bad request')},
	'status-422': {help: '422', apply: refused(422, 'the request could not be processed')},
	'status-429': {help: '429 without Retry-After', apply: refused(429, 'too many requests')},
	'status-429-wait': {
		help: '429 with Retry-After: 3',
		apply: refused(429, 'too many requests', {'retry-after': '3'}),
	},
	'status-500': {
		help: '500 with a page of HTML',
		apply: () => ({status: 500, headers: {'content-type': 'text/html; charset=utf-8'}, body: html}),
	},
	'status-503': {help: '503', apply: refused(503, 'down for maintenance')},
	'cut-off': {help: 'JSON that ends in the middle', apply: changed(text => text.slice(0, text.length >> 1))},
	garbage: {
		help: 'random bytes as the body',
		apply: changed((_, {random}) => Uint8Array.from({length: garbageBytes}, () => random.uniform() * 256)),
	},
	'wrong-types': {help: 'text for numbers, numbers for text', apply: changedData(change.wrongTypes)},
	'null-data': {help: 'null for data', apply: changedData(() => null)},
	'empty-list': {help: 'lists without entries', apply: changedData(change.emptyLists)},
	'missing-field': {help: 'every third entry lacks a field', apply: changedData(change.missingFields)},
	'unknown-enums': {
		help: 'unknown states, sides and types',
		apply: changedData(change.unknownEnums),
	},
	'success-false': {
		help: '200 with success: false (legacy: isSuccess)',
		apply: changedEnvelope(envelope => ({
			...envelope,
			data: null,
			message: 'down for maintenance',
			...('success' in envelope ? {success: false} : {isSuccess: false}),
		})),
	},
	'endless-body': {help: 'a body of 4 GB', apply: () => ({status: 200, body: '', delivery: deliver.endless})},
	'gzip-bomb': {
		help: '300 kB of gzip that unpack to 300 MB',
		apply: async () => ({status: 200, headers: {'content-encoding': 'gzip'}, body: await deliver.gzipBomb()}),
	},
	'redirect-host': {
		help: 'redirects to another host',
		apply: redirected(({path}) => `https://elsewhere.invalid${path}`),
	},
	'redirect-loop': {
		help: 'redirects to the same address',
		apply: redirected(({path, query}) => (query.size > 0 ? `${path}?${query}` : path)),
	},
	'clock-ahead': {help: 'every time 2 h later', apply: shiftedClock(2 * hourMs)},
	'clock-behind': {help: 'every time 2 h earlier', apply: shiftedClock(-2 * hourMs)},
	'long-ids': {help: 'ids of markets and trades beyond 2^53', apply: longIds},
	duplicates: {help: 'markets, tickers, trades and candles appear twice', apply: changedData(change.duplicates)},
	'more-than-asked': {
		help: `${formatExact(change.mostEntries)} trades, candles or levels per side, whatever the limit`,
		apply: changedEnvelope(
			(envelope, {random}) => ({...envelope, data: change.moreThanRequested(envelope.data, random)}),
			withoutLimit,
		),
	},
	unsorted: {help: 'every list in random order', apply: changedData(change.unsorted)},
	'crossed-book': {help: 'best bids above the best asks', apply: changedData(change.crossed)},
	'negative-prices': {help: 'every third entry has prices below 0', apply: changedData(change.negativePrices)},
	'zero-prices': {help: 'every third entry has prices of 0', apply: changedData(change.zeroPrices)},
	'nan-text': {help: 'every third entry has "NaN" for numbers', apply: changedData(change.nanText)},
	'control-characters': {
		help: 'escape sequences and control characters in every text',
		apply: changedData(change.inEveryString('\u001B[2J\u001B]0;owned\u0007\u0000\u009B31m\u007F')),
	},
	'bidi-overrides': {
		help: 'bidirectional overrides in every text',
		apply: changedData(change.inEveryString('\u202E\u2066\u200F')),
	},
	vanished: {help: 'every second market is gone, BTC/USDT too', apply: vanish},
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof table;

const isName = (text: string): text is FaultName => Object.hasOwn(table, text);

export const faultNames: readonly FaultName[] = Object.keys(table).filter(isName);

export const faults: Readonly<Record<FaultName, Fault>> = table;
