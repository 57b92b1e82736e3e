import {expect, test} from 'vitest';
import {type Alerts, createAlerts} from '../../../source/alerts/alerts.ts';
import type {AlertEvent} from '../../../source/alerts/judged-rule.ts';
import {printRule} from '../../../source/alerts/rule.ts';
import {playRecording} from '../../../source/cli/commands/play-recording.ts';
import {createRecordedFeeds} from '../../../source/cli/commands/recorded-feeds.ts';
import {readRules} from '../../../source/cli/options/rule-options.ts';
import type {Trade} from '../../../source/market/types.ts';
import {openRecording, type RecordingReader} from '../../../source/recording/recording-reader.ts';
import {answered, failed, recordSample, startedAt, symbol} from '../../recording/recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;
const seconds = 320;
const perSecond = 24;
/** More than a page has. */
const missing = {from: 210, to: 230};
const outage = {from: 250, to: 280};

const priceAt = (second: number) => Math.round(6000 + 60 * Math.sin(second / 23) + 20 * Math.sin(second / 3)) / 10;

/** A page of trades of two seconds, newest first. */
const pageAt = (second: number): readonly Trade[] =>
	Array.from({length: 2 * perSecond}, (_, index): Trade => {
		const number = (second + 1) * perSecond - 1 - index;
		const time = number / perSecond;
		const side = number % 3 === 0 ? 'buy' : 'sell';
		return {
			id: String(10_000 + number),
			...{time: at(0) + Math.floor(time * 1000), price: priceAt(time), quantity: (Math.abs(number) % 11) / 10 + 0.1},
			...{side, sideText: side},
		};
	});

/** Trades of each second, but for some that are missing, and the book, which fails for a while. */
function record(): string {
	const outcomes = Array.from({length: seconds}, (_, second) => {
		const price = priceAt(second);
		const book = answered.depth({asks: [[price + 1, 1]], bids: [[price - (second % 5), 2]]}, at(second + 1) - 10);
		const isOut = second >= outage.from && second < outage.to;
		return [
			isOut ? failed({ask: 'depth', market: symbol}, at(second + 1) - 10) : book,
			...(second >= missing.from && second < missing.to ? [] : [answered.trades(pageAt(second), at(second + 1))]),
		];
	});
	return recordSample(outcomes.flat());
}

/** What the rules say, and of how many trades the tape consisted at the end. */
async function tried(reader: RecordingReader, texts: readonly string[], longestMs: number) {
	const events: AlertEvent[] = [];
	let trades = 0;
	let alerts: Alerts | undefined;
	const rules = readRules(texts, startedAt).map(rule => ({rule, origin: 'flag', isOff: false}) as const);
	await playRecording({reader}, new AbortController().signal, {
		begin({session, clock}) {
			const lookBackMs = () => longestMs + clock.now() - (alerts?.judgedTo() ?? clock.now());
			const feeds = createRecordedFeeds({reader, clock, moment: () => ({session, time: clock.now()}), lookBackMs});
			alerts = createAlerts({feeds, clock, rules, marketsOf: () => [symbol], onEvent: each => events.push(each)});
			alerts.start();
			return () => {
				const tape = feeds.data().get(symbol)?.state.trades;
				trades = tape?.status === 'ready' ? tape.data.trades.length : 0;
				alerts?.stop();
				feeds.stop();
			};
		},
	});
	return {events, trades};
}

/** 80 trades a second up to 118 s and from 121 s on, and candles that show a higher price in between. */
function recordSpike(): string {
	const rate = 80;
	const page = (second: number) =>
		Array.from({length: 2 * rate}, (_, index): Trade => {
			const number = (second + 1) * rate - 1 - index;
			return {
				id: String(number),
				time: at(0) + Math.floor((number * 1000) / rate),
				price: 600,
				quantity: 1,
				side: 'buy',
			};
		});
	const candle = (minute: number, high: number) => ({
		...{time: at(60 * minute), open: 600, high, low: 600, close: 600, volume: 1},
	});
	return recordSample([
		...Array.from({length: 117}, (_, second) => answered.trades(page(second + 1), at(second + 2))),
		answered.candles([candle(0, 600), candle(1, 700), candle(2, 600)], at(122.5)),
		...[122, 123].map(second => answered.trades(page(second), at(second + 1))),
	]);
}

test('candles tell the same of what is missing on a tape that is cut as on all trades', async () => {
	const reader = openRecording(recordSpike());
	const whole = await tried(reader, ['last crosses 650'], Infinity);
	const cut = await tried(reader, ['last crosses 650'], 0);
	expect(cut.events).toEqual(whole.events);
	expect(whole.events).toMatchObject([{type: 'alert', gap: {high: 700, low: 600}}]);
	reader.close();
});

test('rules say the same on a tape that is cut as on all trades', async () => {
	const reader = openRecording(record());
	for (const [rules, longestMs] of [
		[['last crosses 602 every 5s', 'last > 603 and spread < 3 every 5s'], 0],
		[['high(45s) > 606 every 10s', 'sellVolume(1m) > 560 every 10s'], 60_000],
	] as const) {
		const whole = await tried(reader, rules, Infinity);
		const cut = await tried(reader, rules, longestMs);
		expect(cut.events).toEqual(whole.events);
		const calls = readRules(rules, startedAt).map(
			each => whole.events.filter(({rule}) => printRule(rule) === printRule(each)).length,
		);
		expect(Math.min(...calls)).toBeGreaterThan(3);
		expect(cut.trades).toBeLessThan(whole.trades * 0.6);
	}

	reader.close();
});
