import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';

/** One request as the server saw it. */
type SeenRequest = {
	readonly method: string | undefined;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: IncomingMessage['headers'];
	/** The same for requests on one connection. */
	readonly connection: number;
};

export type Reply = (response: ServerResponse, request: SeenRequest) => void;

export type ExchangeServer = {
	readonly url: string;
	/** Oldest first. */
	readonly requests: readonly SeenRequest[];
	/** What a path answers from now on; everything else is a 404. */
	answer(path: string, reply: Reply): void;
	/** Forgets the requests so far. */
	forget(): void;
	/** Resolves when `count` requests have arrived since the start. */
	received(count: number): Promise<void>;
	/** Cuts every connection. */
	close(): Promise<void>;
};

/** A loopback HTTP server that answers by script. */
export async function startExchangeServer(): Promise<ExchangeServer> {
	const requests: SeenRequest[] = [];
	const replies = new Map<string, Reply>();
	const connections = new WeakMap<Socket, number>();
	let opened = 0;
	let waiting: {readonly count: number; readonly resolve: () => void}[] = [];

	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '/', 'http://loopback');
		const connection = connections.get(request.socket) ?? opened++;
		connections.set(request.socket, connection);
		const arrived = {
			method: request.method,
			path: url.pathname,
			query: Object.fromEntries(url.searchParams),
			headers: request.headers,
			connection,
		};
		requests.push(arrived);
		const reply = replies.get(url.pathname) ?? sends({message: 'no such path'}, {status: 404});
		reply(response, arrived);
		for (const {count, resolve} of waiting) if (requests.length >= count) resolve();
		waiting = waiting.filter(({count}) => count > requests.length);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;

	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		answer(path, reply) {
			replies.set(path, reply);
		},
		forget() {
			requests.length = 0;
		},
		received(count) {
			if (requests.length >= count) return Promise.resolve();
			return new Promise(resolve => waiting.push({count, resolve}));
		},
		async close() {
			const closed = new Promise(resolve => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

type Head = {readonly status?: number; readonly headers?: Readonly<Record<string, string>>};

/** Answers `body`: text and bytes as they are, everything else as JSON. */
export function sends(body: unknown, {status = 200, headers = {}}: Head = {}): Reply {
	const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
	return response => {
		response.writeHead(status, {'content-type': 'application/json', ...headers});
		response.end(bytes);
	};
}

/** Server time of every envelope below. */
export const serverTime = 1_723_161_299_000;

/** `data` in the envelope of v2; text is taken as JSON, digit for digit. */
export const v2 = (data: unknown, head?: Head): Reply =>
	sends(`{"data":${jsonOf(data)},"success":true,"message":"","timestamp":${serverTime}}`, head);

/** `data` in the legacy envelope. */
export const legacy = (data: unknown, head?: Head): Reply =>
	sends(
		`{"data":${jsonOf(data)},"message":"","status":200,"timestamp":"2024-08-08T23:54:59+0000","isSuccess":true}`,
		head,
	);

const jsonOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

export const paths = {
	info: '/metadata/v2/exchange/info',
	markets: '/engine/v2/public/markets',
	summary: '/engine/v2/public/summary',
	ticker: '/engine/v2/public/ticker',
	depth: '/engine/v2/public/depth',
	trades: '/trade/v2/public/trade',
	candles: '/trade-chart/v2/public/kline',
	legacyTicker: '/api-ordermatch/api/v1/public/ticker',
	legacyDepth: '/api-ordermatch/api/v1/public/depth',
	legacyTrades: '/api-tradeservice/api/v1/public/trade',
} as const;
