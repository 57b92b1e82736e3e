import type {Origin} from '../../schema/parts.ts';
import {type AnyEvent, eventIdOf} from './event-ids.ts';

/** An event with its id and origin. */
export const eventLine = (event: AnyEvent, origin: Origin): string =>
	`${JSON.stringify({...event, key: undefined, eventId: eventIdOf(event, origin), ...origin})}\n`;

/** The market and type of an event. */
export const kindOf = ({type, symbol}: Pick<AnyEvent, 'type' | 'symbol'>): string => `${type} ${symbol}`;

/** The lines of one run, where `gap` also tells of what this run has not seen or left out. */
export type EventLines = {
	lineOf(event: AnyEvent): string;
	/** An event of this type and market is left out, and none of them has come since. */
	leaveOut(event: Pick<AnyEvent, 'type' | 'symbol'>): void;
};

export function createEventLines(origin: Origin): EventLines {
	const begun = new Set<string>();
	return {
		lineOf(event) {
			const kind = kindOf(event);
			const isAfterGap = !begun.has(kind);
			begun.add(kind);
			return eventLine(isAfterGap ? afterGap(event) : event, origin);
		},
		leaveOut: event => void begun.delete(kindOf(event)),
	};
}

/** In an alert, `gap` tells when its rule began to hold. */
export const afterGap = (event: AnyEvent): AnyEvent => (event.type === 'alert' ? event : {...event, gap: true});
