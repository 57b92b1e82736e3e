import {dirname, join} from 'node:path';
import type {Outcome} from '../../client/exchange.ts';
import {fileFault} from '../../format/file-fault.ts';
import {formatCount} from '../../format/number.ts';
import {type AddressPattern, parseAddressList} from '../../serve/addresses.ts';
import {type HostKey, openHostKey} from '../../serve/host-key.ts';
import type {KeyFileReport} from '../../serve/key-ring.ts';
import {type SshServer, startSshServer} from '../../serve/ssh-server.ts';
import {rewindableExchange} from '../commands/monitor-history.ts';
import {type Context, withExchange} from '../context.ts';
import {discreetReads} from '../exchanges.ts';
import {aborted, exitStatus, UsageError, untilInterrupted} from '../exit.ts';
import {makeFolder} from '../files.ts';
import {watchHeap} from '../heap.ts';
import type {FlagsOf} from '../options/option-table.ts';
import type {Address} from '../options/option-types.ts';
import {mergeSources, type Options, readSources, type Source} from '../options/options.ts';
import {demoTitle, type Output} from '../output.ts';
import {statePath} from '../state/state-file.ts';
import {catchFaults, type Faults} from './faults.ts';
import {addressText, listenError} from './listen.ts';
import {noteDefects, type Shared, shareWithViewers} from './sharing.ts';
import {createTally, reportEveryMinute, type Tally, type Tallying} from './tally.ts';
import {viewerFilesFault} from './viewer-files.ts';
import {serveViewer} from './viewer-session.ts';

type ServeFlags = FlagsOf<'serve'>;

const defaultListen: Address = {host: '127.0.0.1', port: 2222};

/** Takes its parsed flags and settles with the exit status, as the commands in commands.ts do. */
export async function serve(flags: ServeFlags): Promise<number> {
	const owners = await readSources(flags, process.env);
	const options = mergeSources(owners);
	// SIGHUP has the keys read again; npm repeats SIGINT, and viewers' terminals are to be given back.
	return untilInterrupted(signal => runServe(options, {...flags, owners}, signal), {
		signals: ['SIGINT', 'SIGTERM'],
		forced: false,
	});
}

/** `owners`: the settings of the program. */
type ServeRequest = ServeFlags & {readonly owners: readonly Source[]};

/** Serves viewers by SSH until `signal` is aborted. Rejects with a `UsageError` when it cannot listen or read its keys. */
async function runServe(options: Options, request: ServeRequest, signal: AbortSignal): Promise<number> {
	if (request.authorizedKeys === undefined && !request.anonymous) {
		throw new UsageError('who may log in? give --authorized-keys FILE, or --anonymous to let everybody in');
	}

	const tally = createTally();
	let observeMetrics = (_: Outcome): void => {};
	const observe = (outcome: Outcome): void => {
		tally.observe(outcome);
		observeMetrics(outcome);
	};
	return withExchange(
		options,
		async reads => {
			const context = {...reads, exchange: discreetReads(reads)};
			noteUnused(options, context.output);
			// Ink, which draws the screens, listens once for each of them.
			process.setMaxListeners(0);
			const broken = Promise.withResolvers<never>();
			const faults = catchFaults(broken.reject);
			const rewindable = rewindableExchange(context);
			const onDefect = noteDefects(context, tally, {debug: request.debug === true});
			const shared = shareWithViewers(context, {owners: request.owners, rewindable, faults, tally, onDefect});
			const stopWatchingHeap = watchHeap(broken.reject);
			const closes = [async () => faults.stop(), async () => stopWatchingHeap()];
			try {
				const hostKey = await openHostKeyOf(request);
				const fault = request.authorizedKeys && (await viewerFilesFault(process.env, context.clock));
				if (fault) context.output.note(fault);
				const server = await listen(context, request, tally, {hostKey, shared, faults});
				const onHangUp = () => void server.rereadKeys();
				process.on('SIGHUP', onHangUp);
				closes.unshift(() => server.close(stopping));
				closes.push(async () => void process.off('SIGHUP', onHangUp));
				const metrics = await metricsOf(request, server, tally);
				if (metrics) {
					observeMetrics = metrics.observe;
					closes.push(metrics.close);
				}

				await announce(context, request, {server, hostKey, metrics: metrics?.address});
				const stopReports = reportEveryMinute({
					...context,
					viewers: () => server.viewers,
					tally: () => tallyOf(server, tally),
				});
				closes.push(async () => stopReports());
				await Promise.race([aborted(signal), broken.promise]);
				return exitStatus.done;
			} finally {
				for (const close of closes) await close();
			}
		},
		{observe},
	);
}

