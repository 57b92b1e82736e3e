import {neighbourhood} from '../../serve/addresses.ts';
import type {Viewer} from '../../serve/viewer.ts';
import {pollIntervals} from '../../store/polling.ts';
import {createSharedExchange} from '../../store/shared-exchange.ts';
import {createSpareTurns} from '../../store/spare-turns.ts';
import type {Rewindable} from '../commands/monitor-history.ts';
import type {Context} from '../context.ts';
import {pastReads, viewersReads} from '../exchanges.ts';
import type {Source} from '../options/options.ts';
import {failureText} from '../output.ts';
import {createTurns, type Faults} from './faults.ts';
import type {Tallying} from './tally.ts';
import {openViewerFile} from './viewer-files.ts';

type SharingOptions = {
	/** The settings of the program. */
	readonly owners: readonly Source[];
	readonly rewindable: Rewindable;
	readonly faults: Faults;
	readonly tally: Tallying;
	/** Called when what a viewer looked at ended because of a defect. */
	readonly onDefect: (viewer: Pick<Viewer, 'address'>, error: unknown) => void;
};

export type Shared = ReturnType<typeof shareWithViewers>;

/** What all viewers share: one exchange, whose budget they have in equal parts, and one clock. */
export function shareWithViewers(context: Context, {owners, rewindable, faults, tally, onDefect}: SharingOptions) {
	const {clock, options} = context;
	const turns = createTurns(clock, setImmediate);
	const {join} = createSharedExchange({
		// An answer reaches one viewer in each turn, too.
		...{exchange: rewindable.exchange, clock: faults.clockOfAll(turns), random: Math.random},
		intervals: pollIntervals(options.intervalsMs),
	});
	const people = createPeople();
	const spareTurns = createSpareTurns(context.exchange, clock);
	const pastCandles = pastReads({exchange: context.exchange, clock: faults.clockOfAll(clock)}, spareTurns);
	const ofViewers: Context = {...context, spareTurns, pastCandles};
	return {
		context: ofViewers,
		owners,
		/** What was read of all markets. */
		log: rewindable.log,
		/** The part of one viewer in what all share. */
		join(viewer: Viewer) {
			const markets = viewer.key?.options.markets;
			const {person, leave} = people.enter(viewer);
			const joined = faults.exchangeOfAll(join(person));
			return {
				/** Of the markets that its key names, if it names any. */
				exchange: viewersReads(joined, context, markets),
				/** Of all markets. */
				all: joined,
				inTurn: person.inTurn,
				async leave(): Promise<void> {
					leave();
					await joined.close();
				},
			};
		},
		/** Runs one timer in each turn of the event loop. */
		turns,
		/** What is remembered of a viewer. */
		fileOf: (viewer: Viewer) => openViewerFile(viewer, process.env, clock),
		/** Called with frames that a slow viewer missed. */
		onDrop: (frames: number) => tally.add('droppedFrames', frames),
		onDefect,
	};
}

type Person = ReturnType<typeof createPerson>;

/** Who is there: all viewers with one key are one, and all without a key that come from one address. */
function createPeople() {
	const people = new Map<string, Person>();
	return {
		/** Call `leave` once. */
		enter({key, address}: Viewer) {
			const name = key?.fingerprint ?? neighbourhood(address);
			const person = people.get(name) ?? createPerson();
			people.set(name, person);
			person.viewers++;
			return {
				person,
				leave() {
					person.viewers--;
					if (person.viewers === 0) people.delete(name);
				},
			};
		},
	};
}

function createPerson() {
	let last: Promise<unknown> = Promise.resolve();
	return {
		viewers: 0,
		/** Runs the work when what was to run before it has settled. */
		inTurn<T>(work: () => Promise<T>): Promise<T> {
			const own = last.then(work, work);
			last = own;
			return own;
		},
	};
}

/** Tells the owner of the program about defects. */
export function noteDefects(
	{output, log}: Context,
	tally: Tallying,
	{debug}: {readonly debug: boolean},
): SharingOptions['onDefect'] {
	return ({address}, error) => {
		tally.add('defects', 1);
		const at = placesOf(error);
		// Its message may quote an exchange.
		log?.door({type: 'defect', address, error: error instanceof Error ? error.name : typeof error, at});
		const advice = debug || log ? '' : '; --debug or --log-file says where';
		output.note(`a defect of Tapewatch ended the connection of ${address}: ${failureText(error)}${advice}`);
		if (debug) output.note(at.join('\n'));
	};
}

/** Where it was thrown, without the message. */
const placesOf = (error: unknown): readonly string[] =>
	(error instanceof Error && error.stack ? error.stack.split('\n') : []).filter(line => /^\s+at /.test(line));
