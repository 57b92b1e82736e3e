import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterAll, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';
import type {WatchEvent} from '../../source/cli/commands/watch-events.ts';
import {createEventQueue} from '../../source/cli/commands/watch-queue.ts';
import {jsonSchemas} from '../../source/schema/json-schemas.ts';
import {inProcess, startInProcess} from '../cli/in-process.ts';
import {startSmallExchange} from '../cli/small-exchange.ts';
import type {Run} from '../e2e/tapewatch.ts';
import {documents, everyDocument} from '../helpers/documents.ts';
import {type ExchangeServer, legacy, paths, sends, v2} from '../helpers/exchange-server.ts';
import {openHome} from '../helpers/folders.ts';
import {assertSchemas, schemaFaults, shippedSchemas} from '../helpers/json-schemas.ts';
import {legacyTicker} from '../helpers/specified-exchange.ts';
import {answered, failed, recordSample, startedAt, symbol, temporaryFolder} from '../recording/recordings.ts';

test('the shipped schemas are those of the types in use: npm run schema writes them', () => {
	const generated = [...jsonSchemas()].map(([name, schema]) => [name, `${JSON.stringify(schema, undefined, '\t')}\n`]);
	expect(Object.fromEntries(shippedSchemas)).toEqual(Object.fromEntries(generated));
});

const validator = new Ajv2020({strict: true, allowUnionTypes: true});

test.each([...shippedSchemas])('%s is a schema of draft 2020-12 with a name of its own', (file, text) => {
	const schema = JSON.parse(text);
	expect(schema).toMatchObject({
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		$id: `urn:tapewatch:schema:1:${file.replace('.json', '')}`,
	});
	// Strict: it has no keyword that a validator would ignore.
	expect(validator.compile(schema)).toBeTypeOf('function');
});

test('docs/scripting.md links to every schema', () => {
	const linked = everyDocument.matchAll(/\(\.\.\/schema\/([\w-]+\.json)\)/g);
	expect([...linked].map(([, file]) => file).toSorted()).toEqual([...shippedSchemas.keys()].toSorted());
});

/** The rows of the tables of a document whose first columns have these titles, as their cells. */
const tableRows = (document: string, titles: string): readonly (readonly string[])[] =>
	(documents.find(({name}) => name === document)?.text ?? '')
		.split('\n\n')
		.filter(part => part.startsWith(`| ${titles} |`))
		.flatMap(part => part.trim().split('\n').slice(2))
		.map(row => row.split(' | ').map(cell => cell.replaceAll(/^\| | \|$/g, '')));

const codesIn = (text = ''): readonly string[] => [...text.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);

/** The names of all properties in a schema. */
const propertiesIn = (schema: unknown): readonly string[] =>
	typeof schema !== 'object' || schema === null
		? []
		: Object.entries(schema).flatMap(([key, part]) => [
				...(key === 'properties' ? Object.keys(part) : []),
				...propertiesIn(part),
			]);

const schemaOf = (name: string) => JSON.parse(shippedSchemas.get(`${name}.json`) ?? '');
const ofReads = ['ticker', 'depth', 'trades-line', 'candles'].flatMap(name => propertiesIn(schemaOf(name)));

test('docs/scripting.md lists fields that the documents have', () => {
	const fields = tableRows('docs/scripting.md', 'Field').flatMap(([names]) => codesIn(names));
	expect(fields).toContain('offPeriod');
	expect(fields.filter(name => !ofReads.includes(name))).toEqual([]);
});

test('docs/watch.md lists every event with the fields that neither all events nor the documents have', () => {
	const {$defs}: {readonly $defs: Readonly<Record<string, {readonly properties?: object}>>} = schemaOf('watch-event');
	const rows = tableRows('docs/watch.md', 'Event | When').map(
		([type, , own]) => [codesIn(type)[0], codesIn(own)] as const,
	);
	const fieldsOf = (type = '') => Object.keys($defs[`${type}Event`]?.properties ?? {});
	const types = Object.keys($defs).flatMap(name => /^(.+)Event$/.exec(name)?.[1] ?? []);
	expect(rows.map(([type]) => type)).toEqual(types);
	const common = tableRows('docs/watch.md', 'Field').flatMap(([names]) => codesIn(names));
	const quantities = ['mid', 'spread', 'spreadPercent', 'age', 'imbalance'];
	const shared = [...common, ...ofReads, ...quantities];
	expect(
		rows.flatMap(([type, own]) =>
			fieldsOf(type).flatMap(name => (shared.includes(name) || own.includes(name) ? [] : `${type} ${name}`)),
		),
	).toEqual([]);
});

