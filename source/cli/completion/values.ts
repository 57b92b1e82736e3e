import {faultNames, faults} from '../../demo/faults/table.ts';
import {operationNames} from '../../demo/operations.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Candidate, GivenOptions, Values} from './complete.ts';
import type {KnownMarket} from './market-cache.ts';

/** Of an exchange that is asked while the user waits. */
const longestReadMs = 1000;

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
	const [{cachedMarkets}, {systemClock}] = await Promise.all([
		import('./market-cache.ts'),
		import('../../market/clock.ts'),
	]);
	return cachedMarkets(options.exchange, {env, clock: systemClock}, async () => {
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

function faultCandidates(typed: string): readonly Candidate[] {
	const at = typed.indexOf('=');
	if (at < 0) return ['v2.*', 'legacy.*', ...operationNames].map(name => ({value: `${name}=`}));
	const on = typed.slice(0, at + 1);
	return faultNames.map(name => ({value: `${on}${name}`, description: faults[name].help}));
}
