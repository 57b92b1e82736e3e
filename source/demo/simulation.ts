import type {Clock} from '../market/clock.ts';
import {type Listing, listings} from './listing.ts';
import {LiveMarket} from './live-market.ts';

/** How long (ms) catching up may block the event loop at a time, and how many orders are executed between checks of the time. */
const sliceMs = 8;
const ordersPerLook = 500;

/**
 * All markets of the demo exchange. A market moves only when it is read, independently of the others, so a request never
 * changes the data of other markets.
 */
export class Simulation {
	readonly #seed: number;
	readonly #clock: Clock;
	readonly #startedAt: number;
	readonly #markets = new Map<Listing, LiveMarket>();
	readonly #bySymbol = new Map<string, Listing>();
	readonly #byId = new Map(listings.map(listing => [listing.id, listing]));
	#now: number;
	#reading: Promise<unknown> = Promise.resolve();

	constructor(seed: number, clock: Clock) {
		this.#seed = seed;
		this.#clock = clock;
		this.#startedAt = clock.now();
		this.#now = this.#startedAt;
		for (const listing of listings) {
			this.#bySymbol.set(listing.symbol, listing);
			this.#bySymbol.set(`${listing.base}_${listing.quote}`, listing);
		}
	}

	/** Epoch ms; does not go back when the clock does. */
	now(): number {
		this.#now = Math.max(this.#now, this.#clock.now());
		return this.#now;
	}

	/** Finds a market by `BTCUSDT` or `BTC_USDT`, in any case. */
	findSymbol(text: string): Listing | undefined {
		return this.#bySymbol.get(text.toUpperCase());
	}

	findId(id: number): Listing | undefined {
		return this.#byId.get(id);
	}

	/**
	 * Brings markets up to date, then reads all of them at that one time. Reads take turns: one that has to catch up yields
	 * to the event loop, and no other may move its markets meanwhile.
	 */
	read<T>(wanted: readonly Listing[], answer: (markets: readonly LiveMarket[], now: number) => T): Promise<T> {
		const turn = this.#reading.then(async () => {
			const now = this.now();
			return answer(await this.#reach(wanted, now), now);
		});
		this.#reading = turn.catch(() => {});
		return turn;
	}

	async #reach(wanted: readonly Listing[], now: number): Promise<readonly LiveMarket[]> {
		const markets: LiveMarket[] = [];
		let sliceEnd = performance.now() + sliceMs;
		for (const listing of wanted) {
			const market = this.#market(listing);
			markets.push(market);
			while (!market.advance(now, ordersPerLook)) {
				if (performance.now() < sliceEnd) continue;
				await new Promise(setImmediate);
				sliceEnd = performance.now() + sliceMs;
			}
		}
		return markets;
	}

	#market(listing: Listing): LiveMarket {
		let market = this.#markets.get(listing);
		if (!market) {
			market = new LiveMarket(listing, this.#seed, this.#startedAt);
			this.#markets.set(listing, market);
		}
		return market;
	}
}
