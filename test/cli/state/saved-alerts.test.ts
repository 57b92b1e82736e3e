import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import type {Alerts} from '../../../source/alerts/alerts.ts';
import type {Alert} from '../../../source/alerts/judged-rule.ts';
import {parseRule, printRule} from '../../../source/alerts/rule.ts';
import type {RuleMemory} from '../../../source/alerts/rule-memory.ts';
import {createAlertMemory} from '../../../source/cli/state/saved-alerts.ts';
import {openStateFile} from '../../../source/cli/state/state-file.ts';
import {systemClock} from '../../../source/market/clock.ts';
import {temporaryFolder} from '../../helpers/folders.ts';

let path: string;
beforeEach(() => {
	path = join(temporaryFolder(), 'state.json');
});

const armedAt = Date.UTC(2026, 10, 22, 14);
const ruleOf = (text: string) => parseRule(text, {now: armedAt, marketNamed: key => ({key})});

/** An instance with the rules of the file and these of the user's. */
async function open(...texts: readonly string[]) {
	const file = await openStateFile(path, systemClock);
	const faults: string[] = [];
	const memory = createAlertMemory({
		...{file, exchangeName: 'demo', clock: systemClock, configured: [], withUsers: true},
		onFault: text => faults.push(text),
	});
	const markets = new Map<string, Record<string, RuleMemory>>();
	const origins = new Map(memory.rules.map(({rule, origin}) => [printRule(rule), origin]));
	for (const text of texts) origins.set(text, 'user');
	for (const {rule, markets: known} of memory.rules) markets.set(printRule(rule), {...known});
	const calls: string[] = [];
	const alerts: Pick<Alerts, 'getSnapshot' | 'subscribe' | 'remembered'> = {
		getSnapshot: () => ({entries: [], unseen: []}),
		subscribe: () => () => {},
		remembered: () =>
			new Map(
				[...origins].map(([id, origin]) => [id, {origin, isOff: false, armedAt, markets: markets.get(id) ?? {}}]),
			),
	};
	const close = memory.follow(alerts as Alerts);
	return {
		file,
		faults,
		memory,
		calls,
		close,
		remove: (text: string) => origins.delete(text),
		/** The rule fires so many seconds after it was armed, by this trade. */
		fire(text: string, seconds: number, tradeId: number) {
			const time = armedAt + seconds * 1000;
			const trade = {id: String(tradeId), time: armedAt + tradeId * 1000, price: 101, quantity: 1};
			const firing = {time, trade, values: {last: 101}};
			markets.set(text, {
				BTCUSDT: {judgedAt: time, trades: {}, sides: [1], isReleased: true, fired: firing},
			});
			const alert: Alert = {type: 'alert', rule: ruleOf(text), symbol: 'BTCUSDT', ...firing};
			memory.calling(alert, () => calls.push(`${text} at ${tradeId}`));
		},
	};
}

const crossing = 'BTCUSDT last crosses 100';
const repeated = 'BTCUSDT last crosses 100 every 10m';
const written = () => JSON.parse(readFileSync(path, 'utf8')).exchanges.demo.alerts;
const put = (alerts: unknown) =>
	writeFileSync(path, JSON.stringify({version: 1, view: {}, exchanges: {demo: {favourites: ['ETHUSDT'], alerts}}}));

describe('the rules of the state file', () => {
	test('are restored with what is remembered, also after a crash right after a call', async () => {
		const one = await open(crossing);
		one.fire(crossing, 60, 5);
		await expect.poll(() => one.calls).toEqual([`${crossing} at 5`]);
		const next = await open();
		expect(next.memory.rules).toMatchObject([{origin: 'user', isOff: false, armedAt}]);
		expect(next.memory.rules[0]?.markets?.BTCUSDT).toMatchObject({sides: [1], fired: {trade: {id: '5'}}});
	});

	test('that two instances change are merged', async () => {
		const [one, other] = [await open(crossing), await open('ETHUSDT last > 1')];
		await one.close();
		await other.close();
		expect(Object.keys(written())).toEqual([crossing, 'ETHUSDT last > 1']);
		const [third, fourth] = [await open(), await open('BTCUSDT last > 2')];
		third.remove(crossing);
		await third.close();
		await fourth.close();
		expect(Object.keys(written())).toEqual(['ETHUSDT last > 1', 'BTCUSDT last > 2']);
	});

	test('that are broken stay as they are, are reported, and lose nothing else', async () => {
		const broken = {
			'last crossed 100': {origin: 'user', armedAt, markets: {}},
			['__proto__']: {origin: 'user', armedAt, markets: {}},
			'last > 5': {origin: 'me'},
		};
		put({...broken, [crossing]: {origin: 'user', armedAt, markets: {}}});
		const one = await open();
		expect(one.faults).toEqual([
			expect.stringMatching(/^an alert in the state file cannot be used: "last crossed 100": .+, and \d more$/),
		]);
		expect(one.memory.rules.map(({rule}) => printRule(rule))).toEqual([crossing]);
		one.fire(crossing, 60, 5);
		await one.close();
		expect(written()).toMatchObject({'last crossed 100': broken['last crossed 100'], 'last > 5': {origin: 'me'}});
		expect((await openStateFile(path, systemClock)).state.exchanges.demo?.favourites).toEqual(['ETHUSDT']);
	});

	test('are no table, or too many: the others are used', async () => {
		put(['last > 5']);
		expect((await open()).faults).toEqual(['the alerts in the state file are not a table']);
		const rule = {origin: 'user', armedAt, markets: {}};
		put(Object.fromEntries(Array.from({length: 10_000}, (_, index) => [`last > ${index}`, rule])));
		const one = await open();
		expect(one.memory.rules).toHaveLength(1000);
		expect(one.faults).toHaveLength(1);
		await one.close();
		expect(Object.keys(written())).toHaveLength(10_000);
	});
});

describe('two instances', () => {
	test('call once for one event, whichever comes first', async () => {
		const instances = [await open(repeated), await open(repeated)];
		for (const each of instances) each.fire(repeated, 60, 5);
		await Promise.all(instances.map(({close}) => close()));
		expect(instances.flatMap(({calls}) => calls)).toEqual([`${repeated} at 5`]);
	});

	test('call for the next event, and for an old one that one of them finds late no more', async () => {
		const [one, other] = [await open(repeated), await open(repeated)];
		one.fire(repeated, 60, 5);
		await expect.poll(() => one.calls).toHaveLength(1);
		other.fire(repeated, 1500, 5);
		await other.close();
		expect(other.calls).toEqual([]);
		one.fire(repeated, 3000, 2900);
		await one.close();
		expect(one.calls).toEqual([`${repeated} at 5`, `${repeated} at 2900`]);
	});

	test('each call for what is not in the file', async () => {
		const one = await open();
		one.fire('BTCUSDT last > 1', 60, 5);
		expect(one.calls).toEqual(['BTCUSDT last > 1 at 5']);
	});
});

test.each(['a folder in its place', 'a lock that stays'])('calls nevertheless within two seconds: %s', async what => {
	const one = await open(crossing);
	mkdirSync(what === 'a lock that stays' ? `${path}.lock` : path);
	one.fire(crossing, 60, 5);
	await expect.poll(() => one.calls).toEqual([`${crossing} at 5`]);
	expect(one.file.notices()).toHaveLength(1);
});
