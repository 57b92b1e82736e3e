import {expect, test} from 'vitest';
import {marketNamed, readMarket} from '../../../source/cli/commands/lookup.ts';
import {ownOutput} from '../../../source/cli/output.ts';
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
