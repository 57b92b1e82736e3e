import {expect, test} from 'vitest';
import {parseRule} from '../../../../source/alerts/rule.ts';
import {unavailableQuantityText} from '../../../../source/alerts/unavailable-quantity.ts';
import type {Interface} from '../../../../source/market/types.ts';
import {waiting} from '../../../../source/store/resource.ts';
import {unavailableIn} from '../../../../source/view/panels/alerts/list.ts';
import {marketState, received} from '../../../helpers/market-state.ts';

const rule = parseRule('BTCUSDT spread > 0.5', {marketNamed: () => ({key: 'BTCUSDT'}), now: 0});
const asks = [[101, 1]] as const;

test.each<readonly [string, readonly Interface[], 'auto' | 'v2', boolean | undefined, string | undefined]>([
	['v2 alone and a book with bids', ['v2'], 'auto', true, undefined],
	['v2 alone before its first book', ['v2'], 'auto', undefined, undefined],
	['v2 chosen and a book with bids', ['v2', 'legacy'], 'v2', true, undefined],
	[
		...(['v2 alone and a book without bids', ['v2'], 'auto', false] as const),
		'spread is never available: the v2 order book shows no bids',
	],
])('a spread of %s', (_, interfaces, choice, hasBids, text) => {
	const book = received(hasBids ? {asks, bids: [[100, 1]] as const} : {asks}, 0);
	const depth = hasBids === undefined ? waiting : book;
	const never = unavailableIn(rule, interfaces, {...marketState({depth}), choice});
	expect(never && unavailableQuantityText(never)).toBe(text);
});