/** Says which settings do nothing here. */
function noteUnused({origins}: Options, {note}: Output): void {
	const unused = (['alerts', 'notify', 'on-alert'] as const).filter(name => origins[name] !== undefined);
	if (unused.length === 0) return;
	note(`not used by serve: ${unused.join(', ')}; viewers set their own alerts, and tapewatch watch alerts you`);
}

function proxiesIn(text: string): readonly AddressPattern[] {
	try {
		return parseAddressList(text);
	} catch (cause) {
		throw new UsageError(`--trusted-proxy: ${cause instanceof Error ? cause.message : cause}`, {cause});
	}
}

const stopping = 'the server is stopping';

async function listen(
	{clock, output, log}: Context,
	{listen: {host, port} = defaultListen, ...request}: ServeRequest,
	tally: Tallying,
	{hostKey, shared, faults}: {readonly hostKey: HostKey; readonly shared: Shared; readonly faults: Faults},
): Promise<SshServer> {
	const {authorizedKeys, anonymous = false, maxViewers, maxPerAddress, trustedProxy, idle} = request;
	return startSshServer({
		...{host, port, clock, authorizedKeys, anonymous, hostKey: hostKey.privateKey},
		limits: {
			...(maxViewers !== undefined && {viewers: maxViewers}),
			...(maxPerAddress !== undefined && {viewersPerAddress: maxPerAddress}),
			...(idle !== undefined && {idleMs: idle}),
		},
		...(trustedProxy !== undefined && {trustedProxies: proxiesIn(trustedProxy)}),
		contain: faults.run,
		onViewer: viewer => void serveViewer(viewer, shared),
		onKeys(report) {
			noteKeys(report, authorizedKeys ?? '', output);
			log?.door({type: 'keys', ...report});
		},
		onEvent(event) {
			if (event.type === 'defect') return shared.onDefect(event, event.error);
			if (event.type === 'login') tally.add('logins', 1);
			if (event.type === 'refusal') tally.add('refusals', 1);
			log?.door(event);
		},
	}).catch(cause => {
		if (cause.code) throw listenError(cause, 'listen', {host, port}, '--listen');
		throw new UsageError(`cannot ${keysIn(authorizedKeys)}: ${cause.message}`, {cause});
	});
}

const hostKeyPath = ({hostKey}: ServeRequest): string => hostKey ?? join(dirname(statePath(process.env)), 'host_key');

async function openHostKeyOf(request: ServeRequest): Promise<HostKey> {
	const path = hostKeyPath(request);
	const opening = makeFolder(dirname(path)).then(() => openHostKey(path));
	return opening.catch(cause => {
		throw new UsageError(cause.code ? `cannot use the host key ${path}: ${fileFault(cause)}` : cause.message, {cause});
	});
}

type Listening = {readonly server: SshServer; readonly hostKey: HostKey; readonly metrics: string | undefined};

/** Says where the server is reached, once everything is. */
async function announce(
	{output, demo}: Context,
	request: ServeRequest,
	{server, hostKey: {fingerprint, isNew}, metrics}: Listening,
): Promise<void> {
	const {host} = request.listen ?? defaultListen;
	const {port} = server.address;
	if (demo) output.note(demoTitle);
	if (isNew) output.note(`created the host key ${hostKeyPath(request)}`);
	if (request.anonymous) output.note('everybody who can reach the address is let in (--anonymous)');
	if (metrics !== undefined) output.note(`metrics at http://${metrics}/metrics`);
	await output.print(
		request.json
			? `${JSON.stringify({host, port, fingerprint, metrics})}\n`
			: `listening on ${addressText({host, port})}, host key ${fingerprint}\n`,
	);
}

function noteKeys({keys, refused, fault, isSame}: KeyFileReport, path: string, {note}: Output): void {
	if (isSame && fault === undefined) return note(`${path} was read again, unchanged: ${formatCount(keys, 'key')}`);
	for (const {line, reason} of refused) note(`${path}, line ${line}: ${reason}; this key is refused`);
	note(
		fault === undefined ? `${formatCount(keys, 'key')} in ${path}` : `no key works: cannot ${keysIn(path)}: ${fault}`,
	);
}

const keysIn = (path: string | undefined): string => `read the keys in ${path}`;

async function metricsOf({metrics: listen}: ServeRequest, server: SshServer, tally: Tallying) {
	if (!listen) return undefined;
	const {serveMetrics} = await import('./metrics.ts');
	return serveMetrics({
		...{listen, tally: () => tallyOf(server, tally)},
		viewers: () => server.viewers,
		connecting: () => server.connecting,
	});
}

const tallyOf = ({sentBytes}: SshServer, tally: Tallying): Tally => ({...tally.now(), bytes: sentBytes});
