import {expect, test} from 'vitest';
import {sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {startSpecifiedExchange} from '../helpers/specified-exchange.ts';
import {command, openProgram, openScript} from './program.ts';

const size = {columns: 100, rows: 40};
const file = 'cat "$XDG_CONFIG_HOME/tapewatch/config.toml"';

test('setup asks until an address is of an exchange, then for a name, and the monitor begins on it', async () => {
	const {url} = await startSpecifiedExchange();
	const page = await startExchangeServer();
	page.answer('/engine/v2/public/markets', sends('<title>A blog</title>', {headers: {'content-type': 'text/html'}}));
	const script = `${command} setup && ${file} && ${command} ticker BTCUSDT --json`;
	const session = openScript(script, {...size, config: '# mine\n\nfps = 4\n'});
	await session.waitFor(/Address of the exchange, such as https:\/\/api\.example\.com:$/m);
	session.write('no address\r');
	await session.waitFor(/tapewatch: the address must be an address such as/);
	session.write(`${page.url}\r`);
	await session.waitFor(/not found: a web page, “A blog”/);
	await session.waitFor(/no exchange found at .*; give another address, or press Enter$/m);
	session.write(`${url}\r`);
	await session.waitFor(/legacy {2}1 market in/);
	await session.waitFor(/Its name in the config file \(Enter: exchange\):$/m);
	session.write('demo\r');
	await session.waitFor(/demo is the embedded exchange/);
	session.write('mine\r');
	const whenever = /Use it by default\? \(Enter: yes, n: no\):$/m;
	await session.waitFor(whenever);
	session.write('maybe\r');
	await session.waitFor(
		rows => rows.filter(row => whenever.test(row.trimEnd())).length === 1 && rows.join('\n').includes(': maybe'),
	);
	session.write('\r');
	expect(await session.exit).toEqual({exitCode: 0, signal: undefined});
	const text = session.raw().replaceAll('\r\n', '\n');
	expect(text).toContain(
		`# mine\n\nexchange = "mine"\n\nfps = 4\n\n[exchanges.mine]\nbase-url = "${url}"\nlegacy-base-url = "${url}"\n`,
	);
	expect(text).toContain('"exchange":"mine","demo":false,"schemaVersion":1');
});

test.each([
	['Ctrl-C', '\u0003', 130],
	['Ctrl-D', '\u0004', 1],
	['Enter', '\r', 1],
])('%s ends setup without a change, and gives the terminal back', async (_, key, exitCode) => {
	const session = openScript(`${command} setup; status=$?; stty -a | grep -o ' -\\?icanon'; ${file}; exit $status`, {
		...size,
		config: '# mine\n',
	});
	await session.waitFor(/Address of the exchange/);
	session.write(key);
	expect(await session.exit).toEqual({exitCode, signal: undefined});
	expect(session.raw().replaceAll('\r\n', '\n')).toMatch(/ icanon\n# mine\n$/);
});

test('setup whose questions nobody could see is refused', async () => {
	const session = openScript(
		`${command} setup 2>"$XDG_CONFIG_HOME/seen"; echo "status $?"; cat "$XDG_CONFIG_HOME/seen"`,
		{...size},
	);
	expect(await session.exit).toEqual({exitCode: 0, signal: undefined});
	expect(session.raw().replaceAll('\r\n', '\n')).toMatch(
		/^status 2\ntapewatch: setup asks questions on a terminal; without one, give --base-url, /,
	);
});

test('setup for an exchange with one interface asks for the other, and leaves the default as it is', async () => {
	const exchange = await startSpecifiedExchange();
	exchange.answer('/engine/v2/public/markets', sends('', {status: 404}));
	exchange.answer('/engine/v2/public/ticker', sends('', {status: 404}));
	exchange.answer('/engine/v2/public/summary', sends('', {status: 404}));
	const session = openProgram(['setup', 'second'], {...size, config: 'exchange = "demo"\n'});
	await session.waitFor(/Address of the exchange/);
	session.write(`${exchange.url}\r`);
	await session.waitFor(/Address of its v2 interface \(Enter: it has none\):$/m);
	session.write('\r');
	expect(await session.exit).toEqual({exitCode: 0, signal: undefined});
	expect(session.raw()).toMatch(/\[exchanges\.second\]\r\nlegacy-base-url = .*next: tapewatch --exchange second, /s);
});
