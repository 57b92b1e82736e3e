import {tradeKey} from '../../market/tape.ts';
import type {Interface, Trade} from '../../market/types.ts';
import type {watchEvent} from '../../schema/event-schemas.ts';
import type {Of, Origin} from '../../schema/parts.ts';

export type AnyEvent = Of<typeof watchEvent> & {
	/** Identifies it among the events of its market and type; absent: its content does. */
	readonly key?: string | undefined;
};

/**
 * The id of an event: the same in every run and process that finds it, for exchanges of one name. A trade is one by its id and
 * interface, as ids of the two interfaces name different things; an answer by its time and content; a state of a candle by its
 * values. All else happens in one process at one time, but for an alert that a trade made.
 */
export const eventIdOf = (event: AnyEvent, origin: Pick<Origin, 'exchange'>): string =>
	idOf(origin, event.symbol, event.type, event.key ?? keyOf(event));

/** The id of the event of a trade. */
export const tradeEventId = (
	origin: Pick<Origin, 'exchange'>,
	{symbol, interface: source, trade}: {readonly symbol: string; readonly interface: Interface; readonly trade: Trade},
): string => idOf(origin, symbol, 'trade', tradeEventKey(trade, source));

export const tradeEventKey = (trade: Trade, source: Interface): string => `${source}:${tradeKey(trade)}`;

/** Only the name of the exchange may have a colon. */
const idOf = ({exchange}: Pick<Origin, 'exchange'>, symbol: string | null, type: string, key: string): string =>
	[exchange, symbol ?? '', type, key].join(':');

function keyOf(event: AnyEvent): string {
	switch (event.type) {
		case 'ticker':
		case 'depth':
			return `${event.interface}:${event.serverTime ?? event.receivedAt}:${digestOf(contentOf(event))}`;
		case 'candle':
			return `${event.period}:${event.time}:${digestOf(contentOf(event))}`;
		case 'alert':
			if (event.trade && !event.test) return digestOf({rule: event.rule, trade: event.trade});
			return `${event.time}:${digestOf(contentOf(event))}`;
		default:
			return `${event.time}:${digestOf(contentOf(event))}`;
	}
}

/** What tells where, when and how completely something was received, which differs from process to process. */
const circumstances: ReadonlySet<string> = new Set([
	...['time', 'interface', 'receivedAt', 'serverTime', 'serverTimeAhead', 'gap', 'builtFrom', 'bidsFailure'],
	'lastTradeAt',
	...['dropped', 'rounded', 'cut', 'misdated', 'offPeriod'],
]);

const contentOf = (event: AnyEvent): object =>
	Object.fromEntries(Object.entries(event).filter(([name]) => !circumstances.has(name)));

function digestOf(content: object): string {
	// Loaded when it is needed: it takes as long as half the start of the program.
	const {hash} = process.getBuiltinModule('node:crypto');
	return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22);
}

/** An event with its id and origin. */
export const eventLine = (event: AnyEvent, origin: Origin): string =>
	`${JSON.stringify({...event, key: undefined, eventId: eventIdOf(event, origin), ...origin})}\n`;

/** The market and type of an event. */
export const kindOf = ({type, symbol}: Pick<AnyEvent, 'type' | 'symbol'>): string => `${type} ${symbol}`;

/** The lines of one run, where `gap` also tells of what this run has not seen or left out. */
export function createEventLines(origin: Origin) {
	const begun = new Set<string>();
	return {
		lineOf(event: AnyEvent): string {
			const kind = kindOf(event);
			const isAfterGap = !begun.has(kind);
			begun.add(kind);
			return eventLine(isAfterGap ? afterGap(event) : event, origin);
		},
		/** An event of this type and market is left out, and none of them has come since. */
		leaveOut: (event: Pick<AnyEvent, 'type' | 'symbol'>) => void begun.delete(kindOf(event)),
	};
}

/** In an alert, `gap` tells when its rule began to hold. */
export const afterGap = (event: AnyEvent): AnyEvent => (event.type === 'alert' ? event : {...event, gap: true});
