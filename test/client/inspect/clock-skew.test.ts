import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {clockSkew} from '../../../source/client/inspect/clock-skew.ts';
import {looked} from './looks.ts';

const at = (startedAt: number, durationMs: number, serverTime: number | undefined) =>
	looked({data: [], startedAt, durationMs, serverTime});

describe('clock skew', () => {
	test('is unknown where no answer names a time', () => {
		expect(clockSkew([])).toBeUndefined();
		expect(clockSkew([at(1000, 50, undefined)])).toBeUndefined();
	});

	test('of one answer is corrected by half the round trip', () => {
		expect(clockSkew([at(10_000, 100, 12_051)])).toEqual({skewMs: 2001, uncertaintyMs: 51});
	});

	test('of several answers is what they all allow', () => {
		expect(clockSkew([at(10_000, 100, 10_090), at(20_000, 100, 20_001)])).toEqual({skewMs: -4.5, uncertaintyMs: 6.5});
	});

	test('allows for the part of a second that whole seconds have lost', () => {
		expect(clockSkew([at(10_500, 0, 10_000), at(20_800, 0, 20_000)])).toEqual({
			skewMs: -0.5 - 150,
			uncertaintyMs: 350.5,
		});
	});

	test('of a clock that was set between two answers is that of the quicker one', () => {
		expect(clockSkew([at(10_000, 400, 10_201), at(20_000, 100, 7_220_051)])).toEqual({
			skewMs: 7_200_001,
			uncertaintyMs: 51,
		});
	});

	test('always lies within its uncertainty of the truth', () => {
		const trip = fc.record({there: fc.nat(3000), back: fc.nat(3000), pause: fc.nat(10_000)});
		const skews = fc.integer({min: -7_200_000, max: 7_200_000});
		fc.assert(
			fc.property(skews, fc.array(trip, {minLength: 1}), fc.boolean(), (truth, trips, seconds) => {
				let now = 1e12;
				const looks = trips.map(({there, back, pause}) => {
					const startedAt = now + pause;
					const exact = startedAt + there + truth;
					now = startedAt + there + back;
					return at(startedAt, there + back, seconds ? Math.floor(exact / 1000) * 1000 : exact);
				});
				const {skewMs = Number.NaN, uncertaintyMs = 0} = clockSkew(looks) ?? {};
				expect(Math.abs(skewMs - truth)).toBeLessThanOrEqual(uncertaintyMs);
			}),
		);
	});
});
