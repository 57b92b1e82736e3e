import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {importsOf, readFiles} from '../helpers/source-files.ts';

const root = new URL('../../', import.meta.url);

test('imports nothing but the market, the client and itself', () => {
	const files = new Map(readFiles('source').map(file => [file.path, file]));
	const reached = new Set([...files.keys()].filter(path => path.startsWith('source/store/')));
	for (const path of reached) {
		const file = files.get(path);
		if (!file) continue;
		for (const {target, typeOnly} of importsOf(file)) if (!typeOnly) reached.add(target);
	}

	expect(reached).toContain('source/store/market-store.ts');
	const strangers = [...reached].filter(target => !/^source\/(store|client|format|market)\/|^node:/.test(target));
	expect(strangers).toEqual([]);
});

const program = `
import {registerHooks} from 'node:module';

registerHooks({
	resolve(specifier, context, next) {
		if (/^(react|ink)([/-]|$)/.test(specifier)) throw new Error('absent: ' + specifier);
		return next(specifier, context);
	},
});
const absent = await import('react').catch(error => error.message);
const {createMarketStore} = await import('./source/store/market-store.ts');
const {createFakeClock} = await import('./test/helpers/fake-clock.ts');
const {createFakeExchange} = await import('./test/helpers/fake-exchange.ts');
const clock = createFakeClock();
const exchange = createFakeExchange(clock, {depth: () => ({asks: [[101, 2]], bids: [[99, 3]]})});
const store = createMarketStore({exchange, clock, symbol: 'BTCUSDT'});
let notified = 0;
store.subscribe(() => notified++);
store.start();
await clock.advance(2500);
store.stop();
const {depth} = store.getSnapshot();
console.log(JSON.stringify({absent, notified, polls: exchange.calls.depth.length, book: depth.data}));
`;

test('runs with React absent', async () => {
	const {stdout, stderr} = await promisify(execFile)(
		process.execPath,
		['--no-warnings', '--input-type=module', '--eval', program],
		{cwd: root},
	);
	expect({stderr, result: JSON.parse(stdout)}).toEqual({
		stderr: '',
		result: {absent: 'absent: react', notified: 3, polls: 3, book: {asks: [[101, 2]], bids: [[99, 3]]}},
	});
});
