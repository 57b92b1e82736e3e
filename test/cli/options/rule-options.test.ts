import {expect, test} from 'vitest';
import {readCondition} from '../../../source/cli/options/rule-options.ts';

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
	expect(once('last crosses 1')).toThrow(/^--until: crosses, .* need more than one answer; leave out --once$/);
	expect(once('bid > 1 and tradeSize > 1')).toThrow(/--once$/);
	expect(once('bid > 1 or tradeSize > 1')).not.toThrow();
});
