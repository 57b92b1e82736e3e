import {expect, onTestFinished, test} from 'vitest';
import type {DepthBook} from '../../source/market/types.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {answered, recordSample, startedAt, symbol} from './recordings.ts';

const at = (seconds: number): number => startedAt + seconds * 1000;
const book: DepthBook = {asks: [[101, 1]], bids: [[100, 1]]};

/** The state of the order book after a seek to each of these seconds. */
function bookStates(path: string, seconds: readonly number[]): readonly string[] {
	const reader = openRecording(path);
	const replay = openReplay({
		...{reader, sessions: reader.sessions(), clock: createFakeClock(startedAt), settle: async () => {}},
	});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	onTestFinished(() => {
		store.stop();
		reader.close();
	});
	return seconds.map(second => {
		replay.player.goTo(at(second));
		return store.getSnapshot().depth.status;
	});
}

test.each([
	{depth: undefined, states: ['ready', 'failed', 'ready', 'failed']},
	{depth: 20_000, states: ['ready', 'ready', 'ready', 'ready']},
])('knows a book until three polls of its recorder are missing, each $depth ms', ({depth, states}) => {
	const reads = [0, 20, 40, 60].map(seconds => answered.depth(book, at(seconds)));
	const path = recordSample(reads, undefined, at(0), {intervalsMs: depth === undefined ? {} : {depth}});
	expect(bookStates(path, [9, 15, 25, 35])).toEqual(states);
});
