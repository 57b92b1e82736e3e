import {describe, expect, test} from 'vitest';
import {neverShown, readCondition, refuseNeverKnown} from '../../../source/cli/commands/condition-flag.ts';
import type {DepthBook} from '../../../source/market/types.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {timeout} from '../../store/samples.ts';

const both = {baseUrl: 'http://a', legacyBaseUrl: 'http://b'};
const legacy = {legacyBaseUrl: 'http://b'};

test.each([
	['volume > 1', both, 'auto', undefined],
	['volume > 1', undefined, 'auto', undefined],
	['volume > 1', {baseUrl: 'http://a'}, 'v2', undefined],
	['last > 1 and changePercent > 1 and spread < 1 and age > 1', legacy, 'auto', undefined],
	['last > 1 or volume > 1', legacy, 'auto', /^--until: volume is never known: .* unit .*; set --base-url$/],
	['change > 1', both, 'v1', /^--until: change is never known: .* opening price .*; use --interface auto$/],
	['change > 1', undefined, 'v1', /; use --interface auto$/],
	['last > open', legacy, 'auto', /^--until: open is never known: .* opening price/],
	[
		'last > sma(50, 1h)',
		legacy,
		'auto',
		/^--until: sma is never known: the legacy interface has no candles; set --base-url$/,
	],
	['change(5m) > 1 and volume(5m) > 1', legacy, 'auto', undefined],
] as const)('%s with %j and %s: %s', (text, address, choice, message) => {
	const check = () => refuseNeverKnown(readCondition(text, [], {once: false}), address, choice);
	if (message) expect(check).toThrow(message);
	else expect(check).not.toThrow();
});

test.each(['watched: BTCUSDT', 'name it: tapewatch watch ETHUSDT'])(
	'a market that is not watched is refused: %s',
	remedy => {
		const watched = remedy.startsWith('watched') ? ['BTCUSDT'] : [];
		expect(() => readCondition('ETHUSDT.last > 1', watched, {once: false})).toThrow(
			`--until: ETHUSDT is not watched; ${remedy}`,
		);
	},
);

test('with --once a condition that can only hold at a moment is refused', () => {
	const once = (text: string) => () => readCondition(text, [], {once: true});
	expect(once('last crosses 1')).toThrow(/^--until: crosses, .* need more than one look; leave out --once$/);
	expect(once('bid > 1 and tradeSize > 1')).toThrow(/--once$/);
	expect(once('bid > 1 or tradeSize > 1')).not.toThrow();
});

describe('a book without bids', () => {
	const stateOf = (symbol: string, book?: DepthBook) => marketState({symbol, ...(book && {depth: received(book, 0)})});
	const asks = [[2, 1]] as const;
	const without = stateOf('BTCUSDT', {asks});
	const failed = stateOf('BTCUSDT', {asks, bidsFailure: timeout()});
	const other = stateOf('ETHUSDT', {asks, bids: []});
	const late = stateOf('ETHUSDT');
	const shown = (text: string, ...states: ReadonlyArray<typeof without>) =>
		neverShown(readCondition(text, ['BTCUSDT', 'ETHUSDT'], {once: false}), states);

	test.each(['bid > 1', 'last > 1 or spread < 1', 'BTCUSDT.spreadPercent < 1', 'last > bidDepth(1%)'])(
		'never shows %s',
		text => {
			expect(shown(text, without)).toMatch(/ is never known: .*v2 order book shows no bids; set --legacy-base-url/);
		},
	);

	test('shows all else, and may show bids where legacy failed, has them, or has not answered', () => {
		expect(shown('ask > 1 and last > 1', without)).toBeUndefined();
		expect(shown('bid > 1', failed)).toBeUndefined();
		expect(shown('bid > 1', without, other)).toBeUndefined();
		expect(shown('bid > 1', without, late)).toBeUndefined();
		expect(shown('BTCUSDT.bid > 1', without, late)).toMatch(/^--until: bid/);
	});
});
