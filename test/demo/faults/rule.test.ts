import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FaultRuleError, isAbout, parseFaultRule, parseFaultRules} from '../../../source/demo/faults/rule.ts';
import {faultNames} from '../../../source/demo/faults/table.ts';
import {type OperationName, operationNames} from '../../../source/demo/operations.ts';

test.each([
	['v2.depth=hang', {on: 'v2.depth', fault: 'hang', share: undefined, forMs: undefined}],
	['legacy.*=status-500,share=0.3', {on: 'legacy.*', fault: 'status-500', share: 0.3, forMs: undefined}],
	[' *.trades = reset , for = 30s ', {on: '*.trades', fault: 'reset', share: undefined, forMs: 30_000}],
	['*=delay,for=1.5m,share=1', {on: '*', fault: 'delay', share: 1, forMs: 90_000}],
	['*=refuse,for=500ms', {on: '*', fault: 'refuse', share: undefined, forMs: 500}],
])('%j is read', (text, rule) => {
	expect(parseFaultRule(text)).toEqual(rule);
});

test.each([
	['', 'expected ON=FAULT, e.g. v2.depth=hang'],
	['v2.depth', 'expected ON=FAULT, e.g. v2.depth=hang'],
	['v2.depth=hnag', 'unknown fault hnag; did you mean hang?'],
	[
		'legacy.candles=hang',
		`unknown operation legacy.candles; choose from ${operationNames.join(', ')}, with * for either part or for all`,
	],
	[
		'v2.depth.asks=hang',
		`unknown operation v2.depth.asks; choose from ${operationNames.join(', ')}, with * for either part or for all`,
	],
	['v2.depth=hang,share=0', 'share is above 0 and at most 1, e.g. share=0.3, not 0'],
	['v2.depth=hang,share=', 'share is above 0 and at most 1, e.g. share=0.3, not '],
	['v2.depth=hang,for=25h', 'for is a time up to 24h, e.g. for=30s, not 25h'],
	['v2.depth=hang,for=30', 'for is a time up to 24h, e.g. for=30s, not 30'],
	['v2.depth=hang,often=1', 'unknown field often; a fault takes share and for'],
	['*=refuse', 'refuse needs an end, e.g. for=30s: while the port is closed nothing can remove it'],
])('%j is refused in a line that says why', (text, message) => {
	expect(() => parseFaultRule(text)).toThrow(new FaultRuleError(message));
});

describe('several rules', () => {
	const rules = [
		{on: 'v2.depth', fault: 'hang', share: undefined, forMs: undefined},
		{on: '*.trades', fault: 'reset', share: 0.5, forMs: 30_000},
	];

	test.each([
		['lines', 'v2.depth=hang\n\n*.trades=reset,share=0.5,for=30s\n'],
		[
			'a JSON list of text and objects',
			'["v2.depth=hang", {"on": "*.trades", "fault": "reset", "share": 0.5, "for": "30s"}]',
		],
	])('are read from %s', (_, text) => {
		expect(parseFaultRules(text)).toEqual(rules);
	});

	test.each([
		['one JSON object', '{"on": "v2.depth", "fault": "hang"}'],
		['one JSON text', '"v2.depth=hang"'],
	])('can be %s', (_, text) => {
		expect(parseFaultRules(text)).toEqual(rules.slice(0, 1));
	});

	test.each([
		[
			'[{"on": "v2.depth"',
			"invalid JSON: Expected ',' or '}' after property value in JSON at position 18 (line 1 column 19)",
		],
		['[7]', 'a fault is text or an object of on, fault, share and for'],
		['{"fault": "hang"}', 'expected ON=FAULT, e.g. v2.depth=hang'],
		['v2.depth=hang\nv2.trades=rest', 'unknown fault rest; did you mean reset?'],
	])('%j is refused as a whole', (text, message) => {
		expect(() => parseFaultRules(text)).toThrow(new FaultRuleError(message));
	});
});

test('any text is a rule or a FaultRuleError', () => {
	const words = fc.constantFrom(
		'v2',
		'.',
		'*',
		'depth',
		'=',
		...faultNames,
		',',
		'share',
		'for',
		'0.5',
		'30s',
		'[',
		'{',
		'"',
		'\n',
	);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc.array(words).map(parts => parts.join('')),
			),
			text => {
				try {
					for (const {fault, on} of parseFaultRules(text)) {
						expect(faultNames).toContain(fault);
						expect(operationNames.filter(name => isAbout({on, fault}, name))).not.toEqual([]);
					}
				} catch (error) {
					expect(error).toBeInstanceOf(FaultRuleError);
				}
			},
		),
	);
});

test.each<[string, readonly OperationName[]]>([
	['*', operationNames],
	['*.*', operationNames],
	['v2.depth', ['v2.depth']],
	['legacy.*', ['legacy.ticker', 'legacy.depth', 'legacy.trades']],
	['*.trades', ['v2.trades', 'legacy.trades']],
])('%s is about %j', (on, operations) => {
	expect(operationNames.filter(name => isAbout({on, fault: 'hang'}, name))).toEqual(operations);
});
