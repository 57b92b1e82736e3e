import {describe, expect, onTestFinished, test} from 'vitest';
import {checkUnlisted, marketNamed, onceListed, readMarket} from '../../../source/cli/commands/lookup.ts';
import {ownOutput} from '../../../source/cli/output.ts';
import type {Market} from '../../../source/market/types.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {aborted, market, timeout, tooMany} from '../../store/samples.ts';

function setUp() {
	const clock = createFakeClock(0);
	const exchange = createFakeExchange(clock);
	const reading = readMarket({exchange, clock, output: ownOutput}, 'btc-usdt', {}, symbol => exchange.depth(symbol));
	return {clock, exchange, reading};
}

test('a market gets its names from the list, whichever answer arrives first', async () => {
	const listed = {...market('BTCUSDT'), base: 'BTC'};
	const {exchange, reading} = setUp();
	exchange.last('depth').answer({asks: []});
	exchange.last('markets').answer([listed]);
	expect((await reading).market).toEqual(listed);
});

test('waits at most a second for the list', async () => {
	const {clock, exchange, reading} = setUp();
	exchange.last('depth').answer({asks: []});
	const {signal} = exchange.last('markets').options;
	signal?.addEventListener('abort', () => exchange.last('markets').fail(aborted('markets')));
	await clock.advance(999);
	expect(signal?.aborted).toBe(false);
	await clock.advance(1);
	expect(await reading).toMatchObject({market: {symbol: 'BTCUSDT', state: ''}, answer: {data: {asks: []}}});
	expect(clock.timers).toBe(0);
});

test('an empty list is no evidence against a market', async () => {
	const {exchange, reading} = setUp();
	exchange.last('markets').answer([]);
	exchange.last('depth').answer({asks: []});
	expect(await reading).toMatchObject({market: {symbol: 'BTCUSDT', state: ''}, answer: {data: {asks: []}}});
});

test('a failed read waits for the list, which may explain why', async () => {
	const {clock, exchange, reading} = setUp();
	exchange.last('depth').fail(timeout());
	await clock.advance(4000);
	exchange.last('markets').answer([market('ETHUSDT')]);
	await expect(reading).rejects.toThrow('no market btc-usdt; did you mean ETHUSDT?');
});

test('a read that is rate-limited does not wait for the list, which is too', async () => {
	const {exchange, reading} = setUp();
	const {signal} = exchange.last('markets').options;
	signal?.addEventListener('abort', () => exchange.last('markets').fail(aborted('markets')));
	exchange.last('depth').fail(tooMany());
	await expect(reading).rejects.toMatchObject({status: 429});
});

test('refuses a name that several markets share, and finds each by its pair or number', () => {
	const shared = (id: string, base: string, quote: string, state = 'active') => ({
		...{symbol: `${base}${quote}#${id}`, id, base, quote, state, type: 'Spot'},
	});
	const markets = [
		...[shared('2', 'A', 'BUSD'), shared('3', 'AB', 'USD')],
		...[shared('4', 'LUNA', 'USDT', 'delisted'), shared('5', 'LUNA', 'USDT')],
	];
	expect(() => marketNamed(markets, 'abusd')).toThrow(
		'abusd is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)',
	);
	expect(() => marketNamed(markets, 'LUNA/USDT')).toThrow(
		'LUNA/USDT is the name of several markets: LUNA/USDT#4 (Spot, delisted), LUNA/USDT#5 (Spot, active)',
	);
	const found = ['AB/USD', 'a_busd', 'AB/USD#3', 'abusd#2', 'LUNA-USDT#5'].map(text => marketNamed(markets, text).id);
	expect(found).toEqual(['3', '2', '3', '2', '5']);
});

test('a market that an older list lacks is looked up in a new one, past caches, before it is refused', async () => {
	const {clock, exchange, reading} = setUp();
	exchange.last('depth').answer({asks: []});
	exchange.last('markets').answer([market('ETHUSDT')], {receivedAt: clock.now() - 60_000});
	await clock.advance(0);
	expect(exchange.last('markets').options.fresh).toBe(true);
	exchange.last('markets').answer([market('ETHUSDT'), market('BTCUSDT')]);
	expect(await reading).toMatchObject({market: {symbol: 'BTCUSDT', state: 'active'}});
	expect(exchange.calls.markets).toHaveLength(2);
});

test('a market that no list has confirmed is watched on once its data came, unless the list has several of that name', () => {
	const notes: string[] = [];
	const check = checkUnlisted({symbol: 'ABUSD', unlisted: 'ABUSD'}, 'watching', {note: text => notes.push(text)});
	const [shown, unseen] = [
		{isShown: true, isFirst: true},
		{isShown: false, isFirst: true},
	] as const;
	const alike = ['2', '3'].map(id => ({...market(`ABUSD#${id}`), name: 'ABUSD', id, base: `A${id}`, quote: 'USD'}));
	const list = (data: readonly Market[]) => ({data, dropped: 0});
	expect(() => check(list([market('BTCUSDT')]), unseen)).toThrow('no market ABUSD');
	expect(() => check(list(alike), shown)).toThrow('ABUSD is the name of several markets');
	check(list([market('BTCUSDT')]), shown);
	check(list([market('ABUSD')]), shown);
	expect(notes).toEqual(['ABUSD is not in the market list; watching it anyway']);
});

describe('a monitor that is started with a market', () => {
	function start(text: string) {
		const clock = createFakeClock();
		const exchange = createFakeExchange(clock);
		const store = createMarketStore({exchange, clock, symbol: text});
		const failures: unknown[] = [];
		const lists: (readonly string[])[] = [];
		const firsts: boolean[] = [];
		onceListed(
			store,
			({data, dropped}, {isFirst}) => {
				firsts.push(isFirst);
				lists.push(data.map(({symbol}) => symbol));
				marketNamed(data, text, dropped);
			},
			error => failures.push(String(error)),
		);
		store.start();
		onTestFinished(store.stop);
		return {clock, exchange, store, failures, lists, firsts};
	}

	test('finds it in the list that is read again because the first one lacks it', async () => {
		const {clock, exchange, store, failures} = start('zkf/usdt');
		exchange.last('markets').answer([market('ETHUSDT')]);
		await clock.advance(1000);
		exchange.last('markets').answer([market('ETHUSDT'), market('ZKFUSDT')]);
		await clock.advance(1000);
		expect([failures, store.getSnapshot().symbol, exchange.calls.markets.length]).toEqual([[], 'ZKFUSDT', 2]);
	});

	test('says no once the second list lacks it too', async () => {
		const {clock, exchange, failures, lists} = start('zkf/usdt');
		exchange.last('markets').answer([market('ETHUSDT')]);
		await clock.advance(1000);
		expect([failures, lists]).toEqual([[], []]);
		exchange.last('markets').answer([market('ETHUSDT')]);
		await clock.advance(1000);
		expect(failures).toEqual([expect.stringContaining('no market zkf/usdt')]);
	});
});
