import type {Answer} from '../client/exchange.ts';
import type {QuestionOf} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import type {Candle} from '../market/types.ts';
import {createPastCandles, type PastCandlesReader} from '../store/past-candles.ts';
import type {Replay} from './open-replay.ts';
import type {Moment} from './outcome-log.ts';
import type {RecordingReader} from './recording-reader.ts';

type RecordedPastOptions = {
	readonly reader: RecordingReader;
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets what is shown be drawn. */
	readonly settle: () => Promise<unknown>;
};

/** The past of markets from the candles that were recorded of them, as it was known at the moment that is shown. */
export function createRecordedPast(
	{player, clock: played}: Pick<Replay, 'player' | 'clock'>,
	{reader, clock, settle}: RecordedPastOptions,
): PastCandlesReader {
	const past = createPastCandles({
		exchange: {
			candles: async (market, {period}) => recordedCandlesOf(reader, player.moment(), {ask: 'candles', market, period}),
		},
		...{clock: {now: played.now, after: clock.after}, random: () => 0},
		turns: {
			async take(signal) {
				await settle();
				return signal?.aborted ? undefined : {sent() {}, end() {}};
			},
			join: () => () => {},
		},
	});
	player.onSeek(past.forget);
	return past;
}

/** Without candles if none were recorded. */
function recordedCandlesOf(
	reader: RecordingReader,
	{session, time}: Moment,
	question: QuestionOf<'candles'>,
): Answer<readonly Candle[]> {
	const isRecorded = reader.hasCandles(session.id, question);
	const read = isRecorded ? reader.lastAnswer(session.id, question, reader.idAt(session.id, time)) : undefined;
	if (!read) return {data: [], interface: 'v2', receivedAt: time, dropped: 0};
	return {...read.answer, data: reader.data(question, read.id)};
}
