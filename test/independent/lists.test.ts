/** What is shown of many markets, and in which order, against the same computed one market at a time; and times of day in zones. */
import {expect, test} from 'vitest';
import {formatExact, formatFixed, formatPercent} from '../../source/format/number.ts';
import {formatClock, formatDateTime} from '../../source/format/time.ts';
import {zoneNamed} from '../../source/format/zone.ts';
import {pathsTo} from '../../source/market/conversion.ts';
import type {Market, Ticker} from '../../source/market/types.ts';
import {entriesOf, ranked, type SortName, sortNames, volumeOf} from '../../source/view/panels/markets/entries.ts';
import {seeded} from '../helpers/candles.ts';
import {comparing, comparingNumbers} from '../helpers/comparing.ts';
import {decimal} from '../helpers/raw-market.ts';

type Listed = {readonly market: Market; readonly ticker: Ticker};

const assets = ['USDT', 'BTC', 'ETH', 'EUR', 'AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];

/** In any of the assets, of markets that trade. */
const leastTurnover = 1e-5;

/**
 * Markets of ten assets at random, each with its ticker, some of which lack a price. Prices agree with each other, so that every way
 * to convert gives the same, but those of markets that hardly trade are wrong.
 */
function listedMarkets(seed: number): readonly Listed[] {
	const random = seeded(seed);
	// Powers of two: no quotient is rounded.
	const worths = new Map(assets.map(asset => [asset, 2 ** Math.floor(random() * 24 - 12)]));
	return assets.flatMap((base, index) =>
		assets.slice(0, 4).flatMap((quote, at): Listed | [] => {
			if (index === at || random() < 0.45) return [];
			const symbol = base + quote;
			const isWrong = random() < 0.3;
			const price = ((worths.get(base) ?? 1) / (worths.get(quote) ?? 1)) * (isWrong ? 1.5 : 1);
			const last = random() < 0.05 ? undefined : price;
			const near = (share: number) => (last === undefined ? undefined : last * share);
			const [bid, ask] = [near(1 - random() / 50), near(1 + random() / 50)];
			const ticker: Ticker = {
				...{symbol, last, bid, ask, changePercent: Math.round((random() - 0.5) * 900) / 10},
				...{high: near(1 + random() / 5), low: near(1 - random() / 5), state: 'active'},
				// Of a similar turnover each, whatever the price.
				volume: ((random() + 0.1) / (worths.get(base) ?? 1)) * (isWrong ? 1e-9 : 1),
			};
			return {market: {symbol, id: String(index * 10 + at), base, quote, state: 'active'}, ticker};
		}),
	);
}

/** Every chain of at most three markets from an asset to the currency, through no asset twice. */
function chainsOf(
	listed: readonly Listed[],
	asset: string,
	currency: string,
	seen: readonly string[] = [],
): ReadonlyArray<readonly Listed[]> {
	if (asset === currency) return [[]];
	if (seen.length === 3) return [];
	return listed.flatMap(link => {
		const {base = '', quote = ''} = link.market;
		if (link.ticker.last === undefined || (base !== asset && quote !== asset)) return [];
		const next = base === asset ? quote : base;
		if (seen.includes(next)) return [];
		return chainsOf(listed, next, currency, [...seen, asset]).map(chain => [link, ...chain]);
	});
}

/** What one unit of `asset` is worth at the end of a chain, and the least turnover on the way, in the currency. */
function valueOfChain(chain: readonly Listed[], asset: string): {readonly worth: number; readonly least: number} {
	const [link, ...rest] = chain;
	if (!link) return {worth: 1, least: Number.POSITIVE_INFINITY};
	const {market, ticker} = link;
	const {last = 0, volume = 0} = ticker;
	const isBase = market.base === asset;
	const after = valueOfChain(rest, (isBase ? market.quote : market.base) ?? '');
	const turnover = volume * (isBase ? last : 1) * after.worth;
	return {worth: (isBase ? last : 1 / last) * after.worth, least: Math.min(turnover, after.least)};
}

test('an asset is worth what the chain of markets with the highest least turnover says', context => {
	const compareNumbers = comparingNumbers(context);
	for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
		const listed = listedMarkets(seed);
		const tickers = new Map(listed.map(({ticker}) => [ticker.symbol, ticker]));
		for (const currency of ['USDT', 'BTC', 'EUR', 'DDD']) {
			const paths = pathsTo(
				listed.map(({market}) => market),
				tickers,
				currency,
			);
			for (const asset of assets) {
				const chains = chainsOf(listed, asset, currency).map(chain => valueOfChain(chain, asset));
				const best = chains.toSorted((one, other) => other.least - one.least)[0];
				// Where every way leads over a market that hardly trades, any of them will do.
				if (best && best.least > leastTurnover)
					compareNumbers(paths.get(asset)?.worth, best.worth, `${asset} in ${currency}`);
				else expect(paths.has(asset)).toBe(best !== undefined);
			}
		}
	}
});

