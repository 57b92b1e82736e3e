import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import type {Outcome} from '../../client/exchange.ts';
import {isOwnName} from '../../demo/operations.ts';
import {secondMs} from '../../market/units.ts';
import {plainAddress} from '../../serve/addresses.ts';
import type {Address} from '../options/option-types.ts';
import {addressText, listenError} from './listen.ts';
import type {Tally} from './tally.ts';

type MetricsOptions = {
	readonly listen: Address;
	viewers(): number;
	connecting(): number;
	tally(): Tally;
};

const totals = [
	['logins', 'tapewatch_logins_total', 'Viewers that have logged in'],
	['refusals', 'tapewatch_refusals_total', 'Connections and viewers that were turned away'],
	['bytes', 'tapewatch_sent_bytes_total', 'Bytes sent to viewers'],
	['droppedFrames', 'tapewatch_dropped_frames_total', 'Frames that slow viewers missed'],
	['defects', 'tapewatch_defects_total', 'Viewers that were disconnected because of a defect of Tapewatch'],
] as const;

/**
 * Serves `GET /metrics` in the text format of Prometheus until `close`: viewers, requests to the exchange by interface and
 * operation, and the process. On loopback, a web page whose own name leads here is refused. Rejects with a `UsageError` when the address cannot be listened on.
 */
export async function serveMetrics({listen, viewers, connecting, tally}: MetricsOptions) {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({register: registry});
	new Gauge({
		...{name: 'tapewatch_viewers', help: 'Viewers that are logged in', registers},
		collect() {
			this.set(viewers());
		},
	});
	new Gauge({
		...{name: 'tapewatch_connecting', help: 'Connections that have not logged in', registers},
		collect() {
			this.set(connecting());
		},
	});
	for (const [total, name, help] of totals) {
		new Counter({
			...{name, help, registers},
			collect() {
				this.reset();
				this.inc(tally()[total]);
			},
		});
	}

	const requests = new Counter({
		...{name: 'tapewatch_requests_total', help: 'Requests to the exchange', registers},
		labelNames: ['interface', 'operation', 'outcome'],
	});
	const durations = new Histogram({
		...{name: 'tapewatch_request_duration_seconds', help: 'From sending a request to its decoded answer', registers},
		labelNames: ['interface', 'operation'],
		buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
	});
	let isLoopback = true;
	const server = createServer(async (request, response) => {
		if (isLoopback && !isOwnName(String(request.headers.host), addressText(listen))) {
			response.writeHead(403, {'content-type': 'text/plain'});
			response.end('name this server 127.0.0.1 or localhost\n');
			return;
		}

		const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
		response.writeHead(isKnown ? 200 : 404, {'content-type': isKnown ? registry.contentType : 'text/plain'});
		response.end(isKnown ? await registry.metrics() : 'see /metrics\n');
	});
	server.listen(listen.port, listen.host);
	await once(server, 'listening').catch(cause => {
		throw listenError(cause, 'serve metrics', listen, '--metrics');
	});
	const {address, port} = server.address() as AddressInfo;
	isLoopback = isOwnName(addressText({host: plainAddress(address), port}));
	return {
		/** `HOST:PORT` that is listened on. */
		address: addressText({host: listen.host, port}),
		observe(outcome: Outcome): void {
			const {interface: source, operation, error} = outcome;
			requests.inc({interface: source, operation, outcome: outcomeWord(outcome)});
			if (!error) durations.observe({interface: source, operation}, outcome.durationMs / secondMs);
		},
		async close(): Promise<void> {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

const outcomeWord = ({error, status}: Outcome): string => {
	if (!error) return 'ok';
	return status === 429 ? 'rate-limited' : error.kind;
};
