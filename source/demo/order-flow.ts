import type {Side} from '../market/types.ts';
import type {Book} from './book.ts';
import type {Random} from './random.ts';

export type OrderFlowOptions = {
	readonly book: Book;
	readonly random: Random;
	/** Mean market orders per second. */
	readonly tempo: number;
	/** Mean size of a market order, in lots. */
	readonly orderLots: number;
	/** Relative deviation of the price over a second. */
	readonly volatility: number;
	/** Typical number of resting orders on each side. */
	readonly restingOrders: number;
	/** Share of bids among limit orders. */
	readonly bidShare: number;
	/** The initial fair price, in ticks. */
	readonly price: number;
	/** When trading starts, epoch ms. */
	readonly time: number;
};

/** Limit orders per market order. */
const limitsPerMarketOrder = 3.5;
/** Cancellations per market order, when the book has its typical size. */
const cancelsPerMarketOrder = 2.9;
/** Share of market orders on the same side as the previous one. */
const herding = 0.6;
/** Share of market orders that are large enough to sweep several levels. */
const sweepShare = 0.01;
const sweepFactor = 15;
const limitOrderFactor = 3;
/** Minimum depth of a book in ticks, unless that is more than this share of the price. */
const reachTicks = 25;
const widestReach = 0.04;
/** How long a calm or stormy mood lasts (s), and its strength: it scales tempo and volatility. */
const moodSeconds = 400;
const moodDeviation = 0.5;

/**
 * The traders of one market: limit orders around a fair price, market orders and cancellations, at random times and in
 * random sizes, with calm and stormy moods.
 */
export class OrderFlow {
	/** When the next order arrives, epoch ms with fraction. */
	time: number;
	readonly #options: OrderFlowOptions;
	readonly #book: Book;
	readonly #random: Random;
	/** Relative distance from the fair price to the nearest limit orders. */
	readonly #halfSpread: number;
	/** Relative width of the band behind it that holds most limit orders. */
	readonly #reach: number;
	#fair: number;
	#mood = 0;
	#lastSide: Side = 'buy';

	constructor(options: OrderFlowOptions) {
		this.#options = options;
		this.#book = options.book;
		this.#random = options.random;
		this.#fair = options.price;
		this.time = options.time;
		// Quiet markets have wider spreads, as orders wait longer to be filled.
		this.#halfSpread = (0.2 * options.volatility) / Math.sqrt(options.tempo);
		this.#reach = Math.max(12 * this.#halfSpread, Math.min(reachTicks / options.price, widestReach));
		const orders = options.bidShare === 0 ? options.restingOrders : 2 * options.restingOrders;
		for (let order = 0; order < orders; order++) this.#limitOrder();
		this.#schedule();
	}

	/** Executes one order and sets the time of the next. */
	next(): void {
		const kind = this.#random.uniform() * this.#ordersPerMarketOrder();
		if (kind < 1) this.#marketOrder();
		else if (kind < 1 + limitsPerMarketOrder) this.#limitOrder();
		else this.#cancelOrder();
		this.#schedule();
	}

	/** Orders of all kinds per market order. The fuller the book, the more are cancelled. */
	#ordersPerMarketOrder(): number {
		const fullness = this.#book.orders.length / (2 * this.#options.restingOrders);
		return 1 + limitsPerMarketOrder + cancelsPerMarketOrder * fullness;
	}

	#schedule(): void {
		const storm = Math.exp(this.#mood);
		const ordersPerSecond = this.#options.tempo * this.#ordersPerMarketOrder() * storm;
		const seconds = this.#random.exponential() / ordersPerSecond;
		const memory = Math.exp(-seconds / moodSeconds);
		this.#mood = this.#mood * memory + moodDeviation * Math.sqrt(1 - memory * memory) * this.#random.gaussian();
		this.#fair *= Math.exp(this.#options.volatility * Math.sqrt(storm * seconds) * this.#random.gaussian());
		this.time += seconds * 1000;
	}

	#marketOrder(): void {
		const {orderLots} = this.#options;
		const size = this.#random.uniform() < sweepShare ? sweepFactor * orderLots : orderLots;
		this.#lastSide = this.#marketSide();
		this.#book.market(this.#lastSide, this.#lots(size));
	}

	/** The side of the next market order: that of the fair price if it has left the spread, else mostly that of the last order. */
	#marketSide(): Side {
		const ask = this.#book.best('sell');
		const bid = this.#book.best('buy');
		const stray = this.#random.uniform();
		if (ask && this.#fair > ask.price && stray < 0.9) return 'buy';
		if (bid && this.#fair < bid.price && stray < 0.9) return 'sell';
		return stray < herding ? this.#lastSide : opposite(this.#lastSide);
	}

	#limitOrder(): void {
		const random = this.#random;
		const side: Side = random.uniform() < this.#bidShare() ? 'buy' : 'sell';
		// Dense near the fair price, thin far away, with a few orders that are unlikely to be filled.
		const patience = random.uniform();
		const distance = this.#halfSpread + this.#reach * patience * ((1 - patience) ** -0.6 - 1);
		const factor = Math.exp(side === 'buy' ? -distance : distance);
		const wanted = side === 'buy' ? Math.floor(this.#fair * factor) : Math.ceil(this.#fair * factor);
		const price = this.#withoutCrossing(side, wanted);
		if (price < 1) return;
		this.#book.limit(side, price, this.#lots(limitOrderFactor * this.#options.orderLots));
	}

	/** Share of bids now: the thinner side gets more orders; a market without bids gets none. */
	#bidShare(): number {
		const {bidShare} = this.#options;
		const bids = this.#book.bids.length;
		const asks = this.#book.asks.length;
		if (bidShare === 0 || bids + asks === 0) return bidShare;
		return bidShare + (0.4 * (asks - bids)) / (asks + bids);
	}

	/** Most limit orders should wait, so they move back to the last price that does not cross; a few take what is there. */
	#withoutCrossing(side: Side, wanted: number): number {
		const other = this.#book.best(opposite(side));
		if (!other || this.#random.uniform() < 0.1) return wanted;
		return side === 'buy' ? Math.min(wanted, other.price - 1) : Math.max(wanted, other.price + 1);
	}

	/** Cancels a best order on the wrong side of the fair price, before it is filled; if there is none, any order. */
	#cancelOrder(): void {
		const bid = this.#book.best('buy')?.last;
		const ask = this.#book.best('sell')?.last;
		const stale = bid && bid.price > this.#fair ? bid : ask && ask.price < this.#fair ? ask : undefined;
		const {orders} = this.#book;
		const order = stale ?? orders[Math.floor(this.#random.uniform() * orders.length)];
		if (order) this.#book.cancel(order);
	}

	#lots(mean: number): number {
		return Math.max(1, Math.round(mean * this.#random.heavyTailed()));
	}
}

function opposite(side: Side): Side {
	return side === 'buy' ? 'sell' : 'buy';
}
