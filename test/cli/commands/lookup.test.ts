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

test('refuses a symbol that several pairs share', () => {
	const sharedBy = [
		{symbol: 'ABUSD', id: '2', base: 'A', quote: 'BUSD'},
		{symbol: 'ABUSD', id: '3', base: 'AB', quote: 'USD'},
	];
	expect(() => marketNamed([{symbol: 'ABUSD', state: 'active', sharedBy}], 'AB/USD')).toThrow(
		'ABUSD is the symbol of several markets: A/BUSD (id 2), AB/USD (id 3); tapewatch trades --market-id ID reads one',
	);
});
