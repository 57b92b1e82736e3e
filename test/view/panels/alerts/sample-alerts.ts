import type {AlertEntry, AlertsState, JudgedMarket} from '../../../../source/alerts/alerts.ts';
import type {Alert} from '../../../../source/alerts/judged-rule.ts';
import {parseRule} from '../../../../source/alerts/rule.ts';

export const now = Date.UTC(2026, 10, 22, 14, 5);
const at = (clock: string): number => Date.parse(`2026-11-22T${clock}Z`);

const entry = (text: string, more: Partial<AlertEntry> & {readonly markets: readonly JudgedMarket[]}): AlertEntry => ({
	...{id: text, rule: parseRule(text, {marketNamed: key => ({key}), now: 0}), origin: 'user', isOff: false},
	...more,
});

const judged = (symbol: string, more: Partial<JudgedMarket> = {}): JudgedMarket => ({
	...{symbol, isDone: false, pollMs: 0, judgedOn: [{market: symbol, ask: 'trades', receivedAt: now - 400}]},
	...more,
});

export const alertOf = (text: string, symbol: string, more: Partial<Alert> = {}): Alert => ({
	...{type: 'alert', rule: parseRule(text, {marketNamed: key => ({key}), now: 0}), symbol},
	...{time: at('14:03:12'), values: {last: 70_012.5}},
	...more,
});

const fired = alertOf('BTCUSDT last crosses 70000', 'BTCUSDT');
const blind = {since: at('14:02:59'), why: 'timed out'};

/** Alerts in every state. */
export const entries: readonly AlertEntry[] = [
	entry('BTCUSDT last crosses 71000', {markets: [judged('BTCUSDT')]}),
	entry('BTCUSDT last crosses 70000', {markets: [judged('BTCUSDT', {fired, isDone: true})]}),
	entry('ETHUSDT changePercent(5m) < -2 every 10m note dip', {
		origin: 'flag',
		markets: [judged('ETHUSDT', {blind, fired: {...fired, values: {'changePercent(5m)': -2.314_159_265_358_979}}})],
	}),
	entry('* last > 1.02 * open', {
		origin: 'config',
		markets: [
			judged('SOLUSDT', {judgedOn: [{market: 'SOLUSDT', ask: 'tickers', receivedAt: now - 3200}]}),
			judged('XRPUSDT', {judgedOn: [{market: 'XRPUSDT', ask: 'tickers'}]}),
		],
	}),
	entry('BTCUSDT ETHBTC.last > sma(50, 1h) every 1h', {
		markets: [
			judged('BTCUSDT', {
				fired: {...fired, time: at('14:03:12') - 86_400_000, values: {'ETHBTC.last': 0.05, 'ETHBTC.sma(50, 1h)': null}},
				judgedOn: [
					{market: 'ETHBTC', ask: 'trades', receivedAt: now - 1000},
					{market: 'ETHBTC', ask: 'candles', period: 60, receivedAt: now - 61_000},
				],
			}),
		],
	}),
	entry('--list calm last < 2', {markets: []}),
	entry('SHIBUSDT last < 0.00001', {markets: [judged('SHIBUSDT')], isOff: true}),
	entry('BTCUSDT spread > 5 until 2026-11-22 14:00', {markets: [judged('BTCUSDT', {isDone: true})]}),
];

export const sampleAlerts: AlertsState = {entries, unseen: []};
