import type {Command} from 'commander';
import {defaultLimits} from '../../serve/limits.ts';
import {address, limitedDuration, wholeNumber} from '../options/arguments.ts';
import {below, examples, type Finish} from './common.ts';

export function addServe(program: Command, finish: Finish): void {
	program
		.command('serve')
		.description('give every viewer that connects by SSH the monitor, on one poller')
		.option('--listen <ADDRESS>', 'host and port to listen on (default: 127.0.0.1:2222)', address)
		.option('--authorized-keys <FILE>', "public keys that may log in, in OpenSSH's format, see below")
		.option('--anonymous', 'let everybody in who reaches the address, without a key')
		.option('--host-key <FILE>', 'ed25519 key of the server, made where it is missing (default: see below)')
		.option('--metrics <ADDRESS>', 'serve metrics for Prometheus there, at /metrics', address)
		.option('--max-viewers <N>', `viewers at a time (default: ${defaultLimits.viewers})`, wholeNumber(1, 10_000))
		.option(
			'--max-per-address <N>',
			`viewers at a time from one address (default: ${defaultLimits.viewersPerAddress})`,
			wholeNumber(1, 10_000),
		)
		.option('--trusted-proxy <ADDRESS>', 'balancers that say by the PROXY protocol where connections come from')
		.option(
			'--idle <DURATION>',
			'log out whose terminal has sent no key and no answer for this time, or off (default: 12h)',
			limitedDuration,
		)
		.option('--rewind <TIME>', 'keep as much to step back to, 1m to 24h, or off (default: 1h)')
		.addHelpText('after', below(serveHelp))
		.action(async (_, command: Command) => {
			const {serve} = await import('../serve/serve.ts');
			finish(await serve(command.optsWithGlobals()));
		});
}

const serveHelp = `
Viewers get the monitor (ssh -p 2222 HOST), tiles (ssh -t -p 2222 HOST watch BTCUSDT ETHUSDT), and lines, events and the reads
without a terminal (ssh -p 2222 HOST watch BTCUSDT --json). What several look at is asked once. There is no shell, no forwarding
and no file transfer, and viewers neither read nor write files here. What a viewer has chosen is remembered by its key.

Each line of --authorized-keys has a public key, and before it may have options: market="BTCUSDT,ETHUSDT" (shows only these),
watch-only (tiles and lines, no monitor), owner (may see the diagnosis), and of OpenSSH's: from="PATTERNS", expiry-time="TIME", no-pty and
restrict. A key with another option is refused. The file is read again when it changes, and on SIGHUP.

Behind a router many viewers have one address: raise --max-per-address. As many connections of an address may be about to log in, and
three times as many of all; as many log-ins of it begin in a second, after three times as many at once. A balancer that is named in
--trusted-proxy (10.0.0.1, or 10.0.0.0/8,!10.0.0.7) says where viewers come from: send-proxy in HAProxy, proxy_protocol on in nginx.

The host key is in $XDG_STATE_HOME/tapewatch/host_key (default ~/.local/state). A line a minute on standard error, or in
--log-file, counts viewers, requests, bytes and dropped frames. SIGTERM restores every terminal.
${examples(
	'tapewatch serve --authorized-keys ~/.ssh/authorized_keys',
	'tapewatch serve --exchange mine --listen 0.0.0.0:2222 --authorized-keys keys --metrics 127.0.0.1:9464',
	'tapewatch serve --anonymous   # on this computer only: ssh -p 2222 127.0.0.1',
)}`;
