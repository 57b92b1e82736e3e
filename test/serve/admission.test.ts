import {expect, test} from 'vitest';
import {createAdmission, type Ticket} from '../../source/serve/admission.ts';
import {limitsFrom, type ServeLimits} from '../../source/serve/limits.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function open(limits: Partial<ServeLimits>) {
	const clock = createFakeClock();
	const admission = createAdmission(limitsFrom(limits), clock);
	/** Those that had to make room, by their names. */
	const evicted: string[] = [];
	const tryToEnter = (address: string, name = address) =>
		admission.enter(address, sentence => evicted.push(`${name}: ${sentence}`));
	function enter(address: string, name?: string): Ticket {
		const ticket = tryToEnter(address, name);
		if (typeof ticket === 'string') throw new Error(ticket);
		return ticket;
	}

	return {clock, admission, enter, evicted, refusal: (address: string) => tryToEnter(address)};
}

const crowded = 'too many connections are logging in; try again in a few seconds';

test('viewers are counted in all and per address, also those that log in after others have', () => {
	const {admission, enter, refusal} = open({viewers: 3, viewersPerAddress: 2, connectingPerAddress: 3});
	const early = [enter('10.0.0.1'), enter('10.0.0.1'), enter('10.0.0.1'), enter('10.0.0.2'), enter('10.0.0.3')];
	expect(early.map(ticket => ticket.logIn())).toEqual([
		undefined,
		undefined,
		'your address already has the maximum of 2 viewers',
		undefined,
		'the server is full (3 viewers); try again later',
	]);
	expect([admission.viewers, admission.connecting]).toEqual([3, 0]);
	expect(refusal('10.0.0.4')).toBe('the server is full (3 viewers); try again later');
	for (const ticket of early) ticket.leave();
	expect([admission.viewers, admission.connecting]).toEqual([0, 0]);
	expect(enter('10.0.0.1').logIn()).toBeUndefined();
});

test('an address whose network can make up any number of others is one', () => {
	const {enter, refusal} = open({viewersPerAddress: 1});
	enter('2001:db8:1:2::1').logIn();
	expect(refusal('2001:db8:1:2:ffff::7')).toBe('your address already has the maximum of 1 viewer');
	expect(enter('2001:db8:1:3::1').logIn()).toBeUndefined();
});

test('all viewers that an address may have can log in at once, beside those of others', () => {
	const {enter, evicted} = open({viewersPerAddress: 50});
	for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) for (let index = 0; index < 50; index++) enter(address);
	expect(evicted).toEqual([]);
	enter('10.0.0.1', 'one more');
	expect(evicted).toEqual([`10.0.0.1: ${crowded}`]);
});

test('addresses that hold connections without a log-in keep nobody out: theirs are ended, the oldest first', () => {
	const {admission, enter, evicted} = open({viewersPerAddress: 20});
	for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4'])
		for (let index = 0; index < 20; index++) enter(address, `${address} ${index}`);
	const honest = enter('10.0.0.1');
	for (let index = 20; index < 100; index++) enter('10.0.0.2', `10.0.0.2 ${index}`);
	const other = enter('10.0.0.5');
	expect([honest.logIn(), other.logIn(), admission.connecting]).toEqual([undefined, undefined, 58]);
	expect(evicted.slice(0, 3)).toEqual(['10.0.0.2 0', '10.0.0.3 0', '10.0.0.2 1'].map(name => `${name}: ${crowded}`));
	expect(evicted.some(name => name.startsWith('10.0.0.1:') || name.startsWith('10.0.0.5:'))).toBe(false);
});

test('of one address, connections that say nothing make room for those that do', () => {
	const {enter, evicted} = open({connectingPerAddress: 3});
	const honest = enter('10.0.0.1', 'honest');
	honest.begin();
	for (const name of ['a', 'b', 'c', 'd']) enter('10.0.0.1', name);
	expect(evicted).toEqual(['a', 'b'].map(name => `${name}: ${crowded}`));
	expect(honest.logIn()).toBeUndefined();
});

