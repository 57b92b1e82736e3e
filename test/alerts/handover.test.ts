import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createTapeHandover} from '../../source/alerts/feeds.ts';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {failing, type Resource, waiting} from '../../source/store/resource.ts';
import {failure, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 22, 14);

test('a tape of two sources has at once each trade that either has received, once', () => {
	const anyPoll = fc.record({
		source: fc.constantFrom(0 as const, 1 as const),
		more: fc.nat({max: 9}),
		isCleared: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(anyPoll, {minLength: 2, maxLength: 20}), polls => {
			const handover = createTapeHandover();
			const tapes: [Tape, Tape] = [emptyTape, emptyTape];
			const sources: [Resource<Tape>, Resource<Tape>] = [waiting, waiting];
			let traded = 1;
			for (const [index, {source, more, isCleared}] of polls.entries()) {
				traded += more;
				// Pages overlap with all that is known.
				const page = Array.from({length: Math.min(traded, 10)}, (_, back): Trade => {
					const at = traded - back;
					return {id: String(at), time: start + at, price: at, quantity: 1};
				}).toReversed();
				if (isCleared) {
					// A screen that showed another market meanwhile begins anew.
					tapes[source] = emptyTape;
					sources[source] = waiting;
					handover([...sources], waiting);
				}

				tapes[source] = mergeTape(tapes[source], page);
				sources[source] = received(tapes[source], start + index);
				const joined = handover([...sources], sources[source]);
				const ids = joined.status === 'ready' ? joined.data.trades.map(({id}) => Number(id)) : [];
				expect(ids).toEqual(Array.from({length: traded}, (_, back) => traded - back));
			}
		}),
	);
});

test('an answer is first seen without the failure that came after it, or before it from the other source', () => {
	const handover = createTapeHandover();
	const trade: Trade = {id: '1', time: start, price: 1, quantity: 1};
	const fresh = received(mergeTape(emptyTape, [trade]), start);
	const failed = failing(fresh, failure(start));
	const seen = [
		handover([failed], failed),
		handover([failed], failed),
		handover([failed, received(fresh.data, start + 1)], failed),
		handover([failed, received(fresh.data, start + 1)], failed),
	];
	expect(seen.map(resource => resource.status === 'ready' && resource.failure !== undefined)).toEqual([
		false,
		true,
		false,
		true,
	]);
});

const tradesTo = (count: number, name = '', aheadMs = 0) =>
	Array.from({length: count}, (_, index): Trade => {
		const at = count - index;
		return {id: `${name}${at}`, time: start + at * 1000 + aheadMs, price: at, quantity: 1};
	});
const tapeTo = (...of: Parameters<typeof tradesTo>) => mergeTape(emptyTape, tradesTo(...of));

test('an answer stays stale while the source that takes over waits, with what that waits for, if anything', () => {
	const handover = createTapeHandover();
	const fresh = received(tapeTo(1), start);
	const failed = failing(fresh, failure(start + 1));
	const held = failure(start + 2);
	const failureSeen = (resource: Resource<Tape>) => (resource.status === 'ready' ? resource.failure : undefined);
	handover([fresh, waiting], fresh);
	handover([failed, waiting], failed);
	expect(failureSeen(handover([failed, waiting], waiting))).toEqual(failure(start + 1));
	expect(failureSeen(handover([failed, waiting], {...waiting, held}))).toEqual(held);
});

test.each([
	['trades of another interface, which have other ids', tapeTo(3, 'x'), {interface: 'legacy'}],
	['trades that the exchange has dated anew', tapeTo(3, '', 3_600_000), {}],
] as const)('a tape begins anew with %s', (_, tape, more) => {
	const handover = createTapeHandover();
	const own = received(tapeTo(2), start);
	const other = {...received(tape, start + 1), ...more};
	handover([own, waiting], own);
	expect(handover([own, other], other)).toMatchObject({data: {trades: tape.trades}});
});
