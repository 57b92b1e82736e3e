import type {Delivery} from './delivery.ts';

/** What an operation of the demo exchange needs to know of an HTTP request. */
export type DemoRequest = {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	/** By their names in lower case. */
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	/** Reads the body. Throws a `Refusal` (413) when it is longer than 64 KiB. */
	readonly text: () => Promise<string>;
};

export type DemoAnswer = {
	readonly status: number;
	/** Besides the content type, which is JSON unless one is given. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Text goes out compressed where that is worth it; bytes go out as they are. */
	readonly body: string | Uint8Array;
	/** Default: whole and at once. */
	readonly delivery?: Delivery;
};

/** Answers every request, never rejects on a bad one. A handler can stand before another one as a filter. */
export type Handler = (request: DemoRequest) => Promise<DemoAnswer>;
