import {expect, test} from 'vitest';
import {createAdmission, type Ticket} from '../../source/serve/admission.ts';
import {limitsFrom, type ServeLimits} from '../../source/serve/limits.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function open(limits: Partial<ServeLimits>) {
	const clock = createFakeClock();
	const admission = createAdmission(limitsFrom(limits), clock);
	function enter(address: string): Ticket {
		const ticket = admission.enter(address);
		if (typeof ticket === 'string') throw new Error(ticket);
		return ticket;
	}

	/** A connection that ends without a log-in. */
	function fail(address: string): void {
		const ticket = enter(address);
		ticket.greet();
		ticket.leave();
	}

	return {clock, admission, enter, fail};
}

test('viewers are counted in all and per address, also those that log in after others have', () => {
	const {admission, enter} = open({viewers: 3, viewersPerAddress: 2, connectingPerAddress: 3});
	const early = [enter('10.0.0.1'), enter('10.0.0.1'), enter('10.0.0.1'), enter('10.0.0.2'), enter('10.0.0.3')];
	expect(early.map(ticket => ticket.logIn())).toEqual([
		undefined,
		undefined,
		'your address has as many viewers as it may have (2)',
		undefined,
		'the server is full (3 viewers); try again later',
	]);
	expect([admission.viewers, admission.connecting]).toEqual([3, 0]);
	expect(admission.enter('10.0.0.4')).toBe('the server is full (3 viewers); try again later');
	for (const ticket of early) ticket.leave();
	expect([admission.viewers, admission.connecting]).toEqual([0, 0]);
	expect(enter('10.0.0.1').logIn()).toBeUndefined();
});

test('an address whose network can make up any number of others is one', () => {
	const {admission, enter} = open({viewersPerAddress: 1});
	enter('2001:db8:1:2::1').logIn();
	expect(admission.enter('2001:db8:1:2:ffff::7')).toBe('your address has as many viewers as it may have (1)');
	expect(enter('2001:db8:1:3::1').logIn()).toBeUndefined();
});

test('all viewers that an address may have can log in at once', () => {
	const {admission, enter} = open({viewersPerAddress: 50});
	for (let index = 0; index < 50; index++) enter('10.0.0.1');
	expect(typeof admission.enter('10.0.0.1')).toBe('string');
	enter('10.0.0.2');
});

test('connections that are logging in are counted in all and per address', () => {
	const {admission, enter} = open({connecting: 3, connectingPerAddress: 2});
	const crowded = 'too many connections are logging in; try again in a few seconds';
	const [first] = [enter('10.0.0.1'), enter('10.0.0.1')];
	expect(admission.enter('10.0.0.1')).toBe(crowded);
	enter('10.0.0.2');
	expect(admission.enter('10.0.0.3')).toBe(crowded);
	first.leave();
	expect(typeof admission.enter('10.0.0.1')).toBe('object');
});

test('an address with too many failed log-ins in a minute waits for the rest of it; others do not', async () => {
	const {clock, admission, fail} = open({failuresPerMinute: 3});
	for (let index = 0; index < 3; index++) {
		fail('10.0.0.1');
		await clock.advance(10_000);
	}

	expect(admission.enter('10.0.0.1')).toBe('too many failed log-ins from your address; try again in 30 s');
	fail('10.0.0.2');
	await clock.advance(30_000);
	fail('10.0.0.1');
	expect(admission.enter('10.0.0.1')).toBe('too many failed log-ins from your address; try again in 10 s');
});

test('a balancer that only looks whether the server listens is not a failed log-in', () => {
	const {enter} = open({failuresPerMinute: 1});
	for (let index = 0; index < 100; index++) enter('10.0.0.1').leave();
});

test('log-ins of an address are bounded too', () => {
	const {admission, enter} = open({loginsPerMinute: 2});
	for (let index = 0; index < 2; index++) {
		const ticket = enter('10.0.0.1');
		ticket.logIn();
		ticket.leave();
	}

	expect(admission.enter('10.0.0.1')).toBe('too many log-ins from your address; try again in 60 s');
});

test('a clock that is set back forgives', () => {
	const {clock, enter, fail} = open({failuresPerMinute: 1});
	fail('10.0.0.1');
	clock.jump(-3_600_000);
	enter('10.0.0.1');
});
