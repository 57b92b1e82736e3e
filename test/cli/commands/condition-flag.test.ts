import {expect, test} from 'vitest';
import {readCondition, refuseNeverKnown} from '../../../source/cli/commands/condition-flag.ts';

const v2 = {name: 'a', baseUrl: 'http://a'};
const legacy = {name: 'b', legacyBaseUrl: 'http://b'};

test.each([
	['volume > 1', {...v2, ...legacy}, 'auto', undefined],
	['volume > 1', undefined, 'auto', undefined],
	[
		'last > 1 or volume > 1',
		legacy,
		'auto',
		/^--until: volume is never available: the legacy .* unit .* has; set --base-url$/,
	],
	['volume > 1', legacy, 'legacy', /; set --base-url, with --interface auto$/],
	['change > 1', undefined, 'legacy', /^--until: change is never available: .*; use --interface auto$/],
	[
		'BTCUSDT.bidDepth(1%) > 1',
		undefined,
		'v2',
		/^--until: bidDepth\(1%\) is never available: .*; use --interface auto$/,
		false,
	],
	['spread > 1', v2, 'auto', undefined],
	['spread > 1', v2, 'auto', undefined, true],
	['spread > 1', v2, 'auto', /^--until: spread is never available: the v2 .* no bids; set --legacy-base-url$/, false],
	['spread > 1', v2, 'v2', /; set --legacy-base-url, with --interface auto$/, false],
] as const)('%s with %j and %s: %s', (text, address, choice, message, hasV2Bids?: boolean) => {
	const condition = readCondition(text, ['BTCUSDT'], {once: false});
	const check = () => refuseNeverKnown({condition, where: '--until'}, {exchange: address, choice}, hasV2Bids);
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
	expect(once('last crosses 1')).toThrow(/^--until: crosses, .* need more than one answer; leave out --once$/);
	expect(once('bid > 1 and tradeSize > 1')).toThrow(/--once$/);
	expect(once('bid > 1 or tradeSize > 1')).not.toThrow();
});
