/** What the user reads of an error, or of a clock; the log has its message and cause. */
export type Words = {
	/** What failed, where room is short. */
	readonly brief: string;
	/** What failed, as a clause of its own. */
	readonly text: string;
	/** What the user can do, as an imperative; empty where waiting is all. */
	readonly advice: string;
};

type Entry = {readonly brief: string; readonly text?: string; readonly advice?: string};

/** Every message of a failed read, and what else is wrong with an exchange. `{}` stands for the one thing that is not known beforehand. */
export const messages = {
	aborted: {brief: 'aborted'},
	timeout: {
		brief: 'timed out',
		text: 'no answer within {} s',
		advice: 'check the network, or give a longer --timeout',
	},

	'connection-refused': {brief: 'connection refused', advice: 'check the address, or start the exchange'},
	'connection-reset': {brief: 'connection reset', text: 'the exchange cut the connection'},
	'connection-lost': {brief: 'connection lost', text: 'the connection broke off'},
	'connection-timeout': {brief: 'connection timed out', advice: 'check the network and the address'},
	'unknown-host': {brief: 'unknown host', advice: 'check the address and the network'},
	'host-unreachable': {brief: 'host unreachable', advice: 'check the network'},
	'network-unreachable': {brief: 'network unreachable', advice: 'check the network'},
	'certificate-expired': {brief: 'certificate expired', advice: 'check the clock of this computer'},
	'certificate-host': {brief: 'certificate of another host', advice: 'check the address'},
	'certificate-distrusted': {
		brief: 'certificate not trusted',
		advice: 'check the address, or name the authority in NODE_EXTRA_CA_CERTS',
	},
	tls: {brief: 'TLS failed', advice: 'check that the address begins with the right http:// or https://'},
	'proxy-address': {brief: 'bad proxy address in the environment', advice: 'correct HTTPS_PROXY or HTTP_PROXY'},
	proxy: {brief: 'proxy failed', advice: 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY'},
	network: {brief: 'network error', advice: 'check the network'},
	'network-said': {brief: 'network error: {}', advice: 'check the network'},

	redirect: {
		brief: 'redirected to {}',
		text: 'redirected to {}, not followed',
		advice: 'if you trust it, give that address',
	},
	'too-many': {
		brief: 'too many requests',
		text: 'exchange refuses: too many requests',
		advice: 'lower --rate if it stays so',
	},
	'not-found': {brief: 'not found', text: 'exchange refuses: not found', advice: 'check the address and the market'},
	denied: {
		brief: 'access denied',
		text: 'exchange refuses: access denied',
		advice: 'check whether it serves your country',
	},
	'server-error': {brief: 'server error {}', text: 'the exchange has a fault: server error {}'},
	'bad-request': {
		brief: 'bad request {}',
		text: 'exchange refuses: bad request {}',
		advice: 'choose another market or period',
	},
	'unexpected-status': {brief: 'unexpected status {}', advice: 'check the address'},
	refused: {brief: 'refused by the exchange', advice: 'choose another market or period'},

	unreadable: {brief: 'unreadable answer', text: 'the answer cannot be read', advice: 'check the address'},
	'too-large': {brief: 'answer too large'},
	unavailable: {brief: '{}'},

	waits: {brief: 'exchange asks to wait'},
	standstill: {brief: 'its clock stands still', text: "exchange's clock stands still: data may be old"},
	clock: {
		brief: 'clock {}',
		text: 'exchange clock {}',
		advice: 'set the clock of this computer if that is the wrong one',
	},
} as const satisfies Record<string, Entry>;

export type MessageKey = keyof typeof messages;

/** The words for `key`, with `detail` in place of `{}`. */
export function wordsFor(key: MessageKey, detail = ''): Words {
	const entry: Entry = messages[key];
	const fill = (template: string) => template.replaceAll('{}', () => detail);
	return {brief: fill(entry.brief), text: fill(entry.text ?? entry.brief), advice: entry.advice ?? ''};
}
