import {describe, expect, test} from 'vitest';
import {paths, startExchangeServer, v2} from '../../helpers/exchange-server.ts';
import {startSpecifiedExchange} from '../../helpers/specified-exchange.ts';
import {inProcess} from '../in-process.ts';

const quick = ['doctor', '--samples', '1', '--rate', '1000'];
const bothAt = (url: string) => ['--base-url', url, '--legacy-base-url', url];
const lastLine = (text: string) => text.trim().split('\n').at(-1);

describe('tapewatch doctor', () => {
	test('finds no problem with the demo exchange: status 0', async () => {
		const {stdout, stderr, status} = await inProcess(['doctor', '--samples', '3', '--rate', '1000', 'btc_usdt']);
		expect(stdout).toMatch(/^DEMO · doctor · demo · BTCUSDT · \d+ requests · /);
		expect(stdout).not.toContain('WARNING');
		// Its markets trade on: a price can change before what would be compared with it arrives.
		expect(lastLine(stdout)).toMatch(
			/^(Healthy: every check was made, and none found a problem \(5 notes\)|No problem found, \d checks? not possible)\.$/,
		);
		expect([stderr, status]).toEqual(['tapewatch: 53 requests, at most 1000 per second\n', 0]);
	});

	test('finds an exchange whose clock is years behind usable with a warning: status 3', async () => {
		const {url} = await startSpecifiedExchange();
		const {stdout, status} = await inProcess([...quick, ...bothAt(url), '--interface', 'legacy']);
		expect(stdout).toMatch(
			/^WARNING {4}legacy: clock is \d+ d behind this computer's; set this computer's clock if it is wrong$/m,
		);
		expect(stdout).not.toMatch(/^v2 (?!bids|=)/m);
		expect(lastLine(stdout)).toMatch(/^Usable with 2 warnings, 2 checks not possible\.$/);
		expect(status).toBe(3);
	});

	test('finds an exchange that refuses connections unusable: status 1', async () => {
		const closed = await startExchangeServer();
		await closed.close();
		const {stdout, status} = await inProcess([...quick, ...bothAt(closed.url)]);
		expect(lastLine(stdout)).toBe('Unusable: nothing to watch; check the address, or start the exchange.');
		expect(status).toBe(1);
	});

	test('accepts an answer that is larger than usual with --max-body', async () => {
		const info = {name: 'Long', description: 'x'.repeat(2_500_000)};
		const {url} = await startSpecifiedExchange({[paths.info]: v2(info)});
		const failures = async (...flags: readonly string[]) => {
			const {stdout} = await inProcess([...quick, '--base-url', url, '--json', ...flags]);
			return JSON.parse(stdout).findings.filter(({code}: {code: string}) => code === 'failed');
		};
		expect(await failures()).toEqual([
			expect.objectContaining({operation: 'info', text: expect.stringContaining('answer too large')}),
		]);
		expect(await failures('--max-body', '4')).toEqual([]);
	});
});
