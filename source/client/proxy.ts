/** No tunnel through the proxy: it answered with another status than 200, or `cause` ended the connection to it. */
export class TunnelError extends Error {
	override readonly name = 'TunnelError';
	/** Absent: it did not answer in HTTP. */
	readonly status: number | undefined;

	constructor({status, cause}: {readonly status?: number; readonly cause?: unknown}) {
		super(status === undefined ? 'no tunnel' : `no tunnel: status ${status}`, {cause});
		this.status = status;
	}
}

/** The address of the proxy that the environment names for requests to `url`; undefined: they go there directly. */
export function proxyOf(url: URL): string | undefined {
	const {env} = process;
	const forHttp = env.http_proxy ?? env.HTTP_PROXY;
	const forHttps = env.https_proxy ?? env.HTTPS_PROXY;
	const proxy = url.protocol === 'https:' ? forHttps || forHttp : forHttp;
	return proxy && !isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '') ? proxy : undefined;
}

/** Host and port of a proxy, without its credentials. */
export const hostOf = (proxy: string | undefined): string | undefined => (proxy && URL.parse(proxy)?.host) || undefined;

/** The embedded exchange is never behind a proxy. */
const thisMachine = 'localhost,127.0.0.1,::1';

/** Whether an entry names the host or a domain above it: `a.com`, `.a.com`, `*.a.com`, `[::1]:80`, `*`. */
function isExempt({hostname, port, protocol}: URL, noProxy: string): boolean {
	const host = bare(hostname);
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	return `${noProxy},${thisMachine}`
		.toLowerCase()
		.split(/[\s,]+/)
		.some(entry => {
			const [, name = entry, onlyPort = ownPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
			const domain = bare(name.replace(/^\*?\./, ''));
			const isNamed = name === '*' || (host === domain && !name.startsWith('*')) || host.endsWith(`.${domain}`);
			return domain !== '' && isNamed && onlyPort === ownPort;
		});
}

/** Without the brackets of an IPv6 address and the dot after a full name. */
const bare = (host: string): string => host.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '');
