import type {Command} from 'commander';
import {defaultLimits} from '../../serve/limits.ts';
import {address, limitedDuration, wholeNumber} from '../options/arguments.ts';
import {below, examples, type Finish} from './common.ts';

export function addServe(program: Command, finish: Finish): void {
	program
		.command('serve')
		.description('show the monitor to viewers who connect over SSH, with one poller')
		.option('--listen <ADDRESS>', 'host and port to listen on (default: 127.0.0.1:2222)', address)
		.option('--authorized-keys <FILE>', "file of the public keys that can log in, in OpenSSH's format, see below")
		.option('--anonymous', 'let in everybody who can reach the address, without a key')
		.option('--host-key <FILE>', 'ed25519 key of the server, created if missing (default: see below)')
		.option('--metrics <ADDRESS>', 'address at which to serve metrics for Prometheus, as /metrics', address)
		.option('--max-viewers <N>', `viewers at a time (default: ${defaultLimits.viewers})`, wholeNumber(1, 10_000))
		.option(
			'--max-per-address <N>',
			`viewers at a time from one address (default: ${defaultLimits.viewersPerAddress})`,
			wholeNumber(1, 10_000),
		)
		.option('--trusted-proxy <ADDRESS>', 'balancers that pass on client addresses with the PROXY protocol')
		.option(
			'--idle <DURATION>',
			'log out viewers whose terminal has sent nothing for this time, or off (default: 12h)',
			limitedDuration,
		)
		.option('--rewind <TIME>', 'how far back viewers can step, 1m to 24h, or off (default: 1h)')
		.addHelpText('after', below(serveHelp))
		.action(async (_, command: Command) => {
			const {serve} = await import('../serve/serve.ts');
			finish(await serve(command.optsWithGlobals()));
		});
}

const serveHelp = `
Viewers can use the monitor (ssh -p 2222 HOST), tiles (ssh -t -p 2222 HOST watch BTCUSDT ETHUSDT) and, without a terminal, lines,
events and reads (ssh -p 2222 HOST watch BTCUSDT --json). Data that several viewers watch is requested once. There is no shell, no
forwarding and no file transfer, and viewers cannot access files on the server. Their choices are remembered by key.

Each line of the --authorized-keys file has a public key. Options can precede it: market="BTCUSDT,ETHUSDT" (shows only these),
watch-only (tiles and lines, no monitor), owner (allows the diagnosis), and from OpenSSH from="PATTERNS", expiry-time="TIME",
no-pty and restrict. A key with any other option is refused. The file is read again when it changes, and on SIGHUP.

Behind a router many viewers share one address: raise --max-per-address (N). N connections from one address, and 3 times N in total, can
be waiting to log in. One address can start 3 times N log-ins at once, then N per second; further ones wait. The balancers named in
--trusted-proxy (10.0.0.1, or 10.0.0.0/8,!10.0.0.7) pass on client addresses: send-proxy in HAProxy, proxy_protocol on in nginx.

The host key is in $XDG_STATE_HOME/tapewatch/host_key (default ~/.local/state). Once a minute, a line on standard error or in
--log-file counts viewers, requests, bytes and dropped frames. SIGTERM restores every terminal.
${examples(
	'tapewatch serve --authorized-keys ~/.ssh/authorized_keys',
	'tapewatch serve --exchange mine --listen 0.0.0.0:2222 --authorized-keys keys --metrics 127.0.0.1:9464',
	'tapewatch serve --anonymous   # on this computer only: ssh -p 2222 127.0.0.1',
)}`;