const trade = {id: '1', time: 1, price: 2, quantity: 3, side: 'buy', sideText: null};
const trades = {
	...{symbol: 'BTCUSDT', trades: [trade], interface: 'v2', receivedAt: 1, serverTime: null, dropped: 0, rounded: 0},
	...{exchange: 'mine', demo: false, schemaVersion: 1},
};

test('a document with a missing, mistyped or unknown field is not as its schema says', () => {
	const {demo: _, ...without} = trades;
	expect(schemaFaults('trades', trades)).toEqual([]);
	expect(schemaFaults('trades', without).join()).toContain("required property 'demo'");
	expect(schemaFaults('trades', {...trades, trades: [{...trade, price: '2'}]}).join()).toContain(
		'price must be number',
	);
	expect(schemaFaults('trades', {...trades, trades: [{...trade, fee: 1}]}).join()).toContain(
		'"additionalProperty":"fee"',
	);
	expect(schemaFaults('trades', {...trades, schemaVersion: 2}).join()).toContain('schemaVersion must be equal');
});

test('the shipped schemas allow fields that are added later', () => {
	const validate = (document: object) => validator.validate('urn:tapewatch:schema:1:trades', document);
	expect(validate({...trades, trades: [{...trade, fee: 1}], currency: 'USDT'})).toBe(true);
	expect(validate({...trades, trades: [{...trade, price: '2'}]})).toBe(false);
});

/** All schemas, those of events with each type. */
const allKinds = [...shippedSchemas].flatMap(([file, text]) => {
	const {oneOf, $defs = {}} = JSON.parse(text);
	const name = file.replace('.json', '');
	if (!Array.isArray(oneOf)) return name;
	const forms = oneOf.map(({$ref, ...form}) => ($ref === undefined ? form : $defs[$ref.replace('#/$defs/', '')]));
	return forms.map(({properties}) => `${name} ${properties.type.const}`);
});

