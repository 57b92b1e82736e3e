import {pino} from 'pino';
import type {Observe} from '../../client/outcome.ts';
import type {Clock} from '../../market/clock.ts';
import {createLogEvents, type LogEvent} from './log-events.ts';
import type {RotatingFile} from './log-file.ts';

/** Writes each failure and each recovery as one line of JSON, `time` in epoch ms. */
export function createLog(file: RotatingFile, clock: Clock): Observe {
	const events = createLogEvents();
	const log = pino(
		{
			base: null,
			timestamp: () => `,"time":${clock.now()}`,
			formatters: {level: label => ({level: label})},
		},
		file,
	);
	return outcome => {
		const event = events(outcome);
		if (event) log[event.level](withoutCredentials(event.fields), event.message);
	};
}

/** Texts of the system or the exchange may quote an address, such as a proxy's, with its password. */
const withoutCredentials = (fields: LogEvent['fields']): object =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replace(/\/\/[^/\s@]*@/g, '//') : value,
		]),
	);
