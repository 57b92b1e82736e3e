import type {FaultRule} from '../../demo/faults/rule.ts';
import {clockFrom, programClock} from '../clock.ts';
import {aborted, UsageError} from '../exit.ts';
import {note, print} from '../output.ts';

export type DemoRequest = {
	/** Default: a free one. */
	readonly port?: number | undefined;
	readonly seed?: number | undefined;
	/** Epoch ms at which the exchange's clock starts. Default: the program's clock. */
	readonly at?: number | undefined;
	readonly v2Bids?: boolean | undefined;
	/** Requests a second. */
	readonly rateLimit?: number | undefined;
	/** In force from the start. */
	readonly fault?: readonly FaultRule[] | undefined;
};

/** Serves the embedded exchange on loopback until `signal` is aborted. Rejects with a `UsageError` when the port is taken. */
export async function serveDemo(request: DemoRequest, json: boolean, signal: AbortSignal): Promise<void> {
	const {startDemo, PortInUseError} = await import('../../demo/server.ts');
	const {fault: faults, at, ...options} = request;
	const clock = at === undefined ? programClock(process.env) : clockFrom(at);
	const demo = await startDemo({...options, faults, clock}).catch(error => {
		if (!(error instanceof PortInUseError)) throw error;
		throw new UsageError(`${error.message}; give another --port`, {cause: error});
	});
	try {
		const {url, port} = demo;
		await print(json ? `${JSON.stringify({url, port})}\n` : `DEMO exchange, both interfaces, at ${url}\n`);
		note(`try: tapewatch --base-url ${url} --legacy-base-url ${url}`);
		await aborted(signal);
	} finally {
		await demo.close();
	}
}
