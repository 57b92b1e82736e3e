import {every} from '../../market/clock.ts';
import {createPastStore} from '../../recording/playback.ts';
import {waiting} from '../../store/resource.ts';
import type {MarketStore} from '../../store/state.ts';
import {exitStatus} from '../exit.ts';
import {demoTitle} from '../output.ts';
import {exchangeIn} from '../recorded.ts';
import {note} from '../standard-error.ts';
import {originOf} from './documents.ts';
import {createEventLines} from './event-lines.ts';
import {type PlayedSession, type PlayRequest, playRecording} from './play-recording.ts';
import {rangeTitle} from './read-range.ts';
import {onEachChange} from './watch-end.ts';
import {createMarketEvents} from './watch-events.ts';
import {createRowWriter, watchHeader, watchRow} from './watch-rows.ts';

type RecordedLines = PlayRequest & {
	readonly symbols: readonly string[];
	/** Recorded time between two lines of a market. */
	readonly intervalMs: number;
};

/** Writes the lines or events of `watch` for markets of a recording, as fast as possible. Settles with the exit status. */
export async function writeRecordedLines(request: RecordedLines, signal: AbortSignal): Promise<number> {
	const {reader, symbols, from, json} = request;
	const {period, zone} = request.options;
	const sessions = reader.sessions();
	const [start, to] = [from ?? sessions[0]?.from ?? 0, sessions.at(-1)?.to ?? 0];
	const titles = [...(exchangeIn(reader).demo ? [demoTitle] : []), rangeTitle({from: start, to}, zone)];
	const texts: string[] = json ? [] : titles.map(title => `${title}\n`);
	if (json) titles.forEach(note);
	const write = json ? writeEvents : createRows(request, text => texts.push(text));
	await playRecording({reader, from}, signal, {
		texts,
		begin(played) {
			const {session, clock} = played;
			const moment = () => ({session, time: clock.now()});
			const stores = symbols.map(symbol => createPastStore({log: reader, clock, moment}, {symbol, period}));
			const end = write(stores, played);
			for (const store of stores) store.start();
			return () => {
				end();
				for (const store of stores) store.stop();
			};
		},
	});
	return exitStatus.done;

	function writeEvents(stores: readonly MarketStore[], {clock}: PlayedSession): () => void {
		const {lineOf} = createEventLines(originOf(exchangeIn(reader)));
		return onEachChange(stores, () => {
			const eventsOf = createMarketEvents();
			return state => {
				texts.push(...eventsOf(state, clock.now()).map(lineOf));
			};
		});
	}
}

/** Writes the header at once, and a row of each market at every interval and at the end of a session. */
function createRows({intervalMs, options: {ascii, zone}}: RecordedLines, write: (text: string) => void) {
	const align = createRowWriter();
	write(`${align(watchHeader(zone))}\n`);
	return (stores: readonly MarketStore[], {clock}: PlayedSession): (() => void) => {
		const writeAll = () => {
			for (const store of stores) {
				// Lines show no candles: their age is not that of a line.
				const state = {...store.getSnapshot(), candles: waiting};
				write(`${align(watchRow(state, {now: clock.now(), ascii, zone}))}\n`);
			}
		};
		let writtenAt = clock.now();
		const cancel = every(clock, intervalMs, () => {
			writtenAt = clock.now();
			writeAll();
		});
		return () => {
			cancel();
			if (clock.now() > writtenAt) writeAll();
		};
	};
}
