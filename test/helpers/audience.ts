import {Readable, Writable} from 'node:stream';
import {localContext} from '../../source/cli/context.ts';
import type {Settings} from '../../source/cli/options/option-table.ts';
import {mergeSources, type Source} from '../../source/cli/options/options.ts';
import {createTurns} from '../../source/cli/serve/faults.ts';
import {openViewerFile} from '../../source/cli/serve/viewer-files.ts';
import {serveViewer} from '../../source/cli/serve/viewer-session.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import type {Size} from '../../source/format/cells.ts';
import {type Clock, systemClock} from '../../source/market/clock.ts';
import {parseAuthorizedKeys} from '../../source/serve/authorized-keys.ts';
import type {Viewer} from '../../source/serve/viewer.ts';
import {listedOnly} from '../../source/store/listed.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {restrictedTo} from '../../source/store/restricted.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {programEnvironment} from './environment.ts';

/** The terminal of a viewer, which takes all at once and answers how much it has read. */
class Terminal extends Writable {
	readonly isTTY: boolean;
	readonly columns: number;
	readonly rows: number;
	frames = 0;
	bytes = 0;
	/** What was written, piece by piece; undefined: it is not kept. */
	pieces: string[] | undefined;
	readonly #answer: (column: string) => void;

	constructor({columns, rows}: Size, isTTY: boolean, answer: (column: string) => void) {
		super({decodeStrings: false, highWaterMark: 1});
		this.setMaxListeners(0);
		this.isTTY = isTTY;
		this.columns = columns;
		this.rows = rows;
		this.#answer = answer;
	}

	override _write(text: string | Buffer, _encoding: BufferEncoding, taken: () => void): void {
		this.frames++;
		this.bytes += text.length;
		this.pieces?.push(String(text));
		for (const [, column = ''] of String(text).matchAll(/\u001B\[2;(\d+)H\u001B\[6n/g)) this.#answer(column);
		taken();
	}
}

/** One who looks, without SSH. */
export type Spectator = {
	readonly terminal: Terminal;
	readonly input: Readable;
	type(keys: string): void;
	/** Its connection breaks. */
	vanish(): void;
	/** The server asks it to leave. */
	dismiss(): void;
	/** Settles with its exit status when its run is over. */
	readonly ended: Promise<number>;
};

type SeatOptions = {
	/** `TERM`; undefined: no terminal is asked for. Default: one of 256 colours. */
	readonly term?: string | undefined;
	/** A line of the file of the keys. Default: an anonymous viewer. */
	readonly key?: string;
};

export type Audience = {
	/** Runs a command as a viewer; absent: the monitor. */
	seat(command?: string, options?: SeatOptions): Spectator;
	/** Who reads the exchange. */
	readers(): number;
	/** What the owner of the server was told. */
	readonly notes: readonly string[];
	/** Why viewers were turned away. */
	readonly refusals: readonly string[];
};

type AudienceOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly size: Size;
	readonly settings?: Settings;
};

/** Viewers of one exchange in this process, as `serve` runs them. */
export async function openAudience({exchange, clock, size, settings = {}}: AudienceOptions): Promise<Audience> {
	// As `serve` does: Ink listens once for each screen.
	process.setMaxListeners(0);
	const owner: Source = {name: 'the command line', origin: 'flag', settings, where: () => '--exchange'};
	const options = mergeSources([owner]);
	const turns = createTurns(clock, setImmediate);
	const shared = createSharedExchange({
		exchange,
		clock: turns,
		random: () => 0.5,
		intervals: pollIntervals(options.intervalsMs),
	});
	const context = {...(await localContext(options)), clock, exchange};
	const notes: string[] = [];
	const refusals: string[] = [];
	const output = {...context.output, note: (text: string) => void notes.push(text)};
	return {
		seat(command, options = {}) {
			const {term, key: line = ''} = {term: 'xterm-256color', ...options};
			const key = parseAuthorizedKeys(line).keys[0];
			const hasTerminal = term !== undefined && !key?.options.noTerminal;
			const input = new Readable({read() {}});
			const terminal = new Terminal(size, hasTerminal, column => input.push(`\u001B[2;${column}R`));
			const [gone, leave] = [new AbortController(), new AbortController()];
			const {promise: ended, resolve} = Promise.withResolvers<number>();
			const viewer: Viewer = {
				...{key, address: '127.0.0.1', command, terminal: hasTerminal ? {...size, type: term} : undefined},
				env: {...(hasTerminal && {TERM: term}), COLORTERM: 'truecolor', LANG: 'C.UTF-8'},
				...{input, output: terminal, errors: terminal, gone: gone.signal, leave: leave.signal},
				async end(status) {
					resolve(status);
				},
				reportRefusal: sentence => void refusals.push(sentence),
			};
			void serveViewer(viewer, {
				...{context: {...context, output}, owners: [owner], log: undefined, turns},
				join() {
					const joined = shared.join();
					const markets = key?.options.markets;
					const concerns = [listedOnly(clock), ...(markets ? [restrictedTo(markets)] : [])];
					return {
						exchange: withMiddleware(joined, ...concerns),
						all: joined,
						inTurn: work => work(),
						leave: joined.close,
					};
				},
				// What a file takes is real time.
				fileOf: each => openViewerFile(each, programEnvironment(), systemClock),
				onDrop() {},
				onDefect(_, error) {
					throw error;
				},
			});
			return {
				...{terminal, input, ended},
				type: keys => void input.push(keys),
				vanish() {
					gone.abort();
					input.destroy();
					terminal.destroy();
				},
				dismiss: () => leave.abort('the server is stopping'),
			};
		},
		readers: shared.viewers,
		notes,
		refusals,
	};
}