test('volumes in one currency, and every order of the list', context => {
	const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
	for (const seed of [11, 12, 13]) {
		const listed = listedMarkets(seed);
		const tickers = new Map(listed.map(({ticker}) => [ticker.symbol, ticker]));
		const entries = entriesOf(
			listed.map(({market}) => market),
			tickers,
			'USDT',
		);
		const volumes = new Map(
			listed.map(({market, ticker}) => {
				const chains = chainsOf(listed, market.quote ?? '', 'USDT').map(chain =>
					valueOfChain(chain, market.quote ?? ''),
				);
				const best = chains.toSorted((one, other) => other.least - one.least)[0];
				const {last, volume} = ticker;
				return [market.symbol, last === undefined || !best ? undefined : (volume ?? 0) * last * best.worth] as const;
			}),
		);
		for (const entry of entries) {
			const expected = volumes.get(entry.market.symbol);
			if (expected === undefined) compare(volumeOf(entry), undefined);
			else compareNumbers(volumeOf(entry), expected, entry.market.symbol);
		}

		const figures: Readonly<Partial<Record<SortName, (ticker: Ticker) => number | undefined>>> = {
			volume: ({symbol}) => volumes.get(symbol),
			change: ({last, changePercent}) => (last === undefined ? undefined : changePercent),
			last: ({last}) => last,
			spread: ({bid, ask}) => (bid === undefined || ask === undefined ? undefined : (ask - bid) / (ask + bid)),
			range: ({low, high, last}) =>
				low === undefined || high === undefined || last === undefined ? undefined : (last - low) / (high - low),
			high: ({high}) => high,
			low: ({low}) => low,
			bid: ({bid}) => bid,
			ask: ({ask}) => ask,
		};
		const nameOf = ({market}: Pick<Listed, 'market'>) => `${market.base}/${market.quote}`;
		for (const sort of sortNames) {
			const figure = figures[sort];
			if (!figure && sort !== 'name') continue;
			for (const reversed of [false, true]) {
				const isRising = (sort === 'name' || sort === 'spread') !== reversed;
				const names = listed.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
				const known = names.filter(({ticker}) => !figure || figure(ticker) !== undefined);
				const value = ({ticker}: Listed) => figure?.(ticker) ?? 0;
				const sorted = figure
					? known.toSorted((one, other) => (value(one) - value(other)) * (isRising ? 1 : -1))
					: isRising
						? names
						: names.toReversed();
				const expected = [...sorted, ...names.filter(each => !sorted.includes(each))].map(nameOf);
				const found = ranked(entries, {sort, reversed}, new Map()).map(nameOf);
				for (const [index, name] of expected.entries()) compare(found[index], name, `${sort} ${reversed} at ${index}`);
			}
		}
	}
});

test('times of day in zones', context => {
	const compare = comparing(context);
	const own = process.env.TZ;
	const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
	try {
		for (const name of [...zones, 'Pacific/Chatham', 'America/St_Johns', 'Africa/Casablanca', 'Asia/Tehran']) {
			const named = zoneNamed(name);
			if (!('value' in named)) throw new Error(`${name} is no zone`);
			// The clocks of the runtime itself.
			process.env.TZ = name;
			for (let day = 0; day < 366; day += 3) {
				for (const hour of [0, 1, 2, 7, 13.75]) {
					const time = Date.UTC(2026, 0, 1 + day) + hour * 3_600_000 + 59_999;
					const date = new Date(time);
					const two = (number: number) => String(number).padStart(2, '0');
					const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
					const days = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
					compare(formatDateTime(time, named.value), `${days} ${clock}`, name);
					compare(formatClock(time, named.value), clock, name);
				}
			}
		}
	} finally {
		process.env.TZ = own;
	}
});

/** Digits with a point before the last of `decimals`, a comma between thousands, and a sign. */
function textOf(units: bigint, decimals: number): string {
	const size = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
	const [whole, rest] = [size.slice(0, size.length - decimals), size.slice(size.length - decimals)];
	const groups: string[] = [];
	for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(end - 3, 0), end));
	return `${units < 0n ? '−' : ''}${groups.join(',')}${rest && `.${rest}`}`;
}

test('digits of prices, quantities and changes', context => {
	const compare = comparing(context);
	const random = seeded(21);
	for (let count = 0; count < 3000; count++) {
		const decimals = count % 11;
		// Up to 15 digits, which a double holds.
		const units = BigInt(Math.ceil(10 ** (random() * 14))) * (count % 3 === 0 ? -1n : 1n);
		const text = textOf(units, decimals);
		const value = decimal(units, decimals);
		compare(formatFixed(value, decimals), text);
		compare(formatExact(value), decimals > 0 ? text.replace(/\.?0+$/, '') : text);
		const change = units % 99_999n;
		const sign = change > 0n ? '+' : '';
		const expected = textOf(change, 2);
		compare(formatPercent(decimal(change, 2)), `${sign}${change === 0n ? '0.00' : expected} %`);
	}
});