test('where everybody speaks, a newcomer is refused until one of the others has had its time', async () => {
	const {clock, admission, enter, evicted, refusal} = open({connecting: 3});
	for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) enter(address).begin();
	await clock.advance(999);
	expect([refusal('10.0.0.4'), evicted]).toEqual([crowded, []]);
	await clock.advance(1);
	enter('10.0.0.4');
	expect([evicted, admission.connecting]).toEqual([[`10.0.0.1: ${crowded}`], 3]);
});

test('one that waits for its turn to log in makes no room for others of its address', async () => {
	const {clock, enter, evicted, refusal} = open({connectingPerAddress: 2, logInsAtOnce: 1, logInsPerSecond: 1});
	expect([enter('10.0.0.1', 'first').begin(), enter('10.0.0.1', 'second').begin()]).toEqual([0, 1000]);
	expect(refusal('10.0.0.1')).toBe(crowded);
	await clock.advance(1000);
	enter('10.0.0.1', 'third').begin();
	expect(refusal('10.0.0.1')).toBe(crowded);
	expect(evicted).toEqual([`first: ${crowded}`]);
});

test('an address with many connections makes room for one with fewer, also while they log in', () => {
	const {enter, evicted} = open({connecting: 3});
	for (const name of ['a', 'b', 'c']) enter('10.0.0.1', name).begin();
	enter('10.0.0.2');
	expect(evicted).toEqual([`a: ${crowded}`]);
});

test('one that made room is not counted again when it is gone', () => {
	const {admission, enter} = open({connectingPerAddress: 1});
	const first = enter('10.0.0.1');
	const second = enter('10.0.0.1');
	first.leave();
	expect(admission.connecting).toBe(1);
	second.leave();
	expect(admission.connecting).toBe(0);
});

test('log-ins of an address, with success or without, wait for their turn, and too many are refused; others do not wait', async () => {
	const {clock, enter, refusal} = open({logInsAtOnce: 3, logInsPerSecond: 1});
	const logIn = (address: string) => {
		const ticket = enter(address);
		const waitMs = ticket.begin();
		ticket.logIn();
		ticket.leave();
		return waitMs;
	};
	const waits = Array.from({length: 8}, () => logIn('10.0.0.1'));
	expect(waits).toEqual([0, 0, 0, 1000, 2000, 3000, 4000, 5000]);
	enter('10.0.0.1').begin();
	expect(refusal('10.0.0.1')).toBe('too many log-ins from your address; try again in 6 s');
	expect(logIn('10.0.0.2')).toBe(0);
	await clock.advance(6000);
	expect(logIn('10.0.0.1')).toBe(1000);
});

test('each command on a shared connection counts as a log-in', () => {
	const {enter} = open({logInsAtOnce: 2, logInsPerSecond: 1});
	const ticket = enter('10.0.0.1');
	ticket.begin();
	ticket.logIn();
	expect([ticket.begin(), ticket.begin(), enter('10.0.0.1').begin()]).toEqual([0, 1000, 2000]);
	const more = Array.from({length: 50}, () => ticket.begin());
	const refused = 'too many log-ins from your address; try again in 6 s';
	expect(more).toEqual([3000, 4000, 5000, 6000, ...Array(46).fill(refused)]);
});

test('a balancer that only looks whether the server listens does not log in', () => {
	const {enter} = open({logInsAtOnce: 1, logInsPerSecond: 1});
	for (let index = 0; index < 100; index++) enter('10.0.0.1').leave();
	expect(enter('10.0.0.1').begin()).toBe(0);
});

test('a clock that is set back keeps nobody waiting for longer', async () => {
	const {clock, enter} = open({logInsAtOnce: 1, logInsPerSecond: 1});
	expect([enter('10.0.0.1').begin(), enter('10.0.0.1').begin()]).toEqual([0, 1000]);
	clock.jump(-3_600_000);
	expect(enter('10.0.0.1').begin()).toBe(2000);
	await clock.advance(2000);
	expect(enter('10.0.0.1').begin()).toBe(1000);
});