describe('what the program prints is as its schema says', () => {
	const seen = new Set<string>();
	let exchange: ExchangeServer;
	let both: readonly string[] = [];
	beforeAll(async () => {
		exchange = await startSmallExchange();
		exchange.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker, ETHUSDT: {}}));
		const fill = {tradeId: 1, quantity: 1, price: 10, createdOn: '2024-08-08T09:59:58+0000'};
		exchange.answer(paths.legacyTrades, legacy([fill, {...fill, price: null}]));
		both = ['--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'];
	});
	afterAll(() => exchange.close());

	function kindsOf(args: readonly string[], stdout: string): readonly string[] {
		const kinds = [...assertSchemas(args, stdout)];
		for (const kind of kinds) seen.add(kind);
		return kinds;
	}

	const printed = async (...args: readonly string[]) => kindsOf(args, (await inProcess(args)).stdout);

	/** Ends the run after the course. */
	async function printedDuring(args: readonly string[], course: (run: Run) => Promise<void>): Promise<string> {
		const run = startInProcess(args);
		await course(run);
		run.kill('SIGTERM');
		const {stdout} = await run.outcome;
		kindsOf(args, stdout);
		return stdout;
	}

	const reads = [['info'], ['markets'], ['ticker'], ...['depth', 'trades', 'candles'].map(name => [name, 'BTCUSDT'])];

	test.each([
		['both interfaces, with dropped entries', () => both, reads],
		['v2 alone', () => both.slice(0, 2), reads],
		['legacy alone', () => both.slice(2), reads.filter(([name]) => name !== 'info' && name !== 'candles')],
		['the demo exchange', () => [], reads],
	])('by reads of %s', async (_, addresses, commands) => {
		for (const command of commands) {
			const [name = ''] = command;
			expect(await printed(...command, ...addresses(), '--json')).toEqual([name]);
			expect(await printed(...command, ...addresses(), '-o', 'ndjson')).toEqual([
				name === 'info' ? name : `${name}-line`,
			]);
		}
	});

	test('by holdings of the config file', async () => {
		const {env} = openHome('[[holdings]]\nasset = "BTC"\namount = 1\n');
		for (const format of ['json', 'ndjson']) {
			const args = ['holdings', ...both, '-o', format];
			kindsOf(args, (await inProcess(args, {env})).stdout);
		}
	});

	test('by candles that the exchange sends for another period, and by a book without the bids that legacy has', async () => {
		for (const format of ['json', 'ndjson']) {
			expect(await printed('candles', 'BTCUSDT', '--period', '1d', ...both, '-o', format)).toHaveLength(1);
			const {legacyDepth} = paths;
			const failing = await startSmallExchange();
			failing.answer(legacyDepth, sends('', {status: 503}));
			const addresses = ['--base-url', failing.url, '--legacy-base-url', failing.url];
			expect(await printed('depth', 'BTCUSDT', ...addresses, '-o', format)).toHaveLength(1);
			await failing.close();
		}
	});

	test('by a watch of an exchange that fails and recovers, with rules and a condition', async () => {
		const failing = await startSmallExchange();
		const addresses = ['--base-url', failing.url, '--legacy-base-url', failing.url, '--rate', '1000'];
		const page = [{id: 7, price: 61_825, quantity: 1, time: Date.UTC(2024, 7, 8, 10), side: 'buy'}];
		const watch = ['watch', 'BTCUSDT', '--json', '--interval', '0.2', ...addresses, '--alert', 'last > 1'];
		const stdout = await printedDuring(watch, async run => {
			await run.wrote(text =>
				['ticker', 'depth', 'trade', 'candle', 'alert'].every(type => text.includes(`"${type}"`)),
			);
			failing.answer(paths.trades, sends('', {status: 503, headers: {'retry-after': '1'}}));
			failing.answer(paths.legacyTrades, sends('', {status: 503}));
			await run.wrote(text => text.includes('"stale"'));
			failing.answer(paths.trades, v2(page));
			await run.wrote(text => text.includes('"recovered"'));
		});
		await failing.close();
		const events: readonly WatchEvent[] = stdout
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
		let text = '';
		const queue = createEventQueue({
			write: async lines => {
				text += lines;
			},
			...{origin: {exchange: 'mine', demo: false, schemaVersion: 1}, now: () => 1, mostPending: 100},
		});
		queue.push(events);
		queue.push(events);
		await queue.drained();
		expect(kindsOf(['watch', '--json'], text)).toContain('watch-event dropped');
		expect(await printed('watch', 'BTCUSDT', '--json', '--until', 'last > 1', ...both)).toContain('watch-event met');
	});

	test('by the commands that read no exchange, and by the doctor', async () => {
		const second = (count: number) => startedAt + count * 1000;
		const tickers = [symbol, 'ETHUSDT'].map(of => ({symbol: of, last: 50, state: 'active', type: 'spot'}));
		const path = recordSample([
			answered.ticker(tickers, second(0)),
			...[0, 1, 2, 60].flatMap(at => [
				answered.trades([{...trade, id: String(at), time: second(at), side: 'buy', sideText: 'buy'}], second(at)),
				answered.depth({asks: [[2, 1]], bids: [[1, 1]]}, second(at)),
			]),
			failed({ask: 'trades', market: symbol}, second(70)),
		]);
		await printed('recording', path, '--json');
		for (const format of ['json', 'ndjson']) {
			await printed('trades', symbol, '--recording', path, '--from', '14:00', '-o', format);
			await printed('candles', symbol, '--recording', path, '--period', '1m', '-o', format);
		}

		await printed('watch', symbol, '--recording', path, '--json');
		await printed('replay', path, '--alert', 'last > 1', '--alert', 'ETHUSDT last crosses 1', '--json');
		await printed('alerts', '--json');
		await printed('alerts', 'test', '--json');
		await printed('doctor', '--samples', '1', ...both, '--json');
		await printedDuring(['demo', '--json'], run => run.wrote(text => text.includes('\n')));
	});

	test('by a recorder whose minute passes at once', async () => {
		const path = join(temporaryFolder(), 'new.twr');
		const real = setTimeout;
		const timers = vi
			.spyOn(globalThis, 'setTimeout')
			.mockImplementation(((callback: () => void, ms = 0) =>
				real(callback, ms === 60_000 ? 10 : ms)) as typeof setTimeout);
		onTestFinished(() => timers.mockRestore());
		const args = ['record', 'BTCUSDT', '--out', path, '--json', ...both];
		await printedDuring(args, run => run.wrote(text => text.includes('"progress"')));
	});

	test('by something of every document and every type of event', () => {
		expect([...seen].toSorted()).toEqual(allKinds.toSorted());
	});
});
