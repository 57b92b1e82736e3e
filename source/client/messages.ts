/** What the user reads about an error or a clock. */
export type Words = {
	/** What failed, for where space is short. */
	readonly brief: string;
	/** What failed, as a clause of its own. */
	readonly text: string;
	/** `brief` without what others wrote, such as the address of a redirect. */
	readonly own: string;
	/** What the user can do, as an imperative; empty if there is nothing to do but wait. */
	readonly advice: string;
};

/** The advice can depend on what was requested. */
type Entry = {
	readonly brief: string;
	readonly text?: string;
	readonly advice?: string | ((operation: string) => string);
};

const checkNetwork = 'check the network';
const checkAddress = 'check the address';
const checkScheme = 'check whether the address begins with http:// or https://';
const checkProxy = 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
const checkCountry = 'check whether the exchange serves your country';
const allowLarger = 'allow larger answers if the exchange is trusted';
const choices: Readonly<Record<string, string>> = {
	depth: 'choose another market',
	trades: 'choose another market',
	candles: 'choose another market or period',
};
const chooseOther = (operation: string) => choices[operation] ?? '';
const checkTarget = (operation: string) => (choices[operation] ? `${checkAddress} and the market` : checkAddress);

/** Every message about a failed read or a clock. `{}` stands for a detail. */
export const messages = {
	aborted: {brief: 'aborted'},
	timeout: {brief: 'timed out', text: 'no answer within {} s', advice: 'check the network, or allow more time'},
	'proxy-timeout': {
		brief: 'timed out through the proxy {}',
		advice: 'check the network and the proxy, or allow more time',
	},

	'connection-refused': {brief: 'connection refused', advice: 'check the address, or start the exchange'},
	'connection-reset': {brief: 'connection reset'},
	'connection-lost': {brief: 'connection lost'},
	unanswered: {brief: 'closed without an answer', advice: checkScheme},
	'connection-timeout': {brief: 'connection timed out', advice: 'check the network and the address'},
	'unknown-host': {brief: 'unknown host', advice: 'check the address and the network'},
	'host-unreachable': {brief: 'host unreachable', advice: checkNetwork},
	'network-unreachable': {brief: 'network unreachable', advice: checkNetwork},
	'certificate-expired': {brief: 'certificate expired', advice: "check this computer's clock"},
	'certificate-host': {brief: 'certificate of another host', advice: checkAddress},
	'certificate-distrusted': {
		brief: 'certificate not trusted',
		advice: 'check the address, or add its authority to NODE_EXTRA_CA_CERTS',
	},
	tls: {brief: 'TLS failed', advice: checkScheme},
	'no-tls': {brief: 'no TLS at this address', advice: 'the port may be for http://'},
	'tls-port': {brief: 'only TLS at this address', advice: 'the port may be for https://'},
	'no-http': {brief: 'answer is not HTTP', advice: checkAddress},
	continue: {brief: 'answered 100 Continue unasked', advice: 'ask the exchange or a proxy to leave it out'},
	'headers-too-large': {brief: 'headers too large', advice: checkAddress},
	'proxy-address': {brief: 'invalid proxy address', advice: 'correct HTTPS_PROXY or HTTP_PROXY'},
	proxy: {brief: 'proxy {}', advice: checkProxy},
	'proxy-password': {brief: 'proxy needs a password', advice: 'add user and password to HTTPS_PROXY or HTTP_PROXY'},
	network: {brief: 'network error', advice: checkNetwork},
	'network-detail': {brief: 'network error: {}', advice: checkNetwork},

	redirect: {
		brief: 'redirected to {}',
		text: 'redirected to {}, not followed',
		advice: 'use that address if you trust it',
	},
	'redirect-elsewhere': {brief: 'redirected to a non-HTTP address', advice: checkAddress},
	'rate-limit': {brief: 'rate-limited (429)', advice: 'lower the request rate if this persists'},
	'not-found': {brief: 'not found', text: 'not found (404)', advice: checkTarget},
	denied: {brief: 'access denied', advice: checkCountry},
	'legal-reasons': {brief: 'unavailable for legal reasons', advice: checkCountry},
	'request-timeout': {brief: 'request came too slowly', advice: checkNetwork},
	'request-too-large': {brief: 'request headers too large', advice: 'check the address and a proxy on the way'},
	'server-error': {brief: 'server error {}'},
	'bad-request': {brief: 'bad request {}', advice: chooseOther},
	'unexpected-status': {brief: 'unexpected status {}', advice: checkAddress},
	refused: {brief: 'refused by the exchange', advice: chooseOther},

	unreadable: {brief: 'unreadable answer', advice: checkAddress},
	'too-large': {brief: 'answer too large', advice: allowLarger},
	unavailable: {brief: '{}'},

	held: {brief: 'rate-limited'},
	defect: {
		brief: 'defect of Tapewatch',
		text: 'defect of Tapewatch: {}',
		advice: 'please report it with the output of tapewatch doctor',
	},
	'frozen-clock': {brief: 'exchange clock frozen', text: 'exchange clock frozen: data may be old'},
	'trade-clock': {
		brief: 'clock {} its trades',
		text: 'exchange clock {} its trades',
		advice: 'candles, windows and rates follow the trades',
	},
	'clock-and-trade-clock': {
		brief: 'clock {} its trades and this computer',
		text: 'exchange clock {} its trades and this computer',
	},
	clock: {brief: 'clock {}', text: 'exchange clock {}', advice: "set this computer's clock if it is wrong"},
} as const satisfies Record<string, Entry>;

/** What the user can do when an interface is not configured or does not offer a read. */
export const remedies = {
	allowLarger,
	allowBoth: 'allow both interfaces',
	v2: 'set the base URL',
	legacy: 'set the legacy base URL',
} as const;

export type MessageKey = keyof typeof messages;

/** The words for `key`, with `detail` in place of `{}`; the advice may depend on the operation. */
export function wordsFor(key: MessageKey, detail = '', operation = ''): Words {
	const entry: Entry = messages[key];
	const fill = (template: string) => template.replaceAll('{}', () => detail);
	const {brief, text = brief, advice = ''} = entry;
	const own = brief.replaceAll('{}', '…');
	return {brief: fill(brief), text: fill(text), own, advice: typeof advice === 'string' ? advice : advice(operation)};
}
