import {describe, expect, test} from 'vitest';
import {market} from '../../store/samples.ts';
import {type Headless, openHeadless} from './headless.ts';

const look = ({outcome}: Headless) => ({...outcome().ui, state: outcome().state});

describe('a market that the exchange has listed since', () => {
	const listed = market('ZKFUSDT');

	test.each([
		['market zkf/usdt', ({state}: ReturnType<typeof look>) => state.symbol],
		['list-add new zkfusdt', ({picker}: ReturnType<typeof look>) => [...(picker.lists.get('new') ?? [])].join()],
		['compare btcusdt zkf_usdt', ({compared}: ReturnType<typeof look>) => compared[1]],
	])('is found by :%s, after one more read of the list', async (text, found) => {
		const monitor = await openHeadless();
		const {markets = 0} = monitor.outcome().calls;
		monitor.exchange.script.markets = () => [market('BTCUSDT'), listed];
		await monitor.type(`:${text}\r`);
		await monitor.wait(300);
		expect([found(look(monitor)), look(monitor).command]).toEqual(['ZKFUSDT', undefined]);
		expect(monitor.outcome().calls.markets).toBe(markets + 1);
	});

	test('is what a rule is of', async () => {
		const monitor = await openHeadless();
		monitor.exchange.script.markets = () => [market('BTCUSDT'), listed];
		await monitor.type(':alert zkf/usdt last > 1\r');
		await monitor.wait(300);
		expect(monitor.outcome().alerts.entries.map(({rule}) => rule.scope)).toEqual([{type: 'market', key: 'ZKFUSDT'}]);
	});

	test('is selected by Enter in the filter that finds it', async () => {
		const monitor = await openHeadless();
		monitor.exchange.script.markets = () => [market('BTCUSDT'), listed];
		await monitor.type('/zkf\r');
		await monitor.wait(300);
		expect(look(monitor).state.symbol).toBe('ZKFUSDT');
	});

	test('is not looked for in a list that was asked for and has it not', async () => {
		const monitor = await openHeadless();
		const {markets = 0} = monitor.outcome().calls;
		monitor.exchange.script.markets = () => undefined;
		await monitor.type(':market zkf/usdt\r');
		expect(look(monitor).command?.fault).toBe('reading the market list again');
		monitor.exchange.last('markets').answer([market('BTCUSDT')]);
		await monitor.wait(300);
		expect(look(monitor).command?.fault).toMatch(/^no market zkf\/usdt/);
		expect(monitor.outcome().calls.markets).toBe(markets + 1);
	});
});
