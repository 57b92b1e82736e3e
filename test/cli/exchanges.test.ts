/** What the exchanges of commands do with a read; what each concern does is tried where it is. */
import {expect, test} from 'vitest';
import {discreetReads, sharedReads, viewersReads} from '../../source/cli/exchanges.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {market, timeout} from '../store/samples.ts';

function setUp() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	return {clock, exchange, context: {exchange, clock}};
}

const viewer = {isOwner: false, isWatchOnly: false, isRestricted: false};

test('a watch requests once what two of its stores read, and a viewer reads what all viewers share', () => {
	const {exchange, context} = setUp();
	const shared = sharedReads(context, {});
	for (const read of [shared.depth('BTCUSDT'), shared.depth('BTCUSDT')]) read.catch(() => {});
	expect(exchange.calls.depth).toHaveLength(1);
	expect(sharedReads({...context, viewer}, {})).toBe(exchange);
});

test('viewers learn no address from a failure', async () => {
	const {exchange, context} = setUp();
	const reading = discreetReads(context).markets();
	exchange.last('markets').fail(timeout('markets'));
	await expect(reading).rejects.toMatchObject({kind: 'timeout', url: ''});
});

test('a viewer reads listed markets only, and of these what its key shows', async () => {
	const {clock, exchange, context} = setUp();
	const read = async (markets: readonly string[] | undefined, symbol: string) => {
		const reading = viewersReads(exchange, context, markets).depth(symbol).catch(String);
		await clock.advance(0);
		if (exchange.calls.markets.length > 0) exchange.last('markets').answer([market('BTCUSDT'), market('ETHUSDT')]);
		await clock.advance(0);
		const asked = exchange.calls.depth.length;
		if (asked > 0) exchange.last('depth').answer({asks: []});
		return asked > 0 ? 'asked' : reading;
	};
	expect(await read(undefined, 'MADEUP')).toContain('no market MADEUP');
	expect(await read(['ETHUSDT'], 'BTCUSDT')).toContain('this key shows only ETH/USDT');
	expect(await read(['ETHUSDT'], 'ETHUSDT')).toBe('asked');
});
