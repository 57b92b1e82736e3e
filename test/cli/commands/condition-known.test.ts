import {describe, expect, test} from 'vitest';
import {parseCondition} from '../../../source/cli/commands/condition.ts';
import {neverShown, refuseNeverKnown} from '../../../source/cli/commands/condition-known.ts';
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
] as const)('%s with %j and %s: %s', (text, address, choice, message) => {
	const check = () => refuseNeverKnown(parseCondition(text, []), address, choice);
	if (message) expect(check).toThrow(message);
	else expect(check).not.toThrow();
});

describe('a book without bids', () => {
	const stateOf = (symbol: string, book?: DepthBook) => marketState({symbol, ...(book && {depth: received(book, 0)})});
	const asks = [[2, 1]] as const;
	const without = stateOf('BTCUSDT', {asks});
	const failed = stateOf('BTCUSDT', {asks, bidsFailure: timeout()});
	const other = stateOf('ETHUSDT', {asks, bids: []});
	const late = stateOf('ETHUSDT');
	const shown = (text: string, ...states: ReadonlyArray<typeof without>) =>
		neverShown(parseCondition(text, ['BTCUSDT', 'ETHUSDT']), states);

	test.each(['bid > 1', 'last > 1 or spread < 1', 'BTCUSDT.spreadPercent < 1'])('never shows %s', text => {
		expect(shown(text, without)).toMatch(/ is never known: .*v2 order book shows no bids; set --legacy-base-url/);
	});

	test('shows all else, and may show bids where legacy failed, has them, or has not answered', () => {
		expect(shown('ask > 1 and last > 1', without)).toBeUndefined();
		expect(shown('bid > 1', failed)).toBeUndefined();
		expect(shown('bid > 1', without, other)).toBeUndefined();
		expect(shown('bid > 1', without, late)).toBeUndefined();
		expect(shown('BTCUSDT.bid > 1', without, late)).toMatch(/^--until: bid/);
	});
});
