import {join} from 'node:path';
import {faultNames, faults} from '../../demo/faults/table.ts';
import {operationNames} from '../../demo/operations.ts';
import {systemClock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Market} from '../../market/types.ts';
import {inTime, readText} from '../files.ts';
import {folderOf} from '../folders.ts';
import type {ExchangeAddress} from '../options/option-table.ts';
import {changeFile} from '../replace-file.ts';
import type {Candidate, GivenOptions, Values} from './complete.ts';

/** Of an exchange that is asked while the user waits. */
const longestReadMs = 1000;
/** For how long the markets of an exchange are completed without asking it again. */
const keptMs = 600_000;
/** For how long an exchange that failed is not asked again. */
const failureKeptMs = 10_000;
/** More would not help anybody who completes. */
const mostKept = 10_000;

type KnownMarket = Pick<Market, 'symbol' | 'base' | 'quote'>;

/** What is completed from the config file, the exchange and the computer's time zones. Without an answer there are no candidates. */
export function createValues(env: NodeJS.ProcessEnv): Values {
	return {
		async markets(given, typed) {
			// Spelled as the user began to: a shell drops what does not begin as the word does.
			const [separator] = /[/_-]/.exec(typed) ?? [];
			const candidates = (await marketsOf(given, env)).flatMap(market => spelled(market, separator));
			return candidates.toSorted((one, other) => one.value.localeCompare(other.value));
		},
		async exchanges() {
			const {configPath, readConfig} = await import('../options/config.ts');
			const config = await readConfig(configPath(env)).catch(() => undefined);
			const exchanges = config?.settings.exchanges ?? {};
			const profiles = Object.entries(exchanges).filter(([name]) => isSafe(name));
			return [
				...profiles.map(([value, addresses]) => ({value, description: Object.values(addresses).find(Boolean)})),
				{value: 'demo', description: 'the embedded exchange'},
			];
		},
		async quoteCurrencies(given) {
			const assets = (await marketsOf(given, env)).flatMap(({quote}) => quote ?? []);
			return [...new Set(assets)].filter(isSafe).map(value => ({value}));
		},
		timezones: () => ['local', 'UTC', ...Intl.supportedValuesOf('timeZone')].map(value => ({value})),
		faults: faultCandidates,
	};
}

/** Nothing that a shell or a terminal could take for more than a name. */
const isSafe = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

function spelled({symbol, base, quote}: KnownMarket, separator: string | undefined): readonly Candidate[] {
	const isNamed = base !== undefined && quote !== undefined && isSafe(base) && isSafe(quote);
	// Of a market whose name others have too.
	const [number = ''] = /#\d+$/.exec(symbol) ?? [];
	if (separator !== undefined) return isNamed ? [{value: `${base}${separator}${quote}${number}`}] : [];
	const value = symbolKey(symbol);
	if (!isSafe(value.slice(0, value.length - number.length))) return [];
	return [{value, description: isNamed ? `${base}/${quote}` : undefined}];
}

async function marketsOf(given: GivenOptions, env: NodeJS.ProcessEnv): Promise<readonly KnownMarket[]> {
	const {readOptions} = await import('../options/options.ts');
	const names = ['baseUrl', 'legacyBaseUrl', 'exchange', 'interface'];
	const flags = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
	const options = await readOptions(flags, env).catch(() => undefined);
	if (!options) return [];
	if (!options.exchange) return (await import('../../demo/listing.ts')).listings;
	return cachedMarkets(options.exchange, env, async () => {
		// The client is loaded before the time counts.
		const [{withExchange}] = await Promise.all([import('../context.ts'), import('../../client/connect.ts')]);
		const quiet = {...options, timeoutMs: Math.min(options.timeoutMs, longestReadMs), logFile: undefined};
		const late = new AbortController();
		const stopWaiting = systemClock.after(longestReadMs, () => late.abort());
		try {
			const call = {use: options.choice, signal: late.signal};
			const {data} = await withExchange(quiet, ({exchange}) => exchange.markets(call));
			return data;
		} finally {
			stopWaiting();
		}
	});
}

/** What is kept of an exchange, in a file for each. Without markets: it failed. */
type Kept = {readonly readAt: number; readonly markets?: readonly KnownMarket[] | undefined};

function cachePath(env: NodeJS.ProcessEnv, {baseUrl, legacyBaseUrl}: ExchangeAddress): string {
	const {hash} = process.getBuiltinModule('node:crypto');
	const key = hash('sha256', JSON.stringify([baseUrl, legacyBaseUrl]), 'hex').slice(0, 16);
	return join(folderOf('cache', env), `markets-${key}.json`);
}

/**
 * The markets of an exchange: those read in the last ten minutes, else those that `read` resolves with, which are kept. None if it
 * rejects, and for ten seconds after that it is not called. Never rejects.
 */
async function cachedMarkets(
	address: ExchangeAddress,
	env: NodeJS.ProcessEnv,
	read: () => Promise<readonly KnownMarket[]>,
): Promise<readonly KnownMarket[]> {
	const clock = systemClock;
	const path = cachePath(env, address);
	const kept: Kept | undefined = await readText(path)
		.then(JSON.parse)
		.catch(() => undefined);
	const ageMs = Math.abs(clock.now() - (kept?.readAt ?? -Infinity));
	if (kept && ageMs < (kept.markets ? keptMs : failureKeptMs)) return kept.markets ?? [];
	const markets = await read().then(
		list => list.slice(0, mostKept).map(({symbol, base, quote}) => ({symbol, base, quote})),
		() => undefined,
	);
	const text = JSON.stringify({readAt: clock.now(), markets} satisfies Kept);
	await inTime(clock, signal => changeFile(path, {clock, signal}, async () => text)).catch(() => {});
	return markets ?? [];
}

function faultCandidates(typed: string): readonly Candidate[] {
	const at = typed.indexOf('=');
	if (at < 0) return ['v2.*', 'legacy.*', ...operationNames].map(name => ({value: `${name}=`}));
	const on = typed.slice(0, at + 1);
	return faultNames.map(name => ({value: `${on}${name}`, description: faults[name].help}));
}
